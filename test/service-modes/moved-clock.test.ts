// @module-tag nightly

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { patiently } from "../support/patience.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { Visitor } from "../support/visitor.ts";

const daySeconds = 86_400;
let directory: string;
let service: RunningService | undefined;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-clock-"));
});
afterEach(() => stop());
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}

async function startAfter(days: number): Promise<void> {
  await stop();
  service = await startService({
    fileSettings: { ingest: "webfunction" },
    clockOffsetSeconds: days * daySeconds,
    directory,
  });
  useService(service);
}

/** Returns the types of a drop's events up to now. */
function eventsOf(slug: string): string[] {
  return readFileSync(join(directory, "data", "events.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes(slug))
    .map((line) => JSON.parse(line)["detail-type"]);
}

function uploadTo({ api }: Account, query: Record<string, string> = {}) {
  const headers = { "content-type": "image/png" };
  return api.succeed("upload-blob", { query: { filename: "a.png", ...query }, text: "bytes", headers });
}

/** Returns the statuses of files' URLs, with the current port, because each start of the service has another one. */
async function statusesOf(...files: readonly { readonly url: string }[]): Promise<number[]> {
  const { port } = new URL(baseUrl());
  const addresses = files.map(({ url }) => Object.assign(new URL(url), { port }).href);
  return Promise.all(addresses.map(async (address) => (await fetchPage(address)).status));
}

test("a drop that expires in a week is announced after five days and, like its files, gone after eight", async () => {
  await startAfter(0);
  const account = await newAccount("week");
  const { slug } = await publish(account.api, { expires_in_days: 7 });
  const path = `/p/${slug}`;
  const [file, other] = [await uploadTo(account, { expires_in_days: "7" }), await uploadTo(account)];
  // This edit has to change the metadata of the stored object as well.
  await account.api.succeed("edit-blob", { params: { id: other.id }, body: { expires_in_days: 7 } });
  const filesNow = await statusesOf(file, other);
  await expect.poll(() => eventsOf(slug), patiently).toEqual(["drop.published"]);
  // Once the event was sent, the table's stream has been processed, and the expiry is scheduled.
  const statusNow = (await fetchPage(path)).status;

  await startAfter(5);
  const statusThen = (await fetchPage(path)).status;
  const filesThen = await statusesOf(file, other);
  await expect.poll(() => eventsOf(slug), patiently).toEqual(["drop.published", "drop.expiring"]);
  // Signatures, sessions, large bodies and upload URLs use the same clock.
  const visitor = await newAccount("later");
  const started = await visitor.api.succeed("start-publish", { body: { expires_in_days: 1 } });
  const headers = { "content-type": "text/html" };
  const sent = await fetchPage(started.url, { method: "POST", headers, body: pageOf("five") });
  const large = await publish(visitor.api, {
    html: `<!doctype html><title>T</title>${'"'.repeat(1_700_000)}`,
  });

  await startAfter(8);
  await expect
    .poll(() => eventsOf(slug), patiently)
    .toEqual(["drop.published", "drop.expiring", "drop.expired"]);
  const gone = await fetchPage(path);

  expect([statusNow, statusThen, sent.status, gone.status]).toEqual([200, 200, 201, 404]);
  expectError(await account.api.call("get-drop", { params: { slug } }), "not_found");
  expect([filesNow, filesThen, await statusesOf(file, other)]).toEqual([
    [200, 200],
    [200, 200],
    [404, 404],
  ]);
  expectError(await account.api.call("get-blob", { params: { id: file.id } }), "not_found");
  expect((await account.api.succeed("list-blobs")).blobs).toEqual([]);
  // The scheduled work deletes the files, and their bytes no longer count.
  const used = async () => (await account.api.succeed("get-usage")).blobs;
  await expect.poll(used, patiently).toMatchObject({ used: 0, bytes_used: 0 });
  expect((await fetchPage(`/p/${large.slug}`)).status).toBe(200);
  expect(Math.abs(large.created_at - Date.now() + 3 * daySeconds * 1000)).toBeLessThan(600_000);
});

test("a locked folder that is open in the viewer can be read on with a renewed key", async () => {
  await startAfter(0);
  const { api } = await newAccount("renewal");
  const { slug } = await publishFolder(api, { "index.html": pageOf("entry"), "a.txt": "text" });
  await api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } });
  const visitor = new Visitor();
  const { url } = await visitor.submit(await visitor.open(`/p/${slug}/raw/`), { passcode: "open sesame" });
  const part = () => {
    const address = Object.assign(new URL("a.txt", url), { port: new URL(baseUrl()).port });
    return fetchPage(address, { headers: { "sec-fetch-dest": "empty", "sec-fetch-site": "cross-site" } });
  };
  const before = (await part()).status;

  await startAfter(1 / 24);
  const expired = (await part()).status;
  // The cookie is bound to the service's previous port, so the passcode is entered again.
  await visitor.submit(await visitor.open(`/p/${slug}`), { passcode: "open sesame" });
  const address = new URL(url.pathname, baseUrl());
  const fromViewer = { headers: { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" } };
  const renewal = (await visitor.request(address, fromViewer)).response.status;
  const renewed = (await part()).status;
  await api.succeed("set-passcode", { params: { slug }, body: { passcode: "open wheat" } });

  expect([before, expired, renewal, renewed, (await part()).status]).toEqual([200, 404, 200, 200, 404]);
});
