import * as z from "zod/mini";
import type { $ZodType, output } from "zod/v4/core";
import { ApiError, type ErrorCode, errorCatalog } from "./errors.ts";
import { metadataPrefix, type RawQuery, withFilters } from "./query.ts";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";
import type { JsonBody, RejectedNames, Route } from "./route.ts";
import { quote, schema, shownCharactersMax } from "./schemas.ts";
import { findSimilarName } from "./similar-name.ts";
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

/** Other names of fields, by their name in this API: letters and digits only, in lower case. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  html: [
    ...[
      "content",
      "contents",
      "body",
      "page",
      "document",
      "markup",
      "source",
      "text",
      "markdown",
      "md",
      "data",
    ],
    ...["file", "htmlcontent", "rawhtml", "htmlbody", "pagehtml", "htmlbase64", "base64"],
  ],
  slug: ["id", "drop", "dropid", "pageid", "url", "rawurl", "link", "address", "shortcode"],
  title: ["name", "subject", "heading", "headline", "pagetitle"],
  description: ["summary", "subtitle", "abstract", "desc"],
  metadata: ["tags", "tag", "labels", "keywords", "meta", "project", "category"],
  context: ["prompt", "conversation"],
  note: ["message", "changelog", "comment", "commitmessage", "changes"],
  passcode: ["password", "passphrase", "pin", "pass", "secret", "code"],
  readers: ["viewers", "emails", "people"],
  visibility: ["access", "privacy"],
  id: ["blobid", "fileid", "uploadid", "blob", "file", "url", "tokenid"],
  label: ["name", "client", "agent", "device"],
  filename: ["name", "file"],
  size_bytes: ["size", "bytes", "length", "contentlength", "filesize"],
  content_type: ["type", "mime", "mimetype", "mediatype"],
  version: ["v", "n", "number", "to"],
  v: ["version", "n"],
  q: ["query", "search", "text"],
  token: ["polltoken", "code", "id"],
};

/** A name without the characters in which spellings differ: `isPrivate`, `is_private` and `Is-Private` are one. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Finds the known name that a caller may have meant by another one. */
export function findMeantName(name: string, known: readonly string[]): string | undefined {
  const normalized = normalizeName(name);
  return (
    known.find((one) => normalizeName(one) === normalized) ??
    known.find((one) => synonyms[one]?.includes(normalized)) ??
    findSimilarName(normalized, known)
  );
}

/** Finds the rejected names that a name is one of. */
export function findRejected(
  name: string,
  rejected: readonly RejectedNames[] = [],
): RejectedNames | undefined {
  return rejected.find(({ names }) => names.includes(normalizeName(name)));
}

/** Given and known names. */
interface GivenNames {
  readonly kind: "field" | "query parameter";
  readonly given: readonly string[];
  readonly known: readonly string[];
  readonly rejected?: readonly RejectedNames[] | undefined;
}

/** Fields that keep readers out: a misspelled one must not let everybody in. */
const restricting = ["passcode", "visibility", "readers"];

const warningsMax = 10;

/** Limit of unknown names, each of which is compared with all known ones. */
export const unknownMax = 100;

/**
 * Warns about unknown names, which are ignored.
 *
 * @throws ApiError for the first rejected name, with the right call
 */
export function reviewNames({ kind, given, known, rejected = [] }: GivenNames): string[] {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax) {
    throw new ApiError("invalid_arg", {
      message: `${unknown.length} unknown ${kind}s. At most ${unknownMax} are ignored, so the request was refused. ${listKnown(kind, known)}`,
    });
  }
  const warnings = unknown.map((name) => {
    const found = findRejected(name, rejected);
    const meant = findMeantName(name, known);
    const hint = hintOf(kind, meant, known);
    if (found?.isHarmless) return `Unknown ${kind} ${quote(name)} was ignored. ${found.advice}`;
    if (found !== undefined) throw refusal(kind, name, found.advice, {}, found.code);
    if (meant !== undefined && restricting.includes(meant))
      throw refusal(kind, name, hint, { did_you_mean: meant });
    return `Unknown ${kind} ${quote(name)} was ignored. ${hint}`;
  });
  return warnings.slice(0, warningsMax);
}

function refusal(
  kind: GivenNames["kind"],
  name: string,
  advice: string,
  details: Readonly<Record<string, unknown>> = {},
  code: ErrorCode = "invalid_arg",
): ApiError {
  return new ApiError(code, {
    message: `Unknown ${kind} ${quote(name)}. The request was refused. ${advice}`,
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
  for (const [name, [value = ""]] of Object.entries(explain === undefined ? {} : sent)) {
    const advice = isKnown(name) ? undefined : explain?.(name, value);
    if (advice === undefined) continue;
    const allowed = names.map((one) => (one === "metadata" ? `${metadataPrefix}<key>` : one));
    const meant = advice === "" ? findMeantName(name, known) : undefined;
    const near = meant === undefined ? advice : `Did you mean ${JSON.stringify(meant)}?`;
    const hint = `${near} ${listKnown("query parameter", allowed)}`.trimStart();
    throw refusal("query parameter", name, hint, { allowed });
  }
  return withMistaken(Object.keys(sent), names, "query parameter", () =>
    validate(schema, withFilters(sent), "parameter"),
  );
}

/**
 * Warns about unknown query parameters.
 *
 * @throws ApiError for a rejected one, and for one that is a field of the JSON body
 */
export function reviewParameters(route: Route, given: readonly string[]): readonly string[] {
  const { query, body, refusedParameters = [], refusedFields = [] } = route;
  const known = fieldNamesOf(query);
  const others = given.filter(
    (name) => !known.includes(name) && !(known.includes("metadata") && name.startsWith(metadataPrefix)),
  );
  if (typeof body === "object") refuseBesideJson(others, body);
  const rejected = [...refusedParameters, ...(typeof body === "object" ? refusedFields : [])];
  const warnings = reviewNames({ kind: "query parameter", given: others, known, rejected });
  if (hasWarnings(route)) return warnings;
  const [unknown] = others;
  if (unknown === undefined) return [];
  throw refusal("query parameter", unknown, hintOf("query parameter", findMeantName(unknown, known), known));
}

const upsertAdvice =
  "PUT /api/drops?metadata.<key>=<value> publishes to the drop with this tag, or to a new one.";

const tagAdvice = 'Tags are metadata: send "metadata": {"team": "ops"} as a field of the JSON body.';

const describesPage =
  "Send it as a field of the JSON body, or beside a page or file as a query parameter, such as ?title=….";

/** Headers of other services by which a caller means something that would be dropped. Exact names: proxies add headers of their own. */
const refusedHeaders: Readonly<Record<string, string>> = {
  "x-title x-name x-description x-note x-context x-tags x-metadata x-feedback x-indexed": describesPage,
  "x-visibility x-private x-public x-access x-readers x-acl x-amz-acl x-goog-acl": `The field "visibility" says who can read it: "public", "unlisted" (everybody with the link), "members", or "people" with "readers". ${describesPage}`,
  "x-password x-passcode":
    'Send "passcode" as a field of the JSON body of a new drop, or lock a drop with POST /api/drops/{slug}/passcode.',
  "x-expires x-expires-at x-expires-in x-expiry x-expire-after x-expiration x-ttl x-delete-after":
    'To have a drop expire, send "expires_in_days" or "expires_at" as a field of the JSON body. Files do not expire: DELETE /api/blobs/{id} deletes one.',
  "slug x-slug x-id x-url x-path":
    "The service chooses the address. PUT /api/drops/{slug} publishes a new version of a drop that exists.",
  "x-upsert x-overwrite": upsertAdvice,
  "x-filename x-file-name": "POST /api/blobs?filename=chart.png names a file in its address.",
  "x-amz-tagging": tagAdvice,
  "x-idempotency-key x-idempotency": "To repeat a call safely, send the header Idempotency-Key.",
  "x-http-method x-method-override": "Send the method itself.",
  "x-dry-run": "There are no trial runs.",
  "content-range upload-offset upload-length x-goog-upload-command x-goog-upload-protocol x-upload-content-length":
    "Send the whole body at once. POST /api/blobs/uploads gives an address for a large file.",
  "if-none-match":
    "Only reads have it: POST always makes something new, and PUT /api/drops/{slug} changes a drop that exists. To change only what you have read, send its ETag as the header If-Match.",
  "if-unmodified-since": "To change only what you have read, send its ETag as the header If-Match.",
};

const metadataHeader = /^x-(amz|goog|ms)-meta-/;

/**
 * Refuses a write whose headers mean something that would be dropped.
 *
 * @throws ApiError `invalid_arg` with the right call
 */
export function refuseHeaders(
  { caller, method, headers: known = [] }: Route,
  { headers }: HttpRequest,
): void {
  if (caller !== "token" || method === "GET") return;
  for (const [name, values = []] of Object.entries(headers)) {
    const advice = adviceOnHeader(name, values.join(", "), known);
    if (advice === undefined) continue;
    throw new ApiError("invalid_arg", {
      message: `The header ${quote(name)} means nothing here. The request was refused. ${advice}`,
      details: { header: name.slice(0, shownCharactersMax) },
    });
  }
}

function adviceOnHeader(name: string, value: string, known: readonly string[]): string | undefined {
  if (name === "if-match" && !known.includes("If-Match")) return "This call has no condition: leave it out.";
  if (name === "prefer" && /\bresolution=/i.test(value)) return upsertAdvice;
  if (metadataHeader.test(name)) return tagAdvice;
  return Object.entries(refusedHeaders).find(([names]) => names.split(" ").includes(name))?.[1];
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
  explain: (missing: string) => string | undefined = () => undefined,
): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { field, parameter } = error.details;
    const missing = String(field ?? parameter ?? "");
    if (given.includes(missing)) throw error;
    const unknown = given.slice(0, unknownMax).filter((name) => !known.includes(name));
    const mistaken = unknown.find((name) => findMeantName(name, [missing]) === missing);
    const hint =
      explain(missing) ??
      (mistaken &&
        `Unknown ${kind} ${quote(mistaken)}: send it as ${JSON.stringify(missing)}${wayOf(mistaken, missing)}.`);
    throw hint === undefined ? error : error.saying(`${error.message} ${hint}`);
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
  { caller, resource }: Route,
  error: ApiError,
  site: Site | undefined,
): ApiError {
  if (error.code !== "not_found") return error;
  const words = whereToLook[resource];
  const isBare = caller === "token" && error.message === errorCatalog.not_found.message;
  const guide = site === undefined ? {} : { guide: guideUrl(site) };
  return error.saying(isBare && words !== undefined ? words : error.message, guide);
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
