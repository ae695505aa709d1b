import type { Message } from "../core/errors.ts";

/** Unknown names whose meaning must not be ignored silently, such as `private`. A request with one of these names is refused. */
export interface Intent {
  /** Names in lower case, letters and digits only. */
  readonly names: string;
  /** Words with the same meaning inside longer names, such as `passwordProtection`. @default - only whole names match */
  readonly words?: string;
  /** The corresponding field. @default - the service has no such field */
  readonly field?: string;
  /** Field that changes the meaning of the name. If the request has this field, this entry does not apply. @default - none */
  readonly unless?: string;
  /** Exception: the request is not refused. The name is ignored, with a warning if the response can have warnings. */
  readonly isIgnored?: true;
  /** Advice for the caller. @default - the name of the field, or of the call that accepts the field */
  readonly advice?: Message;
}
