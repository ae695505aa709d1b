import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { acceptedBy, type JsonSchema } from "../../http/schemas.ts";

/** Any part of an OpenAPI document; the specification's own schema checks its form in the tests. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reference to a part under `components`. */
export function reference(
  section: "examples" | "headers" | "responses" | "schemas",
  name: string,
): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

/** The object without the entries that are undefined. */
export function defined(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Options by which zod translates a schema to JSON Schema. */
export const translation = {
  // Input of requests, and output of responses, none of which transforms.
  io: "input",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    const accepted = acceptedBy(zodSchema);
    if (accepted !== undefined) {
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, accepted);
    }
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // zod leaves out the default of a schema that transforms.
    const { def } = zodSchema._zod;
    if (def.type === "default") jsonSchema.default = def.defaultValue;
    // The value for an invalid parameter is no default.
    if (def.type === "catch") delete jsonSchema.default;
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];

/** Translates the schema of an object. */
export function objectSchema(schema: $ZodType): ObjectSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, translation);
  return { properties: properties as ObjectSchema["properties"], required };
}

/** The parts of an object's schema. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}
