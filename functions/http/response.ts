import { cacheTagHeader } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { WriteIds } from "../core/log.ts";
import type { HttpRequest } from "./request.ts";

/** A response of an operation. The wrapper adds the headers of every response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. @default - none */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array;
  /** Ids of the write for the request's log line. @default - those of the path and the token */
  readonly wrote?: WriteIds;
}

/** Headers of every JSON response: it cannot be run, framed, read across origins or cached. */
export const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** 200 with JSON. */
export function ok(body: object, wrote: WriteIds = {}): HttpResponse {
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(body), wrote };
}

/** 201 with JSON. */
export function created(body: object, wrote: WriteIds = {}): HttpResponse {
  return { status: 201, headers: jsonHeaders, body: JSON.stringify(body), wrote };
}

/** 202 with JSON: the work is in progress, and the caller should retry after this many seconds. */
export function accepted(body: object, retryAfterSeconds: number): HttpResponse {
  const headers = { ...jsonHeaders, "retry-after": String(retryAfterSeconds) };
  return { status: 202, headers, body: JSON.stringify(body) };
}

/** 204. */
export function noContent(): HttpResponse {
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}

/** 302 to another address, not cached. */
export function redirect(location: string, cookies: readonly string[] = []): HttpResponse {
  return toAddress(302, location, cookies);
}

/** 303: the form was accepted, and the result is at another address. */
export function seeOther(location: string, cookies: readonly string[] = []): HttpResponse {
  return toAddress(303, location, cookies);
}

function toAddress(status: number, location: string, cookies: readonly string[]): HttpResponse {
  return {
    status,
    headers: { location, "cache-control": "no-store", "referrer-policy": "same-origin" },
    cookies,
    body: "",
  };
}

/** Cache time at the edge, and the tags that invalidate the response. */
export interface EdgeCaching {
  readonly edgeSeconds: number;
  readonly tags: readonly CacheTag[];
}

/** The headers of a response that the edge caches for a time. Browsers revalidate it each time. */
export function edgeCacheHeaders({ edgeSeconds, tags }: EdgeCaching): Record<string, string> {
  return {
    "cache-control": `public, max-age=0, s-maxage=${edgeSeconds}, must-revalidate`,
    [cacheTagHeader]: cacheTagList(tags),
  };
}

/** 200 with JSON that the edge caches: it is the same for anyone at that address. */
export function cachedOk(body: object, caching: EdgeCaching): HttpResponse {
  return { ...ok(body), headers: { ...jsonHeaders, ...edgeCacheHeaders(caching) } };
}

/** 302 that the edge caches: it is the same for anyone. */
export function cachedRedirect(location: string, caching: EdgeCaching): HttpResponse {
  const { headers, ...response } = redirect(location);
  return { ...response, headers: { ...headers, ...edgeCacheHeaders(caching) } };
}

/** 200 with plain text that browsers cannot interpret as another type, pages of its host cannot read, and caches do not store. */
export function text(body: Uint8Array): HttpResponse {
  const headers = {
    ...jsonHeaders,
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": `${jsonHeaders["content-security-policy"]}; sandbox`,
    // A page that has opened this response in a window learns nothing about it.
    "cross-origin-opener-policy": "same-origin",
  };
  return { status: 200, headers, body };
}

/** Names of SDK errors after which a retry may succeed; AWS SDK for JavaScript, "Retry behavior". */
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

/** Converts any thrown value to the error for the caller. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return new ApiError("unavailable", { retryAfterSeconds: 1, cause: error });
  return new ApiError("internal_error", { cause: error });
}

/** Recognizes what `toApiError` converts into `unavailable`. */
export function isUnavailable(error: unknown): boolean {
  return toApiError(error).code === "unavailable";
}

/** An error in the contract's shape, with a Retry-After that equals the value in its details. */
export function errorJson(error: ApiError): HttpResponse {
  return {
    status: error.status,
    headers: { ...jsonHeaders, ...errorHeaders(error) },
    body: JSON.stringify(error.toBody()),
  };
}

/** The headers that an error's code requires, in every form. */
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

/** A tag by which cached responses are invalidated. The edge compares tags without case. */
export type CacheTag = "all" | `drop:${string}` | `file:${string}:${string}` | `owner:${string}`;

/** The tag of every cached response. */
export const everythingTag: CacheTag = "all";

/** The tag of a drop: its pages, pictures and state, in all versions and on all hosts. */
export function dropTag(slug: string): CacheTag {
  return `drop:${toHex(slug)}`;
}

/** The tag of a file. */
export function fileTag({ namespace, id }: { readonly namespace: string; readonly id: string }): CacheTag {
  return `file:${namespace}:${toHex(id)}`;
}

/** The tag of an owner's listing and feed, and of all drops and files below the owner's address. */
export function ownerTag(namespace: string): CacheTag {
  return `owner:${namespace}`;
}

/** The value of the header. */
export function cacheTagList(tags: readonly CacheTag[]): string {
  return [...tags, everythingTag].join(",");
}

/** The metadata of a file's object, which Amazon S3 sends as this header. */
export function fileMetadata(file: {
  readonly namespace: string;
  readonly id: string;
}): Record<string, string> {
  return {
    [cacheTagHeader.replace("x-amz-meta-", "")]: cacheTagList([fileTag(file), ownerTag(file.namespace)]),
  };
}

/** Slugs and ids differ by case, which tags ignore. The hexadecimal digits of their bytes do not. */
function toHex(name: string): string {
  return Buffer.from(name).toString("hex");
}

const list = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$)|[ \t]*,)+$/;
const tag = /(?:W\/)?"[^"]*"/g;

/**
 * The request's If-Match, if any. RFC 9110, sections 8.8.3 and 13.1.1.
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

/**
 * Matches the request's If-None-Match with the response's entity tag; RFC 9110, section 13.1.2. A malformed list
 * matches nothing.
 */
export function isConditionSupported(request: HttpRequest, etag: string): boolean {
  const value = (request.headers["if-none-match"] ?? []).join(", ").trim();
  if (value === "*") return true;
  return list.test(value) && (value.match(tag) ?? []).some((one) => one.replace(/^W\//, "") === etag);
}

/** @throws ApiError `precondition_failed` if the drop has changed since the caller read it */
export function requireMatch(condition: EntityTagCondition | undefined, drop: Revised): void {
  if (isNamed(condition, drop)) return;
  throw new ApiError("precondition_failed", {
    message: `If-Match does not match the drop, whose entity tag is ${entityTag(drop)}. Read the drop again before you change it.`,
    details: { etag: entityTag(drop) },
  });
}

/** The response with the entity tag of the drop that it shows. */
export function withEntityTag(response: HttpResponse, drop: Revised): HttpResponse {
  return { ...response, headers: { ...response.headers, etag: entityTag(drop) } };
}

/** Item whose revision rises with every write. */
interface Revised {
  readonly revision: number;
  /** Revisions without a change that clients see. @default 0 */
  readonly quietRevisions?: number | undefined;
  readonly updatedAtMs: number;
}

/** Condition of If-Match: the drop exists, or has one of these tags; RFC 9110, section 13.1.1. */
export type EntityTagCondition = "any" | readonly string[];

/**
 * The entity tag of a drop: changes with every write to it, but not with views. It includes the time, because a drop that was restored from
 * a backup repeats revision numbers.
 */
export function entityTag({ revision, quietRevisions = 0, updatedAtMs }: Revised): string {
  return `"${revision - quietRevisions}-${updatedAtMs.toString(36)}"`;
}

/** Compares the drop with the condition. Weak tags never match: RFC 9110, section 8.8.3.2, strong comparison. */
export function isNamed(condition: EntityTagCondition | undefined, drop: Revised): boolean {
  return condition === undefined || condition === "any" || condition.includes(entityTag(drop));
}

/** The time for which a response may be cached, or an address is valid: this many seconds, or less if its subject expires earlier. */
export function secondsUntilExpiry(
  { expiresAtMs = Number.POSITIVE_INFINITY }: { readonly expiresAtMs?: number | undefined },
  nowMs: number,
  secondsMax: number,
): number {
  return Math.min(secondsMax, Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000)));
}
