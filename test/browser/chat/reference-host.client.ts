/** Chat with the reference host of MCP Apps: `AppBridge` of `@modelcontextprotocol/ext-apps`. */
import {
  AppBridge,
  type McpUiHostContext,
  PostMessageTransport,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import { callTool, openLink, readSettings, takeHeight, takeMessage } from "./chat.client.ts";

const capabilities = { openLinks: {}, serverTools: {}, logging: {}, message: { text: {} } };

void readSettings().then(async ({ html, sandboxUrl, input, result, context }) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  document.getElementById("app")?.append(frame);
  const bridge = new AppBridge(null, { name: "reference-chat", version: "1" }, capabilities, {
    hostContext: context,
  });
  bridge.addEventListener("sandboxready", () => bridge.sendSandboxResourceReady({ html }));
  bridge.addEventListener("initialized", async () => {
    await bridge.sendToolInput({ arguments: input });
    await bridge.sendToolResult(result as Parameters<AppBridge["sendToolResult"]>[0]);
  });
  bridge.addEventListener("sizechange", ({ height }) => {
    frame.style.height = `${takeHeight(height, maxHeightOf(context))}px`;
  });
  bridge.oncalltool = async (params) => (await callTool(params)) as never;
  bridge.onmessage = async (params) => takeMessage(params);
  bridge.onopenlink = async ({ url }) => openLink(url);
  window.chat.change = (changed) => bridge.setHostContext({ ...context, ...changed });
  const { contentWindow } = frame;
  if (contentWindow === null) throw new Error("The frame of the app has no window.");
  await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
  frame.src = sandboxUrl;
});

function maxHeightOf({ containerDimensions = {} }: McpUiHostContext): number {
  return "maxHeight" in containerDimensions ? (containerDimensions.maxHeight ?? 9_999) : 9_999;
}
