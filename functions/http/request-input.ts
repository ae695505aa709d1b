import type { $ZodType, output } from "zod/v4/core";
import { ApiError, type Message } from "../core/errors.ts";
import {
  explainParameters,
  neutral,
  type ParameterRule,
  refuseBesideJson,
} from "../refusals/unknown-parameters.ts";
import { readSlug, toNamedAddress } from "./drop-address.ts";
import { refuseOtherBodies } from "./foreign-body.ts";
import { metadataPrefix, type RawQuery, withFilters } from "./query.ts";
import { type HttpRequest, parseQuery } from "./request.ts";
import { pageTypeOf, type ReadBody, readBody } from "./request-body.ts";
import { type EntityTagCondition, readIfMatch } from "./response.ts";
import type { Route } from "./route.ts";
import { fieldNamesOf, quote } from "./schemas.ts";
import type { Site } from "./site.ts";
import { refusalOf, refuseHeaders, sentencesOf, type UnknownName } from "./unknown-names.ts";
import { attempt, type PathParameters, parsePath, readIdempotencyKey, validate } from "./validation.ts";
import { hasWarnings, isReviewed, reviewAccept } from "./warnings.ts";

/** A request, parsed according to the operation's definition. */
interface ReadInput {
  readonly path: PathParameters;
  readonly query: unknown;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: EntityTagCondition | undefined;
  readonly body: unknown;
  readonly warnings: readonly Message[];
}

/** A request, and the callbacks that run while the request is read. */
interface Reading {
  readonly request: HttpRequest;
  readonly site: Site;
  /** Gets the path parameters when they have been validated. */
  readonly notePath: (path: PathParameters) => void;
  /** Counts the caller's write, then renders Markdown. */
  readonly renderAfterWrite: (render: () => Promise<ReadBody>) => Promise<ReadBody>;
}

/**
 * Reads path, headers, query and body according to the operation's definition.
 *
 * @throws ApiError for the first error, with a message that also describes the other errors
 */
export async function readInput(
  route: Route,
  { request: sentRequest, site, notePath, renderAfterWrite }: Reading,
): Promise<ReadInput> {
  const request = await withNamedSlug(route, sentRequest, site);
  const faults: ApiError[] = [];
  const isAll = isReviewed(route);
  const kind = request.isToolCall ? "argument" : "query parameter";
  const check = <Result>(run: () => Result): Result | undefined => {
    const { result, fault } = attempt(run);
    if (fault !== undefined) faults.push(fault);
    if (fault !== undefined && (!isAll || fault.status !== 400)) throw fault;
    return result;
  };
  const path = check(() => parsePath(route, request, site));
  if (isAll) check(() => refuseHeaders(route, request, knownNames(route)));
  if (path !== undefined) notePath(path);
  if (route.body === "bytes") check(() => refuseOtherBodies(request));
  const raw = await withNamedSlugs(parseQuery(request.rawQuery), route, site);
  const pinned = (path && check(() => withPinnedVersion(raw, path, route))) ?? raw;
  const { sent, warnings: ofSlug } = check(() => withPlainSlug(pinned, route, site)) ?? {
    sent: pinned,
    warnings: [],
  };
  const { query: schema, headers = [] } = route;
  const query = schema && check(() => validateQuery(schema, sent, { ...route, kind }, namesOfPage(route)));
  const hasKey = headers.includes("Idempotency-Key");
  const idempotencyKey = hasKey ? check(() => readIdempotencyKey(request)) : undefined;
  const ifMatch = headers.includes("If-Match") ? check(() => readIfMatch(request)) : undefined;
  // Does not read a streamed body if the request has errors.
  if (request.bodyBytes === undefined) throwFaults(faults);
  // Does not render Markdown for a request that will be refused anyway.
  const render = faults.length > 0 ? async () => nothingRead : renderAfterWrite;
  const { result: read, fault } = await readBodyOf(route, request, render);
  const isPage = hasBody(route.body) && pageTypeOf(route, request) !== undefined;
  // With an invalid path, the query may be meant for another call.
  const isReviewedQuery = isAll && !isPage && (path !== undefined || route.method !== "GET");
  // If the body is not JSON, it may be a page, whose title and other fields are in the query.
  const described = fault?.code === "invalid_json" ? namesOfPage(route) : [];
  const given = Object.keys(sent).filter((name) => !described.includes(name.split(".", 1)[0] ?? ""));
  const ofQuery = attempt(() => (isReviewedQuery ? reviewParameters(route, given, kind) : []));
  // If the query contains a required field of the body, reports the query's errors first, because they explain why the body lacks the
  // field.
  const isInQuery = fault?.missing.some((name) => Object.hasOwn(sent, name));
  const others = isInQuery ? [ofQuery.fault, fault] : [fault, ofQuery.fault];
  throwFaults([...faults, ...others.filter((one) => one !== undefined)]);
  const { body, warnings } = read as ReadBody;
  return {
    path: path as PathParameters,
    query,
    idempotencyKey,
    ifMatch,
    body,
    warnings: [
      ...ofSlug,
      ...(ofQuery.result ?? []),
      ...reviewAccept(route, request),
      ...warnings,
      ...(route.review?.({ query, body }) ?? []),
    ],
  };
}

function throwFaults([first, ...others]: readonly ApiError[]): void {
  if (first !== undefined) throw first.withFurther(others.map(({ both }) => both));
}

const nothingRead: ReadBody = { body: undefined, warnings: [] };

/** Reads the body. Returns the body or an error with status 400. Throws other errors. */
async function readBodyOf(
  route: Route,
  request: HttpRequest,
  render: Reading["renderAfterWrite"],
): Promise<{ readonly result?: ReadBody; readonly fault?: ApiError }> {
  try {
    const result = hasBody(route.body)
      ? await readBody(route.body, route, request, render)
      : refuseBodyOfDeletion(route, request);
    return { result };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { fault: error };
    throw error;
  }
}

/**
 * Copies the version in a drop's URL to the query, as `v` or as a tool's `version`.
 *
 * @throws ApiError `invalid_arg` if the request names another version, or if the call applies to the whole drop
 */
function withPinnedVersion(
  sent: RawQuery,
  { slug, version, pinned }: PathParameters,
  route: Route,
): RawQuery {
  if (pinned === undefined || String(version) === pinned) return sent;
  const fields = fieldNamesOf(route.query);
  const name = ["v", "version"].find((one) => fields.includes(one));
  const versions = name === undefined ? undefined : (sent[name] ?? [pinned]);
  if (name !== undefined && versions?.every((one) => one === pinned)) return { ...sent, [name]: versions };
  const call = `${route.method} ${route.path}`;
  const instead = version > 0 ? `${call} applies to version ${version}` : `${call} applies to the whole drop`;
  throw new ApiError("invalid_arg", {
    message:
      versions === undefined
        ? `The address names version ${quote(pinned)}, but ${instead}. Send the slug ${slug}, or call /api/drops/${slug}/v/{n} for one version.`
        : `The address names version ${quote(pinned)}, and ${name} is ${quote(versions.join(", "))}. Send only one of them.`,
    details: { field: "slug" },
  });
}

/**
 * Replaces a URL on a folder's own host, sent as the path parameter `slug`, with a URL that contains the slug. Only tools can send a URL as
 * a path parameter.
 */
async function withNamedSlug(route: Route, request: HttpRequest, site: Site): Promise<HttpRequest> {
  const { slug } = request.pathParameters;
  if (slug === undefined || !route.path.startsWith("/api/")) return request;
  const named = await toNamedAddress(slug, site);
  return named === slug
    ? request
    : { ...request, pathParameters: { ...request.pathParameters, slug: named } };
}

/** Replaces URLs on folders' own hosts, sent as the query parameter `slug`, with URLs that contain the slug. */
async function withNamedSlugs(sent: RawQuery, { query }: Route, site: Site): Promise<RawQuery> {
  if (sent.slug === undefined || !fieldNamesOf(query).includes("slug")) return sent;
  return { ...sent, slug: await Promise.all(sent.slug.map((one) => toNamedAddress(one, site))) };
}

/** Replaces a drop's URL in the query parameter `slug` with the slug. */
function withPlainSlug(sent: RawQuery, { query }: Route, site: Site) {
  const [value, ...others] = fieldNamesOf(query).includes("slug") ? (sent.slug ?? []) : [];
  if (value === undefined || others.length > 0) return { sent, warnings: [] };
  const { slug, warnings } = readSlug(value, site);
  return { sent: { ...sent, slug: [String(slug)] }, warnings };
}

/** Lists the names of all query parameters and JSON fields of a call. */
function knownNames({ query, body }: Route): readonly string[] {
  return [...fieldNamesOf(query), ...(typeof body === "object" ? fieldNamesOf(body.json) : [])];
}

/** Lists the query parameters that describe a page in the body. */
function namesOfPage({ body }: Route): readonly string[] {
  return typeof body === "object" ? fieldNamesOf(body.page?.query) : [];
}

/** Refuses a deletion with a body, because the caller may want the body to restrict the deletion. */
function refuseBodyOfDeletion(route: Route, { method, bodyBytes }: HttpRequest): ReadBody {
  const text =
    method === "DELETE" && route.caller === "token" ? new TextDecoder().decode(bodyBytes).trim() : "";
  if (!["", "{}", "null"].includes(text)) {
    const message = `${route.method} ${route.path} accepts no body, so the request was refused. Leave the body out: the call deletes the item in its path (${route.summary}).`;
    throw new ApiError("invalid_arg", { message });
  }
  return nothingRead;
}

/** Returns true if the body must be read before the operation runs. Operations with the body `page` read the page themselves. */
function hasBody(rule: Route["body"]): rule is Exclude<Route["body"], undefined | "page"> {
  return rule !== undefined && rule !== "page";
}

/**
 * Validates a query with a schema.
 *
 * @param otherNames other known parameters
 * @throws ApiError for an invalid parameter, and for unknown parameters if the rule refuses them. If a parameter is missing, the message
 * names the unknown parameter that the caller probably sent instead
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

/** Warns about unknown query parameters. @throws ApiError for a parameter that must not be ignored, and for a field of the JSON body */
function reviewParameters(
  route: Route,
  given: readonly string[],
  kind: ParameterRule["kind"],
): readonly Message[] {
  const known = fieldNamesOf(route.query);
  const others = given.filter((name) => !known.includes(name) && !isTag(name, known));
  if (others.length === 0) return [];
  if (typeof route.body === "object") refuseBesideJson(others, route.body);
  const explained = explainParameters(others, { ...route, kind }, known);
  // Refuses a misspelled parameter of a read, because the results would be unfiltered.
  const isLost = (one: UnknownName) => one.isRefused || (route.body === undefined && one.means !== undefined);
  if (explained.some(isLost) || !hasWarnings(route)) throw refusalOf(kind, explained);
  return explained.flatMap((one) => sentencesOf(kind, [one], " was ignored"));
}

/** Lists the unknown parameters of a query that could affect the result. */
function unknownParameters(given: readonly string[], known: readonly string[]): readonly string[] {
  // The field `metadata` stands for parameters such as `metadata.team`, so a parameter `metadata` is unknown.
  const isKnown = (name: string) => name !== "metadata" && known.includes(name);
  return given.filter((name) => !isKnown(name) && !isTag(name, known) && !neutral.test(name));
}

function isTag(name: string, known: readonly string[]): boolean {
  return known.includes("metadata") && name.startsWith(metadataPrefix);
}
