import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpMessage } from "../contract/mcp-messages.ts";
import type { HttpAnswer } from "../http/answer.ts";
import type { HttpRequest } from "../http/request.ts";
import { callTool } from "./call-tool.ts";
import type { McpDocument } from "./document.ts";
import { toHttpAnswer, toWebRequest } from "./web-messages.ts";

/**
 * Answers one message, with a server and a transport of its own: nothing is remembered between messages.
 *
 * @throws ApiError `invalid_arg` for what the transport refuses: a content type, a protocol version, a form
 */
export async function answerMessage(
  message: McpMessage,
  request: HttpRequest,
  document: McpDocument,
): Promise<HttpAnswer> {
  const server = createServer(request, document);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await toHttpAnswer(await transport.handleRequest(toWebRequest(request), { parsedBody: message }));
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
    "This server asks its clients for nothing, so that it has no answers of theirs to validate.",
  );
}
