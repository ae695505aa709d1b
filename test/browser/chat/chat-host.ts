import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";
import type { FrameLocator, Page } from "playwright-core";
import { makePageApp } from "../../../lib/bundle/page-app.ts";
import { makePageAsset } from "../../../lib/bundle/page-assets.ts";
import type { ChatRecord } from "./chat.client.ts";

/** Hosts of MCP Apps in which the app is tested. */
export const hostNames = ["reference", "mcp-ui"] as const;
export type HostName = (typeof hostNames)[number];

/** Responds to a tool call of the app. */
export type CallTool = (name: string, given: Record<string, unknown>) => Promise<CallToolResult>;

/** Chat in which an agent has called a tool. */
export interface ChatOptions {
  /** HTML of the app. @default - the app of the bundle */
  readonly html?: string;
  readonly tool: string;
  /** @default - no arguments */
  readonly input?: Record<string, unknown>;
  readonly result: CallToolResult;
  readonly callTool: CallTool;
  /** @default - light, and at most 900 pixels high */
  readonly context?: McpUiHostContext;
}

/** App in a chat. */
export interface Chat {
  readonly app: FrameLocator;
  /** The published page inside the app. */
  readonly inner: FrameLocator;
  record(): Promise<Pick<ChatRecord, "calls" | "messages" | "links" | "heights">>;
  change(context: McpUiHostContext): Promise<void>;
  /** Makes the chat refuse all further messages and links. */
  refuse(): Promise<void>;
  /** Returns the axe rules that the app violates, with the elements. */
  violations(): Promise<readonly string[]>;
}

/** Serves chats on one origin and their sandboxes on another site. */
export interface ChatServer {
  /** Opens a chat in a new window. */
  open(page: Page, options: ChatOptions): Promise<Chat>;
  stop(): Promise<void>;
}

/** Frame policies of the reference host and of Claude, which ignores `frameDomains`. */
const framePolicies: Readonly<Record<HostName, string>> = {
  reference: "frame-src 'none'; base-uri 'none'",
  "mcp-ui": "frame-src 'self' blob: data:; base-uri 'self'",
};

function contentPolicy(host: HostName): string {
  const made = "'self' data: blob:";
  return [
    "default-src 'none'",
    `script-src ${made} 'unsafe-inline' 'unsafe-eval'`,
    `style-src ${made} 'unsafe-inline'`,
    `img-src ${made}; font-src ${made}; media-src ${made}; worker-src 'self' blob:`,
    "connect-src 'self'; object-src 'none'",
    framePolicies[host],
  ].join("; ");
}

export async function startChatServer(host: HostName): Promise<ChatServer> {
  const assets = ["sandbox-proxy", `${host}-host`].map((name) =>
    makePageAsset(join(import.meta.dirname, `${name}.client.ts`), {
      define: { "process.env.NODE_ENV": '"production"' },
    }),
  );
  const [[proxy, chat], { text: html }] = await Promise.all([Promise.all(assets), makePageApp()]);
  let settings: (ChatOptions & { readonly context: McpUiHostContext }) | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const {
      status = 200,
      type,
      body,
      headers,
    } = await respond(incoming).catch((error) => ({
      status: 502,
      type: "text/plain",
      body: String(error),
      headers: {},
    }));
    outgoing.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function respond(incoming: IncomingMessage): Promise<Served> {
    const isSandbox = incoming.headers.host?.startsWith("sandbox.");
    if (isSandbox)
      return {
        type: "text/html",
        body: `<!doctype html><html style="height:100%"><body style="margin:0;height:100%"><script>${proxy?.text}</script>`,
        headers: { "content-security-policy": contentPolicy(host) },
      };
    if (incoming.url === "/settings") {
      const { callTool: _, ...rest } = settings ?? {};
      const sandboxUrl = `http://sandbox.localhost:${port}/`;
      return { type: "application/json", body: JSON.stringify({ input: {}, html, ...rest, sandboxUrl }) };
    }
    if (incoming.url === "/tools/call") {
      const { name, arguments: given = {} } = JSON.parse(await text(incoming));
      return { type: "application/json", body: JSON.stringify(await settings?.callTool(name, given)) };
    }
    return { type: "text/html", body: chatPage(chat?.text ?? "", settings?.context ?? {}) };
  }

  return {
    async open(page, options) {
      settings = { ...options, context: { theme: "light", ...sizeOf(page), ...options.context } };
      await page.goto(`http://chat.localhost:${port}/`);
      const app = page.frameLocator("#app iframe").frameLocator("iframe");
      return {
        app,
        inner: app.frameLocator("iframe.page"),
        record: () =>
          page.evaluate(() => {
            const { calls, messages, links, heights } = (globalThis as unknown as { chat: ChatRecord }).chat;
            return { calls, messages, links, heights };
          }),
        change: (context) =>
          page.evaluate(
            (changed) => (globalThis as unknown as { chat: ChatRecord }).chat.change(JSON.parse(changed)),
            JSON.stringify(context),
          ),
        violations: () => violationsIn(app),
        refuse: () =>
          page.evaluate(() => {
            (globalThis as unknown as { chat: ChatRecord }).chat.isRefusing = true;
          }),
      };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Served {
  /** @default 200 */
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  /** @default - no further headers */
  readonly headers?: Record<string, string>;
}

function sizeOf(page: Page): McpUiHostContext {
  const width = page.viewportSize()?.width ?? 760;
  return { containerDimensions: { maxWidth: width, maxHeight: 900 } };
}

/** Renders a chat with a person's message and the app below it. */
function chatPage(script: string, { theme = "light" }: McpUiHostContext): string {
  return `<!doctype html><html lang="en" style="color-scheme:${theme}"><title>Chat</title>
<meta name="viewport" content="width=device-width"><style>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#faf9f5, #262624); color: light-dark(#111, #eee) }
main { max-width: 720px; margin: 0 auto; padding: 12px; display: grid; gap: 12px }
.person { margin: 0 0 0 auto; padding: 8px 14px; border-radius: 14px; background: light-dark(#eceae2, #3a3a38); white-space: pre-wrap }
#app { border: 1px solid light-dark(#ddd, #444); border-radius: 12px; overflow: hidden }
#app iframe { display: block; width: 100%; height: 60px; border: 0 }
</style><main><p class="person">Publish the report, please.</p><div id="app"></div></main><script>${script}</script>`;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violationsIn(app: Chat["app"]): Promise<readonly string[]> {
  const frame = await (await app.locator("body").elementHandle())?.ownerFrame();
  await frame?.addScriptTag({ content: axeSource });
  return app.locator("body").evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
}
