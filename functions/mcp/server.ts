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
import { findSimilarName } from "../core/names.ts";
import { skillName } from "../discovery/text-documents.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { type HttpResponse, jsonHeaders } from "../http/response.ts";
import { isObject, quote, shownCharactersMax } from "../http/schemas.ts";
import { callTool, type McpDocument } from "./call-tool.ts";
import type { invokeOperation } from "./invoke-operation.ts";
import type { McpMessage } from "./rows.ts";
import { toolRowOf } from "./tool-rows.ts";
import { explainTool } from "./unknown-tool.ts";

/**
 * Answers one message, with a server of its own: nothing is remembered between messages. A message of revision 2026-07-28
 * says in itself which client sent it and what that can do; one of an earlier revision needs no session either.
 *
 * @throws ApiError `invalid_arg` for another content type, a request without an id, and for what the transport of earlier revisions refuses
 */
export async function answerMessage({ skill, ...received }: ReceivedMessage): Promise<HttpResponse> {
  const { message, request } = received;
  const contentType = singleHeader(request, "content-type") ?? "";
  if (!isJsonContentType(contentType)) {
    const came = contentType === "" ? "none came" : `${JSON.stringify(contentType)} came`;
    throw new ApiError("invalid_arg", { message: `Content-Type must be application/json, but ${came}.` });
  }
  requireId(message);
  const sent = toWebRequest(request);
  const skills = await skillsOf(skill);
  const make = () => createServer({ ...received, skills });
  if (!(await isLegacyRequest(sent, message))) return answerCurrentRevision(message, request, make);
  return answerEarlierRevision(message, request, () => withMethodHint(make()));
}

/** Refuses a request that was sent as a notification: its result would be lost. */
function requireId({ id, method }: McpMessage): void {
  if (id !== undefined || !knownMethods.includes(method)) return;
  const message = `The message has no "id", without which it is a notification and gets no response. Send {"jsonrpc": "2.0", "id": 1, "method": ${quote(method)}, …}.`;
  throw new ApiError("invalid_arg", { message, details: { field: "id" } });
}

/** Lists and skills change when the service is deployed anew; a client may keep them as long. */
const keptMs = 300_000;
const keptByAll = { ttlMs: keptMs, cacheScope: "public" } as const;

/** Skills by their text, for the life of the process. */
const builtSkills = new Map<string, Promise<SkillsExtension>>();

/** The skill with the digest and size of the text that is served: the Skills extension of the protocol (SEP-2640). */
function skillsOf(skill: string): Promise<SkillsExtension> {
  const built = builtSkills.get(skill);
  if (built !== undefined) return built;
  const files = memorySkillFiles({ [`${skillName}/SKILL.md`]: skill });
  const skills = SkillsExtension.load(files, { cacheHint: keptByAll, strict: true });
  builtSkills.set(skill, skills);
  return skills;
}

/** A message, and what its server is made of. */
interface ServedMessage {
  readonly message: McpMessage;
  readonly request: HttpRequest;
  readonly document: McpDocument;
  readonly invoke: typeof invokeOperation;
  readonly skills: SkillsExtension;
}

/** The same, with the text of the skill. */
type ReceivedMessage = Omit<ServedMessage, "skills"> & { readonly skill: string };

function createServer({ message, request, document, invoke, skills }: ServedMessage): McpServer {
  const mcp = new McpServer(
    { name: "dropleaf", title: "Dropleaf", version: document.version },
    {
      // Nothing announces changes, since there are no streams.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions: document.instructions,
      jsonSchemaValidator: { getValidator: refuseToValidate },
      cacheHints: {
        "tools/list": { ttlMs: keptMs, cacheScope: "private" },
        "server/discover": keptByAll,
        "resources/list": keptByAll,
        "resources/templates/list": keptByAll,
      },
    },
  );
  const { server } = mcp;
  server.setRequestHandler("tools/list", ({ params }) => {
    refuseCursor(params?.cursor);
    return { tools: toolsFor(request, document) };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    requireKnownParameters(message.params);
    return callTool({ name: params.name, given: params.arguments ?? {}, request, document, invoke });
  });
  skills.attach(mcp);
  return mcp;
}

/** Methods of this server. */
const knownMethods = [
  ...["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read"],
  ...["resources/templates/list", "skills/list", "skills/get"],
];

/**
 * Names the right method to a caller that writes messages by hand, and misspells one or sends a tool's name as the method. In the current
 * revision the SDK refuses an unknown method itself, by 404.
 */
function withMethodHint(mcp: McpServer): McpServer {
  mcp.server.fallbackRequestHandler = async ({ method }) => {
    const meant = findSimilarName(sortedWords(method), knownMethods.map(sortedWords));
    const name = knownMethods.find((one) => sortedWords(one) === meant);
    const methods = `The methods are ${knownMethods.join(", ")}.`;
    const near = name === undefined ? methods : `Did you mean ${name}?`;
    const call = `To call a tool, send tools/call with {"name": "publish_drop", "arguments": {"html": "…", "title": "…"}}.`;
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Method not found: ${quote(method)}. ${near} ${call}`,
    );
  };
  return mcp;
}

/** Words of a method in the order of the alphabet: `listTools` and `tools/list` are one. */
function sortedWords(method: string): string {
  const words = method.slice(0, shownCharactersMax).split(/[^A-Za-z]+|(?=[A-Z])/);
  return words
    .map((word) => word.toLowerCase())
    .toSorted()
    .join("");
}

/** Refuses a cursor, which no list gives: the caller would take all of it for its next page. */
function refuseCursor(cursor: string | undefined): void {
  if ((cursor ?? "") === "") return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, noCursor, { field: "params.cursor" });
}

const noCursor =
  "Unknown params.cursor: the list has one page, and no response has a nextCursor. Leave it out.";

const callParameters = ["name", "arguments", "task", "_meta"];

/** Refuses arguments under another name: the tool would be called without them. */
function requireKnownParameters(sent: unknown): void {
  const params = isObject(sent) ? sent : {};
  const unknown = Object.keys(params).find((name) => !callParameters.includes(name));
  if (unknown === undefined || "arguments" in params) return;
  const asArguments = `Unknown params.${unknown.slice(0, 100)}. Send the tool's arguments as params.arguments.`;
  const { message, data } = explainMessage(params);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, [asArguments, message].join(" ").trim(), {
    field: `params.${unknown.slice(0, 100)}`,
    ...data,
  });
}

/** Leaves out the tools of sign-in for a caller that has signed in. */
function toolsFor({ headers }: HttpRequest, { tools }: McpDocument): Tool[] {
  if (headers.authorization === undefined) return tools;
  return tools.filter(({ name }) => toolRowOf(name)?.resource !== "auth");
}

/** The SDK validates what clients fill in when a server asks them to, which this one does not. */
function refuseToValidate(): never {
  throw new Error(
    "This server asks its clients for nothing, so that it has no responses of theirs to validate.",
  );
}

/**
 * Errors have the protocol's codes, by which clients find out the server's revision; revision 2026-07-28, "Streamable HTTP",
 * section "Server Validation".
 */
async function answerCurrentRevision(
  message: McpMessage,
  request: HttpRequest,
  make: () => McpServer,
): Promise<HttpResponse> {
  // The SDK would open a stream, which has no end, and nothing ever changes on it.
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

/** Revisions until 2025-11-25, whose refusals by HTTP may have any body: "Sending Messages to the Server". */
async function answerEarlierRevision(
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
    if (!response.ok) throw new ApiError("invalid_arg", { message: refusalIn(body) });
    return toHttpResponse(response.status, withHint(message, body));
  } finally {
    await server.close();
  }
}

/**
 * Names the right message to a caller that takes a drop for a resource, or sends a tool's name or arguments otherwise. The SDK writes the
 * error itself.
 */
function withHint({ method, params }: McpMessage, body: string): string {
  if (method === "resources/list")
    return withDropsElsewhere(body, isObject(params) ? params.cursor : undefined);
  const hint = messageHints[method];
  if (hint === undefined || body === "") return body;
  const { error, ...rest } = JSON.parse(body) as { readonly error?: SentError };
  // Our own errors about tools have data, and name the right call already.
  if (error === undefined || (method === "tools/call" && error.data !== undefined)) return body;
  const { message: meant = "", data } =
    method === "tools/call" && isObject(params) ? explainMessage(params) : {};
  const message = [`${error.message}. ${hint}`, meant].filter(Boolean).join(" ");
  return JSON.stringify({ ...rest, error: { ...error, message, ...(data && { data }) } });
}

/** An error of JSON-RPC. */
interface SentError {
  readonly message: string;
  readonly data?: unknown;
}

/** Explains the tool of a message that does not have it as the protocol has. */
function explainMessage({ name, tool }: Record<string, unknown>): Partial<ReturnType<typeof explainTool>> {
  const meant = name ?? tool;
  return typeof meant === "string" ? explainTool(meant) : {};
}

/** Explains where drops are to clients that look for them among the resources. */
function withDropsElsewhere(body: string, cursor: unknown): string {
  const message = JSON.parse(body) as { readonly result?: { readonly resources: readonly Resource[] } };
  if (message.result === undefined) return body;
  if (typeof cursor === "string" && cursor !== "") {
    const { result: _, ...rest } = message;
    const error = {
      code: ProtocolErrorCode.InvalidParams,
      message: noCursor,
      data: { field: "params.cursor" },
    };
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
  "tools/call": `Send the tool's name as params.name and its arguments as params.arguments, an object: {"name": "list_drops", "arguments": {…}}.`,
};

/** The transport refuses by an error of JSON-RPC. */
function refusalIn(body: string): string {
  const { error } = JSON.parse(body) as { readonly error: { readonly message: string } };
  return `${error.message}.`;
}

/** Headers that the SDK reads. It compares the standard's headers with the message. */
const readHeaders = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** The request as the SDK takes it, without its body, which has been read already. */
function toWebRequest(request: HttpRequest): Request {
  // The server has one response format, which clients without an Accept header get too.
  const headers = new Headers({ accept: "application/json, text/event-stream" });
  for (const name of readHeaders) {
    for (const value of request.headers[name] ?? []) headers.append(name, value);
  }
  return new Request(new URL(request.path, `https://${request.host}`), { method: request.method, headers });
}

function toHttpResponse(status: number, body: string): HttpResponse {
  return { status, headers: body === "" ? { "cache-control": "no-store" } : jsonHeaders, body };
}
