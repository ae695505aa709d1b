// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { type ReceivedResponse, useService } from "../support/http.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import {
  hang,
  hangUp,
  json,
  type Misdeed,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

const authorizePath = "/api/auth/idp/authorize";
const callbackPath = "/api/auth/idp/callback";
const acceptsJson = { headers: { accept: "application/json" } };

let provider: ScriptedProvider;
let services: { readonly oauth2: RunningService; readonly oidc: RunningService };

beforeAll(async () => {
  provider = await startScriptedProvider();
  const { address } = provider;
  const fields = { id: "id", username: "login" };
  const [oauth2, oidc] = await Promise.all([
    startService({
      environmentsPerFunction: 1,
      identityProvider: {
        kind: "oauth2",
        authorizationEndpoint: `${address}/authorize`,
        tokenEndpoint: `${address}/token`,
        userinfoEndpoint: `${address}/userinfo`,
        scope: "",
        fields,
      },
    }),
    startService({ environmentsPerFunction: 1, identityProvider: { kind: "oidc", issuer: address } }),
  ]);
  services = { oauth2, oidc };
});

afterAll(() => Promise.all([services.oauth2.stop(), services.oidc.stop(), provider.stop()]));

/** Starts a sign-in and follows its link to the provider. */
async function signInAtProvider() {
  const start = await startSignIn();
  const visitor = new Visitor();
  const link = linkTo(await visitor.open(start.verification_url), authorizePath);
  const { response } = await visitor.request(link);
  expect([response.status, new URL(response.headers.location ?? "").origin]).toEqual([302, provider.address]);
  return {
    start,
    /** Returns from a provider that follows the script. */
    async comeBack(
      script: Script,
      options: { readonly headers?: Record<string, string> } = acceptsJson,
    ): Promise<ReceivedResponse> {
      const query = new URLSearchParams({ code: provider.prepare(script), state: start.code });
      return (await visitor.request(`${callbackPath}?${query}`, options)).response;
    },
  };
}

/** Returns the prompt that the provider receives for a reader. */
async function promptFor(account: "any" | "other"): Promise<string | null> {
  const { response } = await new Visitor().request(`/login/read?to=%2Fp%2F0000000&account=${account}`);
  expect(response.status).toBe(302);
  return new URL(response.headers.location ?? "").searchParams.get("prompt");
}

const ada = { id: 7, login: "ada" };

describe.concurrent("a provider without OpenID Connect", () => {
  beforeAll(() => useService(services.oauth2));

  test("is asked to offer a choice of accounts only for a reader who wants another account", async () => {
    expect([await promptFor("any"), await promptFor("other")]).toEqual([null, "select_account"]);
  });

  const failures: readonly (readonly [string, Script])[] = [
    ["closes the connection at the token endpoint", { token: hangUp }],
    ["fails at the token endpoint", { token: { status: 500, type: "text/html", body: "<h1>Down</h1>" } }],
    ["is overloaded", { token: { status: 429, body: "" } }],
    ["returns a page from the token endpoint", { token: { type: "text/html", body: "<h1>Hello</h1>" } }],
    ["returns incomplete JSON from the token endpoint", { token: { body: '{"access_token":' } }],
    ["returns a list from the token endpoint", { token: json([]) }],
    ["returns no token", { token: json({ token_type: "bearer" }) }],
    ["returns a number as token", { token: json({ access_token: 7, token_type: "bearer" }) }],
    ["returns a token of another type", { token: json({ access_token: "a", token_type: "mac" }) }],
    ["does not know this client", { token: { status: 401, ...json({ error: "invalid_client" }) } }],
    [
      "does not know this client, and reports it with status 200",
      { token: json({ error: "incorrect_client_credentials" }) },
    ],
    ["redirects the token request", { token: { status: 307, body: "", location: "/token" } }],
    ["closes the connection at the userinfo endpoint", { userinfo: hangUp }],
    ["refuses its own token", { userinfo: { status: 401, body: "{}" } }],
    ["fails at the userinfo endpoint", { userinfo: { status: 503, body: "" } }],
    [
      "returns a page from the userinfo endpoint",
      { userinfo: { type: "text/html", body: "<h1>Hello</h1>" } },
    ],
    ["returns incomplete JSON from the userinfo endpoint", { userinfo: { body: '{"id":' } }],
    ["redirects the userinfo request", { userinfo: { status: 302, body: "", location: "/userinfo" } }],
    ["returns no id", { profile: { login: "ada" } }],
    ["returns null as profile", { userinfo: json(null) }],
    ["returns a list as profile", { userinfo: json([ada]) }],
    ...[null, "", true, ["7"], { is: 7 }].map(
      (id) => [`returns the id ${JSON.stringify(id)}`, { profile: { ...ada, id } }] as const,
    ),
    ["returns an id of a thousand characters", { profile: { ...ada, id: "7".repeat(1_000) } }],
    ["returns an id of a million characters", { profile: { ...ada, id: "7".repeat(1_000_000) } }],
  ];

  for (const { cases, options } of slowAndNightly(
    failures,
    ([what]) => what === "fails at the userinfo endpoint",
  ))
    test.each(cases)(
      "that %s is reported as unavailable, and the code stays valid",
      options,
      async (_what, script) => {
        const signIn = await signInAtProvider();

        const refused = await signIn.comeBack(script);
        const page = await signIn.comeBack(script, {});

        expectError(refused, "idp_unavailable");
        expectErrorPage(page, 502);
        expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
        expect((await signIn.comeBack({ profile: ada })).status).toBe(200);
        expect((await pollSignIn(signIn.start.poll_token)).status).toBe("verified");
      },
    );

  test.each([
    ["invalid_grant", { status: 400, ...json({ error: "invalid_grant" }) }],
    ["bad_verification_code, with status 200", json({ error: "bad_verification_code" })],
  ] satisfies [string, Misdeed][])(
    "that rejects the code as %s causes an invalid_arg error, and the code stays valid",
    async (_what, token) => {
      const signIn = await signInAtProvider();

      expectError(await signIn.comeBack({ token }), "invalid_arg");

      expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
    },
  );

  test.each(["token", "userinfo"] as const)(
    "that does not respond at the %s endpoint is given up, and the code stays valid",
    { tags: "nightly" },
    async (endpoint) => {
      const signIn = await signInAtProvider();

      // The endpoint never responds: without the service's own time limit, the error would be another one.
      expectError(await signIn.comeBack({ [endpoint]: hang }), "idp_unavailable");

      expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
    },
  );

  const names: readonly (readonly [string, unknown])[] = [
    ["no value", undefined],
    ["null", null],
    ["a number", 7],
    ["an object", {}],
    ["an empty text", ""],
    ["a million characters", "ada".repeat(333_333)],
    ["markup", "<script>alert(1)</script>"],
    ["control characters", "\u0000\u202e\u0007"],
    ["half a character", "\ud83c"],
  ];

  for (const { cases, options } of slowAndNightly(names, ([what]) => what === "markup"))
    test.each(cases)(
      "that returns %s as user name signs the person in, with a valid namespace",
      options,
      async (_what, login) => {
        const signIn = await signInAtProvider();

        const response = await signIn.comeBack({ profile: { id: unusedId(), login } });

        expect(response.status).toBe(200);
        expect(response.bytes.byteLength).toBeLessThan(100_000);
        expect(response.text).not.toContain("<script>alert");
        const { api_token } = await pollSignIn(signIn.start.poll_token);
        const { hostname } = new URL((await publish(new ApiClient(api_token))).url);
        expect(hostname).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.localhost$/);
      },
    );

  test("keeps a renamed person's account, host and drops, and the name's next holder gets none of them", {
    tags: "nightly",
  }, async () => {
    const id = unusedId();
    const before = await person({ id, login: "grace" });
    const drop = await publish(before.api);

    const renamed = await person({ id, login: "grace-of-the-navy" });
    const taker = await person({ id: unusedId(), login: "grace" });

    expect(renamed.userId).toBe(before.userId);
    expect(await renamed.api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(drop);
    expect((await publish(renamed.api)).url.split("/d/")[0]).toBe(drop.url.split("/d/")[0]);
    expect(taker.userId).not.toBe(before.userId);
    expectError(await taker.api.call("get-drop", { params: { slug: drop.slug } }), "not_found");
    expect((await publish(taker.api)).url.split("/d/")[0]).not.toBe(drop.url.split("/d/")[0]);
  });

  test("may identify a person by a number or by the same number as text", { tags: "nightly" }, async () => {
    const id = unusedId();

    expect((await person({ id: String(id), login: "number" })).userId).toBe(
      (await person({ id, login: "number" })).userId,
    );
  });
});

describe("a provider with OpenID Connect", () => {
  beforeAll(() => useService(services.oidc));

  test("is asked for another account with a prompt that it supports", async () => {
    expect([await promptFor("any"), await promptFor("other")]).toEqual([null, "login"]);
  });

  const profile = { sub: "1", preferred_username: "lin" };

  test("that is down, fails or describes another issuer is unavailable, and the same link works later", async () => {
    const start = await startSignIn();
    const visitor = new Visitor();
    const link = linkTo(await visitor.open(start.verification_url), authorizePath);
    const other = JSON.stringify({
      issuer: "https://id.example.com",
      authorization_endpoint: "https://id.example.com/",
    });
    const misdeeds: Misdeed[] = [
      hangUp,
      { status: 500, body: "" },
      { type: "text/html", body: "<h1>Hello</h1>" },
      { body: "{" },
      { body: other },
      { status: 302, body: "", location: "/.well-known/openid-configuration" },
    ];

    for (const misdeed of misdeeds) {
      provider.description = misdeed;
      expectError((await visitor.request(link, acceptsJson)).response, "idp_unavailable");
      expectErrorPage((await visitor.request(link)).response, 502);
    }
    provider.description = undefined;

    const { response } = await visitor.request(link);
    expect([response.status, new URL(response.headers.location ?? "").origin]).toEqual([
      302,
      provider.address,
    ]);
  });

  const nowSeconds = Math.floor(Date.now() / 1000);

  const untrue: readonly (readonly [string, Script])[] = [
    ["returns no ID token", { profile }],
    ["returns an ID token of another issuer", { claims: { iss: "https://id.example.com" }, profile }],
    ["returns an ID token for another service", { claims: { aud: "another" }, profile }],
    ["returns an ID token that has expired", { claims: { exp: nowSeconds - 3_600 }, profile }],
    ["returns an ID token without a subject", { claims: { sub: undefined }, profile }],
    ["returns an ID token with an unexpected nonce", { claims: { nonce: "x" }, profile }],
    ["describes two people", { claims: { sub: "2" }, profile }],
    ["describes two people, one by a number", { claims: { sub: "1" }, profile: { ...profile, sub: 1 } }],
    ["describes no one", { claims: {}, profile: {} }],
    ["returns a page as profile", { claims: {}, userinfo: { type: "text/html", body: "<h1>Hello</h1>" } }],
  ];
  // An ID token is trusted for its issuer, audience, expiry, nonce and subject.
  const trusted = / ID token |describes two people$/;

  for (const { cases, options } of slowAndNightly(untrue, ([what]) => trusted.test(what)))
    test.each(cases)(
      "that %s is reported as unavailable, and the code stays valid",
      options,
      async (_what, script) => {
        const signIn = await signInAtProvider();

        expectError(await signIn.comeBack(script), "idp_unavailable");

        expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
        expect((await signIn.comeBack({ claims: {}, profile })).status).toBe(200);
      },
    );
});

async function person(profile: { readonly id: number | string; readonly login: string }) {
  const signIn = await signInAtProvider();
  expect((await signIn.comeBack({ profile })).status).toBe(200);
  const { api_token, user_id: userId } = await pollSignIn(signIn.start.poll_token);
  return { api: new ApiClient(api_token), userId };
}

let lastId = 1_000;

function unusedId(): number {
  lastId += 1;
  return lastId;
}
