import { describe, expect, test } from "vitest";
import { pageOf } from "../support/accounts.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import {
  connect,
  discover,
  openConsent,
  refresh,
  registerClient,
  startAuthorization,
} from "../support/oauth.ts";
import { newOwner } from "../support/own-pages.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";

/** Connects a client that requests the scope. */
const connectFor = (scope: string, visitor = new Visitor(), username = unusedUsername("oauth-scope")) =>
  connect(username, {}, visitor, { scope });

const toolsOf = async (tokens: { readonly access_token: string }) => connectMcp(tokens.access_token);

describe("a client that requests a narrower scope", () => {
  test("gets only this scope, which is also shown in the lists of tokens", async () => {
    const { api, username, visitor } = await newOwner("oauth-publish");
    const { tokens } = await connectFor("publish", visitor, username);
    const { succeed, call } = await toolsOf(tokens);
    const { slug } = await succeed("publish_drop", { html: pageOf("one"), title: "One" });

    await expect(call("delete_drop", { slug })).rejects.toThrow(/Insufficient scope: required "all"/);

    expect(tokens.scope).toBe("publish");
    expect((await api.succeed("list-tokens")).tokens.map(({ scope }) => scope).toSorted()).toEqual([
      "all",
      "publish",
    ]);
    expect((await visitor.open("/account/tokens")).response.text).toContain("Can publish, but not delete");
    await api.succeed("get-drop", { params: { slug } });
  });

  test("is shown with this scope on the consent page", async () => {
    const client = await registerClient(await discover());
    const { url } = await startAuthorization(client, { scope: "read" });

    const page = (await openConsent(url, unusedUsername("oauth-consent"), new Visitor())).response.text;

    expect(page).toContain("can’t publish, change or delete anything");
    expect(page).not.toContain("lock and delete");
  });

  test("can narrow a token's scope with a refresh, and the grant keeps the approved scope", async () => {
    const connection = await connectFor("publish");
    const narrow = await refresh(connection, { scope: "read" });
    const read = await toolsOf(narrow.json as { access_token: string });
    const whole = await refresh({ ...connection, tokens: narrow.json as typeof connection.tokens });

    expect([narrow.json.scope, whole.json.scope]).toEqual(["read", "publish"]);
    await expect(read.succeed("publish_drop", { html: pageOf("no"), title: "No" })).rejects.toThrow();
    const { token } = await (await toolsOf(whole.json as { access_token: string })).succeed("whoami");
    expect(token.scope).toBe("publish");
  });

  test("cannot widen its scope with a refresh, and keeps its refresh token when refused", async () => {
    const connection = await connectFor("read");

    for (const scope of ["publish", "all", "drops", "read publish", "everything"]) {
      const { status, json } = await refresh(connection, { scope });
      expect([scope, status, json.error]).toEqual([scope, 400, "invalid_scope"]);
    }

    expect((await refresh(connection)).json.scope).toBe("read");
  });

  test("gets its registered scope if the authorization request names none", async () => {
    const { client, tokens } = await connect(unusedUsername("oauth-registered"), { scope: "read mail" });

    expect([client.scope, tokens.scope]).toEqual(["read", "read"]);
  });
});

describe("a client that requests full access", () => {
  test.each([
    ["no scope", "", "drops"],
    ["the name that is older than the scopes", "drops", "drops"],
    ["the scope all", "all", "all"],
    ["every name in the metadata", "drops read publish all", "drops"],
    ["the names that claude.ai sends", "claudeai  offline_access", "drops"],
    ["names of OpenID Connect", "openid profile email", "drops"],
  ])("with %s can publish and delete", async (_name, asked, granted) => {
    const { tokens } = await connectFor(asked);
    const { succeed, call } = await toolsOf(tokens);

    const { slug } = await succeed("publish_drop", { html: pageOf("one"), title: "One" });
    const { isError } = await call("delete_drop", { slug });

    expect([tokens.scope, isError ?? false]).toEqual([granted, false]);
  });

  test("can narrow the scope with a refresh, and get full access again with the next", async () => {
    const connection = await connectFor("");
    const narrow = await refresh(connection, { scope: "read" });
    const whole = await refresh(
      { ...connection, tokens: narrow.json as typeof connection.tokens },
      { scope: "all" },
    );

    expect([narrow.json.scope, whole.json.scope]).toEqual(["read", "all"]);
  });
});

test.each(["mail", "publish mail", "READ"])(
  "an authorization request for the unknown scope %s is refused",
  async (scope) => {
    const client = await registerClient(await discover());
    const { url } = await startAuthorization(client, { scope });

    const { response } = await new Visitor().request(url.pathname + url.search);

    const location = new URL(response.headers.location ?? "");
    expect([location.origin, location.searchParams.get("error")]).toEqual([
      "http://127.0.0.1:9",
      "invalid_scope",
    ]);
  },
);

test("both metadata documents list the scopes", async () => {
  for (const path of ["oauth-protected-resource/mcp", "oauth-authorization-server"]) {
    const { text } = await fetchPage(`/.well-known/${path}`);
    expect(JSON.parse(text).scopes_supported).toEqual(["drops", "read", "publish", "all"]);
  }
});
