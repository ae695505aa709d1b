// @module-tag slow

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AssertionIssuer, startAssertionIssuer } from "../support/assertion-issuer.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { discover, registerClient, sendTo } from "../support/oauth.ts";
import type { RunningService } from "../support/running-service.ts";
import { createToken, Directory, startScimService, unusedAddress } from "./scim-client.ts";

// The company's issuer lets clients act for people without a sign-in. These tests cover this access in addition to
// deactivation.own.test.ts.

let issuer: AssertionIssuer;
let service: RunningService;
let directory: Directory;
let clientId: string;

beforeAll(async () => {
  issuer = await startAssertionIssuer();
  const { address } = issuer.provider;
  const enterpriseAuthorization = { issuer: address };
  service = await startScimService(
    { enterpriseAuthorization, members: { emailDomains: ["example.com"] } },
    { identityProvider: { kind: "oidc", issuer: address } },
  );
  directory = new Directory((await createToken()).plaintext);
  clientId = (await registerClient(await discover())).client_id;
});

afterAll(() => Promise.all([service.stop(), issuer.provider.stop()]));

/** Sends an assertion that the company's issuer gives to the client for a person. */
async function redeem(address: string, jti: string = randomUUID()) {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const assertion = await issuer.sign({
    ...{ iss: issuer.provider.address, aud: service.address, sub: address, jti, client_id: clientId },
    ...{ iat: nowSeconds, exp: nowSeconds + 300, resource: `${service.address}/mcp`, scope: "drops" },
    ...{ email: address, email_verified: true },
  });
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", client_id: clientId };
  return sendTo("token", { ...grant, assertion });
}

function isGood(token: unknown): Promise<boolean> {
  return connectMcp(String(token)).then(
    async (client) => !(await client.call("whoami")).isError,
    () => false,
  );
}

test.each([
  [
    "deactivates",
    (id: string) => directory.patch(`/Users/${id}`, [{ op: "replace", path: "active", value: false }]),
  ],
  ["deletes", (id: string) => directory.send("DELETE", `/Users/${id}`)],
])(
  "a person whom the directory %s loses the token of an assertion immediately, and gets no other",
  async (_, end) => {
    const address = unusedAddress();
    const id = await directory.createUser(address);
    const { status, json: tokens } = await redeem(address);
    expect([status, await isGood(tokens.access_token)]).toEqual([200, true]);

    expect((await end(id)).status).toBeLessThan(300);

    const late = await redeem(address);
    expect(await isGood(tokens.access_token)).toBe(false);
    expect([late.status, late.json.error]).toEqual([400, "invalid_grant"]);
  },
);

test("a person whom the directory reactivates gets a new token for the next assertion", async () => {
  const address = unusedAddress();
  const id = await directory.createUser(address);
  const { json: before } = await redeem(address);
  await directory.setActive(id, false);
  await directory.setActive(id, true);

  const { json: after } = await redeem(address);

  expect([await isGood(before.access_token), await isGood(after.access_token)]).toEqual([false, true]);
});
