import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { acceptedBy, type JsonSchema } from "../../http/schemas.ts";

/** Any part of an OpenAPI document. A test validates the whole document against the OpenAPI schema. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Builds a reference to an entry under `components`. */
export function reference(
  section: "examples" | "headers" | "responses" | "schemas",
  name: string,
): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

/** Removes undefined entries from an object. */
export function defined(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Options for zod's translation to JSON Schema. */
export const translation = {
  // Describes the input of request schemas. Response schemas transform nothing, so their input and output are the same.
  io: "input",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    const accepted = acceptedBy(zodSchema);
    if (accepted !== undefined) {
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, accepted);
    }
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // zod omits the default of a schema that contains a transform.
    const { def } = zodSchema._zod;
    if (def.type === "default") jsonSchema.default = def.defaultValue;
    // A fallback for invalid values is not a default.
    if (def.type === "catch") delete jsonSchema.default;
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];

/** Parts of a translated object schema. */
export interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/** Translates an object schema to JSON Schema. */
export function objectSchema(schema: $ZodType): ObjectSchema {
  const translated = withPlainNull(z.toJSONSchema(schema, translation)) as Partial<ObjectSchema>;
  return { properties: {}, required: [], ...translated };
}

/**
 * Writes a nullable string as `type: ["string", "null"]`, which is shorter than `anyOf` and means the same, because the string's limits do
 * not apply to null.
 */
export function withPlainNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainNull);
  if (typeof value !== "object" || value === null) return value;
  const { anyOf, ...rest } = value as { anyOf?: unknown };
  const choices = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  const [text, none, ...others] = choices;
  if (text?.type === "string" && none?.type === "null" && others.length === 0) {
    return { ...rest, ...text, type: ["string", "null"] };
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNull(inner)]));
}
