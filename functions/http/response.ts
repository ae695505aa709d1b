import { stringifySetCookie } from "cookie";
import { cacheTagHeader } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { WriteIds } from "../core/log.ts";
import type { HttpRequest } from "./request.ts";

/** An operation's response. The Lambda handler or the server adds the headers that all responses have. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. @default - none */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array;
  /** Ids of the written item, for the request's log entry. @default - the ids in the path, and the token's id */
  readonly wrote?: WriteIds;
}

/**
 * Headers of every JSON response. Browsers must not run or frame the response, caches must not store it, and other origins must not read
 * it.
 */
export const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** Responds 200 with JSON. */
export function ok(body: object, wrote: WriteIds = {}): HttpResponse {
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(body), wrote };
}

/** Responds 201 with JSON. */
export function created(body: object, wrote: WriteIds = {}): HttpResponse {
  return { ...ok(body, wrote), status: 201 };
}

/** Responds 202 with JSON, for work in progress. The caller should repeat the request after `retryAfterSeconds`. */
export function accepted(body: object, retryAfterSeconds: number): HttpResponse {
  return { ...ok(body), status: 202, headers: { ...jsonHeaders, "retry-after": String(retryAfterSeconds) } };
}

/** Responds 204. */
export function noContent(): HttpResponse {
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}

/** Redirects to another URL with 302. The redirect is not cached. */
export function redirect(location: string, cookies: readonly string[] = []): HttpResponse {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "same-origin" };
  return { status: 302, headers, cookies, body: "" };
}

/** Redirects with 303, to show the result after a form was accepted. */
export function seeOther(location: string, cookies: readonly string[] = []): HttpResponse {
  return { ...redirect(location, cookies), status: 303 };
}

/**
 * Returns the `Set-Cookie` value of a cookie that scripts cannot read. The prefix `__Host-` keeps other hosts from setting or receiving the
 * cookie (RFC 6265bis, section 4.1.3.2). Browsers send the cookie when a person follows a link from another site, but not with requests
 * that the other site's pages make themselves.
 *
 * @param maxAge in seconds; 0 deletes the cookie
 */
export function hostCookie(name: `__Host-${string}`, value: string, maxAge: number): string {
  return stringifySetCookie({
    name,
    value,
    httpOnly: true,
    secure: true,
    sameSite: "lax",
    path: "/",
    maxAge,
  });
}

/** Cache time of a response at the edge, and the tags that invalidate it. */
export interface EdgeCaching {
  readonly edgeSeconds: number;
  readonly tags: readonly CacheTag[];
}

/** Returns the headers of a response that the edge caches, and that browsers revalidate each time. */
export function edgeCacheHeaders({ edgeSeconds, tags }: EdgeCaching): Record<string, string> {
  return {
    "cache-control": `public, max-age=0, s-maxage=${edgeSeconds}, must-revalidate`,
    [cacheTagHeader]: cacheTagList(tags),
  };
}

/** Responds 200 with JSON that is the same for all callers, so that the edge can cache the response. */
export function cachedOk(body: object, caching: EdgeCaching): HttpResponse {
  return { ...ok(body), headers: { ...jsonHeaders, ...edgeCacheHeaders(caching) } };
}

/** Redirects with 302 to a URL that is the same for all viewers, so that the edge can cache the redirect. */
export function cachedRedirect(location: string, caching: EdgeCaching): HttpResponse {
  const { headers, ...response } = redirect(location);
  return { ...response, headers: { ...headers, ...edgeCacheHeaders(caching) } };
}

/**
 * Responds 200 with plain text, which browsers cannot interpret as another type, pages of the same host cannot read, and caches do not
 * store.
 */
export function text(body: Uint8Array): HttpResponse {
  const headers = {
    ...jsonHeaders,
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": `${jsonHeaders["content-security-policy"]}; sandbox`,
    // Denies a page access to the window in which it opens this response.
    "cross-origin-opener-policy": "same-origin",
  };
  return { status: 200, headers, body };
}

/** Names of SDK errors after which a retry may succeed; see "Retry behavior", AWS SDK for JavaScript. */
const transientNames = new Set([
  "InternalServerError",
  "ItemCollectionSizeLimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "ThrottlingException",
  "TimeoutError",
  "TransactionCanceledException",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

/** Converts any thrown value to an error for the caller. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return new ApiError("unavailable", { retryAfterSeconds: 1, cause: error });
  return new ApiError("internal_error", { cause: error });
}

/** Recognizes errors that `toApiError` converts into `unavailable`. */
export function isUnavailable(error: unknown): boolean {
  return toApiError(error).code === "unavailable";
}

/** Presents an error as JSON. */
export function errorJson(error: ApiError): HttpResponse {
  return {
    status: error.status,
    headers: { ...jsonHeaders, ...errorHeaders(error) },
    body: JSON.stringify(error.toBody()),
  };
}

/** Returns the headers of an error response, for JSON and for pages. */
export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
    ...(error.allow === undefined ? {} : { allow: error.allow.join(", ") }),
    ...(error.status === 401 ? { "www-authenticate": "Bearer" } : {}),
  };
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const fault = "$fault" in error ? error.$fault : undefined;
  const code = "code" in error ? String(error.code) : "";
  return (
    transientNames.has(error.name) || fault === "server" || /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN)/.test(code)
  );
}

/** A tag by which cached responses are invalidated; `all` is a tag of every response. CloudFront ignores the case of tags. */
export type CacheTag = "all" | `drop:${string}` | `file:${string}:${string}` | `owner:${string}`;

/** Returns the tag of a drop: its pages, pictures and state, in all versions and on all hosts. */
export function dropTag(slug: string): CacheTag {
  return `drop:${toHex(slug)}`;
}

/** Returns the tag of a file. */
export function fileTag({ namespace, id }: { readonly namespace: string; readonly id: string }): CacheTag {
  return `file:${namespace}:${toHex(id)}`;
}

/** Returns the tag of an owner's listing and feed, and of all drops and files below the owner's address. */
export function ownerTag(namespace: string): CacheTag {
  return `owner:${namespace}`;
}

/** Returns the value of the cache tag header. */
export function cacheTagList(tags: readonly CacheTag[]): string {
  return [...tags, "all"].join(",");
}

/** Returns object metadata with a file's cache tags, which Amazon S3 sends as the cache tag header. */
export function fileMetadata(file: {
  readonly namespace: string;
  readonly id: string;
}): Record<string, string> {
  return {
    [cacheTagHeader.replace("x-amz-meta-", "")]: cacheTagList([fileTag(file), ownerTag(file.namespace)]),
  };
}

/** Encodes a slug or id in hexadecimal digits, because slugs and ids are case-sensitive, but cache tags are not. */
function toHex(name: string): string {
  return Buffer.from(name).toString("hex");
}

const list = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$)|[ \t]*,)+$/;
const tag = /(?:W\/)?"[^"]*"/g;

/**
 * Reads the If-Match header, if there is one (RFC 9110, sections 8.8.3 and 13.1.1).
 *
 * @throws ApiError `invalid_arg` for values other than `*` or a list of entity tags
 */
export function readIfMatch(request: HttpRequest): EntityTagCondition | undefined {
  const values = request.headers["if-match"];
  if (values === undefined || values.length === 0) return undefined;
  const value = values.join(", ").trim();
  if (value === "*") return "any";
  if (list.test(value)) return value.match(tag) ?? [];
  throw new ApiError("invalid_arg", {
    message: `If-Match must be \`*\` or entity tags in quotation marks, such as "3-mi8x2k1c", not ${JSON.stringify(value.slice(0, 100))}. Send the ETag header of the response that you read, unchanged.`,
    details: { header: "if-match" },
  });
}

/** Compares the request's If-None-Match with the response's entity tag (RFC 9110, section 13.1.2). A malformed list never matches. */
export function isConditionSupported(request: HttpRequest, etag: string): boolean {
  const value = (request.headers["if-none-match"] ?? []).join(", ").trim();
  if (value === "*") return true;
  return list.test(value) && (value.match(tag) ?? []).some((one) => one.replace(/^W\//, "") === etag);
}

/**
 * Requires that a drop matches the condition of If-Match.
 *
 * @throws ApiError `precondition_failed` if the drop has changed since the caller read it
 */
export function requireMatch(condition: EntityTagCondition | undefined, drop: Revised): void {
  if (isNamed(condition, drop)) return;
  throw new ApiError("precondition_failed", {
    message: `If-Match does not match the drop, whose entity tag is ${entityTag(drop)}. Read the drop again before you change it.`,
    details: { etag: entityTag(drop) },
  });
}

/** Adds a drop's entity tag to a response. */
export function withEntityTag(response: HttpResponse, drop: Revised): HttpResponse {
  return { ...response, headers: { ...response.headers, etag: entityTag(drop) } };
}

/** An item whose revision increases with every write. */
interface Revised {
  readonly revision: number;
  /** Number of revisions that changed nothing visible to clients, so they do not count in the entity tag. @default 0 */
  readonly quietRevisions?: number | undefined;
  readonly updatedAtMs: number;
}

/** Condition from the If-Match header: that the drop exists, or has one of these entity tags (RFC 9110, section 13.1.1). */
export type EntityTagCondition = "any" | readonly string[];

/**
 * Returns a drop's entity tag, which changes with every write to the drop, but not with views. The tag includes the time, because revision
 * numbers repeat after the drop is restored from a backup.
 */
export function entityTag({ revision, quietRevisions = 0, updatedAtMs }: Revised): string {
  return `"${revision - quietRevisions}-${updatedAtMs.toString(36)}"`;
}

/** Returns true if the drop meets the condition. Weak tags never match (RFC 9110, section 8.8.3.2, strong comparison). */
export function isNamed(condition: EntityTagCondition | undefined, drop: Revised): boolean {
  return condition === undefined || condition === "any" || condition.includes(entityTag(drop));
}

/** Limits the lifetime of a cached response or signed URL, in seconds, to the time until its drop or file expires. */
export function secondsUntilExpiry(
  { expiresAtMs = Number.POSITIVE_INFINITY }: { readonly expiresAtMs?: number | undefined },
  nowMs: number,
  secondsMax: number,
): number {
  return Math.min(secondsMax, Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000)));
}
