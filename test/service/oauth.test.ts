import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { type Connection, callback, connect, overHttp, refresh, sendTo } from "../support/oauth.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

describe("a client with only the address of the MCP server", () => {
  test("registers, is authorized, publishes, refreshes its token, and revokes it", async () => {
    const username = unusedUsername("oauth");

    const { server, client, tokens } = await connect(username);
    const { succeed } = await connectMcp(tokens.access_token);
    const drop = await succeed("publish_drop", { html: pageOf("one"), title: "One" });
    const next = await renew({ server, client, tokens });
    const again = await (await connectMcp(next.access_token)).succeed("get_drop", { slug: drop.slug });
    const revocation = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      next.access_token,
      overHttp,
    );
    await oauth.processRevocationResponse(revocation);

    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3_600, scope: "drops" });
    expect(again.title).toBe("One");
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    await expectOver({ client, tokens: next });
    await expectRefused(tokens.access_token);
  });

  test("can have a registration of the maximum size", { tags: "slow" }, async () => {
    const longest = {
      client_name: "\u{1f343}".repeat(100),
      redirect_uris: [callback, ...Array.from({ length: 9 }, (_, index) => longAddress(index))],
    };

    const connection = await connect(unusedUsername("oauth-longest"), longest);
    const { access_token } = await renew(connection);

    expect(longest.redirect_uris.join("")).toHaveLength(1_000);
    const { length } = connection.client.client_id;
    expect([length > 1_800, length <= 2_048]).toEqual([true, true]);
    const { token } = await (await connectMcp(access_token)).succeed("whoami");
    expect(token.label).toBe(longest.client_name);
  });

  test("finds its metadata at the URLs that the RFCs define", async () => {
    const read = async (path: string) => JSON.parse((await fetchPage(path)).text) as unknown;

    const resource = await read("/.well-known/oauth-protected-resource/mcp");
    const issuer = await read("/.well-known/oauth-authorization-server");

    expect(resource).toMatchObject({ resource: `${baseUrl()}/mcp`, authorization_servers: [baseUrl()] });
    expect(await read("/.well-known/oauth-protected-resource")).toEqual(resource);
    expect(issuer).toMatchObject({
      issuer: baseUrl(),
      authorization_endpoint: `${baseUrl()}/oauth/authorize`,
      token_endpoint: `${baseUrl()}/oauth/token`,
      revocation_endpoint: `${baseUrl()}/oauth/revoke`,
      registration_endpoint: `${baseUrl()}/oauth/register`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
  });
});

describe("a client's token", () => {
  test("is listed in the account under the client's name, and expires with the grant", {
    tags: "slow",
  }, async () => {
    const { api, username, visitor } = await newOwner("oauth-listed");
    const before = Date.now();

    const { tokens } = await connect(username, { client_name: "Listed client" }, visitor);

    const { tokens: listed } = await api.succeed("list-tokens");
    const found = listed.find(({ label }) => label === "Listed client");
    const days = ((found?.expires_at ?? 0) - before) / 86_400_000;
    expect(Math.round(days)).toBe(180);
    const { token } = await (await connectMcp(tokens.access_token)).succeed("whoami");
    expect(token.id).toBe(found?.id);
  });

  test("is refused by the API, and the error explains that it is valid only at the MCP server", {
    tags: "slow",
  }, async () => {
    const { tokens } = await connect(unusedUsername("oauth-audience"));
    const api = new ApiClient(tokens.access_token);

    const read = await api.call("list-drops");
    const written = await api.call("publish-drop", { body: { title: "T", html: pageOf("t") } });

    for (const response of [read, written]) {
      const { message, details } = expectError(response, "unauthorized");
      expect(details).toEqual({ reason: "wrong_audience", audience: "/mcp" });
      expect(message).toContain("POST /api/auth/start");
    }
    const { drops } = await (await connectMcp(tokens.access_token)).succeed("list_drops");
    expect(drops).toEqual([]);
  });

  test.each(["the API", "the owner's page"])("that was revoked by %s cannot be refreshed", async (by) => {
    const { api, username, visitor } = await newOwner("oauth-revoked");
    const connection = await connect(username, { client_name: "Revoked client" }, visitor);
    const { tokens } = await api.succeed("list-tokens");
    const id = tokens.find(({ label }) => label === "Revoked client")?.id ?? "";

    if (by === "the API") await api.call("revoke-token", { params: { id } });
    else await sendForm(visitor, await visitor.open("/account/tokens"), `/account/tokens/${id}/revoke`);

    await expectOver(connection);
    await api.succeed("get-me");
  });

  test("is listed on the owner's tokens page, with the client's name escaped", { tags: "slow" }, async () => {
    const { username, visitor } = await newOwner("oauth-page");
    await connect(username, { client_name: "Shown <client>" }, visitor);

    const { response } = await visitor.open("/account/tokens");

    expect(elementsOf(response, "strong").map(textOf)).toContain("Shown <client>");
    expect(response.text).not.toContain("Shown <client>");
  });

  test("can be issued to a new person, whose account it creates", { tags: "slow" }, async () => {
    const username = unusedUsername("oauth-newcomer");
    const visitor = new Visitor();

    const { tokens } = await connect(username, {}, visitor);

    const { succeed } = await connectMcp(tokens.access_token);
    const drop = await succeed("publish_drop", { html: pageOf("first"), title: "First" });
    expect((await visitor.open("/account")).response.text).toContain(drop.slug);
  });
});

describe("one-time credentials", () => {
  test("reusing a refresh token after its successor was used revokes the grant", {
    tags: "slow",
  }, async () => {
    const connection = await connect(unusedUsername("oauth-reuse"));
    const first = { ...connection, tokens: await renew(connection) };
    const second = { ...connection, tokens: await renew(first) };

    const again = await refresh(connection);

    expect(again.status).toBe(400);
    expect(again.json).toMatchObject({ error: "invalid_grant", error_description: /used before/ });
    await expectOver(second);
  });

  test("three concurrent refreshes, and one after a lost response, return the same valid tokens", {
    tags: "slow",
  }, async () => {
    const connection = await connect(unusedUsername("oauth-race"));

    const atOnce = await race(3, () => renew(connection));
    const later = await renew(connection);

    const [next = later, ...others] = atOnce;
    const secrets = ({ access_token, refresh_token }: oauth.TokenEndpointResponse) => [
      access_token,
      refresh_token,
    ];
    for (const other of [...others, later]) expect(secrets(other)).toEqual(secrets(next));
    expect(secrets(next)).not.toContain(connection.tokens.refresh_token);
    await (await connectMcp(next.access_token)).succeed("whoami");
    await expectRefused(connection.tokens.access_token);
    expect((await refresh({ ...connection, tokens: next })).status).toBe(200);
  });

  test("a refresh token is refused after the client has revoked the grant", async () => {
    const connection = await connect(unusedUsername("oauth-given-back"));
    const tokens = await renew(connection);
    await sendTo("revoke", { token: tokens.access_token });

    const again = await refresh(connection);

    expect([again.status, again.json.error]).toEqual([400, "invalid_grant"]);
  });

  test("reusing an authorization code revokes the tokens that it was exchanged for", async () => {
    const connection = await connect(unusedUsername("oauth-code"));

    const again = await sendTo("token", connection.redemption);

    expect(again.status).toBe(400);
    expect(again.json).toMatchObject({ error: "invalid_grant", error_description: /used before/ });
    await expectOver(connection);
  });
});

test("refreshing a token does not reset its write limit", { tags: "nightly" }, async () => {
  const connection = await connect(unusedUsername("oauth-writes"));
  const { succeed, client } = await connectMcp(connection.tokens.access_token);
  const { slug } = await succeed("publish_drop", { html: pageOf("one"), title: "One" });
  const edit = (mcp: typeof client, title: string) =>
    mcp.callTool({ name: "edit_drop", arguments: { slug, title } });
  await Promise.all(Array.from({ length: 59 }, (_, index) => edit(client, `Title ${index}`)));

  const next = (await refresh(connection)).json as oauth.TokenEndpointResponse;
  const { refuse } = await connectMcp(next.access_token);

  await refuse("edit_drop", { slug, title: "One more" }, "rate_limited");
});

test("a token from the device-code sign-in works at the API and at the MCP server", async () => {
  const { api } = await newAccount("oauth-other");

  const { slug } = await publish(api);

  const { succeed } = await connectMcp(api.token ?? "");
  expect(await succeed("get_drop", { slug })).toMatchObject({ slug });
});

/** Refreshes a connection's tokens with a client library, which validates the response. */
async function renew({ server, client, tokens }: Omit<Connection, "redemption">) {
  const { refresh_token: token = "" } = tokens;
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, overHttp);
  return oauth.processRefreshTokenResponse(server, client, response);
}

/** Checks that the connection's access and refresh tokens are refused. */
async function expectOver(connection: Pick<Connection, "client" | "tokens">): Promise<void> {
  await expectRefused(connection.tokens.access_token);
  const { status, json } = await refresh(connection);
  expect([status, json.error]).toEqual([400, "invalid_grant"]);
}

/** Checks that the MCP server refuses the token. */
async function expectRefused(token: string): Promise<void> {
  const response = await fetchPage("/mcp", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  expectError(response, "unauthorized");
}

/** Returns a URL of such a length that nine of them and `callback` have a thousand characters together. */
function longAddress(index: number): string {
  const start = `https://${index}.clients.example/`;
  const characters =
    Math.floor((1_000 - callback.length) / 9) + (index < (1_000 - callback.length) % 9 ? 1 : 0);
  return start + "a".repeat(characters - start.length);
}
