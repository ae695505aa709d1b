import { randomInt } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningEndpoint, runEndpoint } from "../../packages/local-cloud/test/aws/running-endpoint.ts";
import { stackOf, TABLE } from "../../packages/local-cloud/test/aws/stack.ts";
import { givenAct } from "../support/given-act.ts";

type CookieKeys = typeof import("../../functions/table/cookie-keys.ts")["cookieKeys"];

const minuteMs = 60_000;

let running: RunningEndpoint;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  const { accessKeyId, secretAccessKey } = running.endpoint.administrator;
  vi.stubEnv("AWS_ENDPOINT_URL", running.endpoint.url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("TABLE_NAME", TABLE);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  return () => vi.useRealTimers();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await running.remove();
});

/** Imports the modules again, as a new function environment without cached keys. */
async function startProcess(): Promise<{ keys: CookieKeys; countReads: () => number }> {
  vi.resetModules();
  const { cookieKeys } = await import("../../functions/table/cookie-keys.ts");
  const { dynamodb } = await import("../../functions/table/table.ts");
  const send = vi.spyOn(dynamodb, "send");
  const isRead = ([command]: unknown[]) => (command as object).constructor.name === GetCommand.name;
  return { keys: cookieKeys, countReads: () => send.mock.calls.filter(isRead).length };
}

const is = (expected: string) => (key: string) => key === expected;

test("functions that first sign concurrently use the same key, and find it again later", async () => {
  const all = [await startProcess(), await startProcess(), await startProcess(), await startProcess()];
  const before = await (await startProcess()).keys.holds(() => true);

  await expect((await startProcess()).keys.signing()).rejects.toThrow("The next sign-in creates it.");
  const sign = async ({ ensure, signing }: CookieKeys) => {
    await ensure();
    return signing();
  };
  const made = await Promise.all(all.flatMap(({ keys }) => [sign(keys), sign(keys)]));

  expect(before).toBe(false);
  expect(new Set(made).size).toBe(1);
  expect(made[0]).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(await (await startProcess()).keys.signing()).toBe(made[0]);
});

test("the previous key is still valid for cookies, and the one before it is not", async () => {
  const { keys } = await startProcess();
  const first = await keys.signing();
  await keys.rotate();
  const second = await keys.signing();
  await keys.rotate();
  const third = await keys.signing();

  expect(new Set([first, second, third]).size).toBe(3);
  expect(await keys.holds(is(third))).toBe(true);
  expect(await keys.holds(is(second))).toBe(true);
  expect(await keys.holds(is(first))).toBe(false);
});

test("an MCP client's id stays valid after one rotation of the key, and becomes invalid after two", async () => {
  const { keys } = await startProcess();
  const { openClientId, sealClientId } = await import("../../functions/oauth/client.ts");
  const metadata = { name: "Sealed", redirectUris: ["https://client.example/callback"] };
  const [id, same] = [await sealClientId(metadata), await sealClientId(metadata)];

  const found = [await openClientId(id)];
  for (let rotation = 0; rotation < 2; rotation += 1) {
    await keys.rotate();
    found.push(await openClientId(id));
  }

  expect(found).toEqual([{ id, ...metadata }, { id, ...metadata }, undefined]);
  expect(same).not.toBe(id);
});

test("a sealed value opens only for the same purpose and binding, in the same spelling", async () => {
  await startProcess();
  const { createSeal, openSealed } = await import("../../functions/table/sealed-value.ts");
  const sealed = (await createSeal("one"))("a text", ["bound", "to"]);
  const last = sealed.slice(-1);

  const opened = await Promise.all([
    openSealed("one", sealed, ["bound", "to"]),
    openSealed("another", sealed, ["bound", "to"]),
    openSealed("one", sealed, ["boundto"]),
    openSealed("one", `${sealed}=`, ["bound", "to"]),
    openSealed("one", sealed.slice(0, -1) + (last === "A" ? "Q" : "A"), ["bound", "to"]),
    openSealed("one", "", ["bound", "to"]),
  ]);

  expect(opened).toEqual(["a text", ...Array(5).fill(undefined)]);
  expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("text");
});

test("a refresh token repeats the same tokens after one rotation of the key, and not after two", async () => {
  const { keys } = await startProcess();
  const { renew, repeat } = await givenGrant();
  const first = await renew();

  const again: unknown[] = [];
  for (let rotation = 0; rotation < 2; rotation += 1) {
    await keys.rotate();
    again.push(await repeat());
  }

  // With neither key the tokens cannot be reproduced, and nothing justifies ending the grant.
  expect(again).toEqual([first, "raced"]);
});

test("a process that cached the key before a rotation accepts cookies of the new key within seconds", async () => {
  const { keys } = await startProcess();
  const old = await keys.signing();
  const operator = await startProcess();
  await operator.keys.rotate();
  const fresh = await operator.keys.signing();

  vi.setSystemTime(Date.now() + 11_000);

  expect(await keys.holds(is(fresh))).toBe(true);
  expect(await keys.holds(is(old))).toBe(true);
});

test("cookies are signed with a rotated key after at most five minutes", async () => {
  const { keys } = await startProcess();
  const before = await keys.signing();
  const operator = await startProcess();
  await operator.keys.rotate();
  const after = await operator.keys.signing();

  vi.setSystemTime(Date.now() + 5 * minuteMs);
  expect(await keys.signing()).toBe(before);
  vi.setSystemTime(Date.now() + 1);

  expect(await keys.signing()).toBe(after);
});

test("valid cookies cause one read in five minutes, and forged ones one in ten seconds", async () => {
  const key = await (await startProcess()).keys.signing();
  const { keys, countReads } = await startProcess();
  for (let visit = 0; visit < 20; visit += 1) await keys.holds(is(key));
  const readsForGood = countReads();

  vi.setSystemTime(Date.now() + 10_001);
  for (let visit = 0; visit < 20; visit += 1) await keys.holds(is("forged"));

  expect(readsForGood).toBe(1);
  expect(countReads()).toBe(2);
});

test("a rotation before the first signature creates the first key", async () => {
  const fresh = await runEndpoint(stackOf());
  vi.stubEnv("AWS_ENDPOINT_URL", fresh.endpoint.url);
  vi.stubEnv("AWS_ACCESS_KEY_ID", fresh.endpoint.administrator.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", fresh.endpoint.administrator.secretAccessKey);
  const { keys } = await startProcess();

  await keys.rotate();

  expect(await keys.holds(is(await keys.signing()))).toBe(true);
  await fresh.remove();
});

/** Creates a grant and its first refresh token, in the stores of the latest process. */
async function givenGrant() {
  const { accounts } = await import("../../functions/people/accounts.ts");
  const { findTokenQuota } = await import("../../functions/identity/token-quota.ts");
  const { authorizationRequests, findCode } = await import("../../functions/oauth/authorization-store.ts");
  const { findRefreshToken, grants } = await import("../../functions/oauth/grant-store.ts");
  const nowMs = Date.now();
  const act = givenAct(nowMs);
  const identity = { provider: "https://id.example.com", id: "rotated", username: "rotated" };
  const { userId } = await accounts.findOrCreate(identity, randomInt, act);
  const redirectUri = "https://client.example/callback";
  const client = { id: "given", name: null, redirectUris: [redirectUri] };
  const asked = {
    client,
    redirectUri,
    state: undefined,
    codeChallenge: "a".repeat(43),
    scope: "drops",
  } as const;
  const requestId = await authorizationRequests.store("given", nowMs);
  const allowed = await authorizationRequests.allow(requestId, asked, { userId }, act, []);
  const code = typeof allowed === "string" ? undefined : await findCode(allowed.code);
  const quota = await findTokenQuota(userId, nowMs);
  const issued = code && quota && (await grants.redeem(code, quota, act, randomInt));
  if (typeof issued !== "object") throw new Error(`The given code is ${issued}.`);
  const { refreshToken } = issued;
  const find = async () => (await findRefreshToken(refreshToken)) ?? expect.fail("It is not there.");
  return {
    renew: async () => grants.renew(await find(), refreshToken, act),
    repeat: async () => {
      const token = await find();
      if (token.use === undefined) throw new Error("The refresh token has not been used.");
      return grants.repeat(token, token.use, refreshToken, nowMs);
    },
  };
}
