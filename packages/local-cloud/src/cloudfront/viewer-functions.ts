import type { HttpRequest, HttpResponse } from "../http-message.ts";
import type { Behavior, Distribution } from "./distribution.ts";
import {
  applyRequest,
  EdgeValidationError,
  fromEdgeResponse,
  isEdgeResponse,
  toEdgeRequest,
  toEdgeResponse,
} from "./edge-event.ts";
import {
  type EdgeEvent,
  type EdgeFunction,
  EdgeFunctionError,
  type EdgeRequest,
  type EdgeResult,
  type OriginChoice,
} from "./edge-function.ts";
import { edgeFailure } from "./origin-fetch.ts";

/** Context of a function's run, besides the request. */
export interface FunctionContext {
  readonly distribution: Distribution;
  readonly requestId: string;
  readonly log: (line: string) => void;
}

/** Result of a viewer-request function, either a changed request or a response. */
type ViewerRequestResult =
  | { readonly type: "request"; readonly request: HttpRequest; readonly origin: OriginChoice | undefined }
  | { readonly type: "response"; readonly response: HttpResponse };

/** Runs the behavior's viewer-request function, if it has one. */
export function runViewerRequest(
  request: HttpRequest,
  { viewerRequest }: Behavior,
  context: FunctionContext,
): ViewerRequestResult {
  if (viewerRequest === undefined) return { type: "request", request, origin: undefined };
  const given = toEdgeRequest(request);
  const { returned, origin } = run(viewerRequest, "viewer-request", { request: given }, request, context);
  if (isEdgeResponse(returned)) {
    const { statusCode, headers, body } = fromEdgeResponse(undefined, returned);
    return { type: "response", response: { statusCode, headers, body: body ?? Buffer.alloc(0) } };
  }
  if (typeof returned !== "object" || returned === null || !("uri" in returned)) {
    throw new EdgeValidationError(`${viewerRequest.name} returned neither a request nor a response`);
  }
  return { type: "request", request: applyRequest(request, given, returned as EdgeRequest), origin };
}

/**
 * Runs the behavior's viewer-response function, if it has one. The function does not run for a response of 400 or above; see "Restrictions
 * on all edge functions", CloudFront developer guide.
 */
export function runViewerResponse(
  request: HttpRequest,
  response: HttpResponse,
  { viewerResponse }: Behavior,
  context: FunctionContext,
): HttpResponse {
  if (viewerResponse === undefined || response.statusCode >= 400) return response;
  const given = toEdgeResponse(response.statusCode, response.headers);
  const parts = { request: toEdgeRequest(request), response: given };
  const { returned } = run(viewerResponse, "viewer-response", parts, request, context);
  if (!isEdgeResponse(returned)) throw new EdgeValidationError(`${viewerResponse.name} returned no response`);
  const changed = fromEdgeResponse(given, returned);
  return { ...response, ...changed, body: changed.body ?? response.body };
}

/** Returns the response for a function that failed (503) or returned an invalid value (502). Returns undefined for other errors. */
export function functionFailure(error: unknown): { name: string; response: HttpResponse } | undefined {
  if (error instanceof EdgeFunctionError) {
    const message =
      "The CloudFront function associated with the CloudFront distribution is invalid or could not run.";
    return { name: error.name, response: edgeFailure(503, message) };
  }
  if (error instanceof EdgeValidationError) {
    const response = edgeFailure(502, "The CloudFront function returned an invalid value.");
    return { name: error.name, response };
  }
  return undefined;
}

function run(
  edgeFunction: EdgeFunction,
  eventType: EdgeEvent["context"]["eventType"],
  parts: Pick<EdgeEvent, "request" | "response">,
  viewer: HttpRequest,
  { distribution, requestId, log }: FunctionContext,
): EdgeResult {
  const { id: distributionId, domainName: distributionDomainName } = distribution;
  const result = edgeFunction.run({
    version: "1.0",
    context: { distributionDomainName, distributionId, eventType, requestId },
    viewer: { ip: viewer.peer.address },
    ...parts,
  });
  for (const line of result.logLines) log(`[${edgeFunction.name}] ${line}`);
  return result;
}
