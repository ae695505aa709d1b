import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "../platform/errors.ts";
import { type HttpRequest, singleHeader } from "../platform/request.ts";
import { type HttpResponse, jsonHeaders } from "../platform/response.ts";
import { callTool, type McpDocument } from "./call-tool.ts";
import type { McpMessage } from "./rows.ts";

/**
 * Answers one message, with a server and a transport of its own: nothing is remembered between messages.
 *
 * @throws ApiError `invalid_arg` for what the transport refuses: a content type, a protocol version, a form
 */
export async function answerMessage(
  message: McpMessage,
  request: HttpRequest,
  document: McpDocument,
): Promise<HttpResponse> {
  const server = createServer(request, document);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await toHttpResponse(
      await transport.handleRequest(toWebRequest(request), { parsedBody: message }),
    );
  } finally {
    await server.close();
  }
}

function createServer(request: HttpRequest, document: McpDocument): Server {
  const server = new Server(
    { name: "dropleaf", title: "Dropleaf", version: document.version },
    {
      capabilities: { tools: {} },
      instructions: document.instructions,
      jsonSchemaValidator: { getValidator: refuseToValidate },
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: document.tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(params.name, params.arguments ?? {}, request, document),
  );
  return server;
}

/** The SDK validates what clients fill in when a server asks them to, which this one does not. */
function refuseToValidate(): never {
  throw new Error(
    "This server asks its clients for nothing, so that it has no responses of theirs to validate.",
  );
}

/** The request as the SDK's transport takes it, without its body, which has been read already. */
function toWebRequest(request: HttpRequest): Request {
  const version = singleHeader(request, "mcp-protocol-version");
  return new Request(new URL(request.path, `https://${request.host}`), {
    method: request.method,
    headers: {
      // There is one form of response, so that whoever does not say what they take gets that.
      accept: "application/json, text/event-stream",
      "content-type": singleHeader(request, "content-type") ?? "",
      ...(version === undefined ? {} : { "mcp-protocol-version": version }),
    },
  });
}

/**
 * What the transport answers, with the headers of every JSON response.
 *
 * @throws ApiError `invalid_arg` where it refuses
 */
async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const body = await response.text();
  if (!response.ok) throw new ApiError("invalid_arg", { message: refusalIn(body) });
  const headers = body === "" ? { "cache-control": "no-store" } : jsonHeaders;
  return { status: response.status, headers, body };
}

/** The transport refuses by an error of JSON-RPC; revision 2025-11-25, "Sending Messages to the Server". */
function refusalIn(body: string): string {
  const { error } = JSON.parse(body) as { readonly error: { readonly message: string } };
  return `${error.message}.`;
}
