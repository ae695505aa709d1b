import { beforeAll, describe, expect, test } from "vitest";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { routeOf } from "../../functions/routes.ts";
import { newAccount } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp, type McpClient, revisions } from "../support/mcp-client.ts";
import { requireDescribed } from "../support/openapi-validation.ts";
import { confirmSignIn, unusedUsername } from "../support/sign-in.ts";

let visitor: McpClient;

const metadataUrl = () => `${baseUrl()}/.well-known/oauth-protected-resource/mcp`;

/** Calls a tool without an MCP client, which would handle a 401 itself. */
async function call(name: string, token?: string) {
  const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name, arguments: { slug: "x" } } };
  const answer = await fetchPage("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(message),
  });
  await requireDescribed("call-mcp", answer);
  const { status, headers, text } = answer;
  return { status, headers, body: JSON.parse(text) };
}

beforeAll(async () => {
  visitor = await connectMcp();
});

const withToken = mcpTools.filter(({ operation }) => routeOf(operation).caller === "token");

/** Returns the unparsed response to `tools/list`. */
async function listTools(token?: string): Promise<string> {
  const { text } = await fetchPage("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  return text;
}

test("the list of tools has at most 16 KB, and is shorter with a token, without the sign-in tools", async () => {
  const { api } = await newAccount("list-tools");

  const [listed, listedSignedIn] = [await listTools(), await listTools(api.token)];

  expect(Buffer.byteLength(listed)).toBeLessThanOrEqual(16_384);
  expect(Buffer.byteLength(listedSignedIn)).toBeLessThan(Buffer.byteLength(listed));
  expect(listed).toContain("start_sign_in");
  expect(listedSignedIn).not.toContain("start_sign_in");
});

describe("a client without a token", () => {
  test("sees every tool, and gets instructions for signing in", async () => {
    expect((await visitor.client.listTools()).tools).toHaveLength(mcpTools.length);
    expect(visitor.client.getInstructions()).toContain("start_sign_in");
  });

  test.each(withToken.map(({ name }) => name))(
    "gets 401 from %s, with the metadata URL and instructions for signing in",
    async (name) => {
      const { status, headers, body } = await call(name);

      expect([status, body.id]).toEqual([401, 7]);
      expect(headers["www-authenticate"]).toBe(`Bearer resource_metadata="${metadataUrl()}"`);
      const { isError, structuredContent, content, _meta } = body.result;
      expect({ isError, code: structuredContent.error.code }).toEqual({
        isError: true,
        code: "unauthorized",
      });
      expect(_meta["mcp/www_authenticate"]).toEqual([
        `Bearer error="invalid_token", error_description="Sign in to use this tool.", resource_metadata="${metadataUrl()}"`,
      ]);
      expect(content[1].text).toContain('"Authorization":"Bearer {api_token}"');
      expect(content[1].text).toContain("poll_sign_in");
    },
  );

  test("finds the resource and its authorization server in the metadata", async () => {
    const metadata = JSON.parse((await fetchPage(metadataUrl())).text);

    expect(metadata).toMatchObject({ resource: `${baseUrl()}/mcp`, authorization_servers: [baseUrl()] });
  });

  test.each(revisions)("of revision %s gets 401 from a tool that requires an account", async (revision) => {
    const { client } = await connectMcp(undefined, revision);

    await expect(client.callTool({ name: "whoami" })).rejects.toThrow(/unauthorized|HTTP 401/);
  });

  test("signs in with a person's confirmation, and calls tools with the token it received", async () => {
    const start = await visitor.succeed("start_sign_in", { label: "by MCP" });
    const pending = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    await confirmSignIn(start, unusedUsername("mcp-agent"));
    const verified = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    const again = await visitor.succeed("poll_sign_in", { token: start.poll_token });
    const agent = await connectMcp(verified.api_token);
    const me = await agent.succeed("whoami");

    expect([pending.status, verified.status, again]).toEqual(["pending", "verified", { status: "claimed" }]);
    expect(me).toMatchObject({ user_id: verified.user_id, token: { label: "by MCP" } });
  });
});

test("a revoked token is refused immediately, also for a connected client", async () => {
  const start = await visitor.succeed("start_sign_in");
  await confirmSignIn(start, unusedUsername("mcp-revoked"));
  const { api_token: token } = await visitor.succeed("poll_sign_in", { token: start.poll_token });
  const agent = await connectMcp(token);
  const { token: own } = await agent.succeed("whoami");

  await new ApiClient(token).succeed("revoke-token", { params: { id: own.id } });

  await expect(agent.succeed("whoami")).rejects.toThrow("unauthorized");
  const { status, headers, body } = await call("whoami", token);
  expect([status, headers["www-authenticate"]]).toEqual([401, `Bearer resource_metadata="${metadataUrl()}"`]);
  expect(body.result._meta["mcp/www_authenticate"][0]).toMatch(
    /^Bearer error="invalid_token", error_description="[^"]+"/,
  );
  await expect(connectMcp(token)).rejects.toThrow("HTTP 401");
});
