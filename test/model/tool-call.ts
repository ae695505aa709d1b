import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect } from "vitest";
import { type ErrorBody, errorCatalog } from "../../functions/core/errors.ts";
import type { McpTool } from "../../functions/core/mcp-tool.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { requireDescribed } from "../support/openapi-validation.ts";
import type { Call } from "./call.ts";

/** Makes the call with the operation's MCP tool, if a tool supports all of its parameters. */
export function asToolCall(call: Call): Call {
  const { operation, address, refusal, headers = {}, query } = call;
  const isSayable = headers["if-match"] === undefined && headers["idempotency-key"] === undefined;
  const names = pairsOf(query).map(([name]) => name);
  const isRepeated = new Set(names).size < names.length;
  if (address !== undefined || refusal !== undefined || !isSayable || isRepeated) return call;
  if (toolOf(operation) === undefined) return call;
  // The tool has one `metadata`, which both finds the drop and is stored.
  const { metadata } = argumentsOf(query);
  const body = operation === "upsert-drop" ? { ...(call.body as object), metadata } : call.body;
  return { ...call, ...(body === undefined ? {} : { body }), byTool: true };
}

/** Makes a call with the MCP server, and converts the result to the response of the operation's own URL. */
export async function sendByTool(call: Call, operation: OperationId): Promise<ReceivedResponse> {
  const { token, params, query, body, text, headers } = call;
  const file = text === undefined ? {} : { text, content_type: headers?.["content-type"] };
  const given = {
    ...argumentNamesOf(operation, params),
    ...argumentsOf(query),
    ...(body as object | undefined),
    ...file,
  };
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: toolOf(operation), arguments: given },
  };
  const answer = await fetchPage(callMcpRoute.path, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(message),
  });
  await requireDescribed("call-mcp", answer);
  const { result } = JSON.parse(answer.text) as { readonly result?: CallToolResult };
  return result === undefined ? answer : toAnswer(answer, result, operation);
}

function toAnswer(
  answer: ReceivedResponse,
  result: CallToolResult,
  operation: OperationId,
): ReceivedResponse {
  const { isError = false } = result;
  const content = result.structuredContent as Readonly<Record<string, unknown>> | undefined;
  const [told = "", ...others] = result.content.map((block) => (block.type === "text" ? block.text : ""));
  if (content === undefined) {
    expect({ told, isError }).toEqual({ told: "Done.", isError: false });
    return { ...answer, status: 204, text: "" };
  }
  expect(JSON.parse(told)).toEqual(content);
  const text = JSON.stringify(content);
  if (!isError) {
    // Warnings are separate texts beside the data.
    const warnings = others.length === 0 ? {} : { warnings: others };
    return {
      ...answer,
      status: statusOf(operation, content),
      text: JSON.stringify({ ...content, ...warnings }),
    };
  }
  const { code, details = {} } = (content as unknown as ErrorBody).error;
  const seconds = (details as { readonly retry_after_seconds?: number }).retry_after_seconds;
  const { status } = errorCatalog[code];
  const headers = {
    ...answer.headers,
    ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  };
  return { ...answer, status, headers, text };
}

/** Derives the status, which tools do not return. For operations with two, version 1 means a new drop. */
function statusOf(operation: OperationId, content: Readonly<Record<string, unknown>>): number {
  const { response } = routeOf(operation);
  if (!("alsoStatus" in response) || response.alsoStatus === undefined) return response.status;
  return content.latest_version === 1 ? response.alsoStatus : response.status;
}

/** Converts the path's parameters to the tool's argument names. */
function argumentNamesOf(operation: OperationId, params: Call["params"]): Record<string, unknown> {
  const { names = {} } = (mcpTools as readonly McpTool[]).find((tool) => tool.operation === operation) ?? {};
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [names[name] ?? name, value]),
  );
}

/** Finds the operation's tool, if it returns data or nothing. Tools that return text or part of a page differ from the operation. */
function toolOf(operation: Call["operation"]): string | undefined {
  const tool = mcpTools.find((one) => one.operation === operation);
  return tool === undefined || "content" in routeOf(tool.operation).response ? undefined : tool.name;
}

/** Converts a query to a tool's arguments, with numbers and one metadata object. */
function argumentsOf(query: Call["query"]): Record<string, unknown> {
  const pairs = pairsOf(query);
  const metadata = pairs.flatMap(([name, value]) =>
    name.startsWith("metadata.") ? [[name.slice("metadata.".length), value] as const] : [],
  );
  const others = pairs.filter(([name]) => !name.startsWith("metadata."));
  return {
    ...Object.fromEntries(
      others.map(([name, value]) => [name, name.startsWith("page") ? Number(value) : value]),
    ),
    ...(metadata.length > 0 ? { metadata: Object.fromEntries(metadata) } : {}),
  };
}

function pairsOf(query: Call["query"] = []): readonly (readonly [string, string])[] {
  return Array.isArray(query) ? query : Object.entries(query).map(([name, value]) => [name, String(value)]);
}
