// @module-tag nightly

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { useService } from "../support/http.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import {
  hang,
  json,
  type Misdeed,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { pollSignIn, startSignIn } from "../support/sign-in.ts";
import { linkTo, Visitor } from "../support/visitor.ts";

let provider: ScriptedProvider;
let service: RunningService;

beforeAll(async () => {
  provider = await startScriptedProvider();
  const { address } = provider;
  service = await startService({
    environmentsPerFunction: 1,
    fileSettings: {
      ingest: "none",
      members: {
        emailDomains: ["example.com"],
        githubOrganizations: ["Example-Inc"],
        groups: ["publishers"],
      },
    },
    identityProvider: {
      kind: "oauth2",
      authorizationEndpoint: `${address}/authorize`,
      tokenEndpoint: `${address}/token`,
      userinfoEndpoint: `${address}/userinfo`,
      emailsEndpoint: `${address}/user/emails`,
      membershipsEndpoint: `${address}/user/memberships/orgs`,
      scope: "read:user user:email read:org",
      fields: { id: "id", username: "login", groups: "groups" },
    },
  });
  useService(service);
});

afterAll(() => Promise.all([service.stop(), provider.stop()]));

let lastId = 0;

/** Signs in at a provider that does as the script says; the callback's response, and what the agent hears. */
async function signInAs(script: Script) {
  lastId += 1;
  const start = await startSignIn();
  const visitor = new Visitor();
  await visitor.request(linkTo(await visitor.open(start.verification_url), "/api/auth/idp/authorize"));
  const profile = { id: lastId, login: `person-${lastId}` };
  const code = provider.prepare({ ...script, profile: { ...profile, ...script.profile } });
  const query = new URLSearchParams({ code, state: start.code });
  const headers = { accept: "application/json" };
  const { response } = await visitor.request(`/api/auth/idp/callback?${query}`, { headers });
  return { response, status: (await pollSignIn(start.poll_token)).status };
}

const address = (email: string, facts: object = {}) => ({ email, verified: true, primary: false, ...facts });
const organization = (state: string, login = "Example-Inc") => ({
  "example-inc": json({ state, role: "member", organization: { login } }),
});

describe.concurrent("GitHub", () => {
  test.each<[string, Script]>([
    ["a verified address of the domain", { emails: json([address("ada@example.com")]) }],
    [
      "one among many, which is the main one",
      {
        emails: json([
          ...Array.from({ length: 20 }, (_, index) => address(`ada${index}@other.example`)),
          address("ada@example.com", { primary: true }),
        ]),
      },
    ],
    ["an organization that they are in", { organizations: organization("active") }],
    [
      "an organization, though it does not tell their addresses",
      {
        emails: { status: 404, ...json({ message: "Not Found" }) },
        organizations: organization("active"),
      },
    ],
    ["a group that the profile has", { profile: { groups: ["publishers"] } }],
    [
      "an address that the profile says is verified",
      { profile: { email: "ada@example.com", email_verified: true } },
    ],
  ])("admits by %s", async (_, script) => {
    const { response, status } = await signInAs(script);

    expect([response.status, status]).toEqual([200, "verified"]);
  });

  test.each<[string, Script]>([
    ["nothing", {}],
    [
      "an address that nobody has verified",
      { emails: json([address("ada@example.com", { verified: false })]) },
    ],
    [
      "an address of which it says no more",
      { emails: json([{ email: "ada@example.com" }, null, 7, { verified: true }]) },
    ],
    ["a word for verified", { emails: json([address("ada@example.com", { verified: "true" })]) }],
    ["the profile's public address", { profile: { email: "ada@example.com" } }],
    ["the profile's word for verified", { profile: { email: "ada@example.com", email_verified: "true" } }],
    ["an invitation", { organizations: organization("pending") }],
    ["another organization's word", { organizations: organization("active", "example-inc-2") }],
    [
      "an organization that has not approved the app",
      { organizations: { "example-inc": { status: 403, body: "{}" } } },
    ],
    [
      "an organization that was renamed",
      { organizations: { "example-inc": { status: 301, body: "", location: "/organizations/1" } } },
    ],
    ["the organization as a group", { profile: { groups: ["example-inc"] } }],
  ])("does not admit by %s", async (_, script) => {
    const { response, status } = await signInAs(script);

    expectError(response, "forbidden");
    expect(status).toBe("expired");
  });

  test.each<[string, Misdeed]>([
    ["fails", { status: 500, body: "" }],
    ["is overloaded", { status: 429, body: "" }],
    ["says no list", json({ message: "?" })],
    ["says half of a list", { body: "[" }],
    ["does not answer", hang],
  ])(
    "that %s when addresses are requested is reported as unavailable, and the code stays valid",
    async (_, emails) => {
      const { response, status } = await signInAs({ emails });

      expectError(response, "idp_unavailable");
      expect(status).toBe("pending");
    },
  );

  test("that fails when an organization is requested is reported as unavailable, too", async () => {
    const { response, status } = await signInAs({
      organizations: { "example-inc": { status: 502, body: "" } },
    });

    expectError(response, "idp_unavailable");
    expect(status).toBe("pending");
  });
});
