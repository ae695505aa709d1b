import { type HttpRequest, singleHeader } from "../http/request.ts";
import { isObject } from "../http/schemas.ts";
import type { McpMessage } from "./rows.ts";

/**
 * Clients that pass only `structuredContent` to the model and drop the text: Claude Code (github.com/anthropics/claude-code, issue 79944)
 * and Codex (github.com/openai/codex, issue 38287).
 */
const dataReaders: readonly string[] = ["claude-code", "codex-mcp-client"];

/** Recognizes a message from a client that reads results only from `structuredContent`. */
export function readsOnlyData(message: McpMessage, request: HttpRequest): boolean {
  return dataReaders.includes(clientName(message, request) ?? "");
}

/** Reads the client's name from a message, or else from the request's headers (Model Context Protocol, revision 2026-07-28, "_meta"). */
export function clientName(message: McpMessage, request: HttpRequest): string | undefined {
  const client = metaOf(message)["io.modelcontextprotocol/clientInfo"];
  if (isObject(client) && typeof client.name === "string") return client.name;
  // Clients of earlier protocol revisions repeat their name only in User-Agent, such as `claude-code/2.1.204 (cli)`.
  return singleHeader(request, "user-agent")?.split("/", 1)[0];
}

/** Returns the metadata of a message, or an empty object. */
export function metaOf({ params }: McpMessage): Readonly<Record<string, unknown>> {
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta : {};
}
