import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import type { mcpTools } from "../../functions/mcp/tools.ts";
import type { ErrorCode } from "../../functions/platform/errors.ts";
import type { BodyOf } from "./client.ts";
import { baseUrl, fetchPage } from "./http.ts";

type Tools = (typeof mcpTools)[number];
export type ToolName = Tools["name"];
type ResponseOf<Name extends ToolName> = BodyOf<Extract<Tools, { name: Name }>["operation"]>;

/** The MCP server as an agent meets it: the official client, connected. */
export interface McpClient {
  readonly client: Client;
  /** Calls a tool that must succeed; the client itself checks the response against the tool's output schema. */
  succeed<Name extends ToolName>(name: Name, given?: Record<string, unknown>): Promise<ResponseOf<Name>>;
  /** Calls a tool that must refuse, and returns what it says. */
  refuse(name: ToolName, given: Record<string, unknown>, code: ErrorCode): Promise<RefusedCall>;
}

/** What a tool's refusal says, beside its code. */
export interface RefusedCall {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly advice: string;
}

/** Connects the official client, with a token or without; the tools' schemas are known from then on. */
export async function connectMcp(token?: string): Promise<McpClient> {
  const client = new Client({ name: "dropleaf-test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(baseUrl() + callMcpRoute.path), {
      fetch: fetchAsTest,
      requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    }),
  );
  await client.listTools();
  const call = async (name: ToolName, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  return {
    client,
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

/** The address that the test file comes from is its own, as with every other request of the tests. */
async function fetchAsTest(address: string | URL, init: RequestInit = {}): Promise<Response> {
  const { status, headers, bytes } = await fetchPage(address, {
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === "string" ? { body: init.body } : {}),
  });
  return new Response(bytes.byteLength === 0 ? null : new Uint8Array(bytes), { status, headers });
}
