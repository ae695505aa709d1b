import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import { edgeHeaders } from "./environment.ts";
import { ApiError, type ErrorCode, errorCatalog } from "./errors.ts";
import { isTellingWord } from "./field-hints.ts";
import { findHintForName, findMeantName, type HintTable, joinHints } from "./hints.ts";
import {
  otherMethodHeaders,
  otherMethodParameter,
  refusedHeaders,
  refusedOfRead,
  tagAdvice,
  upsertAdvice,
} from "./parameter-hints.ts";
import { metadataPrefix, type RawQuery, withFilters } from "./query.ts";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import type { JsonBody, Route } from "./route.ts";
import { quote, schema, shownCharactersMax } from "./schemas.ts";
import { guideUrl, type Site } from "./site.ts";
import { validate } from "./validation.ts";

/** Additional field of successful JSON responses: docs/adr/0056-error-hints.md. */
export const warningsAddition = /* @__PURE__ */ schema(() =>
  z.object({ warnings: z.optional(z.array(z.string())) }),
);

/** Selects the rows whose calls are checked for likely mistakes. */
export function isReviewed({
  errorsAs,
  path,
  servedBy,
}: Pick<Route, "errorsAs" | "path" | "servedBy">): boolean {
  return errorsAs === "json" && path.startsWith("/api/") && servedBy === undefined;
}

/** Adds warnings to those of a JSON response. Errors and other responses stay as they are. */
export function withWarnings(response: HttpResponse, warnings: readonly string[]): HttpResponse {
  const { body, headers, status } = response;
  const isJson = typeof body === "string" && headers["content-type"]?.startsWith("application/json") === true;
  if (warnings.length === 0 || status >= 300 || !isJson) return response;
  const { warnings: before = [], ...rest } = JSON.parse(body) as { readonly warnings?: readonly string[] };
  return { ...response, body: JSON.stringify({ ...rest, warnings: [...before, ...warnings] }) };
}

/** A field of a JSON body, or a parameter of a query. */
export interface NamedField {
  readonly name: string;
  readonly isRequired: boolean;
}

interface SchemaDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly in?: $ZodType;
}

/** The fields of an object's schema, of a body or query; none of one whose rule is our own code. `metadata` of a query stands for every `metadata.<key>`. */
export function fieldsOf(schema: $ZodType): readonly NamedField[] {
  const { type, shape = {}, in: input } = schema._zod.def as unknown as SchemaDefinition;
  if (type === "pipe" && input !== undefined) return fieldsOf(input);
  if (type !== "object") return [];
  return Object.entries(shape).map(([name, field]) => ({
    name,
    isRequired: field._zod.optin === undefined,
  }));
}

/** The names of the same fields. */
export function fieldNamesOf(schema: $ZodType | undefined): readonly string[] {
  return schema === undefined ? [] : fieldsOf(schema).map(({ name }) => name);
}

/** Example of a body: the required fields, or else the first optional one. */
export function exampleOf(schema: $ZodType): string {
  const fields = fieldsOf(schema);
  const required = fields.filter(({ isRequired }) => isRequired);
  // An edit names html only to refuse it.
  const named = required.length > 0 ? required : fields.filter(({ name }) => name !== "html").slice(0, 1);
  return `{${named.map(({ name }) => `"${name}": …`).join(", ")}}`;
}

/** Given and known names. */
interface GivenNames {
  readonly kind: "field" | "query parameter";
  readonly given: readonly string[];
  readonly known: readonly string[];
  readonly rejected?: HintTable | undefined;
}

/** Fields that keep readers out: a misspelled one must not let everybody in. */
const restricting = ["passcode", "visibility", "readers"];

const warningsMax = 10;

/** Limit of refused names that are explained beside the first one. */
const furtherMax = 3;

/** Limit of unknown names, each of which is compared with all known ones. */
export const unknownMax = 100;

/**
 * Warns about unknown names, which are ignored.
 *
 * @throws ApiError for the first rejected name, with the right call
 */
export function reviewNames({ kind, given, known, rejected = {} }: GivenNames): string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax) {
    throw new ApiError("invalid_arg", {
      message: `${unknown.length} unknown ${kind}s. At most ${unknownMax} are ignored, so the request was refused. ${listKnown(kind, known)}`,
    });
  }
  const refused: Refused[] = [];
  const warnings = unknown.map((name) => {
    const found = findHintForName(rejected, name, isTellingWord);
    const meant = findMeantName(name, known);
    const hint = hintOf(kind, meant, known);
    const inside = kind === "field" ? findInside(name, known) : undefined;
    if (inside !== undefined) refused.push({ name, advice: inside });
    if (found?.isHarmless) return `Unknown ${kind} ${quote(name)} was ignored. ${found.advice}`;
    if (found !== undefined) refused.push({ ...found, name });
    else if (meant !== undefined && restricting.includes(meant))
      refused.push({ name, advice: hint, details: { did_you_mean: meant } });
    return `Unknown ${kind} ${quote(name)} was ignored. ${hint}`;
  });
  const [first, ...others] = refused;
  if (first !== undefined) throw refusal(kind, first, others);
  return warnings.slice(0, warningsMax);
}

/** Explains a name such as `metadata.team`, which parameters have and fields do not. */
function findInside(name: string, known: readonly string[]): string | undefined {
  const [, outer = "", inner = ""] = /^(\w+)(?:\.|\[["']?)([\w-]+)/.exec(name) ?? [];
  return known.includes(outer)
    ? `Send ${JSON.stringify(outer)}: {${quote(inner)}: …}, an object.`
    : undefined;
}

/** A name that is refused, and the right call. */
interface Refused {
  readonly name: string;
  readonly advice: string;
  readonly code?: ErrorCode | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

function refusal(
  kind: GivenNames["kind"],
  { name, advice, code = "invalid_arg", details = {} }: Refused,
  others: readonly Refused[] = [],
): ApiError {
  const further = others
    .slice(0, furtherMax)
    .map((other) => ` Unknown ${kind} ${quote(other.name)}. ${other.advice}`);
  return new ApiError(code, {
    message: `Unknown ${kind} ${quote(name)}. The request was refused. ${advice}${further.join("")}`,
    details: { [kind === "field" ? "field" : "parameter"]: name.slice(0, shownCharactersMax), ...details },
  });
}

function hintOf(kind: GivenNames["kind"], meant: string | undefined, known: readonly string[]): string {
  return meant === undefined ? listKnown(kind, known) : `Did you mean ${JSON.stringify(meant)}?`;
}

function listKnown(kind: GivenNames["kind"], known: readonly string[]): string {
  return known.length === 0 ? `This call has no ${kind}s.` : `Known ${kind}s: ${known.join(", ")}.`;
}

/**
 * Validates a query by a schema.
 *
 * @param explain refuses the unknown parameters that it explains. @default - unknown parameters are ignored
 * @param otherNames further known parameters
 * @throws ApiError for a parameter that breaks its rule; for a missing one it names the one that may stand for it
 */
export function validateQuery<Schema extends $ZodType>(
  schema: Schema,
  sent: RawQuery,
  explain?: Route["explainParameter"],
  otherNames: readonly string[] = [],
): output<Schema> {
  const names = fieldNamesOf(schema);
  const known = [...names.filter((name) => name !== "metadata"), ...otherNames];
  const isKnown = (name: string) =>
    known.includes(name) || (names.includes("metadata") && name.startsWith(metadataPrefix));
  const allowed = names.map((one) => (one === "metadata" ? `${metadataPrefix}<key>` : one));
  const refused = Object.entries(explain === undefined ? {} : sent)
    .slice(0, unknownMax)
    .flatMap(([name, [value = ""]]) => {
      const advice = isKnown(name) ? undefined : explain?.(name, value);
      const meant = advice === "" ? findMeantName(name, known) : undefined;
      const near = meant === undefined ? advice : `Did you mean ${JSON.stringify(meant)}?`;
      return near === undefined ? [] : [{ name, advice: near, details: { allowed } }];
    });
  const [first, ...others] = refused;
  if (first !== undefined) {
    const error = refusal("query parameter", first, others);
    const further = problemOf(() => validate(schema, withFilters(sent), "parameter"));
    const parts = [error.message, further, listKnown("query parameter", allowed)];
    throw error.saying(parts.join(" ").replace(/ {2,}/g, " "));
  }
  return withMistaken(Object.keys(sent), names, "query parameter", () =>
    validate(schema, withFilters(sent), "parameter"),
  );
}

/** The message by which a check refuses; empty if it does not. */
function problemOf(check: () => unknown): string {
  try {
    check();
    return "";
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/**
 * Warns about unknown query parameters.
 *
 * @throws ApiError for a rejected one, and for one that is a field of the JSON body
 */
export function reviewParameters(route: Route, given: readonly string[]): readonly string[] {
  const { query, body, refusedParameters = {}, refusedFields = {} } = route;
  const known = fieldNamesOf(query);
  const others = given.filter(
    (name) => !known.includes(name) && !(known.includes("metadata") && name.startsWith(metadataPrefix)),
  );
  if (others.length === 0) return [];
  if (typeof body === "object") refuseBesideJson(others, body);
  const ofBody = typeof body === "object" ? refusedFields : {};
  const ofRead = route.method === "GET" && known.length === 0 ? refusedOfRead : {};
  const rejected = joinHints(refusedParameters, ofBody, otherMethodParameter, ofRead);
  const warnings = reviewNames({ kind: "query parameter", given: others, known, rejected });
  if (hasWarnings(route)) return warnings;
  const [unknown = ""] = others;
  throw refusal("query parameter", {
    name: unknown,
    advice: hintOf("query parameter", findMeantName(unknown, known), known),
  });
}

/**
 * Refuses a write whose headers mean something that would be dropped, and a read that names another method.
 *
 * @throws ApiError `invalid_arg` with the right call
 */
export function refuseHeaders(
  { caller, method, headers: known = [] }: Route,
  { headers }: HttpRequest,
): void {
  if (caller !== "token") return;
  const found =
    method === "GET" ? findHeaderIn(otherMethodHeaders, headers) : findRefusedHeader(headers, known);
  const [name, advice] = found ?? [];
  if (name === undefined) return;
  const shown = (name === edgeHeaders.method ? headers[name]?.[0] : name) ?? name;
  throw new ApiError("invalid_arg", {
    message: `The header ${quote(shown)} means nothing here. The request was refused. ${advice}`,
    details: { header: shown.slice(0, shownCharactersMax) },
  });
}

/** Advice for a request with an override header whose own method the address does not support. */
export function explainOtherMethod(headers: HttpRequest["headers"]): string {
  const [, advice = ""] = findHeaderIn(otherMethodHeaders, headers) ?? [];
  return advice;
}

const metadataHeader = /^x-(amz|goog|ms)-meta-/;

function findRefusedHeader(
  headers: HttpRequest["headers"],
  known: readonly string[],
): readonly [name: string, advice: string] | undefined {
  if (headers["if-match"] !== undefined && !known.includes("If-Match"))
    return ["if-match", "This call has no condition: leave it out."];
  if (/\bresolution=/i.test(headers.prefer?.join(", ") ?? "")) return ["prefer", upsertAdvice];
  const tag = Object.keys(headers).find((name) => metadataHeader.test(name));
  if (tag !== undefined) return [tag, tagAdvice];
  return findHeaderIn(refusedHeaders, headers);
}

function findHeaderIn(
  table: Readonly<Record<string, string>>,
  headers: HttpRequest["headers"],
): readonly [name: string, advice: string] | undefined {
  for (const [names, advice] of Object.entries(table)) {
    const name = names.split(" ").find((one) => headers[one] !== undefined);
    if (name !== undefined) return [name, advice];
  }
  return undefined;
}

/** Warns a caller who accepts no JSON of a call that has nothing else. */
export function reviewAccept(
  { caller, resource, response }: Route,
  { headers }: HttpRequest,
): readonly string[] {
  const accept = headers.accept?.join(", ");
  if (accept === undefined || caller !== "token" || !("json" in response) || "alsoAs" in response) return [];
  if (/json|\*\/\*|application\/\*/i.test(accept)) return [];
  const page = " The page itself is at GET /api/drops/{slug}/html.";
  const isOfDrop = resource === "drops" || resource === "versions";
  return [`This call responds in JSON, whatever Accept says.${isOfDrop ? page : ""}`];
}

/** Tells whether a response can carry warnings. Calls without it refuse unknown parameters instead of ignoring them. */
function hasWarnings({ caller, response }: Route): boolean {
  return caller !== "token" || "json" in response;
}

/** Refuses query parameters that are fields of the body: the call would be carried out without them. */
function refuseBesideJson(given: readonly string[], { json, page }: JsonBody): void {
  const fields = [...fieldNamesOf(json), ...fieldNamesOf(page?.query)];
  const isField = (name: string) =>
    fields.includes(name) || (fields.includes("metadata") && name.startsWith(metadataPrefix));
  const name = given.find(isField);
  if (name === undefined) return;
  const shown = name.slice(0, shownCharactersMax);
  const isTag = name.startsWith(metadataPrefix);
  const upsert = `To publish to the drop with this tag, or a new one: PUT /api/drops?${shown}=…; to tag a new drop, send metadata in the body.`;
  const tags = page === undefined ? 'Send "metadata" with all tags as a field of the body.' : upsert;
  const instead = isTag ? tags : "Send it as a field of the JSON body.";
  throw new ApiError("invalid_arg", {
    message: `The query parameter ${JSON.stringify(shown)} describes what the body describes. The request was refused. ${instead}`,
    details: { parameter: shown },
  });
}

/** Adds to the refusal of a missing name what `explain` says, or the given name that may stand for it. */
export function withMistaken<Result>(
  given: readonly string[],
  known: readonly string[],
  kind: string,
  read: () => Result,
  explain: (missing: string, mistaken: string) => string | undefined = () => undefined,
): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { field, parameter } = error.details;
    const missing = String(field ?? parameter ?? "");
    if (given.includes(missing)) throw error;
    const unknown = given.slice(0, unknownMax).filter((name) => !known.includes(name));
    const further = [...error.message.matchAll(/\b(\w+) is required/g)].map(([, name = ""]) => name);
    const hints = [...new Set([missing, ...further])].flatMap((one) => {
      const mistaken = unknown.find((name) => findMeantName(name, [one]) === one);
      return mistaken === undefined
        ? []
        : [`Unknown ${kind} ${quote(mistaken)}: send it as ${JSON.stringify(one)}${wayOf(mistaken, one)}.`];
    });
    const mistaken = hints.join(" ");
    const hint = explain(missing, mistaken) ?? mistaken;
    throw hint === "" ? error : error.saying(`${error.message} ${hint}`);
  }
}

/** Limits of the search for fields inside other fields. */
const wrapperDepthMax = 3;
const wrapperFieldsMax = 20;

/**
 * Finds the object that holds the fields of a body, if none is at its top, as JSON:API and GraphQL have it.
 *
 * @returns path of the object, such as `data.attributes`
 */
export function findWrapper(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  depth = 0,
): string | undefined {
  if (known.some((name) => Object.hasOwn(value, name))) return undefined;
  for (const [name, inner] of Object.entries(value).slice(0, wrapperFieldsMax)) {
    const one: unknown = Array.isArray(inner) ? inner[0] : inner;
    if (!isObject(one)) continue;
    const path = name.slice(0, shownCharactersMax);
    if (known.some((field) => Object.hasOwn(one, field))) return path;
    const deeper = depth < wrapperDepthMax ? findWrapper(one, known, depth + 1) : undefined;
    if (deeper !== undefined) return `${path}.${deeper}`;
  }
  return undefined;
}

/** Advice for not_found errors, by resource. */
const whereToLook: Partial<Record<Route["resource"], string>> = {
  drops: "You have no such drop: it may have been deleted. GET /api/drops lists your drops.",
  versions:
    "You have no such drop or version. GET /api/drops lists your drops, GET /api/drops/{slug}/versions their versions.",
  blobs: "You have no such file: it may have been deleted. The id is the last part of its url.",
  tokens:
    "You have no such token. GET /api/tokens lists your tokens with their ids. Send the id, not the token.",
};

/** Adds to a `not_found` error the guide, which tools do not need, and advice where to look if it has no message of its own. */
export function withRouteHints(
  { caller, method, resource }: Route,
  error: ApiError,
  site: Site | undefined,
): ApiError {
  if (error.code !== "not_found") return error;
  const creates =
    method === "PUT" && resource === "drops"
      ? " POST /api/drops publishes a new one, whose slug the service chooses."
      : "";
  const words = whereToLook[resource];
  const isBare = caller === "token" && error.message === errorCatalog.not_found.message;
  const guide = site === undefined ? {} : { guide: guideUrl(site) };
  return error.saying(isBare && words !== undefined ? words + creates : error.message, guide);
}

/** Further advice for some given names. */
function wayOf(given: string, missing: string): string {
  if (missing === "html" && /^(markdown|md)$/i.test(given)) {
    return ", rendered, or as the body itself with Content-Type: text/markdown";
  }
  if (missing === "html" && /base64$/i.test(given)) return ", decoded";
  if (missing === "token") return `, ?token=<poll_token>`;
  return "";
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
