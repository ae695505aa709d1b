import { type HttpRequest, headerValue } from "../http-message.ts";
import type { CachePolicy } from "./cache-policy.ts";
import type { Behavior } from "./distribution.ts";
import { cookiePairs, isSelected, queryPairs, selectPairs } from "./selection.ts";

/** Returns a request's cache key under a behavior's cache policy. HEAD shares the key with GET; see "Understand the cache key". */
export function cacheKeyOf(
  request: HttpRequest,
  { cachePolicy: policy }: Pick<Behavior, "cachePolicy">,
): string {
  const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const headers = [...names]
    .filter((name) => name !== "cookie" && isSelected(policy.headers, name))
    .sort()
    .map((name) => [name, headerValue(request.headers, name)]);
  const cookies = selectPairs(cookiePairs(headerValue(request.headers, "cookie")), [policy.cookies]).sort();
  const query = selectPairs(queryPairs(request.query), [policy.query]).join("&");
  const keyPath = query === "" ? request.path : `${request.path}?${query}`;
  const isOptions = request.method === "OPTIONS";
  return JSON.stringify([isOptions, keyPath, headers, cookies, normalizedEncodings(request, policy)]);
}

/** Returns the `Accept-Encoding` for the origin and for the cache key, or undefined if the policy includes no encoding. */
export function normalizedEncodings(request: HttpRequest, policy: CachePolicy): string | undefined {
  const accepted = (headerValue(request.headers, "accept-encoding") ?? "").toLowerCase();
  const encodings = [
    ...(policy.acceptsBrotli && /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? ["br"] : []),
    ...(policy.acceptsGzip && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? ["gzip"] : []),
  ];
  return encodings.length === 0 ? undefined : encodings.join(",");
}
