import * as z from "zod";
import { daysMax } from "../../functions/core/environment.ts";

/** A value as a message shows it. */
export function quote(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

/** An issue whose message follows the setting's name, without its value. */
export const withoutValue = { params: { withoutValue: true } } as const;

/** True or false. */
export const onOrOff = z.boolean("write true or false");

/** One of a few texts. */
export function choice<const Values extends readonly [string, ...string[]] | readonly string[]>(
  values: Values,
) {
  return z.enum(values, `write ${values.map(quote).join(" or ")}`);
}

interface Bounds {
  /**
   * The unit in the plural, such as `days`.
   * @default - no unit
   */
  readonly of?: string;
  /** @default 1 */
  readonly min?: number;
  /** @default - none */
  readonly max?: number;
  /** Shown in place of a maximum. */
  readonly example?: number;
}

/** A whole number within bounds. */
export function wholeNumber({ of, min = 1, max = Number.MAX_SAFE_INTEGER, example }: Bounds) {
  const unit = of === undefined ? "" : `of ${of} `;
  const range = example === undefined ? `from ${min} to ${max}` : `from ${min}, such as ${example}`;
  const instead = `write a whole number ${unit}${range}`;
  return z.int(instead).min(min, instead).max(max, instead);
}

export const days = wholeNumber({ of: "days", max: daysMax });

const aboveZero = "write a number above 0, such as 20";

/** An amount of US dollars. */
export const dollars = z.number(aboveZero).positive(aboveZero);

/** A text that matches a pattern. */
export function text(pattern: RegExp, instead: string) {
  return z.string(instead).regex(pattern, instead);
}

/** A text that a function checks. The function returns what to write instead; with `hiding`, the message omits the value. */
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

/** An https address, or an address of this machine. */
export function httpsAddress(instead: string) {
  return checkedText(instead, (value) => (isHttpsOrThisMachine(parseUrl(value)) ? undefined : instead));
}

/** Parses an address; undefined if the text is not one. */
export function parseUrl(given: string): URL | undefined {
  return URL.canParse(given) ? new URL(given) : undefined;
}

/** Recognizes addresses with https, and those of this machine. */
function isHttpsOrThisMachine(url: URL | undefined): boolean {
  return url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(url.hostname));
}

/** Recognizes hosts of this machine, which need no https. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1";
}

/** Entries of a list that also occur earlier in it. */
export function repeated<Value>(list: readonly Value[]): readonly Value[] {
  return list.filter((one, index) => one !== undefined && list.indexOf(one) !== index);
}
