import { readDocument } from "../discovery/document-response.ts";
import { ApiError } from "../http/errors.ts";
import { defineOperation } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { errorJson, type HttpResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { guideUrl, readSite, requireSameOrigin, type Site } from "../http/site.ts";
import { authenticate, bearerTokenHash } from "../http/token-operation.ts";
import { type McpDocument, toRefusal } from "./call-tool.ts";
import { operationOf } from "./operations.ts";
import { callMcpRoute, type McpMessage, mcpChallenge } from "./rows.ts";
import { answerMessage } from "./server.ts";

/** POST /mcp: one message of the Model Context Protocol. */
export const callMcp = defineOperation(callMcpRoute, {
  identify: identifyMcpCaller,
  presentError: presentMcpRefusal,
  run: async ({ body, request, site }) => {
    const document = JSON.parse(await readDocument("mcp.json", site)) as McpDocument;
    if (request.headers.authorization === undefined && isProtected(body)) {
      const refusal = new ApiError("unauthorized", { message: "This tool needs an account: sign in." });
      return toChallenge(body, refusal, site, document.signInGuidance);
    }
    return answerMessage(body, request, document, await readDocument("SKILL.md", site));
  },
});

const otherSite =
  "This request was sent by a page of another site. MCP clients send no Origin header, or this service's own.";

/**
 * Allows requests without a token, to list tools and sign in, but refuses invalid tokens. Each tool authenticates again. Pages of
 * other sites are refused; Model Context Protocol, revision 2026-07-28, "Streamable HTTP", section "Security & Endpoint".
 *
 * @throws ApiError `forbidden` or `unauthorized`; MethodRefusal
 */
function identifyMcpCaller(request: HttpRequest) {
  if (request.method !== callMcpRoute.method) throw new MethodRefusal(request.method, readSite(request));
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

  constructor(method: string, site: Site) {
    super("invalid_arg", {
      message: `This is the address of the MCP server: give it to an MCP client, which sends POST. ${method} came, and this server has no streams and no sessions. The guide is ${guideUrl(site)}.`,
      details: { allow: callMcpRoute.method },
    });
  }
}

/**
 * An error in the contract's shape, with the allowed methods for 405. A tool call without a valid token also gets the error as
 * its result.
 */
function presentMcpRefusal(error: ApiError, _route: Route, request: HttpRequest): HttpResponse {
  const response = errorJson(error);
  if (error instanceof MethodRefusal) {
    return { ...response, headers: { ...response.headers, allow: callMcpRoute.method } };
  }
  const message = error.status === 401 ? readCall(request) : undefined;
  return message === undefined ? response : toChallenge(message, error, readSite(request));
}

/** The call of a tool that the request is, if it is one. */
function readCall({ bodyBytes = new Uint8Array() }: HttpRequest): McpMessage | undefined {
  try {
    const message = JSON.parse(Buffer.from(bodyBytes).toString()) as Partial<McpMessage> | null;
    const isCall = message?.jsonrpc === "2.0" && message.method === "tools/call" && isId(message.id);
    return isCall ? (message as McpMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Recognizes a call of a tool that needs an account. */
function isProtected({ id, method, params }: McpMessage): boolean {
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return method === "tools/call" && isId(id) && operationOf(String(name))?.route.caller === "token";
}

/** Recognizes messages that need a response: JSON-RPC 2.0, section 4. */
function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isInteger(id);
}

/**
 * 401 with the challenge, by which clients sign in and call again: one with 200 would be the model's to deal with. Its body is the
 * tool's result for clients that read the challenge there, as ChatGPT does; OpenAI Apps SDK, "Authentication".
 */
function toChallenge({ id }: McpMessage, error: ApiError, site: Site, guidance?: string): HttpResponse {
  const challenge = mcpChallenge(site, { error: "invalid_token", description: error.message });
  const result = {
    ...toRefusal(error.toBody(), guidance),
    resultType: "complete",
    _meta: { "mcp/www_authenticate": [challenge] },
  };
  const response = errorJson(error);
  return {
    ...response,
    headers: { ...response.headers, "www-authenticate": challenge },
    body: JSON.stringify({ jsonrpc: "2.0", id, result }),
  };
}
