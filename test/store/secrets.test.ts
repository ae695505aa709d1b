import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningEndpoint, runEndpoint } from "../local/aws/running-endpoint.ts";
import { SECRET_ARN, stackOf } from "../local/aws/stack.ts";

const minuteMs = 60_000;

let running: RunningEndpoint;
let secrets: typeof import("../../functions/store/secrets.ts")["secrets"];
let countReads: () => number;

beforeAll(async () => {
  running = await runEndpoint(stackOf());
  const { accessKeyId, secretAccessKey } = running.endpoint.administrator;
  vi.stubEnv("AWS_ENDPOINT_URL", running.endpoint.url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey);
  vi.stubEnv("COOKIE_KEY_SECRET_ARN", SECRET_ARN);
});

// Modules of their own for each test: what one has read, another must not find kept.
beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const loaded = await import("../../functions/store/secrets.ts");
  secrets = loaded.secrets;
  const send = vi.spyOn(loaded.secretsManager, "send");
  countReads = () => send.mock.calls.length;
});

afterEach(() => vi.useRealTimers());

afterAll(async () => {
  vi.unstubAllEnvs();
  await running.remove();
});

async function rotate(value: string): Promise<void> {
  const command = new PutSecretValueCommand({ SecretId: SECRET_ARN, SecretString: value });
  await running.secretsManager().send(command);
}

const is = (expected: string) => (key: string) => key === expected;

test("a key that was rotated out is still good for cookies, and one before it is not", async () => {
  await rotate("first");
  await rotate("second");
  await rotate("third");

  expect(await secrets.cookieKey()).toBe("third");
  expect(await secrets.isCookieKey(is("third"))).toBe(true);
  expect(await secrets.isCookieKey(is("second"))).toBe(true);
  expect(await secrets.isCookieKey(is("first"))).toBe(false);
});

test("a process that read the key before it was rotated takes cookies of the new one seconds later", async () => {
  await rotate("old");
  await secrets.cookieKey();
  await secrets.isCookieKey(is("old"));
  await rotate("new");

  vi.setSystemTime(Date.now() + 11_000);

  expect(await secrets.isCookieKey(is("new"))).toBe(true);
  expect(await secrets.isCookieKey(is("old"))).toBe(true);
});

test("cookies are signed with a rotated key at most five minutes later", async () => {
  await rotate("before");
  await secrets.cookieKey();
  await rotate("after");

  vi.setSystemTime(Date.now() + 5 * minuteMs + 1);

  expect(await secrets.cookieKey()).toBe("after");
});

test("good cookies cost one read in five minutes, and forged ones two in ten seconds", async () => {
  await rotate("key");
  for (let visit = 0; visit < 20; visit += 1) await secrets.isCookieKey(is("key"));
  const readsForGood = countReads();

  for (let visit = 0; visit < 20; visit += 1) await secrets.isCookieKey(is("forged"));

  expect(readsForGood).toBe(1);
  expect(countReads()).toBe(2);
});

test("a secret that was never rotated has no previous key, which is no failure", async () => {
  const fresh = await runEndpoint(stackOf());
  vi.stubEnv("AWS_ENDPOINT_URL", fresh.endpoint.url);
  vi.stubEnv("AWS_ACCESS_KEY_ID", fresh.endpoint.administrator.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", fresh.endpoint.administrator.secretAccessKey);

  expect(await secrets.isCookieKey(is("forged"))).toBe(false);
  expect(await secrets.isCookieKey(is(await secrets.cookieKey()))).toBe(true);

  await fresh.remove();
});
