import { type HttpRequest, type HttpResponse, headerBytes } from "../http-message.ts";
import { withinMs } from "../within-ms.ts";
import type { Behavior, Distribution, Origin, OriginGroup } from "./distribution.ts";
import { EdgeValidationError } from "./edge-event.ts";
import type { OriginChoice } from "./edge-function.ts";
import { toOriginRequest } from "./origin-request.ts";

const headerBytesMax = 20_480;

/** Handles requests to the hosts of one kind of origin. Returns undefined for an unknown host. */
export type OriginHandler = (request: HttpRequest, origin: Origin) => Promise<HttpResponse> | undefined;

/** The origin of a request, or a group whose second origin is the fallback. */
export type Target = Origin | { readonly group: OriginGroup };

/** Finds the origin of a request from its behavior and from the choice of a viewer-request function. */
export function chooseTarget(
  distribution: Distribution,
  behavior: Behavior,
  choice: OriginChoice | undefined,
): Target {
  if (choice === undefined) return findTarget(distribution, behavior.targetOriginId);
  switch (choice.type) {
    case "select":
      return findTarget(distribution, choice.originId);
    case "group":
      return { group: { originIds: choice.originIds, failoverStatusCodes: new Set(choice.statusCodes) } };
    case "update":
      return updateOrigin(findTarget(distribution, behavior.targetOriginId), choice.changes);
  }
}

function findTarget(distribution: Distribution, id: string): Target {
  const group = distribution.originGroups.get(id);
  return group === undefined ? findOrigin(distribution, id) : { group };
}

function findOrigin(distribution: Distribution, id: string): Origin {
  const origin = distribution.origins.get(id);
  if (origin === undefined)
    throw new EdgeValidationError(
      `The distribution has no origin "${id}", only ${[...distribution.origins.keys()].join(", ")}`,
    );
  return origin;
}

function updateOrigin(target: Target, changes: Readonly<Record<string, unknown>>): Origin {
  if ("group" in target) throw new Error("updateRequestOrigin() on an origin group is not emulated");
  const { domainName, originPath, customHeaders, timeouts } = changes;
  const { readTimeout } = (timeouts ?? {}) as { readTimeout?: number };
  return {
    ...target,
    domainName: domainName === undefined ? target.domainName : String(domainName),
    path: originPath === undefined ? target.path : String(originPath),
    customHeaders:
      customHeaders === undefined
        ? target.customHeaders
        : Object.entries(customHeaders as Record<string, string>),
    readTimeoutSeconds: readTimeout ?? target.readTimeoutSeconds,
  };
}

interface FetchOptions {
  readonly distribution: Distribution;
  readonly behavior: Behavior;
  readonly target: Target;
  readonly handlers: readonly OriginHandler[];
  readonly requestId: string;
  readonly log: (line: string) => void;
}

/**
 * Sends a request to the origin. For GET, HEAD and OPTIONS, falls back to a group's second origin if the first fails; see "Optimize high
 * availability with CloudFront origin failover", CloudFront developer guide.
 */
export async function fetchFromOrigin(request: HttpRequest, options: FetchOptions): Promise<HttpResponse> {
  const { distribution, target } = options;
  if (!("group" in target)) return requestOrigin(request, target, options);
  const [primary = "", ...others] = target.group.originIds;
  let response = await requestOrigin(request, findOrigin(distribution, primary), options);
  if (!["GET", "HEAD", "OPTIONS"].includes(request.method)) return response;
  for (const id of others) {
    if (!target.group.failoverStatusCodes.has(response.statusCode)) break;
    if (!Buffer.isBuffer(response.body)) response.body.destroy();
    response = await requestOrigin(request, findOrigin(distribution, id), options);
  }
  return response;
}

async function requestOrigin(
  request: HttpRequest,
  origin: Origin,
  options: FetchOptions,
): Promise<HttpResponse> {
  const { distribution, behavior, handlers, requestId, log } = options;
  const edge = { requestId, domainName: distribution.domainName };
  const originRequest = toOriginRequest(request, behavior, origin, edge);
  for (const handler of handlers) {
    const response = handler(originRequest, origin);
    if (response !== undefined) return checkHeaders(await withTimeout(response, origin, log), origin, log);
  }
  log(`CloudFront origin ${origin.id} (${origin.domainName}) is not emulated; responding 502`);
  return edgeFailure(502, "CloudFront wasn't able to resolve the origin domain name.");
}

/** Refuses a response whose headers are too long. CloudFront has the same limit for a request, without its body; see "Quotas". */
function checkHeaders(response: HttpResponse, origin: Origin, log: (line: string) => void): HttpResponse {
  const bytes = headerBytes(response.headers);
  if (bytes <= headerBytesMax) return response;
  log(
    `CloudFront origin ${origin.id} sent ${bytes} bytes of headers, more than ${headerBytesMax}; responding 502`,
  );
  return edgeFailure(502, "The origin's response headers are too long.");
}

async function withTimeout(
  response: Promise<HttpResponse>,
  origin: Origin,
  log: (line: string) => void,
): Promise<HttpResponse> {
  const message =
    "CloudFront attempted to establish a connection with the origin, but the attempt timed out.";
  try {
    return (await withinMs(origin.readTimeoutSeconds * 1000, response)) ?? edgeFailure(504, message);
  } catch (error) {
    log(`CloudFront origin ${origin.id} failed: ${error instanceof Error ? error.stack : String(error)}`);
    return edgeFailure(502, "CloudFront wasn't able to connect to the origin.");
  }
}

/** Returns an HTML response that CloudFront itself generates. */
export function edgeFailure(statusCode: number, message: string): HttpResponse {
  const body = `<!DOCTYPE html><html><head><title>ERROR: The request could not be satisfied</title></head><body><h1>${statusCode} ERROR</h1><p>The request could not be satisfied.</p><p>${message}</p><p>Generated by cloudfront (CloudFront)</p></body></html>\n`;
  return {
    statusCode,
    headers: [
      ["Content-Type", "text/html"],
      ["Server", "CloudFront"],
      ["Date", new Date().toUTCString()],
    ],
    body: Buffer.from(body),
  };
}
