import { type HeaderFields, type HttpRequest, headerValue, withHeaders } from "../http-message.ts";
import { normalizedEncodings } from "./cache-key.ts";
import type { Behavior, Origin } from "./distribution.ts";
import { cookiePairs, isSelected, queryPairs, selectPairs } from "./selection.ts";

/**
 * Headers that are never forwarded; see "HTTP request headers and CloudFront behavior (custom and Amazon S3 origins)", CloudFront developer
 * guide. The list does not contain Expect, which is forwarded if a policy includes it.
 */
const removed =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|x-edge-.*|x-amz-cf-.*|x-forwarded-proto|x-http-method-override|x-real-ip|cookie|host|accept-encoding|via|cloudfront-.*)$/;
/** Headers that are forwarded regardless of the policies. */
const always =
  /^(cache-control|content-length|content-md5|content-type|date|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|pragma|range|x-forwarded-for)$/;

/** The edge's address, which origins see instead of the viewer's address (RFC 5737). */
const edgePeer = { address: "192.0.2.1", port: 443 };

/** Builds the request to an origin from the parts that the two policies select, and from CloudFront's own headers. */
export function toOriginRequest(
  request: HttpRequest,
  behavior: Behavior,
  origin: Origin,
  edge: { readonly requestId: string; readonly domainName: string },
): HttpRequest {
  const { cachePolicy, originRequestPolicy } = behavior;
  const selections = [cachePolicy.query, originRequestPolicy.query];
  const query = selectPairs(queryPairs(request.query), selections).join("&");
  return {
    ...request,
    path: `${origin.path}${request.path}`,
    query: query === "" ? undefined : query,
    headers: originHeaders(request, behavior, origin, edge),
    peer: edgePeer,
  };
}

function originHeaders(
  request: HttpRequest,
  behavior: Behavior,
  origin: Origin,
  edge: { readonly requestId: string; readonly domainName: string },
): HeaderFields {
  const { cachePolicy, originRequestPolicy } = behavior;
  const isForwarded = (name: string) =>
    isSelected(cachePolicy.headers, name) || isSelected(originRequestPolicy.headers, name);
  const headers: HeaderFields = request.headers.filter(([field]) => {
    const name = field.toLowerCase();
    return !removed.test(name) && (always.test(name) || isForwarded(name));
  });
  // A later field replaces an earlier field of the same name.
  const fields = new Map<string, readonly [name: string, value: string]>();
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) return;
    fields.delete(name.toLowerCase());
    fields.set(name.toLowerCase(), [name, value]);
  };
  set("Host", isForwarded("host") ? headerValue(request.headers, "host") : origin.domainName);
  set("User-Agent", isForwarded("user-agent") ? headerValue(headers, "user-agent") : "Amazon CloudFront");
  if (cachePolicy.acceptsGzip || cachePolicy.acceptsBrotli)
    set("Accept-Encoding", normalizedEncodings(request, cachePolicy));
  else if (isForwarded("accept-encoding"))
    set("Accept-Encoding", headerValue(request.headers, "accept-encoding"));
  const cookies = cookiePairs(headerValue(request.headers, "cookie"));
  const forwarded = selectPairs(cookies, [cachePolicy.cookies, originRequestPolicy.cookies]).join("; ");
  set("Cookie", forwarded === "" ? undefined : forwarded);
  const forwardedFor = [headerValue(headers, "x-forwarded-for"), request.peer.address].filter(Boolean);
  set("X-Forwarded-For", forwardedFor.join(", "));
  set("Via", `1.1 ${edge.domainName} (CloudFront)`);
  set("X-Amz-Cf-Id", edge.requestId);
  for (const [name, value] of generatedHeaders(request, behavior)) set(name, value);
  for (const [name, value] of origin.customHeaders) set(name, value);
  return withHeaders(headers, [...fields.values()]);
}

/** Returns the headers that CloudFront adds if a policy requests them; see "Add CloudFront request headers", CloudFront developer guide. */
export function generatedHeaders(request: HttpRequest, behavior: Behavior): [name: string, value: string][] {
  const { cachePolicy, originRequestPolicy } = behavior;
  const { address, port } = request.peer;
  const known: [string, string][] = [
    ["CloudFront-Viewer-Address", `${address}:${port}`],
    ["CloudFront-Forwarded-Proto", "http"],
    ["CloudFront-Viewer-Http-Version", "1.1"],
  ];
  return known.filter(([name]) => {
    const lowerCased = name.toLowerCase();
    const inKey = cachePolicy.headers.mode === "whitelist" && isSelected(cachePolicy.headers, lowerCased);
    return inKey || isSelected(originRequestPolicy.cloudFrontHeaders, lowerCased);
  });
}

/** Returns true if the origin receives cookies. If not, its `Set-Cookie` headers are removed as well. */
export function forwardsCookies({ cachePolicy, originRequestPolicy }: Behavior): boolean {
  return cachePolicy.cookies.mode !== "none" || originRequestPolicy.cookies.mode !== "none";
}
