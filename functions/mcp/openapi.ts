import type { DescribedParameters, OperationExamples } from "../core/openapi.ts";

/** Descriptions of schemas and their fields, keyed by schema name and field path. */
export const fields: Readonly<Record<string, string>> = {
  CallMcp: "One message of JSON-RPC 2.0: a request, or a notification.",
  "CallMcp.jsonrpc": "The version of JSON-RPC.",
  "CallMcp.id":
    "The response has the same id. A notification has no id and gets 202. A request without an id is refused.",
  "CallMcp.method": "The method, such as `initialize`, `tools/list` or `tools/call`.",
  "CallMcp.params": "Parameters of the method.",
  CallMcpResponse: "The response to a request: its result, or a protocol error. A tool's error is a result.",
  "CallMcpResponse.jsonrpc": "The version of JSON-RPC.",
  "CallMcpResponse.id": "The id of the request.",
  "CallMcpResponse.result": "Result of the method.",
  "CallMcpResponse.error": "A protocol error, such as an unknown method.",
  "CallMcpResponse.error.code": "Error code of JSON-RPC or the Model Context Protocol.",
  "CallMcpResponse.error.message": "Description of the error.",
  "CallMcpResponse.error.data": "Details of the error.",
};

/** Descriptions of query parameters. */
export const queryParameters: DescribedParameters = {
  "call-mcp tools": {
    description: "Lists only some tools, for clients that support few. The other tools can still be called.",
    example: "core",
  },
};

/** Notes that supplement the summaries of operations. */
export const notes: Readonly<Record<string, string>> = {
  "call-mcp":
    "For MCP clients, with the token in their configuration. `initialize`, `tools/list` and the sign-in tools work without a token. A notification gets 202 without a body. There are no batches, no sessions and no streams: GET and DELETE are refused with 405. Requests from pages of other sites are refused by their Origin header.",
};

/** Example calls and responses. */
export const examples = () =>
  ({
    "call-mcp": {
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
      response: { jsonrpc: "2.0", id: 1, result: {} },
    },
  }) satisfies OperationExamples;
