import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import { edgeHeaders } from "../core/environment.ts";
import { ApiError, type ErrorCode, errorCatalog } from "../core/errors.ts";
import { isTellingWord } from "./field-hints.ts";
import { findHintForName, findMeantName, type HintTable, joinHints } from "./hints.ts";
import {
  otherMethodHeaders,
  refusedHeaders,
  refusedOfEveryCall,
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
  /** Required names that did not come, for which others may stand. @default - none */
  readonly missing?: readonly string[];
  /** Values of the given names. @default - not known */
  readonly values?: Readonly<Record<string, unknown>>;
}

/** An unknown name, and the right call. */
interface UnknownName {
  readonly name: string;
  readonly advice: string;
  /** @default - the name is ignored */
  readonly isRefused?: boolean;
  /** The advice is the list of all names. @default - it is about this one */
  readonly isUnexplained?: boolean;
  readonly code?: ErrorCode | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Fields that keep readers out: a misspelled one must not let everybody in. */
const restricting = ["passcode", "visibility", "readers"];

const warningsMax = 10;

/** Limit of unknown names, each of which is compared with all known ones. */
export const unknownMax = 100;

/**
 * Explains unknown names, and decides which of them are refused.
 *
 * @throws ApiError for too many of them
 */
export function explainNames({
  kind,
  given,
  known,
  rejected = {},
  missing = [],
  values = {},
}: GivenNames): readonly UnknownName[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax) {
    throw new ApiError("invalid_arg", {
      message: `${unknown.length} unknown ${kind}s. At most ${unknownMax} are ignored, so the request was refused. ${listKnown(kind, known)}`,
    });
  }
  return unknown.map((name) => {
    const found = findHintForName(rejected, name, isTellingWord);
    const standsFor = missing.find((one) => findMeantName(name, [one]) === one);
    if (found?.insteadOf !== undefined && missing.includes(found.insteadOf))
      return { name, advice: found.advice, isRefused: true };
    if (standsFor !== undefined)
      return { name, advice: sendAs(name, standsFor, values[name]), isRefused: true };
    const inside = kind === "field" ? findInside(name, known) : undefined;
    if (inside !== undefined) return { name, advice: inside, isRefused: true };
    if (found !== undefined) return { ...found, name, isRefused: found.isHarmless !== true };
    const meant = findMeantName(name, known);
    if (meant === undefined) return { name, advice: listKnown(kind, known), isUnexplained: true };
    const details = { did_you_mean: meant };
    return { name, advice: `Did you mean ${quote(meant)}?`, isRefused: restricting.includes(meant), details };
  });
}

/** Warns about unknown names that are ignored. */
export function warningsOf(kind: GivenNames["kind"], names: readonly UnknownName[]): readonly string[] {
  return names
    .slice(0, warningsMax)
    .map(({ name, advice }) => `Unknown ${kind} ${quote(name)} was ignored. ${advice}`);
}

/** Sentences about unknown names of a refused request: those first that are refused, and the unexplained ones as one. */
export function sentencesOf(kind: string, names: readonly UnknownName[]): readonly string[] {
  const explained = names.filter((one) => one.isUnexplained !== true);
  const [unexplained, ...others] = names.filter((one) => one.isUnexplained === true);
  const sentences = [...explained]
    .sort((a, b) => Number(b.isRefused ?? false) - Number(a.isRefused ?? false))
    .map(({ name, advice }) => {
      return `Unknown ${kind} ${quote(name)}${advice.startsWith(sendAsStart) ? ":" : "."} ${advice}`;
    });
  if (unexplained === undefined) return sentences;
  const shown = [unexplained, ...others].slice(0, unexplainedMax).map(({ name }) => quote(name));
  return [...sentences, `Unknown ${kind} ${shown.join(", ")}. ${unexplained.advice}`];
}

const unexplainedMax = 6;

const sendAsStart = "send it as";

function sendAs(given: string, missing: string, value?: unknown): string {
  return `${sendAsStart} ${quote(missing)}${wayOf(given, missing, value)}.`;
}

/**
 * Warns about unknown names, which are ignored.
 *
 * @throws ApiError for the first rejected name, with what there is to say of the others
 */
export function reviewNames(names: GivenNames): readonly string[] {
  const explained = explainNames(names);
  const first = explained.find((one) => one.isRefused);
  if (first === undefined) return warningsOf(names.kind, explained);
  throw refusal(
    names.kind,
    first,
    explained.filter((one) => one !== first),
  );
}

/** Measures how well a call fits names that were sent: those that it has by any name, less those that it requires and that did not come. */
export function fitOf({ body, path, query }: Route, given: readonly string[]): number {
  // An edit names html only to refuse it.
  const ofBody = typeof body === "object" ? fieldsOf(body.json) : [];
  const fields = ofBody.filter(({ name, isRequired }) => isRequired || name !== "html");
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const ofQuery = query === undefined ? [] : fieldsOf(query);
  const known = [...[...fields, ...ofQuery].map(({ name }) => name), ...ofPath];
  const isMeant = (name: string) => given.some((one) => findMeantName(one, [name]) === name);
  const understood = given.filter((name) => findMeantName(name, known) !== undefined);
  const missing = [...fields, ...ofQuery].filter(({ name, isRequired }) => isRequired && !isMeant(name));
  return understood.length - missing.length / 2;
}

/** Explains a name such as `metadata.team`, which parameters have and fields do not. */
function findInside(name: string, known: readonly string[]): string | undefined {
  const [, outer = "", inner = ""] = /^(\w+)(?:\.|\[["']?)([\w-]+)/.exec(name) ?? [];
  return known.includes(outer)
    ? `Send ${JSON.stringify(outer)}: {${quote(inner)}: …}, an object.`
    : undefined;
}

function refusal(
  kind: GivenNames["kind"],
  { name, advice, code = "invalid_arg", details = {} }: UnknownName,
  others: readonly UnknownName[] = [],
): ApiError {
  const error = new ApiError(code, {
    message: `Unknown ${kind} ${quote(name)}. The request was refused. ${advice}`,
    details: { [kind === "field" ? "field" : "parameter"]: name.slice(0, shownCharactersMax), ...details },
  });
  return error.withFurther(sentencesOf(kind, others));
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
  const read = () => validate(schema, withFilters(sent), "parameter");
  const [first, ...others] = refused;
  if (first === undefined) return withMistaken(Object.keys(sent), names, "query parameter", read);
  const further = attempt(read).fault?.message ?? "";
  const error = refusal("query parameter", first, others).withFurther([further]);
  throw error.saying(`${error.message} ${listKnown("query parameter", allowed)}`.replace(/ {2,}/g, " "));
}

/** The result of a check, or the refusal that it threw. */
type Attempt<Result> =
  | { readonly result: Result; readonly fault?: never }
  | { readonly result?: never; readonly fault: ApiError };

/** Runs a check whose refusal is not the only one that a request may get. */
export function attempt<Result>(check: () => Result): Attempt<Result> {
  try {
    return { result: check() };
  } catch (error) {
    if (error instanceof ApiError) return { fault: error };
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
  const rejected = joinHints(refusedParameters, ofBody, refusedOfEveryCall, ofRead);
  const kind = "query parameter";
  const explained = explainNames({ kind, given: others, known, rejected });
  const [unknown, ...more] = explained.toSorted(
    (a, b) => Number(b.isRefused ?? 0) - Number(a.isRefused ?? 0),
  );
  if (unknown === undefined || (unknown.isRefused !== true && hasWarnings(route)))
    return warningsOf(kind, explained);
  throw refusal(kind, unknown, more);
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
    method === "GET" ? findHeadersIn(otherMethodHeaders, headers) : findRefusedHeaders(headers, known);
  const refused = found.map(([name, advice]) => {
    const shown = (name === edgeHeaders.method ? headers[name]?.[0] : name) ?? name;
    return { shown, message: `The header ${quote(shown)} means nothing here.`, advice };
  });
  const [first, ...others] = refused;
  if (first === undefined) return;
  const error = new ApiError("invalid_arg", {
    message: `${first.message} The request was refused. ${first.advice}`,
    details: { header: first.shown.slice(0, shownCharactersMax) },
  });
  throw error.withFurther(others.map(({ message, advice }) => `${message} ${advice}`));
}

/** Advice for a request with an override header whose own method the address does not support. */
export function explainOtherMethod(headers: HttpRequest["headers"]): string {
  const [found] = findHeadersIn(otherMethodHeaders, headers);
  return found?.[1] ?? "";
}

const metadataHeader = /^x-(amz|goog|ms)-meta-/;

type FoundHeader = readonly [name: string, advice: string];

function findRefusedHeaders(
  headers: HttpRequest["headers"],
  known: readonly string[],
): readonly FoundHeader[] {
  const hasCondition = headers["if-match"] !== undefined && !known.includes("If-Match");
  const isUpsert = /\bresolution=/i.test(headers.prefer?.join(", ") ?? "");
  const tag = Object.keys(headers).find((name) => metadataHeader.test(name));
  return [
    ...(hasCondition ? [["if-match", "This call has no condition: leave it out."] as const] : []),
    ...(isUpsert ? [["prefer", upsertAdvice] as const] : []),
    ...(tag === undefined ? [] : [[tag, tagAdvice] as const]),
    ...findHeadersIn(refusedHeaders, headers),
  ];
}

/** Finds the first header of each row. */
function findHeadersIn(
  table: Readonly<Record<string, string>>,
  headers: HttpRequest["headers"],
): readonly FoundHeader[] {
  return Object.entries(table).flatMap(([names, advice]) => {
    const name = names.split(" ").find((one) => headers[one] !== undefined);
    return name === undefined ? [] : [[name, advice] as const];
  });
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

/** Adds to the refusal of a missing name the given name that may stand for it. */
export function withMistaken<Result>(
  given: readonly string[],
  known: readonly string[],
  kind: string,
  read: () => Result,
): Result {
  const { result, fault } = attempt(read);
  if (fault === undefined) return result;
  const unknown = given.slice(0, unknownMax).filter((name) => !known.includes(name));
  const standing = [...new Set(fault.missing)].flatMap((one) => {
    const name = unknown.find((other) => findMeantName(other, [one]) === one);
    return name === undefined ? [] : { name, advice: sendAs(name, one) };
  });
  throw fault.withFurther(sentencesOf(kind, standing));
}

/** Advice for not_found errors, by resource. */
const whereToLook: Partial<Record<Route["resource"], string>> = {
  drops:
    "You have no such drop: it may have been deleted, have another owner, or a slug with other capital letters. GET /api/drops lists your drops. Only its owner can change a drop or read it here: GET /api/library lists what others share, which you read at its url.",
  versions:
    "You have no such drop or version: the drop may have another owner, or a slug with other capital letters. GET /api/drops lists your drops, GET /api/drops/{slug}/versions their versions.",
  blobs: "You have no such file: it may have been deleted. The id is the last part of its url.",
  tokens:
    "You have no token with this id. GET /api/tokens lists yours, and GET /api/me has the id of your own. Send the id, not the token.",
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

/** The whole of a page in base64, which begins with "<". */
const encodedPage = /^P[A-D][A-Za-z0-9+/\s]{6,}={0,2}\s*$/;

/** Further advice for some given names. */
function wayOf(given: string, missing: string, value: unknown): string {
  if (missing === "html" && /^(markdown|md)$/i.test(given)) {
    return ", rendered, or as the body itself with Content-Type: text/markdown";
  }
  const isEncoded = /base64$/i.test(given) || (typeof value === "string" && encodedPage.test(value));
  if (missing === "html" && isEncoded) return ", decoded from base64";
  if (missing === "token") return `, ?token=<poll_token>`;
  return "";
}
