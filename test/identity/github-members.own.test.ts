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

/**
 * Signs in at a provider that follows the script. Returns the callback's response and the status that the agent
 * polls.
 */
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
      "a primary address of the domain among many others",
      {
        emails: json([
          ...Array.from({ length: 20 }, (_, index) => address(`ada${index}@other.example`)),
          address("ada@example.com", { primary: true }),
        ]),
      },
    ],
    ["an active membership of the organization", { organizations: organization("active") }],
    [
      "an active membership of the organization but no access to their addresses",
      {
        emails: { status: 404, ...json({ message: "Not Found" }) },
        organizations: organization("active"),
      },
    ],
    ["an admitted group in the profile", { profile: { groups: ["publishers"] } }],
    [
      "an address that the profile marks as verified",
      { profile: { email: "ada@example.com", email_verified: true } },
    ],
  ])("admits a person with %s", async (_, script) => {
    const { response, status } = await signInAs(script);

    expect([response.status, status]).toEqual([200, "verified"]);
  });

  test.each<[string, Script]>([
    ["no addresses or memberships", {}],
    ["an unverified address", { emails: json([address("ada@example.com", { verified: false })]) }],
    [
      "an address without a verification status",
      { emails: json([{ email: "ada@example.com" }, null, 7, { verified: true }]) },
    ],
    [
      "a text instead of the boolean for verified",
      { emails: json([address("ada@example.com", { verified: "true" })]) },
    ],
    ["only the profile's public address", { profile: { email: "ada@example.com" } }],
    [
      "a text instead of the boolean for verified in the profile",
      { profile: { email: "ada@example.com", email_verified: "true" } },
    ],
    ["an invitation to the organization", { organizations: organization("pending") }],
    ["a membership of another organization", { organizations: organization("active", "example-inc-2") }],
    [
      "a membership of an organization that has not approved the app",
      { organizations: { "example-inc": { status: 403, body: "{}" } } },
    ],
    [
      "a membership of an organization that was renamed",
      { organizations: { "example-inc": { status: 301, body: "", location: "/organizations/1" } } },
    ],
    ["a group named like the organization", { profile: { groups: ["example-inc"] } }],
  ])("does not admit a person with %s", async (_, script) => {
    const { response, status } = await signInAs(script);

    expectError(response, "forbidden");
    expect(status).toBe("expired");
  });

  test.each<[string, Misdeed]>([
    ["fails", { status: 500, body: "" }],
    ["is overloaded", { status: 429, body: "" }],
    ["does not return a list", json({ message: "?" })],
    ["returns incomplete JSON", { body: "[" }],
    ["does not respond", hang],
  ])(
    "that %s when addresses are requested is reported as unavailable, and the code stays valid",
    async (_, emails) => {
      const { response, status } = await signInAs({ emails });

      expectError(response, "idp_unavailable");
      expect(status).toBe("pending");
    },
  );

  test("that fails when an organization is requested is reported as unavailable, and the code stays valid", async () => {
    const { response, status } = await signInAs({
      organizations: { "example-inc": { status: 502, body: "" } },
    });

    expectError(response, "idp_unavailable");
    expect(status).toBe("pending");
  });
});
