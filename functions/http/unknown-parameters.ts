import {
  callsByField,
  callsByParameter,
  everyCallIntents,
  fieldIntents,
  parameterIntents,
} from "./intents.ts";
import type { Route } from "./route.ts";
import { patterns } from "./schemas.ts";
import { explainNames, type UnknownName } from "./unknown-names.ts";

/** Parameters for caches, logs and formatting, which do not affect the result. */
const neutral = /^(_|t|ts|cb|rnd|rand|nonce|timestamp|nocache|cachebust(er)?|pretty|lang|locale|utm_\w+)$/i;

/** The unknown names in a query that may affect the result. */
export function unknownParameters(given: readonly string[], known: readonly string[]): readonly string[] {
  const hasTags = known.includes("metadata");
  return given.filter(
    (name) =>
      !(known.includes(name) && !(hasTags && name === "metadata")) &&
      !(hasTags && name.startsWith("metadata.")) &&
      !neutral.test(name),
  );
}

/** The parts of a row that decide about unknown parameters. */
export interface ParameterRule {
  readonly kind: "query parameter" | "argument";
  readonly method: Route["method"];
  readonly body?: Route["body"];
  readonly refusesUnknownParameters?: true;
}

/** Explains unknown query parameters. A parameter without another meaning may be the key of a tag. */
export function explainParameters(
  given: readonly string[],
  { kind, method, body }: ParameterRule,
  names: readonly string[],
  missing: readonly string[] = [],
): readonly UnknownName[] {
  const isWrite = body !== undefined || (method !== "GET" && method !== "DELETE");
  const intents = [...everyCallIntents, ...(isWrite ? fieldIntents : parameterIntents)];
  const known = names.map((one) => (one === "metadata" ? "metadata.<key>" : one));
  const calls = isWrite ? callsByField : callsByParameter;
  const explained = explainNames({ kind, given, known, intents, missing, calls });
  const hasTags = names.includes("metadata");
  return hasTags ? explained.map((one) => (neutral.test(one.name) ? one : explainTag(one))) : explained;
}

function explainTag(one: UnknownName): UnknownName {
  const [, prefix = "", inner = ""] =
    /^(metadata|meta|filters?|where|tags?|labels?)(?:[.:_[-]+(.+?)\]?)?$/i.exec(one.name) ?? [];
  if (prefix === "" && !one.isUnexplained) return one;
  const key = (prefix === "" ? one.name : inner).toLowerCase();
  const shown = patterns.metadataKey.test(key) ? key : "<key>";
  const http = `To filter by metadata, send metadata.${shown}=<value>.`;
  return {
    name: one.name,
    isRefused: true,
    advice: { http, tool: `To filter by metadata, give metadata: {"${shown}": "…"}.` },
  };
}
