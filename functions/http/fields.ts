import type { $ZodType } from "zod/v4/core";
import { acceptedBy, type JsonSchema } from "./schemas.ts";

/** A field of a JSON body, or a parameter of a query. */
export interface NamedField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: $ZodType;
}

/** Parts of a zod schema's definition that are read here. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly in?: $ZodType;
  readonly innerType?: $ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly element?: $ZodType;
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check: string; readonly value?: number } };
  }[];
}

/** Lists the fields of an object's schema. `metadata` of a query stands for every `metadata.<key>`. */
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

/** Lists the names of the same fields. */
export function fieldNamesOf(schema: $ZodType | undefined): readonly string[] {
  return fieldsOf(schema).map(({ name }) => name);
}

/** A field as a refusal describes it. */
export interface ExpectedField {
  readonly type: string;
  /** Bound of its values, such as "1 to 200 characters". @default - every value of the type */
  readonly bound?: string;
  /** @default - it may be left out */
  readonly required?: true;
}

/** Describes a field by its schema; undefined for a field that the schema names only to refuse it. */
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

/** Translates the few kinds of schemas that fields have. zod's own translation would be most of a function's code. */
function toJson(schema: $ZodType): JsonSchema {
  const { type, innerType, in: input, entries = {}, checks = [], element } = definitionOf(schema);
  const bound = (kind: string) =>
    checks.map(({ _zod }) => _zod.def).find(({ check }) => check === kind)?.value;
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
  return { type };
}

function definitionOf(schema: $ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

/** The parts of JSON Schema that bound a value. */
interface Bounds {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly Bounds[];
}

function boundOf(json: Bounds): string {
  const { minLength = json.anyOf?.[0]?.minLength } = json;
  if (json.enum !== undefined) return json.enum.join(", ");
  return (
    range(json.minimum, json.maximum, "") ||
    (minLength === 1 && json.maxLength === undefined ? "not empty" : "") ||
    range(minLength, json.maxLength, " characters") ||
    range(json.minItems, json.maxItems, " items") ||
    range(undefined, json.maxProperties, " keys")
  );
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const most = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  const least = from !== undefined && from > 0 ? from : undefined;
  if (most === undefined) return least === undefined ? "" : `at least ${least}${unit}`;
  return least === undefined ? `up to ${most}${unit}` : `${least} to ${most}${unit}`;
}
