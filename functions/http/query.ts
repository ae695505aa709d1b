import * as z from "zod/mini";
import type { ErrorCode } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import {
  accepts,
  countCodePoints,
  type JsonSchema,
  mustBe,
  patterns,
  problem,
  quote,
  schema,
  shownCharactersMax,
} from "./schemas.ts";

/** A decoded query string: the values of each parameter, in the order in which they were sent. */
export type RawQuery = Readonly<Record<string, readonly string[]>>;

/** A drop's tags. In a Map, the keys `__proto__` and `constructor` are ordinary keys. */
export type Metadata = ReadonlyMap<string, string>;

/** Metadata filters of a list. A drop must match all of them. A key may occur several times. */
export type MetadataFilters = readonly (readonly [key: string, value: string])[];

/** Refuses a parameter. The message ends a sentence that begins with the parameter's name. */
type Refuse = (message: string, code?: ErrorCode) => never;

/** Schema for a query parameter that may be sent at most once. If the parameter is missing, `read` gets an empty string. */
function parameter<Output>(json: JsonSchema, read: (text: string, refuse: Refuse) => Output) {
  return accepts(
    z.pipe(
      z.custom<readonly string[] | undefined>(),
      z.transform((values = [], context): Output => {
        const refuse: Refuse = (message, code = "invalid_arg") => {
          context.issues.push({ code: "custom", input: values, ...problem(code, message) });
          return z.NEVER;
        };
        if (values.length > 1) return refuse(`is given ${values.length} times; once is allowed.`);
        return read(values[0] ?? "", refuse);
      }),
    ),
    json,
  );
}

/** Schema for a parameter with any text. */
export function freeText() {
  return parameter({ type: "string" }, (text) => text);
}

/** Schema for a required text. @param what description of the text, for the message about a missing value */
export function requiredText(code: ErrorCode = "invalid_arg", what = "") {
  return parameter({ type: "string", minLength: 1 }, (text, refuse) =>
    text === "" ? refuse(`is required${what}.`, code) : text,
  );
}

/** Schema for an optional text with a pattern and a maximum length. Removes white space at the ends. An empty text counts as missing. */
export function optionalText({
  what,
  maxLength,
  pattern,
}: {
  readonly what: string;
  readonly maxLength: number;
  readonly pattern?: string;
}) {
  const json = { type: "string", maxLength, ...(pattern === undefined ? {} : { pattern }) };
  const matches = new RegExp(pattern ?? "", "u");
  return z.optional(
    parameter(json, (sent, refuse) => {
      const text = sent.trim();
      if (text === "") return undefined;
      const characters = countCodePoints(text);
      if (characters <= maxLength && text.isWellFormed() && matches.test(text)) return text;
      const actual = characters > maxLength ? String(characters) : quote(text);
      return refuse(mustBe(`${what} of at most ${maxLength} characters`, actual));
    }),
  );
}

/** Schema for an integer in decimal digits, without sign or leading zero. */
export function integer({
  minimum,
  maximum,
  what = "an integer",
  isTime = false,
}: {
  readonly minimum: 0 | 1;
  readonly maximum?: number;
  readonly what?: string;
  /** The integer is a time in Unix milliseconds, so the error for a date suggests its value. @default false */
  readonly isTime?: boolean;
}) {
  const json = { type: "integer", minimum, ...(maximum === undefined ? {} : { maximum }) };
  return parameter(json, (text, refuse) => {
    const isInteger = patterns.positiveInteger.test(text) || (text === "0" && minimum === 0);
    if (isInteger && Number(text) <= (maximum ?? Number(text))) return Number(text);
    const range = maximum === undefined ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
    const atMs = isTime && /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
    const inMs = Number.isNaN(atMs) ? "" : ` In Unix milliseconds, this time is ${atMs}.`;
    const isWord = /^(latest|current|head|newest|last)$/i.test(text);
    const leaveOut = isWord ? " For the latest, leave the parameter out." : "";
    return refuse(`${mustBe(`${what} ${range}`, quote(text))}${inMs}${leaveOut}`);
  });
}

/** Smallest accepted time in Unix milliseconds, a day in 1973. Callers who send a smaller number probably mean seconds. */
const millisecondsMin = 1e11;

/** Schema for a time in Unix milliseconds. Refuses a time in seconds, which would be a day in 1970. */
export function time() {
  return z.pipe(
    integer({ minimum: 0, what: "a time in Unix milliseconds", isTime: true }),
    z.transform((atMs, context): number => {
      // Accepts 0, for no lower bound.
      if (atMs === 0 || atMs >= millisecondsMin) return atMs;
      const message = `must be in Unix milliseconds, but ${atMs} is in seconds. In milliseconds, it is ${atMs * 1000}.`;
      context.issues.push({ code: "custom", input: atMs, ...problem("invalid_arg", message) });
      return z.NEVER;
    }),
  );
}

/** Schema for one of several values. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return accepts(z.pipe(freeText(), z.enum(values)), { type: "string", enum: values });
}

/** Schema for the values `true` and `false`. */
export function flag() {
  return accepts(
    z.pipe(
      choice(["true", "false"]),
      z.transform((text) => text === "true"),
    ),
    { type: "boolean" },
  );
}

/** Schema for the query parameter `page`: the number of a page of results, from 1. */
export const pageNumber = /* @__PURE__ */ schema(() => z._default(integer({ minimum: 1 }), 1));

/** Schema for the query parameter `pageSize`: the number of entries on a page; see section "Drops" of the specification. */
export const pageSize = /* @__PURE__ */ schema(() =>
  z._default(integer({ minimum: 1, maximum: limits.pageSizeMax }), limits.pageSizeDefault),
);

/**
 * Schema for the parameter `v` of a page's URL: a version, or undefined for the latest. Invalid numbers become 0, a version that never
 * exists, so that people see the 404 page instead of an API error.
 */
export const pinnedVersion = /* @__PURE__ */ schema(() => z.optional(z.catch(integer({ minimum: 1 }), 0)));

export const metadataPrefix = "metadata.";

/** Collects the `metadata.<key>` parameters of a query in one parameter `metadata`, for the schemas below. */
export function withFilters(sent: RawQuery): Readonly<Record<string, unknown>> {
  const names = Object.keys(sent).filter((name) => name.startsWith(metadataPrefix));
  const filters: MetadataFilters = names.flatMap((name) =>
    (sent[name] ?? []).map((value) => [name.slice(metadataPrefix.length), value] as const),
  );
  return { ...sent, metadata: filters.length === 0 ? undefined : filters };
}

const filtersJson = /* @__PURE__ */ schema(() => ({
  type: "object",
  propertyNames: { pattern: `^metadata\\.${patterns.metadataKey.source.slice(1)}` },
  additionalProperties: { type: "string" },
}));

/** Schema for all `metadata.<key>=<value>` parameters, in the order of the query. */
export const metadataFilters = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.optional(z.custom<MetadataFilters>()),
      z.transform((filters = [], context): MetadataFilters => {
        const [wrong] = filters.find(([key]) => !patterns.metadataKey.test(key)) ?? [];
        if (wrong === undefined) return filters;
        const message = `Invalid metadata key ${quote(wrong)}: it does not match ${patterns.metadataKey.source}.`;
        context.issues.push({
          code: "custom",
          input: wrong,
          ...problem("invalid_arg", message + lowerCaseHint(wrong, metadataPrefix), {
            parameter: metadataPrefix + wrong.slice(0, shownCharactersMax),
          }),
        });
        return z.NEVER;
      }),
    ),
    filtersJson,
  ),
);

/** Schema for `metadata.<key>` parameters that identify one drop: at least one key, each with one value. */
export const metadataTags = /* @__PURE__ */ schema(() =>
  accepts(
    z.pipe(
      z.pipe(z.custom<MetadataFilters | undefined>(), metadataFilters),
      z.transform((filters, context): Metadata => {
        const tags = new Map(filters);
        const twice = filters.find(([key, value]) => tags.get(key) !== value);
        // Refuses an empty value, which a script with an unset variable sends. Otherwise, all such scripts would publish to the same drop.
        const wrong = twice ?? filters.find(([, value]) => value === "");
        if (wrong === undefined && tags.size > 0) return tags;
        const name = metadataPrefix + (wrong?.[0] ?? "<key>");
        const problemOfKey =
          twice === undefined
            ? `is empty, and names no drop: send ${name}=<value>.`
            : "has several values: send one.";
        const message =
          wrong === undefined
            ? "metadata is required: send at least one key that identifies the drop."
            : `${name} ${problemOfKey}`;
        const details = { parameter: wrong === undefined ? "metadata" : name };
        context.issues.push({ code: "custom", input: filters, ...problem("invalid_arg", message, details) });
        return z.NEVER;
      }),
    ),
    filtersJson,
  ),
);

/** Suggests a valid key, if the key is invalid only because of capital letters or white space. */
export function lowerCaseHint(key: string, prefix = ""): string {
  const meant = key.toLowerCase().replace(/\s+/g, "_");
  return patterns.metadataKey.test(meant) ? ` Send ${JSON.stringify(prefix + meant)}.` : "";
}
