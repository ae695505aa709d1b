import { edgeHeaders } from "../core/environment.ts";
import { ApiError, type ErrorBody } from "../core/errors.ts";
import { readDocument } from "../discovery/document-response.ts";
import { bearerTokenHash } from "../http/bearer-token.ts";
import { defineOperation } from "../http/operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { errorJson, type HttpResponse } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { guideUrl, readSite, requireSameOrigin, type Site } from "../http/site.ts";
import { type McpDocument, toRefusal } from "./call-tool.ts";
import { invokeOperation } from "./invoke-operation.ts";
import { callMcpRoute, type McpMessage, mcpChallenge } from "./rows.ts";
import { respondToMessage } from "./server.ts";
import { toToolRequest } from "./tool-request.ts";
import { toolRowOf, toolRows } from "./tool-rows.ts";

/** POST /mcp: responds to one message of the Model Context Protocol. */
export const callMcp = defineOperation(callMcpRoute, {
  identify: identifyMcpCaller,
  presentError: presentMcpRefusal,
  run: async ({ body, query, request, site }) => {
    const whole = JSON.parse(await readDocument("mcp.json", site)) as McpDocument;
    const document = query.tools === "core" ? { ...whole, ...whole.core } : whole;
    if (request.headers.authorization === undefined && isProtected(body)) {
      const refusal = new ApiError("unauthorized", { message: "Sign in to use this tool." });
      return toChallenge(body, refusal, site, document.signInGuidance);
    }
    const skill = await readDocument("SKILL.md", site);
    let sent: Promise<HttpResponse> | undefined;
    const invoke: typeof invokeOperation = (operation, inner) => {
      sent = invokeOperation(operation, inner);
      return sent;
    };
    try {
      const readPage = () => readDocument("page.html", site);
      return await respondToMessage({ message: body, request, document, skill, readPage, invoke });
    } finally {
      // Errors about the token or its scope are returned before errors about arguments, because the client itself can fix token errors.
      if (isProtected(body)) await (sent?.then(requireAccepted, () => {}) ?? requireToken(request));
    }
  },
});

/** Throws if the tool's function has refused the token. @throws ApiError `unauthorized` or `insufficient_scope` */
function requireAccepted(response: HttpResponse): void {
  if (response.status !== 401 && response.status !== 403) return;
  const refused = toRefused(response);
  if (isChallenged(refused)) throw refused;
}

/** Recognizes errors after which a client requests another token. */
function isChallenged({ code, status }: ApiError): boolean {
  return status === 401 || code === "insufficient_scope";
}

/**
 * Checks the token of a message that calls no tool. Invokes the function of `whoami`, because the MCP server's own function may not read
 * tokens.
 *
 * @throws ApiError `unauthorized` or `forbidden`
 */
async function requireToken(request: HttpRequest): Promise<void> {
  const response = await invokeOperation("get-me", toToolRequest(toolRows["get-me"], {}, request));
  if (response.status >= 400) throw toRefused(response);
}

/** Reads the error from an operation's response. */
function toRefused({ body }: HttpResponse): ApiError {
  const { code, message, details } = (JSON.parse(String(body)) as ErrorBody).error;
  return new ApiError(code, { message, details });
}

const otherSite =
  "This request was sent by a page of another site. MCP clients send no Origin header, or the origin of this service.";

/**
 * Identifies the caller. Requests without a token may list tools and sign in. An invalid token is refused. Tools that need an account
 * check the token themselves. Requests from other origins are refused (Model Context Protocol, revision 2026-07-28, "Streamable HTTP",
 * section "Security & Endpoint").
 *
 * @throws ApiError `forbidden`, `unauthorized` or `method_not_allowed`
 */
function identifyMcpCaller(request: HttpRequest) {
  if (request.method !== callMcpRoute.method) throw refuseMethod(request.method, readSite(request));
  requireSameOrigin(request, readSite(request), otherSite);
  const hasToken = request.headers.authorization !== undefined;
  // Refuses a malformed token at once, regardless of the message.
  if (hasToken) bearerTokenHash(request);
  const call = readCall(request);
  const isCheckedByTool = call !== undefined && isProtected(call);
  return async () => {
    if (hasToken && !isCheckedByTool) await requireToken(request);
    return {};
  };
}

/**
 * Error for a request whose method is not POST. To clients, 405 means that the server has no streams; see "Listening for Messages from the
 * Server", Model Context Protocol, revision 2025-11-25.
 */
function refuseMethod(method: string, site: Site): ApiError {
  return new ApiError("method_not_allowed", {
    message: `Use this address in an MCP client, which sends POST. The MCP server refuses ${method}, because it has no streams and no sessions. The guide is at ${guideUrl(site)}.`,
    details: { allow: callMcpRoute.method },
    allow: [callMcpRoute.method],
  });
}

/** Presents an error. If a tool call needs another token or scope, the response is a challenge with the error as the tool's result. */
function presentMcpRefusal(error: ApiError, _route: Route, request: HttpRequest): HttpResponse {
  const response = errorJson(error);
  const message = isChallenged(error) ? readCall(request) : undefined;
  return message === undefined ? response : toChallenge(message, error, readSite(request));
}

/** Reads the tool call in a request. Returns undefined for other messages. */
function readCall({ bodyBytes = new Uint8Array() }: HttpRequest): McpMessage | undefined {
  try {
    const message = JSON.parse(Buffer.from(bodyBytes).toString()) as Partial<McpMessage> | null;
    const isCall = message?.jsonrpc === "2.0" && message.method === "tools/call" && isId(message.id);
    return isCall ? (message as McpMessage) : undefined;
  } catch {
    return undefined;
  }
}

/** Recognizes a call to a tool that needs an account. */
function isProtected({ id, method, params }: McpMessage): boolean {
  const { name } = (params ?? {}) as { readonly name?: unknown };
  return method === "tools/call" && isId(id) && toolRowOf(String(name))?.caller === "token";
}

/** Recognizes the id of a message that needs a response (JSON-RPC 2.0, section 4). */
function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isInteger(id);
}

/**
 * Responds 401 or 403 with a challenge. The client then signs in or requests the scope, and repeats the call. With status 200, the model
 * would have to handle the error. The body repeats the challenge in a tool result, for clients that read it there, such as ChatGPT (OpenAI
 * Apps SDK, "Authentication").
 */
function toChallenge({ id }: McpMessage, error: ApiError, site: Site, guidance?: string): HttpResponse {
  const problem = error.status === 401 ? "invalid_token" : "insufficient_scope";
  const scope = error.details.needed as string | undefined;
  const challenge = mcpChallenge(site, { error: problem, description: error.message, scope });
  const result = {
    ...toRefusal(error.forTools().toBody(), guidance),
    resultType: "complete",
    _meta: { "mcp/www_authenticate": [challenge] },
  };
  const response = errorJson(error);
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  // Sends 200 for 403, because the edge's response function does not run for errors. The function changes the status back to 403 and adds
  // the challenge.
  const [status, header] = error.status === 403 ? [200, edgeHeaders.challenge] : [401, "www-authenticate"];
  return { ...response, status, headers: { ...response.headers, [header]: challenge }, body };
}
