import { findMeantName } from "./hints.ts";
import { isObject, quote, shownCharactersMax } from "./schemas.ts";

/** Fields of a body that are not at its top, and how to send them. */
export interface WrappedFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly advice: string;
  /** Path of the object that holds them, such as `data.attributes`. @default - an array holds them */
  readonly wrapper?: string;
}

/** Limits of the search for fields inside other fields. */
const depthMax = 3;
const fieldsMax = 20;

/** Names of fields that hold a resource in other services' calls. */
const usualWrapper =
  /^(args|arguments|attributes|body|data|document|drop|fields|input|item|page|params|payload|options|post|properties|request|resource|settings|variables)$/i;

/** Finds the fields of a body in an object inside it, as JSON:API and GraphQL have it, in a JSON Patch, or in an array of one object. */
export function findWrappedFields(value: unknown, known: readonly string[]): WrappedFields | undefined {
  if (Array.isArray(value)) return findInArray(value);
  if (!isObject(value)) return undefined;
  const found = findInObject(value, known);
  return (
    found && {
      ...found,
      advice: `The fields are inside ${quote(found.wrapper)}: send them at the top level of the JSON object.`,
    }
  );
}

function findInArray(value: readonly unknown[]): WrappedFields | undefined {
  const changes = value.slice(0, fieldsMax).filter(isObject);
  const [first, ...others] = changes;
  if (first === undefined || changes.length < Math.min(value.length, fieldsMax)) return undefined;
  if (changes.every(({ path }) => typeof path === "string" && path.startsWith("/"))) {
    const fields = Object.fromEntries(
      changes.map(({ path, value }) => [String(path).split("/")[1] ?? "", value]),
    );
    const names = Object.keys(fields).map((name) => `${quote(name)}: …`);
    return {
      fields,
      advice: `JSON Patch is not supported: send the new values as an object, {${names.join(", ")}}.`,
    };
  }
  const isOne = others.length === 0 && value.length === 1;
  return isOne ? { fields: first, advice: "Send the object itself, without an array around it." } : undefined;
}

function findInObject(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  depth = 0,
): { readonly fields: WrappedFields["fields"]; readonly wrapper: string } | undefined {
  if (known.some((name) => Object.hasOwn(value, name))) return undefined;
  for (const [name, inner] of Object.entries(value).slice(0, fieldsMax)) {
    const one: unknown = Array.isArray(inner) ? inner[0] : inner;
    if (!isObject(one)) continue;
    const wrapper = name.slice(0, shownCharactersMax);
    if (known.some((field) => Object.hasOwn(one, field))) return { fields: one, wrapper };
    const deeper = depth < depthMax ? findInObject(one, known, depth + 1) : undefined;
    if (deeper !== undefined) return { ...deeper, wrapper: `${wrapper}.${deeper.wrapper}` };
    const isMeant = (field: string) => findMeantName(field, known) !== undefined;
    if (usualWrapper.test(name) && Object.keys(one).slice(0, fieldsMax).some(isMeant))
      return { fields: one, wrapper };
  }
  return undefined;
}
