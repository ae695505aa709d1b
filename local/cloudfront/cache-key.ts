import { type HttpRequest, headerValue } from "../http-message.ts";
import type { CachePolicy } from "./cache-policy.ts";
import type { Behavior } from "./distribution.ts";
import { cookiePairs, queryPairs, type Selection, selectPairs, selects } from "./selection.ts";

/**
 * By what an invalidation finds a response: paths with the query parameters that the origin got. "If you configured
 * CloudFront to forward query strings to your origin, you must include the query strings": developer guide, "What you
 * need to know when invalidating files". It does not say that only those of the key are meant.
 */
export interface CachedAddress {
  readonly pathAndQuery: string;
  /** The same with the path that the viewer sent. */
  readonly viewerPathAndQuery: string;
}

/** What makes two requests the same to the cache: developer guide, "Understand the cache key". */
export interface CacheKey extends CachedAddress {
  readonly text: string;
}

/** The key of a request under a behavior's cache policy. HEAD shares it with GET. */
export function cacheKeyOf(
  request: HttpRequest,
  { cachePolicy: policy, originRequestPolicy }: Pick<Behavior, "cachePolicy" | "originRequestPolicy">,
): CacheKey {
  const queryOf = (selections: readonly Selection[]) =>
    selectPairs(queryPairs(request.query), selections).join("&");
  const withQuery = (path: string, query: string) => (query === "" ? path : `${path}?${query}`);
  const forwardedQuery = queryOf([policy.query, originRequestPolicy.query]);
  const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const headers = [...names]
    .filter((name) => name !== "cookie" && selects(policy.headers, name))
    .sort()
    .map((name) => [name, headerValue(request.headers, name)]);
  const cookies = selectPairs(cookiePairs(headerValue(request.headers, "cookie")), [policy.cookies]).sort();
  const keyPath = withQuery(request.path, queryOf([policy.query]));
  const isOptions = request.method === "OPTIONS";
  return {
    text: JSON.stringify([isOptions, keyPath, headers, cookies, normalizedEncodings(request, policy)]),
    pathAndQuery: withQuery(request.path, forwardedQuery),
    viewerPathAndQuery: withQuery(request.viewerPath ?? request.path, forwardedQuery),
  };
}

/** The `Accept-Encoding` that goes to the origin and into the key; undefined where the policy takes none. */
export function normalizedEncodings(request: HttpRequest, policy: CachePolicy): string | undefined {
  const accepted = (headerValue(request.headers, "accept-encoding") ?? "").toLowerCase();
  const encodings = [
    ...(policy.acceptsBrotli && /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? ["br"] : []),
    ...(policy.acceptsGzip && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? ["gzip"] : []),
  ];
  return encodings.length === 0 ? undefined : encodings.join(",");
}
