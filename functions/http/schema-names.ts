import type { $ZodType } from "zod/v4/core";
import { acceptedBy } from "./schemas.ts";

/** A field of a JSON body, or a parameter of a query. */
export interface NamedField {
  readonly name: string;
  readonly isRequired: boolean;
}

interface ObjectDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
}

/** The fields of a body that is an object; none of one whose rule is code of ours. */
export function fieldsOf(schema: $ZodType): readonly NamedField[] {
  const { type, shape = {} } = schema._zod.def as unknown as ObjectDefinition;
  if (type !== "object") return [];
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: field._zod.optin !== "optional",
  }));
}

/** The parameters of a query: `metadata` stands for every `metadata.<key>`. */
export function parametersOf(schema: $ZodType): readonly NamedField[] {
  const { properties = {}, required = [] } = (acceptedBy(schema) ?? {}) as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  return Object.keys(properties).map((name) => ({ name, isRequired: required.includes(name) }));
}

/** The same, by their names alone. */
export function parameterNamesOf(schema: $ZodType): readonly string[] {
  return parametersOf(schema).map(({ name }) => name);
}

/** What a body looks like: the fields that must be there, or else the first that may. */
export function exampleOf(schema: $ZodType): string {
  const fields = fieldsOf(schema);
  const required = fields.filter(({ isRequired }) => isRequired);
  // An edit names html only to refuse it.
  const named = required.length > 0 ? required : fields.filter(({ name }) => name !== "html").slice(0, 1);
  return `{${named.map(({ name }) => `"${name}": …`).join(", ")}}`;
}
