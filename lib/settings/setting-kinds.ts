import * as z from "zod";
import { daysMax } from "../../functions/core/environment.ts";

/** Formats a value for an error message. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** Marks an issue whose message is printed right after the setting's name, without the value. */
export const withoutValue = { params: { withoutValue: true } } as const;

export const onOrOff = z.boolean("use true or false");

/** Schema for one of the given strings. */
export function choice<const Values extends readonly [string, ...string[]] | readonly string[]>(
  values: Values,
) {
  return z.enum(values, `use ${values.map(quote).join(" or ")}`);
}

interface Bounds {
  /** Unit in the plural, such as `days`. @default - no unit */
  readonly of?: string;
  /** Minimum. @default 1 */
  readonly min?: number;
  /** Maximum. @default - none */
  readonly max?: number;
  /** Example value, which error messages show instead of the maximum. */
  readonly example?: number;
}

/** Schema for a whole number within bounds. */
export function wholeNumber({ of, min = 1, max = Number.MAX_SAFE_INTEGER, example }: Bounds) {
  const unit = of === undefined ? "" : `of ${of} `;
  const range = example === undefined ? `from ${min} to ${max}` : `from ${min}, such as ${example}`;
  const instead = `use a whole number ${unit}${range}`;
  return z.int(instead).min(min, instead).max(max, instead);
}

export const days = wholeNumber({ of: "days", max: daysMax });

const aboveZero = "use a number above 0, such as 20";

/** Schema for an amount in US dollars. */
export const dollars = z.number(aboveZero).positive(aboveZero);

/** Schema for a string that matches a pattern. */
export function text(pattern: RegExp, instead: string) {
  return z.string(instead).regex(pattern, instead);
}

/**
 * Schema for a string that a function validates. For an invalid value, the function returns the hint for the error message. If it returns
 * the hint as `hiding`, the message omits the value.
 */
export function checkedText(
  instead: string,
  check: (value: string) => string | { readonly hiding: string } | undefined,
) {
  return z.string(instead).check(({ value, issues }) => {
    const found = check(value);
    if (found === undefined) return;
    const issue = typeof found === "string" ? { message: found } : { message: found.hiding, ...withoutValue };
    issues.push({ code: "custom", input: value, ...issue });
  });
}

/** Schema for an https URL, or an http URL on localhost. */
export function httpsAddress(instead: string) {
  return checkedText(instead, (value) => {
    const { protocol, hostname = "" } = parseUrl(value) ?? {};
    return protocol === "https:" || (protocol === "http:" && isThisMachine(hostname)) ? undefined : instead;
  });
}

/** Parses a URL. Returns undefined if the string is not a URL. */
export function parseUrl(given: string): URL | undefined {
  return URL.canParse(given) ? new URL(given) : undefined;
}

/** Returns true for host names of this machine, which do not need https. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1";
}

/** Returns the entries that also occur earlier in the list. */
export function repeated<Value>(list: readonly Value[]): readonly Value[] {
  return list.filter((one, index) => one !== undefined && list.indexOf(one) !== index);
}
