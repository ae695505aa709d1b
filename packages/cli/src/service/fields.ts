import * as z from "zod/mini";

/**
 * Schemas for fields in responses. A response schema contains only the fields that a command uses. Further fields, such as those of newer
 * services, stay unchanged.
 */

/** Identifier of a drop or file. The identifier becomes part of a path, so every other format is refused. */
export const identifier = z.string().check(z.regex(/^[A-Za-z0-9]{7}$/, "must be 7 letters and digits"));

/** Other identifier that becomes part of a URL. */
export const key = z.string().check(z.regex(/^[\w-]{1,200}$/, "must be letters, digits, _ and -"));

/** URL that the user can open, without spaces, control characters or characters that need encoding. */
export const webAddress = z.string().check(z.refine(isWebAddress, "must be an http or https address"));

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[!-~]{1,8000}$/i.test(text) && URL.canParse(text);
}

/** Token or other secret that is sent in a header. */
export const secret = z.string().check(z.regex(/^[!-~]{1,4000}$/, "must be printable, without spaces"));

export const count = z.int("must be a whole number").check(z.minimum(0, "must not be negative"));

export const versionNumber = z.int("must be a whole number").check(z.minimum(1, "must be at least 1"));

/** Unix time in milliseconds, within the range of `Date`. */
export const unixMs = count.check(z.maximum(8_640_000_000_000_000, "must be a time in milliseconds"));

/** Seconds to wait, as requested by the service. The program limits the wait to its own bounds. */
export const seconds = z.number();

/** Limits a pause that the service requests to a range. */
export function withinSeconds(requested: number, min: number, max: number): number {
  return Number.isNaN(requested) ? min : Math.min(Math.max(requested, min), max);
}
