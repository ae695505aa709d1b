import { type HeaderFields, headerValue } from "../http-message.ts";
import type { CachePolicy } from "./cache-policy.ts";
import { type ErrorPage, errorCachingMinTtlSecondsDefault } from "./distribution.ts";

/**
 * Status codes that are always cached, and status codes that are cached only with an explicit lifetime; see "HTTPStatusCodes", CloudFront
 * developer guide.
 */
const alwaysCachedErrors = new Set([404, 405, 410, 414, 500, 501, 502, 503, 504]);
const cachedWithLifetimeErrors = new Set([400, 403, 412, 415]);

/**
 * Returns how many seconds CloudFront may serve a response from its cache, or 0 if it may not; see "Managing how long content stays in
 * the cache (expiration)", CloudFront developer guide.
 */
export function freshSeconds(policy: CachePolicy, headers: HeaderFields, nowMs: number): number {
  const { minTtlSeconds, defaultTtlSeconds, maxTtlSeconds } = policy;
  if (maxTtlSeconds === 0) return 0;
  const directives = cacheControl(headers);
  // A positive minimum TTL applies even if the origin forbids storing the response.
  if (isForbidden(directives)) return minTtlSeconds;
  const lifetime = explicitLifetime(headers, directives, nowMs);
  if (lifetime === undefined) return Math.max(minTtlSeconds, defaultTtlSeconds);
  return Math.min(Math.max(lifetime, minTtlSeconds), maxTtlSeconds);
}

/** Returns how many seconds CloudFront may cache an error response; see "HTTP 4xx and 5xx status codes that CloudFront caches". */
export function errorFreshSeconds(
  statusCode: number,
  headers: HeaderFields,
  errorPages: ReadonlyMap<number, ErrorPage>,
  nowMs: number,
): number {
  const directives = cacheControl(headers);
  const lifetime = explicitLifetime(headers, directives, nowMs);
  const isCached =
    alwaysCachedErrors.has(statusCode) ||
    (cachedWithLifetimeErrors.has(statusCode) && lifetime !== undefined);
  if (!isCached || (statusCode < 500 && isForbidden(directives))) return 0;
  const minimum = errorPages.get(statusCode)?.cachingMinTtlSeconds ?? errorCachingMinTtlSecondsDefault;
  return Math.max(minimum, lifetime ?? 0);
}

/** Returns true if an expired response may be served in place of an error from the origin. */
export function isStaleAllowed(headers: HeaderFields): boolean {
  return cacheControl(headers).get("stale-if-error") !== "0";
}

function isForbidden(directives: ReadonlyMap<string, string>): boolean {
  return ["no-store", "no-cache", "private"].some((name) => directives.has(name));
}

function explicitLifetime(
  headers: HeaderFields,
  directives: ReadonlyMap<string, string>,
  nowMs: number,
): number | undefined {
  const seconds = Number(directives.get("s-maxage") ?? directives.get("max-age"));
  if (Number.isInteger(seconds)) return seconds;
  const expires = Date.parse(headerValue(headers, "expires") ?? "");
  return Number.isNaN(expires) ? undefined : Math.max(0, (expires - nowMs) / 1000);
}

function cacheControl(headers: HeaderFields): Map<string, string> {
  const directives = (headerValue(headers, "cache-control") ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase());
  return new Map(
    directives.map((directive) => {
      const [name = "", value = ""] = directive.split("=");
      return [name, value.replaceAll('"', "")];
    }),
  );
}
