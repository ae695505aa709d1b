import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from "@modelcontextprotocol/server";
import { type ErrorBody, type ErrorCode, errorCatalog } from "../core/errors.ts";
import { logFault } from "../core/log.ts";
import { errorAdvice } from "../discovery/advice.ts";
import type { ToolContent } from "../drops/read-drop.ts";
import type { HttpRequest } from "../http/request.ts";
import { type HttpResponse, toApiError } from "../http/response.ts";
import { expectedToolCall, meantBy, sayExpected } from "../refusals/expected-call.ts";
import { calledRows } from "../refusals/nearest-operations.ts";
import type { invokeOperation } from "./invoke-operation.ts";
import {
  requireAppArguments,
  requirePathArguments,
  type ToolArguments,
  toParameters,
  toToolRequest,
} from "./tool-request.ts";
import { contentOperations, type ListedTool, rowOf, toolOf, toolRows } from "./tool-rows.ts";
import { explainTool } from "./unknown-tool.ts";

/** Converts an API error to a tool result, as data and as text, with advice for callers of tools. */
export function toRefusal(refusal: ErrorBody, advice = adviceFor(refusal.error)): CallToolResult {
  return {
    isError: true,
    structuredContent: { ...refusal },
    content: [
      { type: "text", text: JSON.stringify(refusal) },
      ...(advice === undefined ? [] : [{ type: "text" as const, text: `What to do: ${advice}` }]),
    ],
  };
}

const waitAndRepeat = "Wait as many seconds as `error.details.retry_after_seconds` says, then call again.";

/** Advice on errors for tool callers, where the advice for HTTP callers does not fit. */
const toolAdvice: Readonly<Partial<Record<ErrorCode, string>>> = {
  token_required: "Give the poll_token as `token`.",
  not_found:
    "You have nothing with this slug, id or version. It may have been deleted. list_drops and list_versions list what exists.",
  version_not_found: "Use a version that list_versions lists.",
  metadata_only_on_patch: "Send html with update_drop.",
  invalid_slug: "Give the `slug` from publish_drop or list_drops: 7 letters or digits, or the drop's url.",
  invalid_id: "Give the `id` from upload_blob: 7 letters or digits, at the end of the file's url.",
  html_required: "Give `html`: the complete document as a string. For a folder, give `files`: texts by path.",
  title_required: "Give `title`: a short text that is not only spaces.",
  passcode_required: 'Give `passcode`: a string, or "" to unlock.',
  last_version_cannot_be_deleted:
    "Publish another version first with update_drop, or delete the whole drop with delete_drop.",
  rate_limited: waitAndRepeat,
  daily_quota_exceeded: `${waitAndRepeat} The wait may take hours: tell the human.`,
  quota_exceeded:
    "Ask the human what to delete, then call delete_drop, delete_version or delete_blob. get_usage shows the usage. Waiting does not help.",
  empty_blob: "Give the file's content as `text` or `base64`.",
  blob_too_large: "Upload the file with start_upload, which accepts larger files.",
  several_match:
    "`error.details.slugs` names the drops: call update_drop for the right drop, or give more metadata.",
  internal_error: "Try once more. If it fails again, stop and tell the human.",
  unavailable: `${waitAndRepeat} Stop after five attempts.`,
};

/** Finds advice for an error. Returns undefined for `invalid_arg`, because its message already says what to change. */
function adviceFor({ code, details }: ErrorBody["error"]): string | undefined {
  // `details.setting` names a feature that the operator has turned off; see `functions/renders/render-status.ts`.
  if (details?.setting !== undefined)
    return "Continue without this feature: only the operator can turn it on.";
  return code === "invalid_arg" ? undefined : (toolAdvice[code] ?? errorAdvice[code]);
}

/** Adds a description of the tool's arguments to an error with status 400. */
function withExpected(refusal: ErrorBody, tool: ListedTool, given: ToolArguments): ErrorBody {
  const { error } = refusal;
  if (errorCatalog[error.code].status !== 400) return refusal;
  const row = toolRows[tool.operation];
  const expected = expectedToolCall(tool, row, given);
  const meant = meantBy({ details: error.details ?? {} }, row);
  const message = sayExpected(error.message, expected, tool.name, meant);
  return { error: { ...error, message, details: { ...error.details, expected } } };
}

interface ToolCall {
  readonly name: string;
  readonly given: ToolArguments;
  /** The HTTP request that contains the message. */
  readonly request: HttpRequest;
  readonly document: McpDocument;
  /** True if the client reads only `structuredContent`, and drops the text. */
  readonly readsOnlyData: boolean;
  readonly invoke: typeof invokeOperation;
}

/**
 * Calls a tool by invoking the operation's function. The function authenticates, rate-limits, validates and logs the call like a direct
 * request.
 *
 * @throws ProtocolError if the tool is unknown
 */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
  const { name, given, request, document, readsOnlyData, invoke } = call;
  const tool = toolOf(name);
  if (tool === undefined) {
    const { operationIds, routeOf } = await import("../routes.ts");
    const { message, data } = explainTool(name, Object.keys(given), calledRows(operationIds.map(routeOf)));
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
  }
  const route = rowOf(tool);
  const refuse = (refusal: ErrorBody) => toRefusal(withExpected(refusal, tool, given));
  try {
    requirePathArguments(tool, route, given);
    requireAppArguments(tool, given);
    const inner = toToolRequest(route, toParameters(tool, given), {
      ...request,
      isAppCall: typeof tool.app === "object",
    });
    const response = await invoke(tool.operation, inner);
    if (response.status >= 400) return refuse(JSON.parse(String(response.body)) as ErrorBody);
    if (contentOperations.includes(tool.operation) && response.status === 200)
      return toContentResult(response);
    const result = toToolResult(response, document.fields[name]);
    return readsOnlyData ? withoutText(result, tool.title) : result;
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500) logFault(tool.operation, request.requestId, refusal.cause ?? refusal);
    return refuse(refusal.forTools().toBody());
  }
}

/** Converts a response that is already tool content to a tool result. Adds each warning as another text. */
function toContentResult({ body }: HttpResponse): CallToolResult {
  const { warnings, content, ...rest } = JSON.parse(String(body)) as ToolContent & { warnings?: string[] };
  return { ...rest, content: [...content, ...toWarningTexts(warnings)] };
}

/** Maximum length of a result that is sent twice, as data and as text. Sending a longer result twice could exceed Lambda's limit. */
const textCharactersMax = 500_000;

/** Converts an operation's response to a tool result with the given fields. */
export function toToolResult(response: HttpResponse, fields: readonly string[] | undefined): CallToolResult {
  if (response.status === 204) return { content: [{ type: "text", text: "Done." }] };
  if (fields === undefined) return toText(Buffer.from(response.body).toString());
  const body = JSON.parse(String(response.body));
  const structuredContent = Object.fromEntries(
    Object.entries(body).filter(([name]) => fields.includes(name)),
  );
  const text = JSON.stringify(structuredContent);
  const isLong = text.length > textCharactersMax;
  return {
    structuredContent,
    content: [
      { type: "text", text: isLong ? "The response is too long for text. See structuredContent." : text },
      ...toWarningTexts(body.warnings),
    ],
  };
}

/** Reduces a result's text to one line, for clients that drop the text. Moves warnings to the data. */
function withoutText({ structuredContent, content, ...rest }: CallToolResult, title: string): CallToolResult {
  if (structuredContent === undefined) return { ...rest, content };
  const warnings = content.slice(1).flatMap((block) => (block.type === "text" ? block.text : []));
  return {
    ...rest,
    structuredContent: { ...structuredContent, ...(warnings.length > 0 && { warnings }) },
    content: [{ type: "text", text: `${title}: done. See structuredContent.` }],
  };
}

/** Converts a text response, such as a comparison, to a result. Replaces an empty text with an explanation, and truncates a long text. */
function toText(text: string): CallToolResult {
  const sent = text === "" ? "Nothing differs." : text.slice(0, textCharactersMax).toWellFormed();
  const rest = text.length - sent.length;
  const more = `${rest} more characters: read both versions with read_drop.`;
  return { content: [sent, ...(rest > 0 ? [more] : [])].map((one) => ({ type: "text", text: one })) };
}

function toWarningTexts(warnings: readonly string[] = []) {
  return warnings.map((warning) => ({ type: "text" as const, text: `Warning: ${warning}` }));
}

/** Content of `mcp.json`, which describes the MCP server and is deployed with the function's code. */
export interface McpDocument {
  /** Version of the API. */
  readonly version: string;
  /** Instructions that agents read before their first call. */
  readonly instructions: string;
  /** Advice for agents without a token. */
  readonly signInGuidance: string;
  readonly tools: Tool[];
  /** The short list of tools, with instructions for this list. */
  readonly core: Pick<McpDocument, "instructions" | "tools">;
  /** Tools that only the page embedded in the chat calls. */
  readonly appTools: Tool[];
  /** Fields of each tool's result, by tool name. Undefined for a tool whose result is not data. */
  readonly fields: Readonly<Record<string, readonly string[] | undefined>>;
}
