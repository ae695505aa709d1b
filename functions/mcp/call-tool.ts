import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import type { ErrorBody } from "../platform/errors.ts";
import { logFault } from "../platform/log.ts";
import type { HttpRequest } from "../platform/request.ts";
import { type HttpResponse, toApiError } from "../platform/response.ts";
import { contentOperations, inWordsOfTools, operations, toolOf } from "./operations.ts";
import type { ToolContent } from "./read-drop.ts";
import { toRefusal } from "./refusal.ts";
import { type ToolArguments, toParameters, toToolRequest } from "./tool-request.ts";
import { mcpTools } from "./tools.ts";

/**
 * Calls a tool for whoever sent the request: its operation authenticates, limits, validates and logs as it does behind
 * its own address.
 *
 * @throws ProtocolError where there is no such tool
 */
export async function callTool(
  name: string,
  given: ToolArguments,
  request: HttpRequest,
  { fields }: McpDocument,
): Promise<CallToolResult> {
  const tool = toolOf(name);
  if (tool === undefined) {
    const names = mcpTools.map((one) => one.name).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool: choose from ${names}.`);
  }
  const operation = operations[tool.operation];
  try {
    const inner = toToolRequest(operation.route, toParameters(tool, given), request);
    const response = await operation.execute(inner);
    const isContent = contentOperations.includes(operation) && response.status === 200;
    return isContent
      ? (JSON.parse(String(response.body)) as ToolContent)
      : toToolResult(response, fields[name]);
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500) logFault(operation.id, request.requestId, refusal.cause ?? refusal);
    return toRefusal(refusal.toBody());
  }
}

/** A longer response is told as data alone: with it twice, it could be more than a function may answer with. */
const textCharactersMax = 500_000;

/** An operation's response as a tool's result, of which the tool tells the named fields. */
export function toToolResult(response: HttpResponse, fields: readonly string[] | undefined): CallToolResult {
  if (response.status >= 400) return toRefusal(JSON.parse(String(response.body)) as ErrorBody);
  if (response.status === 204) return { content: [{ type: "text", text: "Done." }] };
  if (fields === undefined) return toText(Buffer.from(response.body).toString());
  const body = JSON.parse(String(response.body));
  const structuredContent = only(fields, body);
  const text = JSON.stringify(structuredContent);
  const isLong = text.length > textCharactersMax;
  return {
    structuredContent,
    content: [
      { type: "text", text: isLong ? "The response is in structuredContent: it is long." : text },
      ...warningsIn(body).map((warning) => ({
        type: "text" as const,
        text: `Warning: ${inWordsOfTools(warning)}`,
      })),
    ],
  };
}

/** A comparison, which is no data, and may be empty, or longer than any conversation. */
function toText(text: string): CallToolResult {
  const told = text === "" ? "Nothing differs." : text.slice(0, textCharactersMax).toWellFormed();
  const rest = text.length - told.length;
  const more = `${rest} more characters: read both versions with read_drop.`;
  return { content: [told, ...(rest > 0 ? [more] : [])].map((one) => ({ type: "text", text: one })) };
}

function warningsIn({ warnings = [] }: { readonly warnings?: readonly string[] }): readonly string[] {
  return warnings;
}

/** Without what the operation answers for the sake of other clients. */
function only(fields: readonly string[], body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}

/** What the server tells of itself: `mcp.json`, which lies beside the function's code. */
export interface McpDocument {
  /** The version of the interface. */
  readonly version: string;
  /** What an agent should know before it calls a tool. */
  readonly instructions: string;
  /** What an agent without a token is to do. */
  readonly signInGuidance: string;
  readonly tools: Tool[];
  /** What each tool tells of its operation's response; nothing where that is no data. */
  readonly fields: Readonly<Record<string, readonly string[] | undefined>>;
}
