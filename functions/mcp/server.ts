import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { memorySkillFiles, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { ApiError } from "../core/errors.ts";
import { skillName } from "../discovery/text-documents.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { isObject, mustBe, quote } from "../http/schemas.ts";
import { appCapability, registerPage, showsApps, startAppSession, withAppTools } from "./app-resource.ts";
import { callTool, type McpDocument } from "./call-tool.ts";
import { clientName, readsOnlyData } from "./client-name.ts";
import type { invokeOperation } from "./invoke-operation.ts";
import { findMethod, knownMethods, type McpMessage } from "./rows.ts";
import { toolOf, toolRowOf } from "./tool-rows.ts";
import { explainTool } from "./unknown-tool.ts";

/**
 * Responds to one message with a new MCP server. No state is kept between messages. No message needs a session: in revision 2026-07-28,
 * each message contains the client's name and capabilities, and earlier revisions make sessions optional.
 *
 * @throws ApiError `invalid_arg` for a wrong content type, for a request without an id, and for transport errors of earlier revisions
 */
export async function respondToMessage({ skill, ...received }: ReceivedMessage): Promise<HttpResponse> {
  const { message, request } = received;
  const contentType = singleHeader(request, "content-type") ?? "";
  if (!isJsonContentType(contentType)) {
    const actual = contentType === "" ? "missing" : JSON.stringify(contentType);
    throw new ApiError("invalid_arg", { message: `Content-Type ${mustBe("application/json", actual)}` });
  }
  requireId(message);
  const sent = toWebRequest(request);
  const skills = await skillsOf(skill);
  const make = () => createServer({ ...received, skills });
  if (!(await isLegacyRequest(sent, message))) return respondInCurrentRevision(message, request, make);
  return respondInEarlierRevision(message, request, () => withMethodHint(make()));
}

/** Refuses a request without an id, because JSON-RPC treats it as a notification, whose result is not returned. */
function requireId({ id, method }: McpMessage): void {
  if (id !== undefined || !knownMethods.includes(method)) return;
  const message = `The message has no "id", so it is a notification and gets no response. Send {"jsonrpc": "2.0", "id": 1, "method": ${quote(method)}, …}.`;
  throw new ApiError("invalid_arg", { message, details: { field: "id" } });
}

/** Time that clients may cache lists and skills, in milliseconds. Only a deployment changes the lists and skills. */
const keptMs = 300_000;
const keptByAll = { ttlMs: keptMs, cacheScope: "public" } as const;

/** Skill extensions by the skill's text, cached for the life of the process. */
const builtSkills = new Map<string, Promise<SkillsExtension>>();

/** Returns the extension that serves the skill, with the digest and size of the skill's text (SEP-2640, Skills extension). */
function skillsOf(skill: string): Promise<SkillsExtension> {
  const built = builtSkills.get(skill);
  if (built !== undefined) return built;
  const files = memorySkillFiles({ [`${skillName}/SKILL.md`]: skill });
  const skills = SkillsExtension.load(files, { cacheHint: keptByAll, strict: true });
  builtSkills.set(skill, skills);
  return skills;
}

/** A message, with the data that the MCP server needs to respond. */
interface ServedMessage {
  readonly message: McpMessage;
  readonly request: HttpRequest;
  readonly document: McpDocument;
  readonly invoke: typeof invokeOperation;
  readonly skills: SkillsExtension;
  /** Reads the HTML of the page embedded in the chat. */
  readonly readPage: () => Promise<string>;
}

/** A received message, with the skill as text. */
type ReceivedMessage = Omit<ServedMessage, "skills"> & { readonly skill: string };

function createServer({ message, request, document, invoke, skills, readPage }: ServedMessage): McpServer {
  const isAppHost = showsApps(message, request);
  const mcp = new McpServer(
    { name: "dropleaf", title: "Dropleaf", version: document.version },
    {
      // The server has no streams, so it cannot notify clients of changes.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        ...(isAppHost && appCapability),
      },
      instructions: document.instructions,
      jsonSchemaValidator: { getValidator: refuseToValidate },
      cacheHints: {
        "tools/list": { ttlMs: keptMs, cacheScope: "private" },
        "server/discover": keptByAll,
        // Only hosts that can display apps get the embedded page in this list, so shared caches must not store the list.
        "resources/list": { ttlMs: keptMs, cacheScope: isAppHost ? "private" : "public" },
        "resources/templates/list": keptByAll,
      },
    },
  );
  const { server } = mcp;
  server.setRequestHandler("tools/list", ({ params }) => {
    refuseCursor(params?.cursor);
    const tools = toolsFor(message, request, document);
    return { tools: isAppHost ? withAppTools(tools, document.appTools) : tools };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    requireKnownParameters(message.params);
    const call = { name: params.name, given: params.arguments ?? {}, request, document, invoke };
    return callTool({ ...call, readsOnlyData: readsOnlyData(message, request) });
  });
  skills.attach(mcp);
  // Any client may read the embedded page by its URI, but only hosts that can display apps get the page in the list.
  if (isAppHost || message.method === "resources/read") registerPage(mcp, readPage);
  return mcp;
}

/**
 * Makes the error for an unknown method suggest the right method, or show how to call a tool. In the current revision, the SDK responds 404
 * for an unknown method.
 */
function withMethodHint(mcp: McpServer): McpServer {
  mcp.server.fallbackRequestHandler = async ({ method }) => {
    const name = findMethod(method);
    const methods = `The methods are ${knownMethods.join(", ")}.`;
    const near = name === undefined ? methods : `Did you mean ${name}?`;
    const call = `To call a tool, send tools/call with {"name": "publish_drop", "arguments": {"html": "…", "title": "…"}}.`;
    const message = `Method not found: ${quote(method)}. ${near} ${call}`;
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, message);
  };
  return mcp;
}

/** Refuses a cursor, because no list returns one. The caller would mistake the whole list for the next page. */
function refuseCursor(cursor: string | undefined): void {
  if ((cursor ?? "") === "") return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, noCursor, { field: "params.cursor" });
}

const noCursor = "Leave out params.cursor: the list has only one page, and no response has a nextCursor.";

const callParameters = ["name", "arguments", "task", "_meta"];

/** Refuses unknown parameters in a call without `arguments`. They are probably the tool's arguments, which would otherwise be ignored. */
function requireKnownParameters(sent: unknown): void {
  const params = isObject(sent) ? sent : {};
  const unknown = Object.keys(params).find((name) => !callParameters.includes(name));
  if (unknown === undefined || "arguments" in params) return;
  const asArguments = `Unknown params.${unknown.slice(0, 100)}. Send the tool's arguments as params.arguments.`;
  const { message, data } = explainMessage(params);
  const details = { field: `params.${unknown.slice(0, 100)}`, ...data };
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, [asArguments, message].join(" ").trim(), details);
}

/** Lists the tools. Omits the sign-in tools if the caller sends a token. */
function toolsFor(message: McpMessage, request: HttpRequest, { tools }: McpDocument): Tool[] {
  if (request.headers.authorization === undefined) return tools;
  const listed = tools.filter(({ name }) => toolRowOf(name)?.resource !== "auth");
  return clientName(message, request) === "claude-code" ? listed.map(withResultSize) : listed;
}

/** Declares the maximum length of results, because Claude Code writes results above 50,000 characters to a file by default. */
function withResultSize(tool: Tool): Tool {
  const max = toolOf(tool.name)?.resultCharactersMax;
  return max === undefined ? tool : { ...tool, _meta: { "anthropic/maxResultSizeChars": max } };
}

/** Replaces the SDK's validator of responses to the server's requests. This server sends no requests to clients. */
function refuseToValidate(): never {
  throw new Error("This server requests nothing from its clients, so it has no responses to validate.");
}

/**
 * Responds to a message of the current protocol revision. Errors have the protocol's codes, because clients detect the server's revision by
 * these codes (revision 2026-07-28, "Streamable HTTP", section "Server Validation").
 */
async function respondInCurrentRevision(
  message: McpMessage,
  request: HttpRequest,
  make: () => McpServer,
): Promise<HttpResponse> {
  // Refuses `subscriptions/listen` before the SDK does, because the SDK would open an endless stream without events.
  if (message.method === "subscriptions/listen") return methodNotFound(message);
  let fault: Error | undefined;
  const handler = createMcpHandler(make, { legacy: "reject", onerror: (error) => (fault = error) });
  try {
    const response = await handler.fetch(toWebRequest(request), { parsedBody: message });
    const body = await response.text();
    if (response.status >= 500) throw fault ?? new Error(body);
    return toHttpResponse(response.status, withHint(message, body));
  } finally {
    await handler.close();
  }
}

function methodNotFound({ id, method }: McpMessage): HttpResponse {
  const error = { code: ProtocolErrorCode.MethodNotFound, message: `Method not found: ${method}` };
  return toHttpResponse(404, JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error }));
}

/**
 * Responds to a message of a protocol revision up to 2025-11-25, in which an HTTP error may have any body ("Sending Messages to the
 * Server").
 */
async function respondInEarlierRevision(
  message: McpMessage,
  request: HttpRequest,
  make: () => McpServer,
): Promise<HttpResponse> {
  const server = make();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(toWebRequest(request), { parsedBody: message });
    const body = await response.text();
    if (!response.ok) {
      const { error } = JSON.parse(body) as { readonly error: { readonly message: string } };
      throw new ApiError("invalid_arg", { message: `${error.message}.` });
    }
    const converted = toHttpResponse(response.status, withHint(message, body));
    const isStart = message.method === "initialize" && showsApps(message, request);
    return isStart ? { ...converted, headers: { ...converted.headers, ...startAppSession() } } : converted;
  } finally {
    await server.close();
  }
}

/**
 * Adds advice to the SDK's errors, for a caller that tries to read a drop as a resource, or puts a tool's name or arguments in the wrong
 * place.
 */
function withHint({ method, params }: McpMessage, body: string): string {
  if (method === "resources/list")
    return withDropsElsewhere(body, isObject(params) ? params.cursor : undefined);
  const hint = messageHints[method];
  if (hint === undefined || body === "") return body;
  const { error, ...rest } = JSON.parse(body) as {
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
  // The service's own errors about tools have `data`, and already name the call that was meant.
  if (error === undefined || (method === "tools/call" && error.data !== undefined)) return body;
  const { message: meant = "", data } =
    method === "tools/call" && isObject(params) ? explainMessage(params) : {};
  // Replaces the SDK's message about invalid parameters, which is a raw validation report.
  const isReport = error.code === ProtocolErrorCode.InvalidParams || error.message.startsWith("[");
  const said = isReport ? `The parameters of ${method} are invalid` : error.message;
  const code = isReport ? ProtocolErrorCode.InvalidParams : error.code;
  const message = [`${said}. ${hint}`, meant].filter(Boolean).join(" ");
  return JSON.stringify({ ...rest, error: { ...error, code, message, ...(data && { data }) } });
}

/** Describes the tool that is named in a malformed message. */
function explainMessage({ name, tool }: Record<string, unknown>): Partial<ReturnType<typeof explainTool>> {
  const meant = name ?? tool;
  return typeof meant === "string" ? explainTool(meant) : {};
}

/** Adds a hint that names the tool for listing drops, for clients that look for drops among the resources. */
function withDropsElsewhere(body: string, cursor: unknown): string {
  const message = JSON.parse(body) as { readonly result?: { readonly resources: readonly Resource[] } };
  if (message.result === undefined) return body;
  if (typeof cursor === "string" && cursor !== "") {
    const { result: _, ...rest } = message;
    const data = { field: "params.cursor" };
    const error = { code: ProtocolErrorCode.InvalidParams, message: noCursor, data };
    return JSON.stringify({ ...rest, error });
  }
  const resources = message.result.resources.map((one) => ({
    ...one,
    description: `${one.description} Drops are not resources: the tool list_drops lists them.`,
  }));
  return JSON.stringify({ ...message, result: { ...message.result, resources } });
}

const messageHints: Readonly<Record<string, string>> = {
  "resources/read": `resources/list lists the resources. To read a drop, send tools/call with {"name": "read_drop", "arguments": {"slug": "…"}}.`,
  initialize: `Send {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "…", "version": "…"}}.`,
  "tools/call": `Send the tool's name as params.name and its arguments as params.arguments, an object: {"name": "list_drops", "arguments": {…}}.`,
};

/** Headers that the SDK reads. It compares the protocol's headers with the message. */
const readHeaders = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** Converts a request to a web request for the SDK, without the body, which is already parsed. */
function toWebRequest(request: HttpRequest): Request {
  // The server always responds with JSON, so clients need not send an Accept header.
  const headers = new Headers({ accept: "application/json, text/event-stream" });
  for (const name of readHeaders) {
    for (const value of request.headers[name] ?? []) headers.append(name, value);
  }
  return new Request(new URL(request.path, `https://${request.host}`), { method: request.method, headers });
}

function toHttpResponse(status: number, body: string): HttpResponse {
  return { status, headers: body === "" ? { "cache-control": "no-store" } : jsonHeaders, body };
}
