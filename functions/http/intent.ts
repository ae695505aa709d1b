import type { Message } from "../core/errors.ts";

/** A name by which a caller means something that must not be dropped in silence: the request is refused. */
export interface Intent {
  /** Names in lower case, letters and digits only. */
  readonly names: string;
  /** Words in longer names, such as `passwordProtection`, with the same meaning. @default - the whole name counts */
  readonly words?: string;
  /** The corresponding field. @default - the service has no such field */
  readonly field?: string;
  /** A field beside which the name means something else. @default - none */
  readonly unless?: string;
  /** The name is ignored, with a warning if the response can have warnings. */
  readonly isIgnored?: true;
  /** Advice besides the field's name. @default - the field is named, or the call that takes it */
  readonly advice?: Message;
}
