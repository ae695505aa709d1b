import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startChatServer } from "../../test/browser/chat/chat-host.ts";
import type { PageWalk } from "../../test/browser/pages/page-walks.ts";

/** Starts a chat that shows the drop at `url`. The chat's agent uses the tools of the service at `address`. */
export async function startSampleChat({ address, token, url }: Record<"address" | "token" | "url", string>) {
  const server = await startChatServer("reference");
  const client = new Client({ name: "screenshots", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", address), { requestInit }));
  const callTool = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  const walk: PageWalk = {
    name: "chat",
    async open(page) {
      const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
      const result = await callTool("get_drop", { slug: url });
      const context = { theme: isDark ? "dark" : "light" } as const;
      const { inner } = await server.open(page, { tool: "get_drop", result, callTool, context });
      await inner.locator("h1").first().waitFor();
    },
  };
  return {
    walk,
    async stop() {
      await client.close();
      await server.stop();
    },
  };
}
