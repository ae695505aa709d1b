import {
  type HeaderFields,
  type HttpRequest,
  type HttpResponse,
  headerValue,
  readBody,
  withHeader,
  withoutHeaders,
} from "../http-message.ts";
import { cacheKeyOf } from "./cache-key.ts";
import { cacheTagsOf } from "./cache-tags.ts";
import { compress } from "./compression.ts";
import { responseFromObject } from "./conditional.ts";
import type { Behavior, Distribution } from "./distribution.ts";
import { type CacheEntry, type CacheFetch, cachedBodyBytesMax, type EdgeCache } from "./edge-cache.ts";
import { errorFreshSeconds, freshSeconds, isStaleAllowed } from "./freshness.ts";

/** A response from the cache or the origin. */
export interface Fetched {
  readonly response: HttpResponse;
  /** Value of the `X-Cache` header. */
  readonly cacheResult: "Hit" | "RefreshHit" | "Miss" | "Error";
}

interface CachedFetchOptions {
  readonly cache: EdgeCache;
  readonly behavior: Behavior;
  readonly distribution: Pick<Distribution, "errorPages" | "cacheTagHeader">;
  readonly fetch: (request: HttpRequest) => Promise<HttpResponse>;
}

const bodylessHeaders = [
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "range",
];

/**
 * Serves GET and HEAD from fresh cache entries, and stores cacheable responses. Only one of several concurrent equal requests is sent to
 * the origin. The other requests share its response if the cache stored it, and are sent to the origin otherwise; see simultaneous requests
 * in "Request and response behavior for custom origins", CloudFront developer guide.
 */
export async function fetchThroughCache(request: HttpRequest, options: CachedFetchOptions): Promise<Fetched> {
  const { cache, behavior, fetch } = options;
  if (request.method !== "GET" && request.method !== "HEAD")
    return { response: await fetch(request), cacheResult: "Miss" };
  const key = cacheKeyOf(request, behavior);
  const entry = cache.get(key);
  if (entry !== undefined && entry.freshUntilMs > Date.now()) return fromEntry(request, entry, "Hit");
  const sharedEntry = await cache.joinableFetch(key)?.shared;
  if (sharedEntry !== undefined) return fromEntry(request, sharedEntry, "Hit");
  const cacheFetch = cache.beginFetch(key, isJoinable(request, behavior));
  try {
    return await fetchAndKeep(request, entry, cacheFetch, options);
  } finally {
    cacheFetch.end();
  }
}

/** Returns true if the response to this request can be complete and cacheable, so that other requests may wait for it. */
function isJoinable({ method, headers }: HttpRequest, { cachePolicy }: Behavior): boolean {
  return (
    method === "GET" &&
    cachePolicy.maxTtlSeconds > 0 &&
    bodylessHeaders.every((name) => headerValue(headers, name) === undefined)
  );
}

async function fetchAndKeep(
  request: HttpRequest,
  entry: CacheEntry | undefined,
  cacheFetch: CacheFetch,
  options: CachedFetchOptions,
): Promise<Fetched> {
  const { behavior, fetch } = options;
  const response = await fetch(entry === undefined ? request : revalidating(request, entry));
  if (entry !== undefined && entry.statusCode < 400) {
    if (response.statusCode === 304) return refresh(request, entry, response, cacheFetch, options);
    if (response.statusCode >= 500 && isStaleAllowed(entry.headers)) return fromEntry(request, entry, "Hit");
  }
  return keep(request, await compress(request, behavior, response), cacheFetch, options);
}

/** Builds a request that revalidates an expired entry with the origin. */
function revalidating(request: HttpRequest, entry: CacheEntry): HttpRequest {
  const etag = headerValue(entry.headers, "etag");
  const lastModified = headerValue(entry.headers, "last-modified");
  if (entry.statusCode >= 400 || (etag === undefined && lastModified === undefined)) return request;
  let headers: HeaderFields = withoutHeaders(request.headers, bodylessHeaders);
  if (etag !== undefined) headers = withHeader(headers, "If-None-Match", etag);
  if (lastModified !== undefined) headers = withHeader(headers, "If-Modified-Since", lastModified);
  return { ...request, headers };
}

function refresh(
  request: HttpRequest,
  entry: CacheEntry,
  response: HttpResponse,
  cacheFetch: CacheFetch,
  options: CachedFetchOptions,
): Fetched {
  const names = response.headers.map(([name]) => name);
  const headers = [
    ...withoutHeaders(entry.headers, names),
    ...withoutHeaders(response.headers, ["content-length"]),
  ];
  const nowMs = Date.now();
  const freshUntilMs = nowMs + freshSeconds(options.behavior.cachePolicy, headers, nowMs) * 1000;
  const tags = cacheTagsOf(headers, options.distribution.cacheTagHeader);
  const refreshed = { ...entry, headers, tags, storedAtMs: nowMs, freshUntilMs };
  cacheFetch.keep(refreshed);
  return fromEntry(request, refreshed, "RefreshHit");
}

async function keep(
  request: HttpRequest,
  response: HttpResponse,
  cacheFetch: CacheFetch,
  options: CachedFetchOptions,
): Promise<Fetched> {
  const { behavior, distribution } = options;
  const nowMs = Date.now();
  const seconds =
    response.statusCode >= 400
      ? errorFreshSeconds(response.statusCode, response.headers, distribution.errorPages, nowMs)
      : freshSeconds(behavior.cachePolicy, response.headers, nowMs);
  const cacheResult = response.statusCode >= 400 ? "Error" : "Miss";
  const isWhole = request.method === "GET" && response.statusCode !== 206 && response.statusCode !== 304;
  if (seconds === 0 || !isWhole || isTooLarge(response)) return { response, cacheResult };
  const body = await readBody(response.body, cachedBodyBytesMax);
  if (body === undefined)
    throw new Error(`a response without Content-Length is larger than ${cachedBodyBytesMax} bytes`);
  cacheFetch.keep({
    tags: cacheTagsOf(response.headers, distribution.cacheTagHeader),
    statusCode: response.statusCode,
    headers: response.headers,
    body,
    servedBy: response.servedBy,
    storedAtMs: nowMs,
    freshUntilMs: nowMs + seconds * 1000,
  });
  // The first response is the whole object even for a range request, because the origin sent the whole object.
  return { response: { ...response, body }, cacheResult };
}

function isTooLarge(response: HttpResponse): boolean {
  if (Buffer.isBuffer(response.body)) return response.body.length > cachedBodyBytesMax;
  const length = headerValue(response.headers, "content-length");
  return length === undefined || Number(length) > cachedBodyBytesMax;
}

function fromEntry(request: HttpRequest, entry: CacheEntry, cacheResult: "Hit" | "RefreshHit"): Fetched {
  const { statusCode, headers, body } = entry;
  const cached = responseFromObject(request.headers, { statusCode, headers, body });
  const ageSeconds = Math.floor((Date.now() - entry.storedAtMs) / 1000);
  const response = {
    ...cached,
    headers: withHeader(cached.headers, "Age", String(ageSeconds)),
    servedBy: entry.servedBy,
  };
  return { response, cacheResult: statusCode >= 400 ? "Error" : cacheResult };
}
