import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import type { Reader } from "../../functions/people/find-reader.ts";
import { ranges } from "../../functions/table/keys.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";
import { durationMs } from "../support/patience.ts";
import { environmentOf } from "../support/stack-environment.ts";

const days = 30;
const dayMs = 24 * 60 * 60 * 1000;

let storage: OwnStorage;
let lines: () => Record<string, unknown>[];
let server: Server | undefined;

beforeAll(async () => {
  storage = await runOwnStorage();
});
beforeEach(async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  lines = () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
  Object.assign(
    process.env,
    await environmentOf({ template: storage.template, awsEndpoint: storage.endpoint }),
    { READ_TRAIL_DAYS: String(days) },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  server?.closeAllConnections();
  server?.close();
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
});
afterAll(() => storage.remove());

/** Loads the read trail as in a new process, without remembered reads. */
async function startProcess() {
  vi.resetModules();
  const { readTrail } = await import("../../functions/drops/read-trail.ts");
  const { queryAll } = await import("../../functions/table/table.ts");
  return { readTrail, rowsOf: ({ slug }: Drop) => queryAll(ranges.reads(slug)) };
}

/** Starts a fake of the table with this listener. */
async function givenTable(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let dropCount = 0;
function newDrop(): Drop {
  dropCount += 1;
  const visibility = { kind: "members" } as const;
  return {
    slug: `drop${String(dropCount).padStart(3, "0")}`,
    ownerId: "Owner00000000001",
    visibility,
  } as Drop;
}

function readerOf(name: string): Reader {
  const identity = {
    provider: "https://id.example.com",
    id: name,
    username: name,
    emails: [],
    groups: [],
    organizations: [],
  };
  return { identity, userId: undefined, isMember: true, isInTeam: true, isBarred: false };
}

test("processes that record the same read concurrently write one item, with one of their times", async () => {
  const drop = newDrop();
  const processes = await Promise.all(Array.from({ length: 10 }, startProcess));
  const nowMs = Date.now();

  await Promise.all(
    processes.map(({ readTrail }, index) => readTrail.record(drop, readerOf("ada"), nowMs + (index % 2))),
  );

  await expect.poll(() => processes[0]?.rowsOf(drop)).toHaveLength(1);
  const [row] = (await processes[0]?.rowsOf(drop)) ?? [];
  expect([nowMs, nowMs + 1]).toContain(row?.firstAtMs);
});

test("a later read on the same day keeps the first time", async () => {
  const drop = newDrop();
  const firstAtMs = Date.parse("2026-11-24T08:00:00Z");

  for (const atMs of [firstAtMs, firstAtMs + 60_000]) {
    const { readTrail } = await startProcess();
    await readTrail.record(drop, readerOf("ada"), atMs);
  }

  const { rowsOf } = await startProcess();
  expect((await rowsOf(drop)).map((row) => row.firstAtMs)).toEqual([firstAtMs]);
});

test("a reader's reads before and after midnight UTC are separate entries, the later one first", async () => {
  const drop = newDrop();
  const { readTrail } = await startProcess();
  const midnightMs = Date.parse("2026-11-25T00:00:00Z");

  for (const atMs of [midnightMs - 1, midnightMs]) await readTrail.record(drop, readerOf("ada"), atMs);

  const { reads } = await readTrail.list(drop.slug, { cursor: undefined, limit: 20, nowMs: midnightMs });
  expect(reads).toEqual([
    { reader: "ada", day: "2026-11-25", firstAtMs: midnightMs },
    { reader: "ada", day: "2026-11-24", firstAtMs: midnightMs - 1 },
  ]);
});

test("expired reads are not listed, even before the table has removed them", async () => {
  const drop = newDrop();
  const { readTrail, rowsOf } = await startProcess();
  const nowMs = Date.now();

  await readTrail.record(drop, readerOf("ada"), nowMs - days * dayMs - 2_000);
  await readTrail.record(drop, readerOf("grace"), nowMs - days * dayMs + 60_000);

  const { reads } = await readTrail.list(drop.slug, { cursor: undefined, limit: 20, nowMs });
  expect(reads.map(({ reader }) => reader)).toEqual(["grace"]);
  expect(await rowsOf(drop)).toHaveLength(2);
});

test("readers of the last seven days are counted once each, latest first", async () => {
  const drop = newDrop();
  const { readTrail } = await startProcess();
  const nowMs = Date.parse("2026-11-25T10:00:00Z");
  const readAt = (name: string, daysAgo: number) =>
    readTrail.record(drop, readerOf(name), nowMs - daysAgo * dayMs);

  for (const daysAgo of [0, 3, 6]) await readAt("ada", daysAgo);
  await readAt("grace", 6);
  await readAt("lin", 1);
  await readAt("a week too early", 7);

  expect(await readTrail.listWeeksReaders(drop.slug, nowMs)).toEqual(["ada", "lin", "grace"]);
});

test("expired reads are not counted in the week", async () => {
  const drop = newDrop();
  process.env.READ_TRAIL_DAYS = "1";
  const { readTrail } = await startProcess();
  const nowMs = Date.now();

  await readTrail.record(drop, readerOf("ada"), nowMs - 2 * dayMs);
  await readTrail.record(drop, readerOf("grace"), nowMs);

  expect(await readTrail.listWeeksReaders(drop.slug, nowMs)).toEqual(["grace"]);
});

test("all reads of a drop are deleted, even more than one batch", async () => {
  const drop = newDrop();
  const { readTrail, rowsOf } = await startProcess();
  const nowMs = Date.now();
  for (let index = 0; index < 60; index += 1) await readTrail.record(drop, readerOf(`r${index}`), nowMs);

  await readTrail.removeOf(drop.slug);

  expect(await rowsOf(drop)).toEqual([]);
});

test("a throttled write does not delay the reader, is logged without the reader, and is made up by the next read", {
  tags: "nightly",
}, async () => {
  const drop = newDrop();
  await givenTable((_, response) => {
    const type = "com.amazonaws.dynamodb.v20120810#ThrottlingException";
    response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: type, message: "ada" }));
  });
  const { readTrail } = await startProcess();

  await readTrail.record(drop, readerOf("ada"), Date.now());

  await expect.poll(lines).toMatchObject([{ level: "warn", event: "read-not-recorded", slug: drop.slug }]);
  expect(JSON.stringify(lines())).not.toMatch(/\bada\b|id\.example/);
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const again = await startProcess();
  await again.readTrail.record(drop, readerOf("ada"), Date.now());
  expect(await again.rowsOf(drop)).toHaveLength(1);
});

test("a read trail write to an unresponsive table times out", { tags: "slow" }, async () => {
  await givenTable(() => {});
  const { readTrail } = await startProcess();

  await expect
    .poll(() => durationMs(() => readTrail.record(newDrop(), readerOf("ada"), Date.now())))
    .toBeLessThan(1_500);
});

test("a process writes once per reader, drop and day, and again after a failure", async () => {
  let requestCount = 0;
  let status = 500;
  await givenTable((_, response) => {
    requestCount += 1;
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end("{}");
  });
  const { readTrail } = await startProcess();
  const [drop, nowMs] = [newDrop(), Date.now()];
  await readTrail.record(drop, readerOf("ada"), nowMs);
  status = 200;
  requestCount = 0;

  for (let index = 0; index < 3; index += 1) await readTrail.record(drop, readerOf("ada"), nowMs + index);
  expect(requestCount).toBe(1);
  await readTrail.record(drop, readerOf("grace"), nowMs);
  await readTrail.record(newDrop(), readerOf("ada"), nowMs);

  expect(requestCount).toBe(3);
});
