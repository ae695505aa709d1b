import type { Route } from "../http/route.ts";
import { operationIds, routeOf } from "../routes.ts";

/**
 * The operations whose body may be larger than API Gateway and Lambda accept, or of unknown length: the edge sends bodies of more than 3 MB
 * to the ingest server (`functions/edge/viewer-request.ts`).
 */
export const ingestOperationIds = /* @__PURE__ */ operationIds.filter((id) => takesLargeBody(routeOf(id)));

/** Selects the rows that publish or upload. */
export function takesLargeBody({ method, path }: Pick<Route, "method" | "path">): boolean {
  return /^(POST|PUT|PATCH)$/.test(method) && /^\/api\/(drops|blobs)(\/|$)/.test(path);
}

/** S3 actions of the ingest server beyond its operations' grants: it aborts multipart uploads. */
export const ingestBlobActions = ["AbortMultipartUpload"] as const;

/** Path of a container's health check. No operation has it. */
export const ingestHealthPath = "/health";

/** Concurrent requests that one server processes. */
export const ingestConcurrencyMax = 64;

/**
 * Concurrent requests to one environment of the Web Function, which is Lambda's maximum. The server refuses those that it does not process,
 * in the contract's shape, which Lambda's own refusals lack.
 */
export const ingestRequestsPerEnvironment = 128;

/** Concurrent environments of the Web Function: an account has thousands, and one is enough for a team's uploads. */
export const ingestEnvironmentsMax = 4;
