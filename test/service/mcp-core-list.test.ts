import { expect, test } from "vitest";
import { newAccount, pageOf } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

/** Posts a message to the MCP URL that selects the short list. */
async function post(method: string, params: object, { token, query = "tools=core" }: Sent = {}) {
  const { status, text } = await fetchPage(`/mcp?${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { status, text, result: JSON.parse(text).result };
}

interface Sent {
  readonly token?: string;
  readonly query?: string;
}

test("the short list has eight tools in 5 KB, with or without a token", async () => {
  const { api } = await newAccount("core-list");

  const [listed, listedSignedIn] = [await post("tools/list", {}), await post("tools/list", {}, api)];

  expect(listed.result.tools.map(({ name }: { name: string }) => name)).toEqual([
    ...["upsert_drop", "edit_drop", "list_drops", "read_drop", "delete_drop"],
    ...["see_drop", "search_drops", "list_feedback"],
  ]);
  expect(Buffer.byteLength(listed.text)).toBeLessThanOrEqual(5_120);
  expect(listedSignedIn.result.tools).toEqual(listed.result.tools);
});

test("the instructions of the short list name only tools that are in it", async () => {
  const { result } = await post("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });

  const { tools } = (await post("tools/list", {}, { query: "" })).result;
  const named = tools.filter(({ name }: { name: string }) => result.instructions.includes(name));
  expect(named.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    ...["edit_drop", "list_drops", "list_feedback", "read_drop", "see_drop", "upsert_drop"],
  ]);
});

test("tools and arguments outside the short list can still be used", async () => {
  const { api } = await newAccount("core-call");
  const given = { html: pageOf("core"), metadata: { project: "core" }, context: "why" };

  const published = await post("tools/call", { name: "upsert_drop", arguments: given }, api);
  const { slug } = published.result.structuredContent;
  const versions = await post("tools/call", { name: "list_versions", arguments: { slug } }, api);

  expect(versions.result.structuredContent.versions).toMatchObject([{ version: 1, has_context: true }]);
});

test("an unknown list of tools is refused, and the error names the existing one", async () => {
  const { status, text } = await post("tools/list", {}, { query: "tools=all" });

  expect(status).toBe(400);
  expect(JSON.parse(text).error).toMatchObject({
    code: "invalid_arg",
    message: expect.stringContaining('"core"'),
  });
});

test("a URL that selects a list of tools uses the same sign-in as the URL without one", async () => {
  const metadata = await fetchPage("/.well-known/oauth-protected-resource/mcp?tools=core");
  const opened = await fetchPage("/mcp?tools=core");
  const challenged = await fetchPage("/mcp?tools=core", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_drops" } }),
  });

  expect(JSON.parse(metadata.text).resource).toBe(`${baseUrl()}/mcp`);
  expect(opened.status).toBe(405);
  expect(challenged.status).toBe(401);
  expect(challenged.headers["www-authenticate"]).toContain("/.well-known/oauth-protected-resource/mcp");
});
