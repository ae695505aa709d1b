import { expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";

const current = "2026-07-28";

/** Publishes a page that causes a warning, as the client with the user agent or name. */
async function callAs(token: string | undefined, { userAgent, name }: { userAgent?: string; name?: string }) {
  const _meta = name && {
    "io.modelcontextprotocol/protocolVersion": current,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
  };
  const params = {
    name: "publish_drop",
    arguments: { title: "Plain", html: "no tags" },
    ...(_meta && { _meta }),
  };
  const { text } = await fetchPage("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      ...(userAgent && { "user-agent": userAgent }),
      ...(name && {
        "mcp-protocol-version": current,
        "mcp-method": "tools/call",
        "mcp-name": "publish_drop",
      }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  return JSON.parse(text).result;
}

test.each([
  ["Claude Code", { userAgent: "claude-code/2.1.204 (cli)" }],
  ["Claude Code of the current revision", { name: "claude-code" }],
  ["Codex of the current revision", { name: "codex-mcp-client" }],
])("%s gets structured data with warnings, and only one line of text", async (_, client) => {
  const { api } = await newAccount("structured");

  const { structuredContent, content } = await callAs(api.token, client);

  expect(structuredContent).toMatchObject({ title: "Plain", latest_version: 1 });
  expect(structuredContent.warnings).toEqual([expect.stringContaining("no tags")]);
  expect(content).toEqual([{ type: "text", text: "Publish page: done. See structuredContent." }]);
});

test.each([
  ["another client", { userAgent: "node" }],
  ["another client of the current revision", { name: "dropleaf-test" }],
])("%s gets the data also as text, followed by the warnings", async (_, client) => {
  const { api } = await newAccount("structured-text");

  const { structuredContent, content } = await callAs(api.token, client);

  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  expect(content[1].text).toMatch(/^Warning: .*no tags/);
});
