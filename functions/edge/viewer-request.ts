/// <reference types="aws-cloudfront-function" />
import cf from "cloudfront";

// CloudFront calls `handler` by its name, in a runtime that has no modules but its own and little of modern JavaScript:
// CloudFront developer guide, "JavaScript runtime 2.0 features for CloudFront Functions".

/** The host of the base URL, put in by the bundler. Empty: the distribution's own domain name. */
declare const BASE_HOST: string;
/** The domain under which owners live, put in by the bundler. Empty: the distribution's own domain name. */
declare const BASE_DOMAIN: string;
/** The id of the origin for large bodies, put in by the bundler. Empty: there is none. */
declare const INGEST_ORIGIN_ID: string;

/** API Gateway takes 10 MB and Lambda 6 MB as base64; what is larger than this goes to the ingest origin. */
const apiBodyBytesMax = 3145728;

/**
 * Runs on every request, before the cache: tells the origin what API Gateway would hide or rewrite, in headers that
 * nobody else can set, and chooses the origin and the path there.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(
  event: AWSCloudFrontFunction.Event,
): AWSCloudFrontFunction.Request | AWSCloudFrontFunction.Response {
  const request = event.request;
  const host = request.headers.host ? request.headers.host.value.toLowerCase() : "";
  const namespace = namespaceOf(host, event.context.distributionDomainName);
  if (hasLargeBody(request)) {
    if (INGEST_ORIGIN_ID !== "") cf.selectRequestOriginById(INGEST_ORIGIN_ID);
    else if (request.headers["content-length"]) return refuseBody(request.uri, event.context.requestId);
  }
  setOwnHeaders(request, host, event.viewer.ip);
  request.uri = originPath(request.uri, namespace);
  return request;
}

/** Whatever a viewer sends under our prefix is a forgery. */
function setOwnHeaders(request: AWSCloudFrontFunction.Event["request"], host: string, address: string): void {
  const headers = request.headers;
  // The runtime has no for-of.
  Object.keys(headers).forEach((name) => {
    if (name.startsWith("x-dropleaf-")) delete headers[name];
  });
  headers["x-dropleaf-host"] = { value: host };
  headers["x-dropleaf-address"] = { value: address };
  const query = originQuery(request.uri, request.rawQueryString() || "");
  if (query !== "") headers["x-dropleaf-query"] = { value: query };
  const unlock = unlockCookie(request);
  if (unlock !== "") headers["x-dropleaf-unlock"] = { value: unlock };
}

/**
 * The query as it was sent. A page's query is part of its cache key, so only what selects the version is left: `%76=1`
 * is `v=1` to a parser, and other parameters would make an entry of their own each.
 */
function originQuery(uri: string, query: string): string {
  if (!/^\/p\/[^/]+\/raw$/.test(uri)) return query;
  return query
    .split("&")
    .filter((pair) => pair === "v" || pair.startsWith("v="))
    .join("&");
}

/** The cookie that opens the gate of the drop in the path: part of a page's cache key, so that nobody gets another's. */
function unlockCookie(request: AWSCloudFrontFunction.Request): string {
  const match = /^\/p\/([A-Za-z0-9]{7})\//.exec(request.uri);
  const cookie = match ? request.cookies[`__Host-dl_${match[1]}`] : undefined;
  if (!cookie) return "";
  return cookie.multiValue ? cookie.multiValue.map((one) => one.value).join(",") : cookie.value;
}

/** A file's object lies under its owner's namespace, so that it exists on that host alone: `functions/domain/blob.ts`. */
function originPath(uri: string, namespace: string): string {
  if (uri === "/" && namespace !== "") return "/owner";
  if (!uri.startsWith("/b/")) return uri;
  return namespace !== "" && /^\/b\/[A-Za-z0-9]{7}$/.test(uri)
    ? `/${namespace}/${uri.slice(3)}`
    : "/not-found";
}

/** An owner's host is one label before the base domain, and is not the service's own: empty for every other. */
function namespaceOf(host: string, distributionDomain: string): string {
  const suffix = `.${BASE_DOMAIN || distributionDomain}`;
  if (host === (BASE_HOST || distributionDomain) || !host.endsWith(suffix)) return "";
  const label = host.slice(0, -suffix.length);
  return /^[a-z0-9-]+$/.test(label) ? label : "";
}

/** Whether a body for the API is, or may be, more than API Gateway and Lambda take. */
function hasLargeBody(request: AWSCloudFrontFunction.Request): boolean {
  if (!/^(POST|PUT|PATCH)$/.test(request.method)) return false;
  if (!/^\/api\/(drops|blobs)(\/|$)/.test(request.uri)) return false;
  const length = request.headers["content-length"];
  return !length || Number(length.value) > apiBodyBytesMax;
}

/** The section "Errors" of the specification: this answer never meets an origin. */
function refuseBody(uri: string, requestId: string): AWSCloudFrontFunction.Response {
  const isBlob = uri.startsWith("/api/blobs");
  const code = isBlob ? "blob_too_large" : "html_too_large";
  const advice = isBlob ? "Upload it in steps with POST /api/blobs/uploads." : "Send a smaller document.";
  const message = `This service takes request bodies of at most ${apiBodyBytesMax} bytes. ${advice}`;
  return {
    statusCode: 413,
    statusDescription: "Content Too Large",
    headers: {
      "content-type": { value: "application/json; charset=utf-8" },
      "content-security-policy": { value: "default-src 'none'; frame-ancestors 'none'" },
      "cross-origin-resource-policy": { value: "same-origin" },
      "x-content-type-options": { value: "nosniff" },
      "cache-control": { value: "no-store" },
      "x-request-id": { value: requestId },
    },
    body: {
      encoding: "text",
      data: JSON.stringify({ error: { code, message, details: { bytes_max: apiBodyBytesMax } } }),
    },
  };
}
