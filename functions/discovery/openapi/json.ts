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
