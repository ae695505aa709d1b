/// <reference types="aws-cloudfront-function" />

// CloudFront calls `handler` by its name, in a runtime that has no modules and little of modern JavaScript:
// CloudFront developer guide, "JavaScript runtime 2.0 features for CloudFront Functions".

/** The host of the base URL, put in by the bundler. Empty: the distribution's own domain name. */
declare const BASE_HOST: string;
/** The domain under which owners live, put in by the bundler. Empty: the distribution's own domain name. */
declare const BASE_DOMAIN: string;

/**
 * Runs on every request, before the cache: tells the origin what API Gateway would hide or rewrite, in headers that
 * nobody else can set.
 */
// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it.
function handler(event: AWSCloudFrontFunction.Event): AWSCloudFrontFunction.Request {
  const request = event.request;
  const host = request.headers.host ? request.headers.host.value.toLowerCase() : "";
  const query = originQuery(request.uri, request.rawQueryString() || "");
  removeOwnHeaders(request.headers);
  request.headers["x-dropleaf-host"] = { value: host };
  request.headers["x-dropleaf-address"] = { value: event.viewer.ip };
  if (query !== "") request.headers["x-dropleaf-query"] = { value: query };
  if (request.uri === "/" && isOwnerHost(host, event.context.distributionDomainName)) request.uri = "/owner";
  return request;
}

/** Whatever a viewer sends under our prefix is a forgery. */
function removeOwnHeaders(headers: AWSCloudFrontFunction.ValueObject): void {
  // The runtime has no for-of.
  Object.keys(headers).forEach((name) => {
    if (name.startsWith("x-dropleaf-")) delete headers[name];
  });
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

/** An owner's host is one label before the base domain, and is not the service's own. */
function isOwnerHost(host: string, distributionDomain: string): boolean {
  if (host === (BASE_HOST || distributionDomain)) return false;
  const suffix = `.${BASE_DOMAIN || distributionDomain}`;
  return host.endsWith(suffix) && /^[a-z0-9-]+$/.test(host.slice(0, -suffix.length));
}
