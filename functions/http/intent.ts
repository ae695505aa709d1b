import type { Message } from "../core/errors.ts";

/**
 * Unknown field names with the same meaning, such as `private`. A request with one of these names is refused, because the caller's intent
 * must not be ignored silently.
 */
export interface Intent {
  /** The names, separated by spaces, with lower-case letters and digits only. */
  readonly names: string;
  /** Words that have this meaning inside longer names too, such as `password` in `passwordProtection`. @default - only whole names match */
  readonly words?: string;
  /** The service's field with this meaning. @default - the service has no such field */
  readonly field?: string;
  /** Field that changes the meaning of the names. If the request has this field, the intent does not apply. @default - none */
  readonly unless?: string;
  /** True if a request with the names is not refused. The names are ignored, with a warning if possible. */
  readonly isIgnored?: true;
  /** Advice for the caller. @default - the name of the field, or of the call that accepts the field */
  readonly advice?: Message;
}
