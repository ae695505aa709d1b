import type { Message } from "../core/errors.ts";

/** Names by which a caller means something that must not be ignored silently. A request with such a name is refused. */
export interface Intent {
  /** Names in lower case, letters and digits only. */
  readonly names: string;
  /** Words in longer names, such as `passwordProtection`, with the same meaning. @default - only the whole name counts */
  readonly words?: string;
  /** The corresponding field. @default - the service has no such field */
  readonly field?: string;
  /** A field that gives the name another meaning, if the request has both. @default - none */
  readonly unless?: string;
  /** The name is ignored, with a warning if the response can have warnings. */
  readonly isIgnored?: true;
  /** Advice for the caller. @default - the name of the field, or of the call that accepts the field */
  readonly advice?: Message;
}
