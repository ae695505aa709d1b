// @module-tag slow

import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { pageOf } from "../support/accounts.ts";
import { type AssertionIssuer, type Signing, startAssertionIssuer } from "../support/assertion-issuer.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage, useService } from "../support/http.ts";
import { startIdTokens } from "../support/id-tokens.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { discover, registerClient, sendTo } from "../support/oauth.ts";
import { prepareRunner, runAction } from "../support/run-action.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";
import { repository, repositoryId, workflowClaims } from "../support/workflow-claims.ts";

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const exchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A repository whose workflows publish for a team. */
const ofTeam = { repository: "octo-org/growth-site", repositoryId: 75, team: "octo-growth" };

let issuer: ScriptedProvider;
let service: RunningService;
let clientId: string;
let assertions: AssertionIssuer;

beforeAll(async () => {
  assertions = await startAssertionIssuer();
  issuer = assertions.provider;
  service = await startService({
    environmentsPerFunction: 1,
    fileSettings: {
      ingest: "none",
      members: { emailDomains: ["example.com"] },
      enterpriseAuthorization: { issuer: issuer.address },
      teams: "members",
      githubActions: { issuer: issuer.address, repositories: [{ repository, repositoryId }, ofTeam] },
    },
    identityProvider: { kind: "oidc", issuer: issuer.address },
  });
  useService(service);
  clientId = (await registerClient(await discover())).client_id;
});

afterAll(() => Promise.all([service.stop(), issuer.stop()]));

type Claims = Readonly<Record<string, unknown>>;

/** Signs an assertion as the draft describes it, with claims overridden. */
function assertionOf(sub: string, claims: Claims = {}, signing: Signing = {}): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const good = {
    ...{ iss: issuer.address, aud: service.address, sub, jti: randomUUID(), client_id: clientId },
    ...{ iat: nowSeconds, exp: nowSeconds + 300, resource: `${service.address}/mcp`, scope: "drops" },
    ...{ email: `${sub}@example.com`, email_verified: true },
  };
  return assertions.sign({ ...good, ...claims }, signing);
}

const send = (assertion: string, more: Readonly<Record<string, string>> = {}) =>
  sendTo("token", { grant_type: grantType, client_id: clientId, assertion, ...more });

const someone = () => `person-${randomUUID()}`;

/** Returns what the MCP server reports about a token's holder. */
async function whoami(token: unknown) {
  return (await connectMcp(String(token))).succeed("whoami");
}

describe("an assertion of the company's issuer", () => {
  test("is advertised in the metadata as the extension specifies", async () => {
    const { text } = await fetchPage("/.well-known/oauth-authorization-server");

    expect(JSON.parse(text)).toMatchObject({
      grant_types_supported: ["authorization_code", "refresh_token", grantType, exchangeGrantType],
      authorization_grant_profiles_supported: ["urn:ietf:params:oauth:grant-profile:id-jag"],
    });
  });

  test("is exchanged for a token valid for an hour, at the MCP server only, without a refresh token", async () => {
    const { status, json: tokens } = await send(await assertionOf(someone()));

    expect([status, Object.keys(tokens).sort()]).toEqual([
      200,
      ["access_token", "expires_in", "scope", "token_type"],
    ]);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 3_600, scope: "drops" });
    expect((await whoami(tokens.access_token)).token.label).toBe("A test client");
    expectError(await new ApiClient(String(tokens.access_token)).call("get-me"), "unauthorized");
  });

  test("is exchanged for a token of the account that the person signs in with", async () => {
    const sub = someone();
    const signedIn = await signIn(sub);

    const { json: tokens } = await send(await assertionOf(sub, { email: undefined }));
    const { json: again } = await send(await assertionOf(sub));

    const holders = await Promise.all([tokens, again].map((one) => whoami(one.access_token)));
    expect(holders.map(({ user_id }) => user_id)).toEqual([signedIn.user_id, signedIn.user_id]);
  });

  test("is valid only once, even in concurrent requests", async () => {
    const assertion = await assertionOf(someone());

    const all = await Promise.all(Array.from({ length: 8 }, () => send(assertion)));
    const later = await send(assertion);

    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, json: refused } of [...all.filter((one) => one.status !== 200), later])
      expect([status, refused.error]).toEqual([400, "invalid_grant"]);
  });

  test.each([
    ["a request for less", "publish", undefined, "publish"],
    ["a request for less than the issuer allows", "read", "publish mail", "read"],
    ["an assertion for less", undefined, "read", "read"],
    ["an assertion for less than the request", "all", "publish", "publish"],
    ["a request for all by its name", "all", "drops", "all"],
  ])("is exchanged for a token of the narrower scope: %s", async (_, scope, claim, granted) => {
    const assertion = await assertionOf(someone(), { scope: claim });

    const { json: tokens } = await send(assertion, scope === undefined ? {} : { scope });

    const { token } = await whoami(tokens.access_token);
    expect([tokens.scope, token.scope]).toEqual([granted, granted]);
  });

  test("is exchanged only for members", async () => {
    const { status, json: refused } = await send(
      await assertionOf(someone(), { email: "mallory@elsewhere.example" }),
    );

    expect([status, refused.error]).toEqual([400, "invalid_grant"]);
  });
});

describe("an assertion is refused", () => {
  const past = () => Math.floor(Date.now() / 1000) - 400;

  test.each<[string, () => Claims, string]>([
    ["for another service", () => ({ aud: "https://other.example.com" }), "invalid_grant"],
    ["for several services", () => ({ aud: [service.address, "https://a.example"] }), "invalid_grant"],
    ["for no service", () => ({ aud: undefined }), "invalid_grant"],
    ["of another issuer", () => ({ iss: "https://id.example.net" }), "invalid_grant"],
    ["for another client", () => ({ client_id: "https://client.example.com/a.json" }), "invalid_grant"],
    ["for no client", () => ({ client_id: undefined }), "invalid_grant"],
    ["that has expired", () => ({ iat: past() - 60, exp: past() }), "invalid_grant"],
    ["without an expiry", () => ({ exp: undefined }), "invalid_grant"],
    ["issued long ago", () => ({ iat: past() - 7_200 }), "invalid_grant"],
    ["issued in the future", () => ({ iat: past() + 4_000 }), "invalid_grant"],
    ["without an id", () => ({ jti: undefined }), "invalid_grant"],
    ["with an id that is not a text", () => ({ jti: 7 }), "invalid_grant"],
    ["without a subject", () => ({ sub: "" }), "invalid_grant"],
    ["for another resource", () => ({ resource: "https://other.example.com/mcp" }), "invalid_target"],
    ["for another scope", () => ({ scope: "mail" }), "invalid_scope"],
  ])("%s", async (_, claims, code) => {
    const { status, json: refused } = await send(await assertionOf(someone(), claims()));

    expect([status, refused.error]).toEqual([400, code]);
  });

  test.each<[string, () => Promise<string>]>([
    ["with the type of an ID token", () => assertionOf(someone(), {}, { typ: "JWT" })],
    [
      "signed with a key that is not the issuer's",
      async () => assertionOf(someone(), {}, { key: (await generateKeyPair("ES256")).privateKey }),
    ],
    [
      "signed with a shared secret",
      () => assertionOf(someone(), {}, { alg: "HS256", key: new TextEncoder().encode("secret".repeat(10)) }),
    ],
    ["without a signature", async () => unsigned(await assertionOf(someone()))],
    ["that is not a JWT", async () => "not.a.jwt"],
    ["that is too long", async () => "a".repeat(20_000)],
  ])("%s", async (_, make) => {
    const { status, json: refused } = await send(await make());

    expect([status, refused.error]).toEqual([400, "invalid_grant"]);
  });

  test("of an unknown client", async () => {
    const unknown = "x".repeat(60);
    const assertion = await assertionOf(someone(), { client_id: unknown });

    const { status, json: refused } = await send(assertion, { client_id: unknown });

    expect([status, refused.error]).toEqual([400, "invalid_client"]);
  });

  test("with an unknown resource or scope in the request", async () => {
    const target = await send(await assertionOf(someone()), { resource: "https://other.example.com" });
    const scope = await send(await assertionOf(someone()), { scope: "mail" });

    expect([target.json.error, scope.json.error]).toEqual(["invalid_target", "invalid_scope"]);
  });

  test("if it is missing", async () => {
    const { json: refused } = await sendTo("token", { grant_type: grantType, client_id: clientId });

    expect(refused.error).toBe("invalid_request");
  });
});

describe("a workflow's ID token", () => {
  test("is exchanged for a token valid for ten minutes, which can publish, edit and delete", async () => {
    const { status, json: tokens } = await exchange(await idTokenOf());
    const workflow = new ApiClient(String(tokens.access_token));

    expect([status, { ...tokens, access_token: "" }]).toEqual([
      200,
      {
        access_token: "",
        issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
        token_type: "Bearer",
        expires_in: 600,
      },
    ]);
    const body = { html: pageOf("numbers"), title: "Numbers" };
    const { slug, raw_url } = await workflow.succeed("publish-drop", { body });
    expect(raw_url).toContain("//octo-org-octo-repo.localhost:");
    await workflow.succeed("publish-version", { params: { slug }, body });
    await workflow.succeed("edit-drop", { params: { slug }, body: { title: "Other numbers" } });
    expect((await workflow.succeed("list-drops")).drops.map((drop) => drop.slug)).toEqual([slug]);
    // Another run has the same account.
    const other = new ApiClient(String((await exchange(await idTokenOf())).json.access_token));
    await other.succeed("delete-drop", { params: { slug } });
  });

  test("is exchanged for a token that only workflow operations accept", async () => {
    const token = String((await exchange(await idTokenOf())).json.access_token);
    const forWorkflows = Object.values(routes).filter((route) => "isForWorkflows" in route);

    expect(forWorkflows.map(({ id }) => id).toSorted()).toEqual([
      "delete-drop",
      "edit-drop",
      "get-drop",
      "list-drops",
      "publish-drop",
      "publish-folder",
      "publish-version",
      "start-folder",
      "upsert-drop",
    ]);
    for (const id of ["list-library", "list-tokens", "get-me"] as const) {
      const { details } = expectError(await new ApiClient(token).call(id), "unauthorized");
      expect([id, details.reason]).toEqual([id, "wrong_audience"]);
    }
    expect((await fetchPage("/mcp", mcpCall(token))).status).toBe(401);
  });

  test("is exchanged for a token of the requested scope: with publish, it cannot delete or change readers", async () => {
    const { json: tokens } = await exchange(await idTokenOf(), { scope: "publish" });
    const workflow = new ApiClient(String(tokens.access_token));
    const body = { html: pageOf("scoped"), title: "Scoped", visibility: "members" };
    const { slug } = await workflow.succeed("publish-drop", { body });
    await workflow.succeed("publish-version", { params: { slug }, body });

    const refused = [
      await workflow.call("edit-drop", { params: { slug }, body: { visibility: "public" } }),
      await workflow.call("delete-drop", { params: { slug } }),
    ];

    expect(tokens.scope).toBe("publish");
    for (const response of refused) {
      const { message, details } = expectError(response, "insufficient_scope");
      expect(details).toEqual({ scope: "publish", needed: "all" });
      expect(message).toContain("scope=all at /oauth/token");
    }
    const all = new ApiClient(
      String((await exchange(await idTokenOf(), { scope: "all" })).json.access_token),
    );
    await all.succeed("delete-drop", { params: { slug } });
  });

  test("is exchanged for a token of the team in the settings, once the team exists", async () => {
    const claims = { repository: ofTeam.repository, repository_id: String(ofTeam.repositoryId) };
    const early = await exchange(await idTokenOf(claims));
    expect([early.status, early.json.error]).toEqual([400, "invalid_request"]);
    expect(early.json.error_description).toContain("octo-growth, which does not exist");
    const person = new ApiClient((await signIn(someone())).api_token);
    await person.succeed("create-team", {
      body: { namespace: ofTeam.team, owners: ["@example.com"] },
    });

    const { json: tokens } = await exchange(await idTokenOf(claims), { scope: "publish" });
    const workflow = new ApiClient(String(tokens.access_token));
    const { slug, url } = await workflow.succeed("publish-drop", {
      body: { title: "A page", html: pageOf("x") },
    });

    expect(new URL(url).host).toMatch(/^octo-growth\./);
    expectError(await workflow.call("delete-drop", { params: { slug } }), "insufficient_scope");
  });

  test("is exchanged for a token that its workflow can revoke after publishing", async () => {
    const token = String((await exchange(await idTokenOf())).json.access_token);

    expect((await sendTo("revoke", { token })).status).toBe(200);

    expectError(await new ApiClient(token).call("list-drops"), "unauthorized");
  });

  test("lets the action publish without a stored token, and the action revokes its token", {
    tags: "nightly",
  }, async () => {
    const directory = await mkdtemp(join(tmpdir(), "dropleaf-action-"));
    const runner = await prepareRunner(directory);
    await writeFile(join(runner.workspace, "report.html"), pageOf("of a workflow"));
    const idTokens = await startIdTokens((audience) => idTokenOf({ aud: audience }));

    const result = await runAction(runner, {
      inputs: { service: service.address, file: "report.html" },
      event: { ref: "refs/heads/main" },
      environment: { ...idTokens.environment, GITHUB_REPOSITORY: repository, GITHUB_REF: "refs/heads/main" },
    });

    idTokens.stop();
    await rm(directory, { recursive: true });
    const [, masked] = /^::add-mask::(hb_\w+)$/m.exec(result.stdout) ?? [];
    expect(result.exitCode, result.stdout).toBe(0);
    expect((await fetchPage(result.outputs.raw_url ?? "")).text).toContain("of a workflow");
    expectError(await new ApiClient(masked).call("list-drops"), "unauthorized");
  });

  test("is valid only once, even in concurrent requests", async () => {
    const idToken = await idTokenOf();

    const all = await Promise.all(Array.from({ length: 8 }, () => exchange(idToken)));

    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await exchange(idToken)).json).toEqual({
      error: "invalid_request",
      error_description: "The ID token was used before: request another from GitHub.",
    });
  });

  test.each<[string, () => Promise<Readonly<Record<string, string>>>, string]>([
    [
      "of a fork",
      async () => ({ subject_token: await idTokenOf({ repository: "mallory/octo-repo" }) }),
      "invalid_request",
    ],
    [
      "that is an assertion for a person",
      async () => ({ subject_token: await assertionOf(someone()) }),
      "invalid_request",
    ],
    ["for a scope that does not exist", async () => ({ scope: "write" }), "invalid_scope"],
    ["for another service", async () => ({ audience: "https://other.example.com" }), "invalid_target"],
    [
      "of another type",
      async () => ({ subject_token_type: "urn:ietf:params:oauth:token-type:saml2" }),
      "invalid_request",
    ],
    ["that is missing", async () => ({ subject_token: "" }), "invalid_request"],
  ])("%s is refused", async (_, wrong, code) => {
    const { status, json: refused } = await exchange(await idTokenOf(), await wrong());

    expect([status, refused.error]).toEqual([400, code]);
  });
});

/** Signs an ID token as GitHub issues it to a job, with claims overridden. */
function idTokenOf(claims: Claims = {}): Promise<string> {
  const good = workflowClaims(issuer.address, service.address, Math.floor(Date.now() / 1000));
  return assertions.sign({ ...good, ...claims }, { typ: "JWT" });
}

function exchange(idToken: string, more: Readonly<Record<string, string>> = {}) {
  return sendTo("token", {
    grant_type: exchangeGrantType,
    subject_token: idToken,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    ...more,
  });
}

/** The first message of an MCP client with a token. */
function mcpCall(token: string) {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a client", version: "1" },
  };
  return {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  };
}

/** Replaces the signature of an assertion with the algorithm "none". */
function unsigned(assertion: string): string {
  const header = { alg: "none", typ: "oauth-id-jag+jwt" };
  return `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${assertion.split(".")[1]}.`;
}

/** Signs a person in through the provider's own page. */
async function signIn(sub: string) {
  const start = await startSignIn();
  const visitor = new Visitor();
  await visitor.request(linkTo(await visitor.open(start.verification_url), "/api/auth/idp/authorize"));
  const claims = { sub, email: `${sub}@example.com`, email_verified: true, preferred_username: "ada" };
  const code = issuer.prepare({ claims, profile: claims });
  await visitor.request(`/api/auth/idp/callback?${new URLSearchParams({ code, state: start.code })}`);
  return pollSignIn(start.poll_token);
}
