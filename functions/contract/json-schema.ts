import type { $ZodType } from "zod/v4/core";

/** A schema in the words of JSON Schema, draft 2020-12, which OpenAPI 3.1 takes as it is. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const accepted = /* @__PURE__ */ new WeakMap<$ZodType, JsonSchema>();

/**
 * Says in JSON Schema what a schema accepts whose rule is code of ours, which zod cannot translate. It stands beside the
 * rule and is made of the same limits; OpenAPI reads it by `acceptedBy`.
 */
export function accepts<Schema extends $ZodType>(schema: Schema, json: JsonSchema): Schema {
  accepted.set(schema, json);
  return schema;
}

/** What `accepts` said of the schema; undefined where zod translates it by itself. */
export function acceptedBy(schema: $ZodType): JsonSchema | undefined {
  return accepted.get(schema);
}
