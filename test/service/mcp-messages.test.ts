import { beforeAll, describe, expect, test } from "vitest";
import { mcpBodyBytesMax } from "../../functions/mcp/rows.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorShape } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { connectMcp, revisions } from "../support/mcp-client.ts";
import { expectCommonHeaders, expectJsonHeaders } from "../support/security-headers.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("mcp-messages");
});

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

function post(message: unknown, options: SendOptions = {}): Promise<ReceivedResponse> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  const headers = { "content-type": "application/json", ...options.headers };
  return fetchPage("/mcp", { method: "POST", body, ...options, headers });
}

describe("POST /mcp", () => {
  test("responds to a request with uncached JSON and without a session id", async () => {
    const response = await post(ping);

    expect(response.status).toBe(200);
    expectJsonHeaders(response);
    expect(JSON.parse(response.text)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(response.headers).not.toHaveProperty("mcp-session-id");
  });

  test("accepts a notification with 202 and an empty body", async () => {
    const response = await post({ jsonrpc: "2.0", method: "notifications/initialized" });

    expect([response.status, response.text]).toEqual([202, ""]);
    expectCommonHeaders(response);
  });

  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])("supports revision %s", async (protocolVersion) => {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion, capabilities: {}, clientInfo };

    const response = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    const next = await post(ping, { headers: { "mcp-protocol-version": protocolVersion } });

    expect(JSON.parse(response.text).result).toMatchObject({ protocolVersion, capabilities: { tools: {} } });
    expect(next.status).toBe(200);
  });

  test("refuses unknown methods and tools and malformed arguments with the protocol's error codes", async () => {
    const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const errorOf = async (message: object) => JSON.parse((await post(message)).text).error;

    expect(await errorOf({ ...ping, method: "prompts/list" })).toMatchObject({ code: -32_601 });
    for (const name of ["rm_rf", "constructor"]) {
      expect(await errorOf(call({ name }))).toEqual({
        code: -32_602,
        message: expect.stringMatching(
          new RegExp(`^There is no tool "${name}"\\. No tool matches .*: tools/list lists all tools\\.$`),
        ),
        data: { tool: name, nearest: [] },
      });
    }
    expect((await errorOf(call({ name: "start_sign_in", arguments: "slug" }))).message).toContain(
      "arguments",
    );
  });

  test.each([
    ["invalid JSON", "{", "invalid_json"],
    ["an empty body", "", "invalid_json"],
    ["a batch", [ping, ping], "invalid_arg"],
    ["an empty batch", [], "invalid_arg"],
    ["a number", 7, "invalid_arg"],
    ["a message without the JSON-RPC version", { id: 1, method: "ping" }, "invalid_arg"],
    ["another version of JSON-RPC", { ...ping, jsonrpc: "1.0" }, "invalid_arg"],
    ["a message without a method", { jsonrpc: "2.0", id: 1 }, "invalid_arg"],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }, "invalid_arg"],
  ] as const)("refuses %s with an error of the contract", async (_what, message, code) => {
    expectError(await post(message), code);
  });

  test("refuses a batch with advice to send single messages", async () => {
    expect(expectError(await post([ping]), "invalid_arg").message).toContain("its own request");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "text/plain; a=application/json"])(
    "refuses the content type %s",
    async (type) => {
      const response = await post(ping, { headers: { "content-type": type } });

      expect(expectError(response, "invalid_arg").message).toContain("application/json");
    },
  );

  test("refuses an unsupported revision of the protocol, and names the supported ones", async () => {
    const response = await post(ping, { headers: { "mcp-protocol-version": "1999-01-01" } });

    expect(expectError(response, "invalid_arg").message).toContain("2025-11-25");
  });

  test("refuses requests from other sites' pages, and accepts those from its own", async () => {
    for (const origin of ["https://elsewhere.example", "null", `${baseUrl()}.example`]) {
      expectError(await post(ping, { headers: { origin } }), "forbidden");
    }
    expect((await post(ping, { headers: { origin: baseUrl() } })).status).toBe(200);
  });

  test("publishes nothing for another site's page, even with a valid token", async () => {
    const call = { name: "publish_drop", arguments: { title: "T", html: "<p>" } };
    const authorization = `Bearer ${account.api.token}`;

    const response = await post(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
      { headers: { authorization, origin: "https://elsewhere.example" } },
    );

    expectError(response, "forbidden");
    expect(await account.api.succeed("list-drops")).toMatchObject({ total: 0 });
  });

  test("refuses a message that is too large, and names an alternative", async () => {
    const params = { name: "publish_drop", arguments: { html: "x".repeat(mcpBodyBytesMax) } };

    const response = await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

    expectErrorShape(response);
    expect(response.status).toBe(413);
    expect(response.text).toMatch(/\/api\/drops.*start_upload/);
  });

  test("exists only on the service's own host", async () => {
    const { url, slug } = await publish(account.api);
    const { origin } = new URL(url);

    if (origin !== baseUrl()) {
      const body = JSON.stringify(ping);
      const headers = { "content-type": "application/json" };
      expectError(await fetchPage(`${origin}/mcp`, { method: "POST", headers, body }), "not_found");
    }
    await account.api.succeed("delete-drop", { params: { slug } });
  });
});

describe("an invalid token", () => {
  test.each([
    ["that was never issued", `Bearer hb_${"A".repeat(36)}`],
    ["that is empty", "Bearer"],
    ["of another scheme", "Basic aGI6aGI="],
  ])("%s is refused with 401, whatever the request", async (_which, authorization) => {
    for (const message of [ping, { ...ping, method: "initialize" }, { ...ping, method: "tools/list" }, "{"]) {
      expectError(await post(message, { headers: { authorization } }), "unauthorized");
    }
  });

  test.each([
    ["of a tool", { name: "whoami" }],
    ["of a tool without its arguments", { name: "get_drop" }],
    ["of a tool with unknown parameters", { name: "get_drop", slug: "aaaaaaa" }],
    ["of a tool for callers without an account", { name: "start_sign_in" }],
    ["of a tool that does not exist", { name: "rm_rf" }],
  ])("is refused with 401 in a call %s", async (_which, params) => {
    const message = { ...ping, method: "tools/call", params };

    const { status, text } = await post(message, {
      headers: { authorization: `Bearer hb_${"A".repeat(36)}` },
    });

    expect(status).toBe(401);
    expect(text).toContain("unauthorized");
  });

  test("cannot connect a client of any revision", async () => {
    for (const revision of revisions) {
      await expect(connectMcp(`hb_${"A".repeat(36)}`, revision)).rejects.toThrow(/unauthorized|HTTP 401/);
    }
  });
});

describe("other methods of /mcp", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])(
    "%s is refused with 405, because the endpoint has no streams or sessions",
    async (method) => {
      const response = await fetchPage("/mcp", { method, headers: { accept: "text/event-stream" } });

      expectErrorShape(response);
      expect(response.status).toBe(405);
      expect(response.headers.allow).toBe("POST");
    },
  );
});

describe("revision 2026-07-28", () => {
  const revision = "2026-07-28";
  const clientInfo = { name: "test", version: "1" };

  /** The metadata that every message of this revision contains. */
  const meta = (protocolVersion: string) => ({
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  });

  async function send(method: string, headers: Record<string, string> = {}, params: object = {}) {
    const said = { "mcp-protocol-version": revision, "mcp-method": method, ...headers };
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: meta(said["mcp-protocol-version"]) },
    };
    const response = await post(message, { headers: said });
    return { status: response.status, response, ...JSON.parse(response.text) };
  }

  test("returns its capabilities and the service's name in response to one discovery request", async () => {
    const { response, result } = await send("server/discover");

    expectJsonHeaders(response);
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: [revision],
      capabilities: { tools: {} },
      instructions: expect.stringContaining("upsert_drop"),
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "dropleaf", version: "1" } },
    });
  });

  test("lists tools with a private cache lifetime of five minutes", async () => {
    const { status, result } = await send("tools/list");

    expect(status).toBe(200);
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "private" });
    expect(result.tools[0]).toMatchObject({ name: "publish_drop" });
  });

  test("refuses an unknown revision and names the supported ones", async () => {
    const { status, error, id } = await send("tools/list", { "mcp-protocol-version": "2099-01-01" });

    expect({ status, id, code: error.code }).toEqual({ status: 400, id: 1, code: -32_022 });
    expect(error.data).toEqual({ supported: [revision], requested: "2099-01-01" });
  });

  test.each([
    ["another method", { "mcp-method": "tools/list" }],
    ["another tool", { "mcp-name": "delete_drop" }],
  ])("refuses a header that names %s than the message", async (_what, headers) => {
    const { status, error } = await send(
      "tools/call",
      { "mcp-name": "start_sign_in", ...headers },
      { name: "start_sign_in" },
    );

    expect({ status, code: error.code }).toEqual({ status: 400, code: -32_020 });
  });

  test("refuses a message without the required metadata", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const headers = { "mcp-protocol-version": revision, "mcp-method": "tools/list" };
    const response = await post(message, { headers });

    expect([response.status, JSON.parse(response.text).error.code]).toEqual([400, -32_602]);
  });

  test.each(["prompts/list", "ping", "initialize", "subscriptions/listen"])(
    "refuses the unsupported method %s with 404",
    async (method) => {
      const { status, error } = await send(method, {}, { notifications: {} });

      expect({ status, code: error.code }).toEqual({ status: 404, code: -32_601 });
    },
  );
});
