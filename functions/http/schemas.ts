import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { type ErrorCode, errorCatalog, wordsFor } from "../core/errors.ts";
import { encodeUtf8, type ShownAs, withoutInvisibleCharacters } from "../core/text.ts";

/**
 * Calls `make`, which creates a schema. If the call of this function is marked as pure, esbuild can drop unused schemas. Otherwise, reading
 * a property such as `limits.titleMax` counts as a side effect, so every bundle would contain every schema.
 */
export function schema<Schema>(make: () => Schema): Schema {
  return make();
}

/** A JSON Schema, draft 2020-12, which OpenAPI 3.1 uses unchanged. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const accepted = /* @__PURE__ */ new WeakMap<$ZodType, JsonSchema>();

/** Attaches a JSON Schema to a schema with a custom rule, which zod cannot translate. OpenAPI reads the JSON Schema with `acceptedBy`. */
export function accepts<Schema extends $ZodType>(schema: Schema, json: JsonSchema): Schema {
  accepted.set(schema, json);
  return schema;
}

/** Returns the JSON Schema that `accepts` has attached to a schema, or undefined. */
export function acceptedBy(schema: $ZodType): JsonSchema | undefined {
  return accepted.get(schema);
}

/** Rule for a text field: its limits, and the error code for each violation. */
interface TextRule {
  /** The field's name in the body, for messages. */
  readonly name: string;
  /** Maximum number of Unicode code points. @default - no limit */
  readonly codePointsMax?: number;
  /** Maximum number of bytes in UTF-8. @default - no limit */
  readonly bytesMax?: number;
  readonly tooLong: ErrorCode;
  /** White space at both ends is removed before validation. @default false */
  readonly trimmed?: boolean;
  /** Display of the text, on one line or several. Deceptive characters are then removed. @default - the text is stored unchanged */
  readonly shownAs?: ShownAs;
  /** Error code for an empty string. @default - the string may be empty */
  readonly empty?: ErrorCode;
}

/** Parameters of a zod issue for a custom rule. They become the API error. */
export interface ProblemParams {
  readonly apiCode: ErrorCode;
  /** Details of the error. @default - the name of the field or parameter, which then also begins the message */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Schema for a well-formed Unicode string within the rule's limits. */
export function text(rule: TextRule) {
  return accepts(
    z.pipe(
      z.string(),
      z.transform((value, context) => {
        const shown = rule.shownAs === undefined ? value : withoutInvisibleCharacters(value, rule.shownAs);
        const kept = rule.trimmed ? shown.trim() : shown;
        const found = textProblem(kept, rule);
        if (!found) return kept;
        context.issues.push({ code: "custom", input: value, ...found });
        return z.NEVER;
      }),
    ),
    toJsonSchema(rule),
  );
}

/**
 * Translates a text rule to JSON Schema, which counts code points too. A limit on bytes becomes a limit on code points, because a text
 * never has more code points than bytes.
 */
function toJsonSchema({ codePointsMax, bytesMax, trimmed, empty }: TextRule): JsonSchema {
  const maxLength = codePointsMax ?? bytesMax;
  return {
    type: "string",
    ...(empty === undefined ? {} : { minLength: 1 }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(trimmed ? { pattern: "\\S" } : {}),
  };
}

/** Counts Unicode code points, which the specification calls "characters". */
export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function textProblem(value: string, rule: TextRule): ReturnType<typeof problem> | undefined {
  const { name, codePointsMax, bytesMax, tooLong, trimmed, empty } = rule;
  if (empty !== undefined && (value === "" || (trimmed && invisible.test(value)))) {
    const advice =
      empty === "invalid_arg" ? "Send some text." : wordsFor("http", errorCatalog[empty].message);
    return problem(empty, `${name} is empty. ${advice}`, { field: name });
  }
  // `encodeUtf8` caches the bytes, because texts with a byte limit are stored as bytes.
  const encoded = bytesMax === undefined ? undefined : encodeUtf8(value);
  if (bytesMax === undefined ? !value.isWellFormed() : encoded === undefined) {
    const message = `${name} contains an unpaired surrogate: send well-formed Unicode.`;
    return problem("invalid_arg", message, { field: name });
  }
  const bytes = encoded?.byteLength ?? 0;
  if (bytesMax !== undefined && bytes > bytesMax) {
    const message = `${name} is ${bytes} bytes in UTF-8; at most ${bytesMax} are allowed.`;
    return problem(tooLong, message, { field: name, bytes, bytes_max: bytesMax });
  }
  // Avoids counting the code points of short texts, because a text never has more code points than UTF-16 code units.
  if (codePointsMax === undefined || value.length <= codePointsMax) return undefined;
  const characters = countCodePoints(value);
  if (characters <= codePointsMax) return undefined;
  const message = `${name} has ${characters} characters; at most ${codePointsMax} are allowed.`;
  return problem(tooLong, message, { field: name, characters, characters_max: codePointsMax });
}

/** Matches texts that contain only invisible characters: zero-width characters, fillers and controls (Unicode, section 5.21). */
const invisible = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u;

/** Creates a zod issue for a violation of a custom rule. */
export function problem(
  apiCode: ErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): { message: string; params: ProblemParams } {
  return { message, params: { apiCode, details } };
}

/** Patterns of identifiers, from section "Resources and their fields" of the specification. */
export const patterns = {
  slug: /^[A-Za-z0-9]{7}$/,
  blobId: /^[A-Za-z0-9]{7}$/,
  /** A namespace is a DNS label (RFC 1035, section 2.3.4). */
  namespace: /^[a-z0-9-]{1,63}$/,
  tokenId: /^[A-Za-z0-9]{12}$/,
  authorizationRequest: /^[A-Za-z0-9]{22}$/,
  metadataKey: /^[a-z0-9_]([a-z0-9_.-]{0,62}[a-z0-9_])?$/,
  filename: /^[A-Za-z0-9. -]+$/,
  /** Printable ASCII, such as a header's value. */
  printable: /^[\x20-\x7e]*$/,
  /** Two groups of four consonants, out of the twenty consonants of RFC 8628, section 6.1. */
  deviceCode: /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/,
  /** A positive integer without sign, leading zero or fraction, short enough to be exact. */
  positiveInteger: /^[1-9][0-9]{0,14}$/,
} as const;

export const unixMilliseconds = /* @__PURE__ */ schema(() => z.int().check(z.minimum(0)));
export const count = /* @__PURE__ */ schema(() => z.int().check(z.minimum(0)));
export const versionNumber = /* @__PURE__ */ schema(() => z.int().check(z.minimum(1)));
export const slug = /* @__PURE__ */ schema(() => z.string().check(z.regex(patterns.slug)));

/** Maximum number of characters that a message quotes of a refused name or value. */
export const shownCharactersMax = 100;

/** Quotes a refused name or value for messages, without the secret part of a token. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, shownCharactersMax).replace(/\bhb_\w{8,}/g, "hb_…"));
}

/** Recognizes a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Describes the type of a value for messages: "a number", "null", "an array". */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Returns the end of a message about what a value must be, and what was sent instead.
 *
 * @param actual the value in quotation marks, or a description of the value
 * @example `limit ${mustBe("an integer from 1 to 100", quote("abc"))}` // limit must be an integer from 1 to 100, not "abc".
 */
export function mustBe(expected: string, actual: string): string {
  return `must be ${expected}, not ${actual}.`;
}

/** A field of a JSON body, or a parameter of a query. */
export interface NamedField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: $ZodType;
}

interface CheckDefinition {
  readonly check: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
}

/** The parts of a zod schema's definition that this module reads. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly in?: $ZodType;
  readonly innerType?: $ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly element?: $ZodType;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDefinition } }[];
}

/** Lists the fields of an object's schema. In a query, the field `metadata` stands for every parameter `metadata.<key>`. */
export function fieldsOf(schema: $ZodType | undefined): readonly NamedField[] {
  if (schema === undefined) return [];
  const { type, shape = {}, in: input } = definitionOf(schema);
  if (type === "pipe" && input !== undefined) return fieldsOf(input);
  if (type !== "object") return [];
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: field._zod.optin === undefined,
    schema: field,
  }));
}

/** Lists the names of a schema's fields. */
export function fieldNamesOf(schema: $ZodType | undefined): readonly string[] {
  return fieldsOf(schema).map(({ name }) => name);
}

/** Lists the field names of the items in a list response. */
export function itemFieldsOf(schema: $ZodType): readonly string[] {
  return fieldsOf(schema).flatMap((field) => fieldNamesOf(definitionOf(field.schema).element));
}

/** Description of a field, for the details of an error. */
export interface ExpectedField {
  readonly type: string;
  /** Limits of the field's values, such as "1 to 200 characters". @default - every value of the type is allowed */
  readonly bound?: string;
  /** The field is required. @default - the field is optional */
  readonly required?: true;
}

/** Describes a field by its schema. Returns undefined for a field that the schema always refuses. */
export function describeField({ isRequired, schema }: NamedField): ExpectedField | undefined {
  const json = toJson(schema);
  if ("not" in json) return undefined;
  const bound = boundOf(json);
  const values = json.items ?? json.additionalProperties;
  return {
    type:
      typeof values === "object"
        ? `${json.type} of ${(values as JsonSchema).type}s`
        : [json.type ?? "any"].flat().join(" or "),
    ...(bound === "" ? {} : { bound }),
    ...(isRequired ? { required: true } : {}),
  };
}

/**
 * Translates a field's schema to JSON Schema. Supports only the kinds of schemas that fields use, to keep bundles small: zod's own
 * translator is large.
 */
function toJson(schema: $ZodType): JsonSchema {
  const { type, innerType, in: input, entries = {}, checks = [], element } = definitionOf(schema);
  const bound = (kind: string) =>
    checks
      .map(({ _zod }) => _zod.def)
      .filter(({ check }) => check === kind)
      .map(({ value, minimum, maximum }) => value ?? minimum ?? maximum)[0];
  const inner = innerType ?? input;
  const own = acceptedBy(schema);
  if (own !== undefined) return own;
  if (type === "nullable" && inner) return { ...toJson(inner), type: [toJson(inner).type, "null"].flat() };
  if (inner !== undefined) return toJson(inner);
  if (type === "enum") return { type: "string", enum: Object.values(entries) };
  if (type === "record") return { type: "object" };
  if (type === "array" && element) return { type, items: toJson(element) };
  if (type === "number")
    return { type: "integer", minimum: bound("greater_than"), maximum: bound("less_than") };
  return { type, minLength: bound("min_length"), maxLength: bound("max_length") };
}

function definitionOf(schema: $ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

type Bound = "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" | "maxProperties";

/** The parts of JSON Schema that limit a value. */
interface Bounds extends Readonly<Partial<Record<Bound, number>>> {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Bounds[];
  readonly const?: unknown;
  /** Unit of a number. JSON Schema has no keyword for units. */
  readonly "x-unit"?: string;
}

function boundOf(json: Bounds): string {
  const { minLength = json.anyOf?.[0]?.minLength } = json;
  if (json.enum !== undefined) return json.enum.join(", ");
  const orEmpty = json.anyOf?.some((one) => one.const === "") ? ", or empty" : "";
  return (
    (json["x-unit"] ?? "") ||
    range(json.minimum, json.maximum, "") ||
    (minLength === 1 && json.maxLength === undefined ? "not empty" : "") ||
    range(minLength, json.maxLength, " characters", orEmpty) ||
    range(json.minItems, json.maxItems, " items") ||
    range(undefined, json.maxProperties, " keys")
  );
}

function range(from: number | undefined, to: number | undefined, unit: string, others = ""): string {
  const most = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  const least = from !== undefined && from > 0 ? from : undefined;
  if (most === undefined) return least === undefined ? "" : `at least ${least}${unit}`;
  return least === undefined ? `up to ${most}${unit}` : `${least} to ${most}${unit}${others}`;
}
