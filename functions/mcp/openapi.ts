import type { OperationExamples } from "../http/openapi.ts";

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  CallMcp: "One message of JSON-RPC 2.0: a request, or a notification.",
  "CallMcp.jsonrpc": "The version of JSON-RPC.",
  "CallMcp.id":
    "What the response is to carry, too. Without it the message is a notification, which 202 answers. A request without it is refused.",
  "CallMcp.method": "Such as `initialize`, `tools/list` or `tools/call`.",
  "CallMcp.params": "What the method asks for.",
  CallMcpResponse:
    "The response to a request: its result, or an error of the protocol. What a tool refuses is a result.",
  "CallMcpResponse.jsonrpc": "The version of JSON-RPC.",
  "CallMcpResponse.id": "The request's own.",
  "CallMcpResponse.result": "What the method answers.",
  "CallMcpResponse.error": "What the protocol refuses, such as a method that is not there.",
  "CallMcpResponse.error.code": "Of JSON-RPC or the Model Context Protocol.",
  "CallMcpResponse.error.message": "What is wrong.",
  "CallMcpResponse.error.data": "More about it.",
};

/** Notes on the operations, beyond their summaries. */
export const notes: Readonly<Record<string, string>> = {
  "call-mcp":
    "For MCP clients, with the token in their configuration; `initialize`, `tools/list` and the tools of sign-in work without one. A notification is answered 202, without a body. There are no batches, no sessions and no streams: GET and DELETE are refused with 405. Other sites' pages are refused by their Origin.",
};

/** Example calls and responses. */
export const examples = () =>
  ({
    "call-mcp": {
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
      response: { jsonrpc: "2.0", id: 1, result: {} },
    },
  }) satisfies OperationExamples;
