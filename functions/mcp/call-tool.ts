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
import { isId } from "../http/hints.ts";
import { attempt, fitOf } from "../http/input-hints.ts";
import type { HttpRequest } from "../http/request.ts";
import { reviewCall } from "../http/request-input.ts";
import { type HttpResponse, toApiError } from "../http/response.ts";
import { shownCharactersMax } from "../http/schemas.ts";
import { readSite } from "../http/site.ts";
import { explainUnknownTool } from "../http/tool-hints.ts";
import type { invokeOperation } from "./invoke-operation.ts";
import {
  requirePathArguments,
  type ToolArguments,
  toParameters,
  toToolRequest,
  withPathArguments,
} from "./tool-request.ts";
import { contentOperations, type ListedTool, toolOf, toolRows, withToolNames } from "./tool-rows.ts";
import { mcpTools } from "./tools.ts";

/** A refusal in the contract's shape, as data and as text, and what to do about it: all in the words of tools. */
export function toRefusal({ error }: ErrorBody, advice = adviceFor(error)): CallToolResult {
  const refusal = { error: { ...error, message: messageOf(error) } };
  return {
    isError: true,
    structuredContent: refusal,
    content: [
      { type: "text", text: JSON.stringify(refusal) },
      { type: "text", text: `What to do: ${advice}` },
    ],
  };
}

/** Name of an error and advice, where those of HTTP name things that tools do not have. */
interface ToolWords {
  /** In place of the catalog's message. @default - that one */
  readonly message?: string;
  /** @default - the advice for HTTP */
  readonly advice?: string;
}

const waitAsTold = "Wait as many seconds as `error.details.retry_after_seconds` says, then call again.";

const toolWords: Readonly<Partial<Record<ErrorCode, ToolWords>>> = {
  token_required: {
    message: "token is required: the poll_token of start_sign_in.",
    advice: "Give the poll_token as `token`.",
  },
  not_found: {
    advice: "There is nothing of this name that is yours. Look with list_drops; it may have been deleted.",
  },
  version_not_found: { advice: "Take one of those that list_versions tells." },
  metadata_only_on_patch: {
    message: "edit_drop changes title, description, tags or readers, not the page.",
    advice: "Send html with update_drop.",
  },
  invalid_slug: {
    advice: "Give the `slug` from publish_drop or list_drops: 7 letters or digits, or the drop's url.",
  },
  invalid_id: {
    advice: "Give the `id` from upload_blob: 7 letters or digits, the last ones of the file's url.",
  },
  html_required: { advice: "Give `html`: the complete document as a string." },
  title_required: { advice: "Give `title`: a short text that is not only spaces." },
  passcode_required: { advice: "Give `passcode`: a string; the empty one unlocks." },
  last_version_cannot_be_deleted: {
    advice: "Publish another version first with update_drop, or delete the whole drop with delete_drop.",
  },
  rate_limited: { message: "Too many calls of this token.", advice: waitAsTold },
  daily_quota_exceeded: { advice: `${waitAsTold} It may be hours: tell the human.` },
  quota_exceeded: {
    advice:
      "Ask the human what may go, then delete_drop, delete_version or delete_blob. get_usage tells what is used. Waiting does not help.",
  },
  empty_blob: { message: "The file is empty.", advice: "Give its content as `text` or `base64`." },
  blob_too_large: { advice: "Upload it with start_upload, which accepts larger files." },
  several_match: {
    advice:
      "`error.details.slugs` names the drops: call update_drop for the right one, or give more metadata.",
  },
  internal_error: {
    message: "The service failed.",
    advice: "Try once more. If it fails again, stop and tell the human.",
  },
  unavailable: { message: "The service is busy.", advice: `${waitAsTold} Stop after five attempts.` },
};

function adviceFor({ code, details }: ErrorBody["error"]): string {
  // There is nothing to look for: `functions/renders/render-status.ts`.
  if (details?.setting !== undefined) return "Go on without it: only the operator can change that.";
  return toolWords[code]?.advice ?? errorAdvice[code];
}

function messageOf({ code, message }: ErrorBody["error"]): string {
  const words = message === errorCatalog[code].message ? (toolWords[code]?.message ?? message) : message;
  return inToolWords(words);
}

/** A message of the API in words of tools. */
function inToolWords(message: string): string {
  return withToolNames(message)
    .replaceAll(/`?Retry-After`?/g, "`error.details.retry_after_seconds`")
    .replaceAll(/\bmetadata\.([\w<>-]+)=(<value>|…)/g, 'metadata: {"$1": "…"}')
    .replaceAll("This call has no query parameters.", "This call has no other arguments.")
    .replaceAll("query parameter", "argument")
    .replaceAll(", or as the body itself with Content-Type: text/markdown", "")
    .replaceAll("?from=1&to=2", '{"from": 1, "to": 2}')
    .replaceAll("?v=2", '{"version": 2}');
}

/** Names the tool that is meant by a name, if it is not the tool's own, and says what that tool would refuse or ignore of the arguments. */
export async function explainTool(name: string, sent: ToolArguments, request: HttpRequest): Promise<string> {
  const names = mcpTools.map((one) => one.name);
  const given = toolOf(name) === undefined ? withSlugOfPath(sent) : sent;
  const ofName = explainUnknownTool(name, names);
  const isOfDrop = given !== sent && ofName.includes(" publish_drop ");
  const sentence = isOfDrop
    ? `${ofName} For the next version of the drop ${given.slug}: update_drop with {slug: "${given.slug}", html}.`
    : ofName;
  const isList = names.every((one) => sentence.includes(one));
  const [meant] = mcpTools
    .filter((one) => one.name === name || (!isList && sentence.includes(one.name)))
    .map((tool) => ({ tool, at: sentence.indexOf(tool.name), fit: fitOf(routeOf(tool), Object.keys(given)) }))
    .toSorted((a, b) => b.fit - a.fit || a.at - b.at);
  if (meant === undefined || Object.keys(given).every((one) => one === "slug")) return sentence;
  const said = await reviewTool(meant.tool, given, request);
  return said === "" ? sentence : `${sentence} ${meant.tool.name} checks what you sent: ${said}`.trim();
}

/** The arguments with the slug that a path or an address among them has, in place of that. */
function withSlugOfPath(given: ToolArguments): ToolArguments {
  for (const [name, value] of Object.entries(given)) {
    if (!/path|file|url|uri|page$/i.test(name) || typeof value !== "string") continue;
    const slug = value.slice(0, 500).split(/[/.?]/).find(isId);
    const { [name]: _, ...others } = given;
    if (slug !== undefined) return { slug, ...others };
  }
  return given;
}

function routeOf({ operation }: ListedTool) {
  return toolRows[operation];
}

/** Says what a tool would refuse or ignore of arguments. Nothing is carried out. */
async function reviewTool(tool: ListedTool, given: ToolArguments, request: HttpRequest): Promise<string> {
  const route = routeOf(tool);
  const missing = attempt(() => requirePathArguments(tool, route, given)).fault;
  const completed = toParameters(tool, withPathArguments(tool, route, given));
  const { result: inner, fault } = attempt(() => toToolRequest(route, completed, request));
  const said = inner && (await reviewCall(route, inner, readSite(request), inner.pathParameters));
  return inToolWords([missing?.message, fault?.message, said].filter(Boolean).join(" "));
}

/** A call of a tool. */
interface ToolCall {
  readonly name: string;
  readonly given: ToolArguments;
  /** The request that brought the message. */
  readonly request: HttpRequest;
  readonly document: McpDocument;
  readonly invoke: typeof invokeOperation;
}

/**
 * Calls a tool: its operation's function authenticates, limits, validates and logs as it does at its own address.
 *
 * @throws ProtocolError if the tool is unknown
 */
export async function callTool({
  name,
  given,
  request,
  document: { fields },
  invoke,
}: ToolCall): Promise<CallToolResult> {
  const tool = toolOf(name);
  if (tool === undefined) {
    const message = await explainTool(name, given, request);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, {
      tool: name.slice(0, shownCharactersMax),
    });
  }
  const route = routeOf(tool);
  try {
    const missing = attempt(() => requirePathArguments(tool, route, given)).fault;
    if (missing !== undefined) throw missing.saying(await reviewTool(tool, given, request));
    const inner = toToolRequest(route, toParameters(tool, given), request);
    const response = await invoke(tool.operation, inner);
    const isContent = contentOperations.includes(tool.operation) && response.status === 200;
    return isContent ? toContentResult(response) : toToolResult(response, fields[name]);
  } catch (error) {
    const refusal = toApiError(error);
    if (refusal.status >= 500) logFault(tool.operation, request.requestId, refusal.cause ?? refusal);
    return toRefusal(refusal.toBody());
  }
}

/** A response that is a tool's content already, with its warnings as further texts. */
function toContentResult({ body }: HttpResponse): CallToolResult {
  const { warnings = [], content, ...rest } = JSON.parse(String(body)) as ToolContent & Warned;
  return { ...rest, content: [...content, ...toWarningTexts({ warnings })] };
}

/** A long response is sent as data only: twice, it could exceed a function's response limit. */
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
      ...toWarningTexts(body),
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

interface Warned {
  readonly warnings?: readonly string[];
}

function toWarningTexts({ warnings = [] }: Warned) {
  return warnings.map((warning) => ({ type: "text" as const, text: `Warning: ${inToolWords(warning)}` }));
}

/** Without what the operation answers for the sake of other clients. */
function only(fields: readonly string[], body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}

/** Descriptions of the MCP server from `mcp.json`, which lies beside the function's code. */
export interface McpDocument {
  /** The version of the interface. */
  readonly version: string;
  /** Instructions for agents before their first call. */
  readonly instructions: string;
  /** Advice for agents without a token. */
  readonly signInGuidance: string;
  readonly tools: Tool[];
  /** Fields of each tool's result; absent when it is not data. */
  readonly fields: Readonly<Record<string, readonly string[] | undefined>>;
}
