import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  type HttpRequest,
  type HttpResponse,
  headerBytes,
  headerValue,
  withHeaders,
  withoutHeaders,
} from "../http-message.ts";
import { type MetricSink, noMetrics } from "../metrics/metric-store.ts";
import { type Fetched, fetchThroughCache } from "./cached-fetch.ts";
import type { Behavior, Distribution } from "./distribution.ts";
import { createEdgeCache } from "./edge-cache.ts";
import type { OriginChoice } from "./edge-function.ts";
import { chooseTarget, edgeFailure, fetchFromOrigin, type OriginHandler } from "./origin-fetch.ts";
import { forwardsCookies, generatedHeaders } from "./origin-request.ts";
import { interpretationsOfPath, matchesPathPattern } from "./path-pattern.ts";
import { applyResponseHeadersPolicy } from "./response-headers-policy.ts";
import {
  type FunctionContext,
  functionFailure,
  runViewerRequest,
  runViewerResponse,
} from "./viewer-functions.ts";

/** A response, and its `X-Cache` value such as `Hit` or `FunctionGeneratedResponse`. */
export interface EdgeResponse {
  readonly response: HttpResponse;
  readonly outcome: string;
}

/** The edge of one distribution. */
export type Edge = ReturnType<typeof createEdge>;

interface EdgeOptions {
  readonly distribution: Distribution;
  /** Handlers for requests to an origin's host, tried in order. */
  readonly handlers: readonly OriginHandler[];
  readonly log: (line: string) => void;
  /** Receives the CloudFront metrics. @default - values are discarded */
  readonly metrics?: MetricSink | undefined;
}

/** Maximum sizes of a request and of a URL; see the general quotas in "Quotas", CloudFront developer guide. */
const requestBytesMax = 20_480;
const urlBytesMax = 8_192;

/** Headers that are never sent to the viewer. */
const removedFromResponses =
  /^(connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|via|x-edge-.*|x-cache|x-amz-cf-.*)$/;

/** Serves a distribution with its behaviors, functions, policies, cache and error pages. */
export function createEdge({ distribution, handlers, log, metrics = noMetrics }: EdgeOptions) {
  const cache = createEdgeCache();

  async function handle(request: HttpRequest): Promise<EdgeResponse> {
    const requestId = randomBytes(40).toString("base64url");
    const behavior = behaviorFor(distribution, request.path);
    const refusal = refuseRequest(request, behavior);
    const served: EdgeResponse =
      refusal === undefined
        ? await serve(request, behavior, { distribution, requestId, log })
        : { response: withPolicy(refusal, behavior), outcome: "Error" };
    measure(served.response.statusCode);
    return { ...served, response: finish(served, requestId, distribution) };
  }

  /**
   * Publishes the metrics of a response, with rates as percentages; see "Types of metrics for CloudFront" and "Values for all CloudFront
   * metrics", CloudFront developer guide.
   */
  function measure(statusCode: number): void {
    const dimensions = { DistributionId: distribution.id, Region: "Global" };
    const put = (name: string, value: number) =>
      metrics.put({ namespace: "AWS/CloudFront", name, dimensions }, value);
    put("Requests", 1);
    put("4xxErrorRate", statusCode >= 400 && statusCode < 500 ? 100 : 0);
    put("5xxErrorRate", statusCode >= 500 ? 100 : 0);
  }

  async function serve(
    viewer: HttpRequest,
    behavior: Behavior,
    context: FunctionContext,
  ): Promise<EdgeResponse> {
    try {
      const before = runViewerRequest(withGeneratedHeaders(viewer, behavior), behavior, context);
      if (before.type === "response") {
        return { response: withPolicy(before.response, behavior), outcome: "FunctionGeneratedResponse" };
      }
      const request = withDefaultRoot(before.request, distribution);
      const fetched = await fetchWithErrorPage(request, behavior, before.origin, context.requestId);
      const prepared = withPolicy(withoutHidden(fetched.response, behavior), behavior);
      const response = runViewerResponse(request, prepared, behavior, context);
      return { response, outcome: fetched.cacheResult };
    } catch (error) {
      const failure = functionFailure(error);
      if (failure === undefined) throw error;
      log(`CloudFront ${failure.name}: ${(error as Error).message}`);
      return { response: withPolicy(failure.response, behavior), outcome: failure.name };
    }
  }

  async function fetchWithErrorPage(
    request: HttpRequest,
    behavior: Behavior,
    choice: OriginChoice | undefined,
    requestId: string,
  ): Promise<Fetched> {
    const fetched = await fetchCached(request, behavior, choice, requestId);
    const page = distribution.errorPages.get(fetched.response.statusCode);
    if (page?.pagePath === undefined) return fetched;
    const pageRequest = {
      ...request,
      method: "GET",
      path: page.pagePath,
      query: undefined,
      headers: withoutHeaders(request.headers, ["Content-Length", "Content-Type", "Transfer-Encoding"]),
      body: Readable.from([]),
    };
    const pageBehavior = behaviorFor(distribution, page.pagePath);
    const rendered = await fetchCached(pageRequest, pageBehavior, undefined, requestId);
    if (rendered.response.statusCode >= 400) return fetched;
    const statusCode = page.statusCode ?? fetched.response.statusCode;
    return { response: { ...rendered.response, statusCode }, cacheResult: "Error" };
  }

  function fetchCached(
    request: HttpRequest,
    behavior: Behavior,
    choice: OriginChoice | undefined,
    requestId: string,
  ): Promise<Fetched> {
    const target = chooseTarget(distribution, behavior, choice);
    const options = { distribution, behavior, target, handlers, requestId, log };
    const fetch = (originRequest: HttpRequest) => fetchFromOrigin(originRequest, options);
    return fetchThroughCache(request, { cache, behavior, distribution, fetch });
  }

  return { handle, invalidate: cache.invalidate };
}

/** Refuses requests that CloudFront does not accept; see "Request and response behavior for custom origins", CloudFront developer guide. */
function refuseRequest(request: HttpRequest, behavior: Behavior): HttpResponse | undefined {
  const urlBytes = request.path.length + (request.query === undefined ? 0 : request.query.length + 1);
  if (urlBytes > urlBytesMax || urlBytes + headerBytes(request.headers) > requestBytesMax) {
    return edgeFailure(413, "Bad request: the URL or the headers are too long.");
  }
  if (!behavior.allowedMethods.has(request.method)) {
    const message =
      "This distribution is not configured to allow the HTTP request method that was used for this request.";
    return edgeFailure(403, message);
  }
  if (request.method === "GET" && hasBody(request)) {
    return edgeFailure(403, "Bad request: a GET request must not have a body.");
  }
  return undefined;
}

function hasBody({ headers }: HttpRequest): boolean {
  const length = headerValue(headers, "content-length") ?? "0";
  return length !== "0" || headerValue(headers, "transfer-encoding") !== undefined;
}

/** Finds the behavior with the longest TTL for a path, because AWS does not document which behavior an ambiguous path selects. */
function behaviorFor(distribution: Distribution, path: string): Behavior {
  const found = interpretationsOfPath(path).flatMap((reading) => {
    const behavior = distribution.behaviors.find((one) => matchesPathPattern(one.pathPattern, reading));
    return behavior === undefined ? [] : [behavior];
  });
  const [longest] = found.sort((a, b) => b.cachePolicy.maxTtlSeconds - a.cachePolicy.maxTtlSeconds);
  if (longest === undefined) throw new Error("A distribution always has a default cache behavior");
  return longest;
}

function withGeneratedHeaders(request: HttpRequest, behavior: Behavior): HttpRequest {
  const own = request.headers.filter(([name]) => !name.toLowerCase().startsWith("cloudfront-"));
  return { ...request, headers: [...own, ...generatedHeaders(request, behavior)] };
}

function withDefaultRoot(request: HttpRequest, { defaultRootObject }: Distribution): HttpRequest {
  return request.path === "/" && defaultRootObject !== ""
    ? { ...request, path: `/${defaultRootObject}` }
    : request;
}

function withoutHidden(response: HttpResponse, behavior: Behavior): HttpResponse {
  const headers = response.headers.filter(([field]) => {
    const name = field.toLowerCase();
    return !removedFromResponses.test(name) && (name !== "set-cookie" || forwardsCookies(behavior));
  });
  return { ...response, headers };
}

function withPolicy(response: HttpResponse, { responseHeadersPolicy, isHttps }: Behavior): HttpResponse {
  if (responseHeadersPolicy === undefined) return response;
  const headers = applyResponseHeadersPolicy(responseHeadersPolicy, response.headers, { isHttps });
  return { ...response, headers };
}

function finish(
  { response, outcome }: EdgeResponse,
  requestId: string,
  { domainName }: Distribution,
): HttpResponse {
  const fields: [string, string][] = [];
  if (Buffer.isBuffer(response.body) && response.statusCode !== 304) {
    fields.push(["Content-Length", String(response.body.length)]);
  }
  fields.push(
    ["X-Cache", `${outcome} from cloudfront`],
    ["Via", `1.1 ${domainName} (CloudFront)`],
    ["X-Amz-Cf-Pop", "LOC50-P1"],
    ["X-Amz-Cf-Id", requestId],
  );
  if (headerValue(response.headers, "date") === undefined) fields.push(["Date", new Date().toUTCString()]);
  const headers = withHeaders(response.headers, fields);
  return { ...response, headers };
}
