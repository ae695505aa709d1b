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

/** A sign-in whose human went to the provider. */
async function signInAtProvider() {
  const start = await startSignIn();
  const visitor = new Visitor();
  const link = linkTo(await visitor.open(start.verification_url), authorizePath);
  const { response } = await visitor.request(link);
  expect([response.status, new URL(response.headers.location ?? "").origin]).toEqual([302, provider.address]);
  return {
    start,
    /** Comes back from a provider that does as the script says. */
    async comeBack(
      script: Script,
      options: { readonly headers?: Record<string, string> } = acceptsJson,
    ): Promise<ReceivedResponse> {
      const query = new URLSearchParams({ code: provider.prepare(script), state: start.code });
      return (await visitor.request(`${callbackPath}?${query}`, options)).response;
    },
  };
}

/** Prompt that the provider gets for a reader. */
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
    ["hangs up on the code", { token: hangUp }],
    ["fails at the code", { token: { status: 500, type: "text/html", body: "<h1>Down</h1>" } }],
    ["is overloaded", { token: { status: 429, body: "" } }],
    ["answers the code with a page", { token: { type: "text/html", body: "<h1>Hello</h1>" } }],
    ["answers the code with half of an object", { token: { body: '{"access_token":' } }],
    ["answers the code with a list", { token: json([]) }],
    ["answers the code with no token", { token: json({ token_type: "bearer" }) }],
    [
      "answers the code with a token that is a number",
      { token: json({ access_token: 7, token_type: "bearer" }) },
    ],
    ["gives a token of another type", { token: json({ access_token: "a", token_type: "mac" }) }],
    ["does not know this service", { token: { status: 401, ...json({ error: "invalid_client" }) } }],
    [
      "does not know this service, and says it with status 200",
      { token: json({ error: "incorrect_client_credentials" }) },
    ],
    ["sends the code elsewhere", { token: { status: 307, body: "", location: "/token" } }],
    ["hangs up on the token", { userinfo: hangUp }],
    ["refuses its own token", { userinfo: { status: 401, body: "{}" } }],
    ["fails at the token", { userinfo: { status: 503, body: "" } }],
    ["answers the token with a page", { userinfo: { type: "text/html", body: "<h1>Hello</h1>" } }],
    ["answers the token with half of an object", { userinfo: { body: '{"id":' } }],
    ["sends the token elsewhere", { userinfo: { status: 302, body: "", location: "/userinfo" } }],
    ["says of nobody who it is", { profile: { login: "ada" } }],
    ["says null", { userinfo: json(null) }],
    ["says a list", { userinfo: json([ada]) }],
    ...[null, "", true, ["7"], { is: 7 }].map(
      (id) => [`gives the id ${JSON.stringify(id)}`, { profile: { ...ada, id } }] as const,
    ),
    ["gives an id of a thousand characters", { profile: { ...ada, id: "7".repeat(1_000) } }],
    ["gives an id of a million characters", { profile: { ...ada, id: "7".repeat(1_000_000) } }],
  ];

  for (const { cases, options } of slowAndNightly(failures, ([what]) => what === "fails at the token"))
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
    "that calls the code %s makes it the caller's mistake",
    async (_what, token) => {
      const signIn = await signInAtProvider();

      expectError(await signIn.comeBack({ token }), "invalid_arg");

      expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
    },
  );

  test.each(["token", "userinfo"] as const)(
    "that is slow at the %s is not waited for",
    { tags: "nightly" },
    async (endpoint) => {
      const signIn = await signInAtProvider();

      // It never answers: whoever waited for it would be cut off, and say something else.
      expectError(await signIn.comeBack({ [endpoint]: hang }), "idp_unavailable");

      expect((await pollSignIn(signIn.start.poll_token)).status).toBe("pending");
    },
  );

  const names: readonly (readonly [string, unknown])[] = [
    ["none", undefined],
    ["null", null],
    ["a number", 7],
    ["an object", {}],
    ["the empty text", ""],
    ["a million characters", "ada".repeat(333_333)],
    ["markup", "<script>alert(1)</script>"],
    ["control characters", "\u0000\u202e\u0007"],
    ["half a character", "\ud83c"],
  ];

  for (const { cases, options } of slowAndNightly(names, ([what]) => what === "markup"))
    test.each(cases)(
      "that returns %s as user name signs the person in, under a namespace",
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

  test("keeps a renamed person's account, host and drops, and gives none of it to the name's next holder", {
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
    ["gives no ID token", { profile }],
    ["gives an ID token of another issuer", { claims: { iss: "https://id.example.com" }, profile }],
    ["gives an ID token for another service", { claims: { aud: "another" }, profile }],
    ["gives an ID token that is too old", { claims: { exp: nowSeconds - 3_600 }, profile }],
    ["gives an ID token of nobody", { claims: { sub: undefined }, profile }],
    [
      "gives an ID token with a response to a question that nobody asked",
      { claims: { nonce: "x" }, profile },
    ],
    ["speaks of two people", { claims: { sub: "2" }, profile }],
    ["speaks of two people, one of them a number", { claims: { sub: "1" }, profile: { ...profile, sub: 1 } }],
    ["speaks of nobody", { claims: {}, profile: {} }],
    ["answers with a page", { claims: {}, userinfo: { type: "text/html", body: "<h1>Hello</h1>" } }],
  ];
  // An ID token is trusted by its issuer, for whom it is, its time, its nonce, and whom it is about.
  const trusted = / ID token |speaks of two people$/;

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
