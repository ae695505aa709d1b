import type { Route } from "../http/route.ts";
import { operationIds, routeOf } from "../routes.ts";

/**
 * The operations whose body may be larger than API Gateway and Lambda take, or of unknown length: the edge sends those
 * of more than 3 MB to the ingest server (`functions/edge/viewer-request.ts`).
 */
export const ingestOperationIds = /* @__PURE__ */ operationIds.filter((id) => takesLargeBody(routeOf(id)));

/** Selects the rows that publish or upload. */
export function takesLargeBody({ method, path }: Pick<Route, "method" | "path">): boolean {
  return /^(POST|PUT|PATCH)$/.test(method) && /^\/api\/(drops|blobs)(\/|$)/.test(path);
}

/** S3 actions of the ingest server beyond its operations' grants: it aborts multipart uploads. */
export const ingestBlobActions = ["AbortMultipartUpload"] as const;

/** The address at which a container says that it is well. No operation has it. */
export const ingestHealthPath = "/health";

/** Requests that one server works on at once. */
export const ingestConcurrencyMax = 64;

/**
 * Requests that a Web Function's environment is given at once, the most there may be: those that it does not work on are
 * refused by the server, in the contract's shape, which Lambda's own refusals have not.
 */
export const ingestRequestsPerEnvironment = 128;

/** Environments of the Web Function at once: an account has thousands of them, and one holds a team's uploads. */
export const ingestEnvironmentsMax = 4;
