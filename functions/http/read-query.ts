import type { $ZodType, output } from "zod/v4/core";
import { ApiError, joinMessages, type Message } from "../core/errors.ts";
import { fieldNamesOf } from "./fields.ts";
import { metadataPrefix, type RawQuery, withFilters } from "./query.ts";
import type { JsonBody, Route } from "./route.ts";
import { quote, shownCharactersMax } from "./schemas.ts";
import {
  explainParameters,
  type ParameterRule,
  refusalOf,
  sentencesOf,
  unknownParameters,
} from "./unknown-names.ts";
import { attempt, validate } from "./validation.ts";
import { hasWarnings } from "./warnings.ts";

/**
 * Validates a query by a schema.
 *
 * @param otherNames further known parameters
 * @throws ApiError for a parameter that breaks its rule, and for unknown ones that the rule refuses; for a missing one it names the one that
 * may stand for it
 */
export function validateQuery<Schema extends $ZodType>(
  schema: Schema,
  sent: RawQuery,
  rule: ParameterRule,
  otherNames: readonly string[] = [],
): output<Schema> {
  const names = fieldNamesOf(schema);
  const unknown = unknownParameters(Object.keys(sent), [...names, ...otherNames]);
  const { result, fault } = attempt(() => validate(schema, withFilters(sent), "parameter"));
  const isRefused = rule.refusesUnknownParameters === true && unknown.length > 0;
  if (!isRefused && fault === undefined) return result;
  const explained = explainParameters(unknown, rule, names, fault?.missing);
  if (isRefused) throw refusalOf(rule.kind, explained).withFurther(fault === undefined ? [] : [fault.both]);
  const standing = explained.filter(({ means }) => means !== undefined && fault?.missing.includes(means));
  throw (fault ?? new ApiError("invalid_arg")).withFurther(sentencesOf(rule.kind, standing));
}

/**
 * Warns about unknown query parameters.
 *
 * @throws ApiError for one that must not be ignored, and for one that is a field of the JSON body
 */
export function reviewParameters(
  route: Route,
  given: readonly string[],
  kind: ParameterRule["kind"],
): readonly Message[] {
  const known = fieldNamesOf(route.query);
  const hasTags = known.includes("metadata");
  const others = given.filter(
    (name) => !known.includes(name) && !(hasTags && name.startsWith(metadataPrefix)),
  );
  if (others.length === 0) return [];
  if (typeof route.body === "object") refuseBesideJson(others, route.body);
  const explained = explainParameters(others, { ...route, kind }, known);
  if (explained.some(({ isRefused }) => isRefused) || !hasWarnings(route)) throw refusalOf(kind, explained);
  return explained.flatMap((one) => sentencesOf(kind, [one], " was ignored"));
}

/** Refuses query parameters that are fields of the body: the call would be carried out without them. */
function refuseBesideJson(given: readonly string[], { json, page }: JsonBody): void {
  const fields = [...fieldNamesOf(json), ...fieldNamesOf(page?.query)];
  const isTag = (name: string) => fields.includes("metadata") && name.startsWith(metadataPrefix);
  const name = given.find((one) => fields.includes(one) || isTag(one));
  if (name === undefined) return;
  const shown = name.slice(0, shownCharactersMax);
  const upsert =
    isTag(name) && page !== undefined
      ? ` PUT /api/drops?${shown}=… publishes to the drop with this tag.`
      : "";
  throw new ApiError("invalid_arg", {
    message: joinMessages([
      `The query parameter ${quote(name)} describes what the body describes. Send ${quote(isTag(name) ? "metadata" : name)} as a field of the JSON body.${upsert}`,
    ]),
    details: { parameter: shown },
  });
}
