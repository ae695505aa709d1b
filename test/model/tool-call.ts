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

/** The same call as one of the operation's tool, where there is a tool for it that can say all of it. */
export function asToolCall(call: Call): Call {
  const { operation, address, refusal, headers = {}, query } = call;
  const isSayable = headers["if-match"] === undefined && headers["idempotency-key"] === undefined;
  const names = pairsOf(query).map(([name]) => name);
  const isRepeated = new Set(names).size < names.length;
  if (address !== undefined || refusal !== undefined || !isSayable || isRepeated) return call;
  if (toolOf(operation) === undefined) return call;
  // There is one `metadata`: what the drop is found by, and what it gets.
  const { metadata } = argumentsOf(query);
  const body = operation === "upsert-drop" ? { ...(call.body as object), metadata } : call.body;
  return { ...call, ...(body === undefined ? {} : { body }), byTool: true };
}

/** Makes a call through the MCP server, and gives what came of it as the operation's own address would have answered. */
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
    // Beside the data, for whoever reads it.
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

/** A tool tells no status: of those that have two, a new drop is the one with its first version. */
function statusOf(operation: OperationId, content: Readonly<Record<string, unknown>>): number {
  const { response } = routeOf(operation);
  if (!("alsoStatus" in response) || response.alsoStatus === undefined) return response.status;
  return content.latest_version === 1 ? response.alsoStatus : response.status;
}

/** The parameters of the path by the names that the tool has for them. */
function argumentNamesOf(operation: OperationId, params: Call["params"]): Record<string, unknown> {
  const { names = {} } = (mcpTools as readonly McpTool[]).find((tool) => tool.operation === operation) ?? {};
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [names[name] ?? name, value]),
  );
}

/** Of those that answer with data, or with nothing: a text or a part of a page is no answer of an address. */
function toolOf(operation: Call["operation"]): string | undefined {
  const tool = mcpTools.find((one) => one.operation === operation);
  return tool === undefined || "content" in routeOf(tool.operation).response ? undefined : tool.name;
}

/** Numbers as numbers, and the pairs of metadata as one object. */
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
