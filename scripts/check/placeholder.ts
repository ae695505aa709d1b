import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { translation } from "../../functions/discovery/openapi/json.ts";
import type { JsonSchema } from "../../functions/http/schemas.ts";

/** Returns source code for a value that the schema accepts, as a placeholder in an example. */
export function placeholderOf(schema: $ZodType): string {
  return write(z.toJSONSchema(schema, translation) as JsonSchema);
}

function write(shape: JsonSchema): string {
  const {
    type,
    properties = {},
    items,
    enum: choices,
    anyOf,
    const: only,
    minimum,
  } = shape as {
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
    readonly enum?: readonly unknown[];
    readonly anyOf?: readonly JsonSchema[];
    readonly const?: unknown;
    readonly minimum?: number;
  };
  if (only !== undefined) return JSON.stringify(only);
  if (choices) return JSON.stringify(choices[0]);
  if (anyOf?.[0]) return write(anyOf[0]);
  switch ([type].flat()[0]) {
    case "object": {
      const fields = Object.entries(properties).map(([name, inner]) => `${name}: ${write(inner)}`);
      return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
    }
    case "array":
      return items ? `[${write(items)}]` : "[]";
    case "integer":
    case "number":
      return String(Math.max(1, minimum ?? 1));
    case "boolean":
      return "true";
    default:
      return '"…"';
  }
}
