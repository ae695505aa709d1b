import { randomUUID } from "node:crypto";
import {
  EXTENSION_ID,
  RESOURCE_MIME_TYPE,
  RESOURCE_URI_META_KEY,
} from "@modelcontextprotocol/ext-apps/server";
import type { McpServer, Tool } from "@modelcontextprotocol/server";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { isObject } from "../http/schemas.ts";
import { metaOf } from "./client-name.ts";
import type { McpMessage } from "./rows.ts";
import { toolOf } from "./tool-rows.ts";

// Serves the page that hosts display in the chat (MCP Apps extension, revision 2026-01-26); see
// docs/adr/0121-mcp-apps.md.

const pageUri = "ui://dropleaf/page";

/** Metadata of the embedded page. Omits `csp` and `permissions`, because the page needs no network access and no permissions. */
const pageMeta = { ui: { prefersBorder: true } } as const;

/** Capability that the server declares to hosts that can display apps. */
export const appCapability = { extensions: { [EXTENSION_ID]: {} } };

/**
 * Recognizes a message from a host that can display apps. The message contains the host's capabilities, or the id of the session that
 * declared them.
 */
export function showsApps(message: McpMessage, request: HttpRequest): boolean {
  const params = isObject(message.params) ? message.params : {};
  const capabilities =
    message.method === "initialize"
      ? params.capabilities
      : metaOf(message)["io.modelcontextprotocol/clientCapabilities"];
  return capabilities === undefined
    ? appSession.test(singleHeader(request, sessionHeader) ?? "")
    : declaresApps(capabilities);
}

function declaresApps(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  const settings = isObject(extensions) ? extensions[EXTENSION_ID] : undefined;
  const mimeTypes = isObject(settings) ? settings.mimeTypes : undefined;
  return Array.isArray(mimeTypes) && mimeTypes.includes(RESOURCE_MIME_TYPE);
}

const sessionHeader = "mcp-session-id";
const appSession = /^ui\.[\da-f-]{36}$/;

/**
 * Returns the response headers that start a session. The session's id encodes that the client can display apps, so that nothing needs to be
 * stored.
 */
export function startAppSession(): Readonly<Record<string, string>> {
  return { [sessionHeader]: `ui.${randomUUID()}` };
}

/** Adds the page's URI to the tools whose results the page shows, and adds the tools that only the page may call. */
export function withAppTools(tools: readonly Tool[], appTools: readonly Tool[]): Tool[] {
  const ofPage = appTools.map((tool) => ({
    ...tool,
    _meta: { ui: { resourceUri: pageUri, visibility: ["app"] } },
  }));
  return [...tools.map(withPage), ...ofPage];
}

function withPage(tool: Tool): Tool {
  if (toolOf(tool.name)?.app !== "shows-page") return tool;
  // Older hosts read the URI from RESOURCE_URI_META_KEY.
  const _meta = { ...tool._meta, ui: { resourceUri: pageUri }, [RESOURCE_URI_META_KEY]: pageUri };
  return { ...tool, _meta };
}

/** Adds the embedded page to the server's resources. */
export function registerPage(mcp: McpServer, readPage: () => Promise<string>): void {
  const described = { title: "Page in the chat", description: "Shows a drop in the conversation." };
  const options = { ...described, mimeType: RESOURCE_MIME_TYPE, _meta: pageMeta };
  mcp.registerResource("page", pageUri, options, async () => ({
    contents: [{ uri: pageUri, mimeType: RESOURCE_MIME_TYPE, text: await readPage(), _meta: pageMeta }],
  }));
}
