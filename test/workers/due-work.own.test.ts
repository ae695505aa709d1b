// @module-tag slow

import { setTimeout as sleep } from "node:timers/promises";
import type { BusEvent } from "@dropleaf/local-cloud/aws/eventbridge/event-bus";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type DueWork, keys } from "../../functions/table/keys.ts";
import { givenDrop, ownerId } from "./items.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
const told: BusEvent[] = [];
const dayMs = 86_400_000;

beforeAll(async () => {
  worker = await runWorker("do-due-work");
  worker.onEvent((event) => told.push(event));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  // The first run takes longest.
  await worker.invoke({});
});
afterAll(() => worker.stop());
beforeEach(() => {
  told.length = 0;
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

const toldOf = (slug: string) =>
  told
    .filter(({ detail }) => detail.slug === slug)
    .map((event) => [event["detail-type"], event.detail.number]);

/** Stores a drop with an expiry, and due work for it. */
async function givenExpiring(slug: string, expiresAtMs: number, ...work: Pick<DueWork, "kind" | "atMs">[]) {
  await worker.putItem({ ...givenDrop(slug).dropItem, expiresAtMs });
  const due = work.map((one) => keys.dueWork({ ...one, ownerId, slug }));
  for (const key of due) await worker.putItem({ ...key });
  return due;
}

test("an expiry has events three days before and at the expiry, with the same id and number in each attempt", async () => {
  const expiresAtMs = Date.now() + 2_000;
  const notice = { kind: "expiring", atMs: expiresAtMs - 3 * dayMs } as const;
  const end = { kind: "expired", atMs: expiresAtMs } as const;

  const due = await givenExpiring("soon000", expiresAtMs, notice, end);
  await worker.invoke({});
  await worker.putItem({ ...keys.dueWork({ ...notice, ownerId, slug: "soon000" }) });
  await worker.invoke({});
  await sleep(Math.max(0, expiresAtMs - Date.now()));
  await worker.invoke({});

  const [first] = told;
  expect(toldOf("soon000")).toEqual([
    ["drop.expiring", 2],
    ["drop.expiring", 2],
    ["drop.expired", 3],
  ]);
  expect(new Set(told.map(({ detail }) => detail.id)).size).toBe(2);
  expect(first?.detail).toMatchObject({
    owner: ownerId,
    expires_at: expiresAtMs,
    time: new Date(notice.atMs).toISOString(),
  });
  for (const key of due) expect(await worker.getItem(key)).toBeUndefined();
});

test("a notice that would be late is not sent", async () => {
  const expiresAtMs = Date.now() - 5;
  const notice = { kind: "expiring", atMs: expiresAtMs - 3 * dayMs } as const;
  await givenExpiring("late000", expiresAtMs, notice, { kind: "expired", atMs: expiresAtMs });

  await worker.invoke({});

  expect(toldOf("late000")).toEqual([["drop.expired", 2]]);
});

test("work for a deleted drop, or one with another expiry, is discarded", async () => {
  const pastMs = Date.now() - 5;
  const due = [
    ...(await givenExpiring("later00", pastMs + dayMs, { kind: "expired", atMs: pastMs })),
    keys.dueWork({ kind: "expired", atMs: pastMs, ownerId, slug: "gone000" }),
  ];
  for (const key of due) await worker.putItem({ ...key });

  await worker.invoke({});

  expect(told).toEqual([]);
  for (const key of due) expect(await worker.getItem(key)).toBeUndefined();
});

test("an expired drop is moved into the trash, and purged when its time there is over", async () => {
  const expiresAtMs = Date.now() - 5;
  const counts = { dropCount: 1, pageBytes: 3 };
  await worker.putItem({ ...keys.account(ownerId), ...counts });
  await worker.putItem(givenDrop("expired").versionItem);
  await givenExpiring("expired", expiresAtMs, { kind: "expired", atMs: expiresAtMs });
  const trashed = keys.trashedDrop(ownerId, "expired");

  await worker.invoke({});
  const row = await worker.getItem(trashed);
  const counted = await worker.getItem(keys.account(ownerId));
  const dueAtMs = Date.now() - 5;
  await worker.putItem({ ...keys.dueWork({ kind: "purge", atMs: expiresAtMs, ownerId, slug: "expired" }) });
  await worker.invoke({});
  const kept = await worker.getItem(trashed);
  await worker.putItem({ ...trashed, ...row, purgeAtMs: dueAtMs });
  await worker.putItem({ ...keys.dueWork({ kind: "purge", atMs: dueAtMs, ownerId, slug: "expired" }) });
  await worker.invoke({});

  expect(row).toMatchObject({ reason: "expired", title: "Title", trashedBytes: 3 });
  expect(Number(row?.purgeAtMs) - Number(row?.trashedAtMs)).toBe(7 * dayMs);
  expect(counted).toMatchObject({ dropCount: 0, pageBytes: 3, trashBytes: 3 });
  expect(await worker.getItem(keys.drop(ownerId, "expired"))).toBeUndefined();
  expect(kept, "before its purge time").toEqual(row);
  expect(await worker.getItem(trashed)).toBeUndefined();
  expect(await worker.getItem(keys.account(ownerId))).toMatchObject({ pageBytes: 0, trashBytes: 0 });
});

test("a drop on hold is moved into the trash when it expires, and purged by the first run after the hold", async () => {
  const expiresAtMs = Date.now() - 5;
  const account = keys.account(ownerId);
  const counts = { dropCount: 1, pageBytes: 3 };
  await worker.putItem({ ...account, ...counts, heldSlugs: new Set(["onhold0"]) });
  await worker.putItem(givenDrop("onhold0").versionItem);
  await givenExpiring("onhold0", expiresAtMs, { kind: "expired", atMs: expiresAtMs });
  const trashed = keys.trashedDrop(ownerId, "onhold0");
  const due = keys.dueWork({ kind: "purge", atMs: expiresAtMs, ownerId, slug: "onhold0" });

  await worker.invoke({});
  const row = { ...(await worker.getItem(trashed)), ...trashed, purgeAtMs: expiresAtMs };
  await worker.putItem(row);
  await worker.putItem({ ...due });
  await worker.invoke({});
  const [kept, waiting] = [await worker.getItem(trashed), await worker.getItem(due)];
  await worker.putItem({ ...account, ...counts });
  await worker.invoke({});

  expect(kept).toEqual(row);
  expect(waiting).toBeDefined();
  expect(await worker.getItem(trashed)).toBeUndefined();
  expect(await worker.getItem(due)).toBeUndefined();
});

test("work that is not due yet stays stored", async () => {
  const expiresAtMs = Date.now() + dayMs;
  const [key] = await givenExpiring("notyet0", expiresAtMs, { kind: "expired", atMs: expiresAtMs });

  await worker.invoke({});

  expect(told).toEqual([]);
  expect(key && (await worker.getItem(key))).toBeDefined();
});

test("work of an unknown kind fails, stays stored, and delays nothing else", async () => {
  const expiresAtMs = Date.now() - 5;
  const [due] = await givenExpiring("other00", expiresAtMs, { kind: "expired", atMs: expiresAtMs });
  const { pk = "", sk = "" } = due ?? {};
  const unknown = { pk, sk: sk.replace("#expired#", "#unheard#") };
  await worker.putItem(unknown);

  await expect(worker.invoke({})).rejects.toThrow("do-due-work failed");

  expect(toldOf("other00")).toEqual([["drop.expired", 2]]);
  expect(await worker.getItem(unknown)).toBeDefined();
});

test("several batches of a partition are processed in one run, while time remains", async () => {
  const atMs = Date.now() - 5;
  const [{ pk } = { pk: "" }] = await givenExpiring("many000", atMs + dayMs, { kind: "expired", atMs });
  const rows = Array.from({ length: 130 }, (_, index) => ({
    pk,
    sk: keys.dueWork({ kind: "expired", atMs: atMs - index, ownerId, slug: "many000" }).sk,
  }));
  for (const row of rows) await worker.putItem(row);

  await worker.invoke({}, 20_000).catch(() => undefined);
  const first = rows[0];
  expect(first && (await worker.getItem(first)), "without time for a batch").toBeDefined();
  await worker.invoke({}).catch(() => undefined);

  const left = await Promise.all(rows.map((row) => worker.getItem(row)));
  expect(left.filter((row) => row !== undefined)).toEqual([]);
});
