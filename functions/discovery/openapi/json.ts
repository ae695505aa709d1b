import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { acceptedBy, type JsonSchema } from "../../http/schemas.ts";

/** Any part of an OpenAPI document. A test checks it against the schema of OpenAPI. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A reference to a part under `components`. */
export function reference(
  section: "examples" | "headers" | "responses" | "schemas",
  name: string,
): JsonObject {
  return { $ref: `#/components/${section}/${name}` };
}

/** The object without undefined entries. */
export function defined(entries: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Options by which zod translates a schema to JSON Schema. */
export const translation = {
  // Requests have their input schemas. Response schemas transform nothing, so input and output are the same.
  io: "input",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }) => {
    const accepted = acceptedBy(zodSchema);
    if (accepted !== undefined) {
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, accepted);
    }
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    // zod omits the default of a schema that transforms.
    const { def } = zodSchema._zod;
    if (def.type === "default") jsonSchema.default = def.defaultValue;
    // The value for an invalid parameter is not a default.
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
