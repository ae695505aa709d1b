import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "vitest";
import type { ErrorCode } from "../../functions/core/errors.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import type { appTools, mcpTools } from "../../functions/mcp/tools.ts";
import type { BodyOf } from "./client.ts";
import { baseUrl, fetchPage } from "./http.ts";

type Tools = (typeof mcpTools | typeof appTools)[number];
export type ToolName = Tools["name"];
type ResponseOf<Name extends ToolName> = BodyOf<Extract<Tools, { name: Name }>["operation"]>;

/** The official MCP client of either generation, connected to the service. */
export interface McpClient {
  readonly client: Client | EarlierClient;
  /** Calls a tool and accepts any result. */
  call(name: ToolName, given?: Record<string, unknown>): Promise<CallToolResult>;
  /** Calls a tool that must succeed. The client itself checks the response against the tool's output schema. */
  succeed<Name extends ToolName>(name: Name, given?: Record<string, unknown>): Promise<ResponseOf<Name>>;
  /** Calls a tool that must fail, and returns its error. */
  refuse(name: ToolName, given: Record<string, unknown>, code: ErrorCode): Promise<RefusedCall>;
}

/** Details of a tool's error. */
export interface RefusedCall {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly advice: string;
}

/** Protocol revisions that clients still use. They differ in how a client connects. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
type Revision = (typeof revisions)[number];

/** Connects the official client, with or without a token, and loads the tools' schemas. */
export async function connectMcp(token?: string, revision: Revision = "2026-07-28"): Promise<McpClient> {
  const address = new URL(baseUrl() + callMcpRoute.path);
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = { fetch: fetchAsTest, requestInit: { headers } };
  const client = await (revision === "2026-07-28"
    ? connect(address, options)
    : connectEarlier(address, options));
  await client.listTools();
  const call = async (name: ToolName, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  return {
    client,
    call,
    async succeed(name, given) {
      const result = await call(name, given);
      if (result.isError) throw new Error(`${name} refused: ${JSON.stringify(result.content)}`);
      return result.structuredContent as ResponseOf<typeof name>;
    },
    async refuse(name, given, code) {
      const { isError, structuredContent, content } = await call(name, given);
      const [text = "", advice = ""] = content.map((block) => (block.type === "text" ? block.text : ""));
      const { error } = structuredContent as { error: { code: string } & Omit<RefusedCall, "advice"> };
      expect({ isError, code: error?.code }).toEqual({ isError: true, code });
      expect(JSON.parse(text)).toEqual(structuredContent);
      return { message: error.message, details: error.details ?? {}, advice };
    },
  };
}

type TransportOptions = Pick<
  NonNullable<ConstructorParameters<typeof EarlierTransport>[1]>,
  "fetch" | "requestInit"
>;

const clientInfo = { name: "dropleaf-test", version: "1" };

async function connect(address: URL, options: TransportOptions): Promise<Client> {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(address, options));
  return client;
}

async function connectEarlier(address: URL, options: TransportOptions): Promise<EarlierClient> {
  const client = new EarlierClient(clientInfo);
  await client.connect(new EarlierTransport(address, options));
  return client;
}

/** Sends requests from the test file's own address, as all other requests of the tests. */
export async function fetchAsTest(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { status, headers, bytes } = await fetchPage(address, {
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(init.body === undefined || init.body === null ? {} : { body: String(init.body) }),
  });
  return new Response(bytes.byteLength === 0 ? null : new Uint8Array(bytes), { status, headers });
}
