import { readDocument } from "../discovery/document-response.ts";
import { ApiError } from "../platform/errors.ts";
import { defineOperation } from "../platform/operation.ts";
import type { HttpRequest } from "../platform/request.ts";
import { requireSameOrigin } from "../platform/request-origin.ts";
import { errorJson, type HttpResponse } from "../platform/response.ts";
import { readSite } from "../platform/site.ts";
import { authenticate, bearerTokenHash } from "../platform/token-operation.ts";
import type { McpDocument } from "./call-tool.ts";
import { callMcpRoute } from "./rows.ts";
import { answerMessage } from "./server.ts";

/** POST /mcp: one message of the Model Context Protocol. */
export const callMcp = defineOperation(callMcpRoute, {
  identify: identifyMcpCaller,
  presentError: presentMcpRefusal,
  run: async ({ body, request, site }) => {
    const document = JSON.parse(await readDocument("mcp.json", site)) as McpDocument;
    return answerMessage(body, request, document);
  },
});

const otherSite =
  "This request was sent by a page of another site. MCP clients send no Origin header, or this service's own.";

/**
 * Lets anyone in, to be told how to sign in, but nobody with a token that is not good: each tool asks for the token
 * again. Pages of other sites are refused; Model Context Protocol, revision 2026-07-28, "Streamable HTTP", section "Security & Endpoint".
 *
 * @throws ApiError `forbidden` or `unauthorized`; MethodRefusal
 */
function identifyMcpCaller(request: HttpRequest) {
  if (request.method !== callMcpRoute.method) throw new MethodRefusal(request.method);
  requireSameOrigin(request, readSite(request), otherSite);
  const hash = request.headers.authorization === undefined ? undefined : bearerTokenHash(request);
  return async (_spendsWrite: boolean, nowMs: number) => {
    if (hash !== undefined) await authenticate(hash, false, nowMs, "mcp");
    return {};
  };
}

/**
 * A request by another method than POST. Clients take 405 as "no stream here" and go on; Model Context Protocol,
 * revision 2025-11-25, "Listening for Messages from the Server".
 */
class MethodRefusal extends ApiError {
  // No code of the specification says it.
  override readonly status = 405;

  constructor(method: string) {
    super("invalid_arg", {
      message: `${callMcpRoute.path} takes POST, but ${method} came: this server has no streams and no sessions.`,
      details: { allow: callMcpRoute.method },
    });
  }
}

/** A refusal in the contract's shape, with the methods that are allowed where that is what is wrong. */
function presentMcpRefusal(error: ApiError): HttpResponse {
  const response = errorJson(error);
  if (!(error instanceof MethodRefusal)) return response;
  return { ...response, headers: { ...response.headers, allow: callMcpRoute.method } };
}
