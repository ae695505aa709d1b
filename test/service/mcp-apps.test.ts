import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";

const pageUri = "ui://dropleaf/page";
const mimeType = "text/html;profile=mcp-app";
const extension = "io.modelcontextprotocol/ui";
const declared = { extensions: { [extension]: { mimeTypes: [mimeType] } } };

let account: Account;

beforeAll(async () => {
  account = await newAccount("mcp-negotiation");
});

/** Parts of a request that differ between clients. */
interface Sent {
  readonly params?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

async function post(method: string, { params = {}, headers = {}, query = "" }: Sent = {}) {
  const response = await fetchPage(`/mcp${query}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${account.api.token}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return { ...response, result: JSON.parse(response.text).result };
}

/** Sends a request of revision 2026-07-28, which carries the client's capabilities in the message. */
function postCurrent(method: string, clientCapabilities: object) {
  const revision = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: "openai-mcp", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
  };
  return post(method, {
    params: { _meta },
    headers: { "mcp-protocol-version": revision, "mcp-method": method },
  });
}

const vscodeCapabilities = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

/**
 * The parameters of `initialize`. Those of Claude (September 2026), ChatGPT and VS Code are from public traces. VS Code declares the
 * extension since it supports apps. Cursor's and goose's capabilities are from github.com/actionhero/keryx, pull request 505, and goose's
 * `mcp_client.rs`.
 */
const clients = {
  Claude: {
    protocolVersion: "2025-11-25",
    capabilities: declared,
    clientInfo: { name: "Anthropic/ClaudeAI", version: "1.0.0" },
  },
  ChatGPT: {
    protocolVersion: "2025-11-25",
    capabilities: { experimental: { "openai/visibility": { enabled: true } }, ...declared },
    clientInfo: { name: "openai-mcp", version: "1.0.0" },
  },
  Cursor: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} }, roots: { listChanged: true }, ...declared },
    clientInfo: { name: "cursor-vscode", version: "1.0.0" },
  },
  goose: {
    protocolVersion: "2025-03-26",
    capabilities: { sampling: {}, ...declared },
    clientInfo: { name: "goose", version: "1.20.0" },
  },
  "VS Code": {
    protocolVersion: "2025-11-25",
    capabilities: { ...vscodeCapabilities, ...declared },
    clientInfo: { name: "Visual Studio Code", version: "1.138.0" },
  },
  "an earlier VS Code": {
    protocolVersion: "2025-11-25",
    capabilities: vscodeCapabilities,
    clientInfo: { name: "Visual Studio Code", version: "1.107.1" },
  },
  "Claude Code": {
    protocolVersion: "2025-11-25",
    capabilities: { roots: {}, elicitation: {} },
    clientInfo: { name: "claude-code", version: "2.1.204" },
  },
  Codex: {
    protocolVersion: "2025-06-18",
    capabilities: { elicitation: {} },
    clientInfo: { name: "codex-mcp-client", version: "0.46.0" },
  },
} as const;

const hosts = ["Claude", "ChatGPT", "VS Code", "Cursor", "goose"] as const;
const others = ["an earlier VS Code", "Claude Code", "Codex"] as const;

/** Starts a session as a client, and returns the headers of its later requests. */
async function start(client: keyof typeof clients) {
  const params = clients[client];
  const started = await post("initialize", { params });
  expect(started.result.protocolVersion).toBe(params.protocolVersion);
  const id = started.headers["mcp-session-id"];
  const headers = {
    "mcp-protocol-version": params.protocolVersion,
    ...(id === undefined ? {} : { "mcp-session-id": String(id) }),
  };
  return { started, id, headers };
}

interface ListedTool {
  readonly name: string;
  readonly _meta?: { readonly ui?: { readonly resourceUri?: string; readonly visibility?: string[] } };
}

const showing = [
  "publish_drop",
  "update_drop",
  "upsert_drop",
  "edit_drop",
  "get_drop",
  "restore_version",
  "see_drop",
];
const ofPage = [
  ...["page_details", "page_html", "page_versions", "page_readers", "page_restore"],
  ...["page_comments", "page_resolve_comment", "page_answers", "page_picture"],
];

/** Checks that the list contains the tools that show the app's page and the tools that the page calls. */
function expectAppTools(tools: readonly ListedTool[]) {
  const shown = tools.filter(({ _meta }) => _meta?.ui?.visibility === undefined && _meta?.ui !== undefined);
  expect(shown.map(({ name }) => name).toSorted()).toEqual(showing.toSorted());
  for (const { _meta } of shown)
    expect(_meta).toEqual({ ui: { resourceUri: pageUri }, "ui/resourceUri": pageUri });
  const hidden = tools.filter(({ _meta }) => _meta?.ui?.visibility !== undefined);
  expect(hidden.map(({ name }) => name)).toEqual(ofPage);
  for (const { _meta } of hidden)
    expect(_meta).toEqual({ ui: { resourceUri: pageUri, visibility: ["app"] } });
}

describe.each(hosts)("%s, which declares the extension", (client) => {
  test("gets a session id that makes later requests list the app's tools and page", async () => {
    const { started, id, headers } = await start(client);

    expect(id).toMatch(/^ui\.[\da-f-]{36}$/);
    expect(started.result.capabilities.extensions).toHaveProperty([extension]);
    expectAppTools((await post("tools/list", { headers })).result.tools);
    const { resources } = (await post("resources/list", { headers })).result;
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: pageUri, mimeType, _meta: { ui: { prefersBorder: true } } }),
    );
  });
});

describe.each(others)("%s, which does not declare the extension", (client) => {
  test("gets no session id, no app tools, and no app page among the resources", async () => {
    const { started, id, headers } = await start(client);
    const tools = await post("tools/list", { headers });
    const resources = await post("resources/list", { headers });

    expect(id).toBeUndefined();
    for (const { text } of [started, tools, resources]) expect(text).not.toMatch(/ui:\/\/|mcp-app|page_html/);
    expect(tools.text).toBe((await post("tools/list")).text);
    expect(resources.text).toBe((await post("resources/list")).text);
  });
});

test.each<[string, object]>([
  ["other document types", { extensions: { [extension]: { mimeTypes: ["text/html"] } } }],
  ["no document types", { extensions: { [extension]: {} } }],
  ["document types that are not a list", { extensions: { [extension]: { mimeTypes: mimeType } } }],
  ["null for the extension", { extensions: { [extension]: null } }],
  ["extensions that are not an object", { extensions: [extension] }],
  ["another extension", { extensions: { "io.modelcontextprotocol/skills": { mimeTypes: [mimeType] } } }],
  ["the extension as experimental", { experimental: declared.extensions }],
])("a client that declares %s gets no session id and no app tools", async (_, capabilities) => {
  const params = { ...clients.Claude, capabilities };
  const { headers } = await post("initialize", { params });
  const current = await postCurrent("tools/list", capabilities);

  expect(headers).not.toHaveProperty("mcp-session-id");
  expect(current.text).not.toMatch(/ui:\/\/|page_html/);
});

test("sessions have different ids, and a session id does not replace a valid token", async () => {
  const ids = [(await start("Claude")).id, (await start("Claude")).id];

  expect(ids[0]).not.toBe(ids[1]);
  const refused = await post("tools/call", {
    params: { name: "get_drop", arguments: { slug: "0000000" } },
    headers: { "mcp-session-id": String(ids[0]), authorization: `Bearer hb_${"A".repeat(36)}` },
  });
  expect(refused.status).toBe(401);
});

test.each(["ui.", "ui.1", "UI.00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"])(
  "the session id %s of another server does not add the app's tools",
  async (id) => {
    const { text, status } = await post("tools/list", { headers: { "mcp-session-id": id } });

    expect([status, text]).toEqual([200, (await post("tools/list")).text]);
  },
);

describe("revision 2026-07-28", () => {
  test("detects the app extension from the capabilities in each request, without a session", async () => {
    const [discovered, tools, resources] = [
      await postCurrent("server/discover", declared),
      await postCurrent("tools/list", declared),
      await postCurrent("resources/list", declared),
    ];

    expect(discovered.result.capabilities.extensions).toHaveProperty([extension]);
    expectAppTools(tools.result.tools);
    expect(resources.text).toContain(pageUri);
    expect([tools.result.cacheScope, resources.result.cacheScope]).toEqual(["private", "private"]);
    for (const { headers } of [discovered, tools, resources])
      expect(headers).not.toHaveProperty("mcp-session-id");
  });

  test("omits the app's page and tools for clients that do not declare the extension", async () => {
    for (const method of ["server/discover", "tools/list", "resources/list"]) {
      const { text, status } = await postCurrent(method, { elicitation: {} });

      expect(status).toBe(200);
      expect(text).not.toMatch(/ui:\/\/|page_html|modelcontextprotocol\/ui"/);
    }
    expect((await postCurrent("resources/list", {})).result.cacheScope).toBe("public");
  });
});

test("the tools list for app hosts has at most 24 KB, or 9 KB for the short list", async () => {
  const { headers } = await start("Claude");
  const whole = await post("tools/list", { headers });
  const short = await post("tools/list", { headers, query: "?tools=core" });

  expect(Buffer.byteLength(whole.text)).toBeLessThanOrEqual(24_576);
  expect(Buffer.byteLength(short.text)).toBeLessThanOrEqual(9_216);
});

test("the short list for app hosts has the app's tools, and links three of its own tools to the page", async () => {
  const { headers } = await start("ChatGPT");

  const { tools } = (await post("tools/list", { headers, query: "?tools=core" })).result as {
    readonly tools: readonly ListedTool[];
  };

  const shown = tools.filter(({ _meta }) => _meta !== undefined).map(({ name }) => name);
  expect(shown).toEqual(["upsert_drop", "edit_drop", "see_drop", ...ofPage]);
  expect(tools).toHaveLength(8 + ofPage.length);
});

test("any client can read the app's page by its URI, and the page refers to no other hosts", async () => {
  const read = await post("resources/read", { params: { uri: pageUri } });

  const [content] = read.result.contents;
  expect(content).toEqual({
    uri: pageUri,
    mimeType,
    text: expect.stringMatching(/^<!doctype html>/),
    _meta: { ui: { prefersBorder: true } },
  });
  expect(content.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(content.text).not.toContain("base-url.invalid");
});

test("streaming or ending a session is refused with 405", async () => {
  const { headers } = await start("Claude");

  for (const method of ["GET", "DELETE"]) {
    const response: ReceivedResponse = await fetchPage("/mcp", { method, headers });
    expect([response.status, response.headers.allow]).toEqual([405, "POST"]);
  }
});

describe("Claude Code", () => {
  const userAgent = "claude-code/2.1.204 (cli)";

  test("gets the maximum result sizes of the tools with long results, in a list of at most 16 KB", async () => {
    const listed = await post("tools/list", { headers: { "user-agent": userAgent } });
    const tools = listed.result.tools as readonly { name: string; _meta?: Record<string, number> }[];

    const sizes = tools.flatMap(({ name, _meta }) => (_meta === undefined ? [] : [[name, _meta]]));
    expect(Object.fromEntries(sizes)).toEqual({
      read_drop: { "anthropic/maxResultSizeChars": 101_000 },
      compare_versions: { "anthropic/maxResultSizeChars": 101_000 },
      list_feedback: { "anthropic/maxResultSizeChars": 201_000 },
      read_answers: { "anthropic/maxResultSizeChars": 201_000 },
    });
    expect(Buffer.byteLength(listed.text)).toBeLessThanOrEqual(16_384);
  });

  test("gets the same list as other clients before it signs in, within 16 KB", async () => {
    const list = (headers: Readonly<Record<string, string>>) =>
      fetchPage("/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      });

    const { text } = await list({ "user-agent": userAgent });

    expect(text).toBe((await list({})).text);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16_384);
  });

  test("gets the longest part of a page within the maximum result size", async () => {
    const { slug } = await publish(account.api, { html: `<p>${"x".repeat(150_000)}` });

    const { result } = await post("tools/call", {
      params: { name: "read_drop", arguments: { slug, limit: 100_000 } },
      headers: { "user-agent": userAgent },
    });

    const characters = result.content.map(({ text }: { text: string }) => text).join("").length;
    expect(characters).toBeGreaterThan(100_000);
    expect(characters).toBeLessThanOrEqual(101_000);
  });
});
