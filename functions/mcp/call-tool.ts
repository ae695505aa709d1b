import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { getMe } from "../accounts/get-me.ts";
import { getUsage } from "../accounts/get-usage.ts";
import { completeUpload } from "../blobs/complete-upload.ts";
import { deleteBlob } from "../blobs/delete-blob.ts";
import { editBlob } from "../blobs/edit-blob.ts";
import { startUpload } from "../blobs/start-upload.ts";
import { uploadBlob } from "../blobs/upload-blob.ts";
import { deleteDrop } from "../drops/delete-drop.ts";
import { deleteVersion } from "../drops/delete-version.ts";
import { editDrop } from "../drops/edit-drop.ts";
import { getDrop } from "../drops/get-drop.ts";
import { listDrops } from "../drops/list-drops.ts";
import { listVersions } from "../drops/list-versions.ts";
import { publishDrop } from "../drops/publish-drop.ts";
import { publishVersion } from "../drops/publish-version.ts";
import { setPasscode } from "../drops/set-passcode.ts";
import { upsertDrop } from "../drops/upsert-drop.ts";
import { listLibrary } from "../library/list-library.ts";
import { ApiError, type ErrorBody } from "../platform/errors.ts";
import { logFault } from "../platform/log.ts";
import type { Operation } from "../platform/operation.ts";
import type { HttpRequest } from "../platform/request.ts";
import { type HttpResponse, toApiError } from "../platform/response.ts";
import { pollSignIn } from "../sign-in/poll-sign-in.ts";
import { startSignIn } from "../sign-in/start-sign-in.ts";
import { toRefusal } from "./refusal.ts";
import { type ToolArguments, toParameters, toToolRequest } from "./tool-request.ts";
import { type McpTool, mcpTools } from "./tools.ts";

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
  { fields, signInGuidance }: McpDocument,
): Promise<CallToolResult> {
  const tool = toolOf(name);
  if (tool === undefined) {
    const names = mcpTools.map((one) => one.name).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool: choose from ${names}.`);
  }
  const operation = operations[tool.operation];
  if (operation.route.caller === "token" && request.headers.authorization === undefined) {
    return toRefusal(new ApiError("unauthorized").toBody(), signInGuidance);
  }
  try {
    const inner = toToolRequest(operation.route, toParameters(tool, given), request);
    return toToolResult(await operation.execute(inner), fields[name]);
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500) logFault(operation.id, request.requestId, refusal.cause ?? refusal);
    return toRefusal(refusal.toBody());
  }
}

type PerformedId = (typeof mcpTools)[number]["operation"];

/** The same operations that have functions of their own, by their ids. */
const operations: Readonly<Record<PerformedId, Operation>> = {
  "publish-drop": publishDrop,
  "publish-version": publishVersion,
  "upsert-drop": upsertDrop,
  "edit-drop": editDrop,
  "list-drops": listDrops,
  "list-library": listLibrary,
  "get-drop": getDrop,
  "list-versions": listVersions,
  "delete-version": deleteVersion,
  "set-passcode": setPasscode,
  "delete-drop": deleteDrop,
  "upload-blob": uploadBlob,
  "start-upload": startUpload,
  "complete-upload": completeUpload,
  "delete-blob": deleteBlob,
  "edit-blob": editBlob,
  "get-usage": getUsage,
  "get-me": getMe,
  "start-sign-in": startSignIn,
  "poll-sign-in": pollSignIn,
};

/** The operation behind a tool; undefined where there is no such tool. */
export function operationOf(toolName: string): Operation | undefined {
  const tool = toolOf(toolName);
  return tool && operations[tool.operation];
}

function toolOf(toolName: string): (McpTool & (typeof mcpTools)[number]) | undefined {
  return mcpTools.find(({ name }) => name === toolName);
}

/** A longer response is told as data alone: with it twice, it could be more than a function may answer with. */
const textCharactersMax = 500_000;

/** An operation's response as a tool's result, of which the tool tells the named fields. */
export function toToolResult(response: HttpResponse, fields: readonly string[] | undefined): CallToolResult {
  if (response.status >= 400) return toRefusal(JSON.parse(String(response.body)) as ErrorBody);
  if (response.status === 204) return { content: [{ type: "text", text: "Done." }] };
  if (fields === undefined)
    return { content: [{ type: "text", text: Buffer.from(response.body).toString() }] };
  const structuredContent = only(fields, JSON.parse(String(response.body)));
  const text = JSON.stringify(structuredContent);
  const isLong = text.length > textCharactersMax;
  return {
    structuredContent,
    content: [{ type: "text", text: isLong ? "The response is in structuredContent: it is long." : text }],
  };
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
