/** Chat with the renderer of `@mcp-ui/client`. */
import { AppRenderer } from "@mcp-ui/client";
import type {
  McpUiMessageRequest,
  McpUiOpenLinkRequest,
  McpUiSizeChangedNotification,
} from "@modelcontextprotocol/ext-apps";
import { type ComponentType, createElement, useState } from "react";
import { createRoot } from "react-dom/client";
import {
  type ChatSettings,
  callTool,
  openLink,
  readSettings,
  takeHeight,
  takeMessage,
} from "./chat.client.ts";

function Chat({ html, sandboxUrl, tool, input, result, context }: ChatSettings) {
  const [shown, setShown] = useState(context);
  window.chat.change = (changed) => setShown((present) => ({ ...present, ...changed }));
  // The package declares its properties in a way that TypeScript cannot read.
  return createElement(AppRenderer as ComponentType<Record<string, unknown>>, {
    toolName: tool,
    html,
    sandbox: { url: new URL(sandboxUrl) },
    toolInput: input,
    toolResult: result,
    hostContext: shown,
    hostCapabilities: { openLinks: {}, serverTools: {}, logging: {}, message: { text: {} } },
    onCallTool: callTool,
    onMessage: async (params: McpUiMessageRequest["params"]) => takeMessage(params),
    onOpenLink: async ({ url }: McpUiOpenLinkRequest["params"]) => openLink(url),
    onSizeChanged: ({ height }: McpUiSizeChangedNotification["params"]) => takeHeight(height, 9_999),
  });
}

void readSettings().then((settings) => {
  const place = document.getElementById("app");
  if (place) createRoot(place).render(createElement(Chat, settings));
});
