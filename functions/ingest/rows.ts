import type { Route } from "../http/route.ts";
import { operationIds, routeOf } from "../routes.ts";

/**
 * Ids of operations whose request body may be of unknown length, or larger than API Gateway and Lambda accept. The edge sends bodies of
 * more than 3 MB to the ingest server (`functions/edge/viewer-request.ts`).
 */
export const ingestOperationIds = /* @__PURE__ */ operationIds.filter((id) => takesLargeBody(routeOf(id)));

/** Returns true for an operation that publishes or uploads. */
export function takesLargeBody({ method, path }: Pick<Route, "method" | "path">): boolean {
  return /^(POST|PUT|PATCH)$/.test(method) && /^\/api\/(drops|blobs)(\/|$)/.test(path);
}

/** S3 actions that the ingest server needs besides its operations' permissions. It aborts multipart uploads. */
export const ingestBlobActions = ["AbortMultipartUpload"] as const;

/** Path for the health check of a container. No operation has this path. */
export const ingestHealthPath = "/health";

/** Maximum number of concurrent requests that one server processes. */
export const ingestConcurrencyMax = 64;

/**
 * Maximum number of concurrent requests to one environment of the Web Function, which is the maximum that Lambda allows. The server itself
 * refuses requests beyond `ingestConcurrencyMax`, because Lambda's error responses do not have the form in the specification.
 */
export const ingestRequestsPerEnvironment = 128;

/** Maximum number of concurrent environments of the Web Function. One environment is enough for a team. */
export const ingestEnvironmentsMax = 4;
