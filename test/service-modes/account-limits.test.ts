// @module-tag nightly

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { visitorConcurrencySum } from "../../lib/lambda/visitor-concurrency.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { fetchPage, type ReceivedResponse, useService } from "../support/http.ts";
import { race } from "../support/race.ts";
import { type RunningService, type ServiceOptions, startService } from "../support/running-service.ts";

let service: RunningService | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});

async function start(concurrentExecutions: number, options: ServiceOptions = {}): Promise<RunningService> {
  service = await startService({
    ...options,
    account: { concurrentExecutions, apiRequestsPerSecond: 10_000 },
  });
  useService(service);
  return service;
}

function sendPage({ api }: Account, title: string): Promise<ReceivedResponse> {
  return fetchPage("/api/drops", {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ html: pageOf(title), title }),
  });
}

/** Checks that a temporary refusal has the code and the time to retry of the specification's section "Errors". */
function expectComeAgain({ status, headers, text }: ReceivedResponse): void {
  const { error } = JSON.parse(text) as {
    error: { code: string; message: string; details: { retry_after_seconds: number } };
  };
  expect([status, error.code]).toEqual(status === 429 ? [429, "rate_limited"] : [503, "unavailable"]);
  expect(error.message).toMatch(/./);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(error.details.retry_after_seconds).toBe(Number(headers["retry-after"]));
}

/** Returns the names of all objects in the local cloud's buckets. */
function storedObjects({ directory }: RunningService): string[] {
  const s3 = join(directory, "data", "s3");
  return readdirSync(s3).flatMap((bucket) => readdirSync(join(s3, bucket, "objects")));
}

describe("a new account with ten concurrent executions", () => {
  test("serves or asks to retry each of 200 concurrent requests, and loses nothing", async () => {
    const running = await start(10, { fileSettings: { ingest: "none" } });
    const accounts = [await newAccount("ada"), await newAccount("grace")];
    const [seen] = await Promise.all(accounts.map(({ api }) => publish(api)));
    if (seen === undefined) throw new Error("No drop was published.");
    const requests = Array.from({ length: 50 }, (_, index) => [
      ...accounts.map((account) => sendPage(account, `page ${index}`)),
      fetchPage(`/p/${seen.slug}`),
      fetchPage("/api/me", { headers: { authorization: `Bearer ${accounts[0]?.api.token}` } }),
    ]).flat();

    const responses = await Promise.all(requests);

    const refused = responses.filter(({ status }) => ![200, 201].includes(status));
    for (const response of refused) expectComeAgain(response);
    expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(50);
    const published = responses.flatMap(({ status, text }) =>
      status === 201 ? [(JSON.parse(text) as DropResponse).slug] : [],
    );
    expect(published.length).toBeGreaterThan(0);
    expect((await slugsOf(accounts)).sort()).toEqual([...published, ...(await firstSlugs(accounts))].sort());
    await expectWorkers(running, accounts[0] as Account, seen);
  });
});

test("with one concurrent execution, a tool call fails with advice to retry", async () => {
  await start(1);
  const { api } = await newAccount("ada");
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json" };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami" } };

  const { status, text } = await fetchPage("/mcp", { method: "POST", headers, body: JSON.stringify(call) });

  expect(status).toBe(200);
  expect(JSON.parse(text).result.structuredContent.error).toEqual({
    code: "unavailable",
    message: "The service is busy.",
    details: { retry_after_seconds: 5 },
  });
});

const titleOfFirst = "A page";

async function listed({ api }: Account) {
  return (await api.succeed("list-drops", { query: { pageSize: 200 } })).drops;
}

async function slugsOf(accounts: readonly Account[]): Promise<string[]> {
  return (await Promise.all(accounts.map(listed))).flat().map(({ slug }) => slug);
}

async function firstSlugs(accounts: readonly Account[]): Promise<string[]> {
  const drops = (await Promise.all(accounts.map(listed))).flat();
  return drops.filter(({ title }) => title === titleOfFirst).map(({ slug }) => slug);
}

/** Checks that views are still counted, and that a deleted drop's object is still removed. */
async function expectWorkers(
  running: RunningService,
  { api }: Account,
  { slug }: DropResponse,
): Promise<void> {
  const views = async () => (await api.succeed("get-drop", { params: { slug } })).view_count;
  await expect.poll(views).toBeGreaterThan(0);
  const before = storedObjects(running);
  const left = () => storedObjects(running).filter((one) => before.includes(one)).length;
  for (const id of ["delete-drop", "purge-drop"] as const) await api.succeed(id, { params: { slug } });
  await expect.poll(left).toBe(before.length - 1);
}

test("with visitorConcurrencyMax, many concurrent views do not affect publishers", async () => {
  const visitorConcurrencyMax = 2;
  await start(100 + visitorConcurrencySum(visitorConcurrencyMax), { settings: { visitorConcurrencyMax } });
  const owner = await newAccount("ada");
  const { slug } = await publish(owner.api);
  const flood = Array.from({ length: 150 }, () => fetchPage(`/p/${slug}`));
  const published = await race(10, (index) => sendPage(owner, `${index}`));

  const views = await Promise.all(flood);

  expect(published.map(({ status }) => status)).toEqual(published.map(() => 201));
  const refused = views.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(50);
  for (const response of refused) expectComeAgain(response);
});
