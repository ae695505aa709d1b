import { ApiError, joinMessages, type Message } from "../core/errors.ts";
import { callsByField, fieldIntents, type Intent, parameterIntents, trash } from "../http/intents.ts";
import { metadataPrefix } from "../http/query.ts";
import type { JsonBody, Route } from "../http/route.ts";
import { fieldNamesOf, itemFieldsOf, patterns, quote, shownCharactersMax } from "../http/schemas.ts";
import { explainNames, findAbsent, findMeantName, type UnknownName } from "../http/unknown-names.ts";
import { asCsv } from "../http/warnings.ts";

/** Refuses query parameters that are fields of the body, because the call would ignore them. */
export function refuseBesideJson(given: readonly string[], { json, page }: JsonBody): void {
  const fields = [...fieldNamesOf(json), ...fieldNamesOf(page?.query)];
  const isTag = (name: string) => fields.includes("metadata") && name.startsWith(metadataPrefix);
  const name = given.find((one) => fields.includes(one) || isTag(one));
  if (name === undefined) return;
  const shown = name.slice(0, shownCharactersMax);
  const upsert =
    isTag(name) && page !== undefined
      ? ` PUT /api/drops?${shown}=… publishes a version of the drop with this tag.`
      : "";
  throw new ApiError("invalid_arg", {
    message: joinMessages([
      `The query parameter ${quote(name)} belongs in the body. Send ${quote(isTag(name) ? "metadata" : name)} as a field of the JSON body.${upsert}`,
    ]),
    details: { parameter: shown },
  });
}

/** Matches parameters for caches, logs and formatting, which do not affect the result. */
export const neutral =
  /^(_|t|ts|cb|rnd|rand|nonce|timestamp|nocache|cachebust(er)?|pretty|lang|locale|utm_\w+)$/i;

/** Meanings of unknown query parameters, for every call. */
const everyCallIntents: readonly Intent[] = [
  {
    names: "auth accesstoken apikey apitoken bearer token key",
    advice: "Addresses may be logged: send the token only in the header Authorization: Bearer <token>.",
  },
  { names: "method httpmethod methodoverride", advice: "Use the HTTP method itself, not a parameter." },
];

/** Calls to suggest to callers who sent a query parameter with the wrong call, by parameter. */
const callsByParameter: Readonly<Record<string, Message>> = {
  ...(callsByField.q && { q: callsByField.q }),
  slug: { http: "GET /api/drops/{slug}", tool: "get_drop" },
  owner: { http: "GET /api/library", tool: "list_library" },
};

/** Properties of an operation that decide how unknown parameters are handled. */
export interface ParameterRule {
  readonly kind: "query parameter" | "argument";
  readonly method: Route["method"];
  readonly body?: Route["body"];
  readonly refusesUnknownParameters?: true;
  readonly response?: Route["response"];
  readonly resource?: Route["resource"];
}

/** Explains unknown query parameters. If a parameter has no other meaning, it may be a metadata key. */
export function explainParameters(
  given: readonly string[],
  { kind, method, body, response, resource }: ParameterRule,
  names: readonly string[],
  missing: readonly string[] = [],
): readonly UnknownName[] {
  const isWrite = body !== undefined || (method !== "GET" && method !== "DELETE");
  // Mentions the trash only in calls for drops.
  const isOfDrops = resource === "drops" || resource === "versions" || resource === "library";
  const ofLists = parameterIntents.filter(({ advice }) => advice !== trash || isOfDrops);
  const intents = [...everyCallIntents, ...(isWrite ? fieldIntents : ofLists)];
  const known = names.map((one) => (one === "metadata" ? "metadata.<key>" : one));
  const calls = resource === "blobs" ? {} : isWrite ? callsByField : callsByParameter;
  const explained = explainNames({ kind, given, known, intents, missing, calls });
  const hasTags = names.includes("metadata");
  const listed = response !== undefined && "json" in response ? itemFieldsOf(response.json) : [];
  return explained.map((one) => {
    if (resource === "answers" && /^(format|as|output)$/.test(one.name))
      return { name: one.name, isRefused: true, advice: asCsv };
    const isTag = one.name === "metadata" || findMeantName(one.name, ["metadata"]) !== undefined;
    if (hasTags && isTag) return explainTag({ ...one, isUnexplained: true }, isWrite);
    if ((one.isUnexplained || resource !== "drops") && one.means === undefined && listed.includes(one.name))
      return {
        name: one.name,
        isRefused: true,
        advice: `No such filter: select items by their ${quote(one.name)} in the response.`,
      };
    return hasTags && !neutral.test(one.name) ? explainTag(one, isWrite) : one;
  });
}

function explainTag(one: UnknownName, isWrite: boolean): UnknownName {
  const [, prefix = "", inner = ""] =
    /^(metadata|meta|filters?|where|tags?|labels?)(?:[.:_[-]+(.+?)\]?)?$/i.exec(one.name) ?? [];
  // Names of fields and of other calls' parameters are not metadata keys.
  const isOther =
    Object.hasOwn(callsByField, one.name) || parameterIntents.some(({ field }) => field === one.name);
  if (prefix === "" && (!one.isUnexplained || isOther)) return one;
  const key = (prefix === "" ? one.name : inner).toLowerCase();
  const shown = patterns.metadataKey.test(key) ? key : "<key>";
  const purpose = isWrite ? "To choose the drop by its metadata" : "To filter by metadata";
  const advice = {
    http: `${purpose}, send metadata.${shown}=<value>.`,
    tool: `${purpose}, send metadata: {"${shown}": "…"}.`,
  };
  return {
    name: one.name,
    isRefused: true,
    advice: joinMessages([advice, isWrite ? "" : (findAbsent(key) ?? "")]),
  };
}
