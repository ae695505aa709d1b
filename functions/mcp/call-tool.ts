import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "../contract/api-error.ts";
import { toApiError } from "../http/error-answer.ts";
import type { HttpRequest } from "../http/request.ts";
import { logFault } from "../http/request-log.ts";
import type { McpDocument } from "./document.ts";
import { operationOf } from "./operations.ts";
import { type ToolArguments, toToolRequest } from "./tool-request.ts";
import { toRefusal, toToolResult } from "./tool-result.ts";

/**
 * Calls a tool for whoever sent the request: its operation authenticates, limits, validates and logs as it does behind
 * its own address.
 *
 * @throws McpError where there is no such tool
 */
export async function callTool(
  name: string,
  given: ToolArguments,
  request: HttpRequest,
  { tools, signInGuidance }: McpDocument,
): Promise<CallToolResult> {
  const tool = tools.find((one) => one.name === name);
  const operation = operationOf(name);
  if (tool === undefined || operation === undefined) {
    const names = tools.map((one) => one.name).join(", ");
    throw new McpError(ErrorCode.InvalidParams, `There is no such tool: choose from ${names}.`);
  }
  if (operation.route.caller === "token" && request.headers.authorization === undefined) {
    return toRefusal(new ApiError("unauthorized").toBody(), signInGuidance);
  }
  try {
    return toToolResult(await operation.execute(toToolRequest(operation.route, given, request)), tool);
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500) logFault(operation.id, request.requestId, refusal.cause ?? refusal);
    return toRefusal(refusal.toBody());
  }
}
