import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningEndpoint, runEndpoint } from "../local/aws/running-endpoint.ts";
import { stackOf, TABLE } from "../local/aws/stack.ts";

type CookieKeys = typeof import("../../functions/platform/cookie-keys.ts")["cookieKeys"];

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

/** A function's environment of its own: what one has read, another does not have in memory. */
async function startProcess(): Promise<{ keys: CookieKeys; countReads: () => number }> {
  vi.resetModules();
  const { cookieKeys } = await import("../../functions/platform/cookie-keys.ts");
  const { dynamodb } = await import("../../functions/platform/table.ts");
  const send = vi.spyOn(dynamodb, "send");
  const isRead = ([command]: unknown[]) => (command as object).constructor.name === GetItemCommand.name;
  return { keys: cookieKeys, countReads: () => send.mock.calls.filter(isRead).length };
}

const is = (expected: string) => (key: string) => key === expected;

test("functions that sign for the first time at once take the same key, and find it again later", async () => {
  const all = [await startProcess(), await startProcess(), await startProcess(), await startProcess()];
  const before = await (await startProcess()).keys.holds(() => true);

  const made = await Promise.all(all.flatMap(({ keys }) => [keys.signing(), keys.signing()]));

  expect(before).toBe(false);
  expect(new Set(made).size).toBe(1);
  expect(made[0]).toMatch(/^[A-Za-z0-9]{64}$/);
  expect(await (await startProcess()).keys.signing()).toBe(made[0]);
});

test("a key that was rotated out is still good for cookies, and one before it is not", async () => {
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

test("a process that read the key before it was rotated takes cookies of the new one seconds later", async () => {
  const { keys } = await startProcess();
  const old = await keys.signing();
  const operator = await startProcess();
  await operator.keys.rotate();
  const fresh = await operator.keys.signing();

  vi.setSystemTime(Date.now() + 11_000);

  expect(await keys.holds(is(fresh))).toBe(true);
  expect(await keys.holds(is(old))).toBe(true);
});

test("cookies are signed with a rotated key at most five minutes later", async () => {
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

test("good cookies cost one read in five minutes, and forged ones one in ten seconds", async () => {
  const key = await (await startProcess()).keys.signing();
  const { keys, countReads } = await startProcess();
  for (let visit = 0; visit < 20; visit += 1) await keys.holds(is(key));
  const readsForGood = countReads();

  vi.setSystemTime(Date.now() + 10_001);
  for (let visit = 0; visit < 20; visit += 1) await keys.holds(is("forged"));

  expect(readsForGood).toBe(1);
  expect(countReads()).toBe(2);
});

test("a rotation before anything was signed makes the first key", async () => {
  const fresh = await runEndpoint(stackOf());
  vi.stubEnv("AWS_ENDPOINT_URL", fresh.endpoint.url);
  vi.stubEnv("AWS_ACCESS_KEY_ID", fresh.endpoint.administrator.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", fresh.endpoint.administrator.secretAccessKey);
  const { keys } = await startProcess();

  await keys.rotate();

  expect(await keys.holds(is(await keys.signing()))).toBe(true);
  await fresh.remove();
});
