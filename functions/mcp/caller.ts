import { callMcpRoute } from "../contract/mcp-routes.ts";
import { authenticate, bearerTokenHash } from "../http/authentication.ts";
import type { HttpRequest } from "../http/request.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { readSite } from "../http/site.ts";
import { MethodRefusal } from "./method-refusal.ts";

const otherSite =
  "This request was sent by a page of another site. MCP clients send no Origin header, or this service's own.";

/**
 * Lets anyone in, to be told how to sign in, but nobody with a token that is not good: each tool asks for the token
 * again. Pages of other sites are refused; Model Context Protocol, revision 2025-11-25, "Security Warning".
 *
 * @throws ApiError `forbidden` or `unauthorized`; MethodRefusal
 */
export function identifyMcpCaller(request: HttpRequest) {
  if (request.method !== callMcpRoute.method) throw new MethodRefusal(request.method);
  requireSameOrigin(request, readSite(request), otherSite);
  const hash = request.headers.authorization === undefined ? undefined : bearerTokenHash(request);
  return async (_spendsWrite: boolean, nowMs: number) => {
    if (hash !== undefined) await authenticate(hash, false, nowMs);
    return {};
  };
}
