// @module-tag nightly

import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { environmentNames } from "../../functions/core/environment.ts";
import { toDropItem } from "../../functions/drops/items.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import type { Reader } from "../../functions/people/find-reader.ts";
import { findDrops } from "../../functions/search/find-drops.ts";
import { isManifest, readManifest, writeManifest } from "../../functions/search/index-files.ts";
import { mergeIndex } from "../../functions/search/index-upkeep.ts";
import { updateIndex } from "../../functions/search/index-writer.ts";
import { latestSnapshot } from "../../functions/search/snapshot.ts";
import { keys } from "../../functions/table/keys.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { resetUnreadableIndex } from "../../scripts/operator/upkeep/reindex.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";
import { runLength, seed } from "../support/random-run.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import { environmentOf } from "../support/stack-environment.ts";
import { indexObjects, runMortal, watchIndex } from "./oracle/killed-writers.ts";
import {
  isResult,
  type KnownDrop,
  type KnownSearch,
  owners,
  randomDrops,
  readers,
  searchesOfWords,
} from "./oracle/known-drops.ts";

// The oracle knows all texts and rights. Drops change at random; the index is updated later, in another order, twice,
// and by writers that are killed.

let storage: OwnStorage;

beforeAll(async () => {
  storage = await runOwnStorage();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  Object.assign(
    process.env,
    await environmentOf({ template: storage.template, awsEndpoint: storage.endpoint }),
  );
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => storage.remove());

const changesMax = 300 * runLength;

/** Maximum number of drops: a search has up to 200 results. */
const dropsMax = 300;

test(`searches never show inaccessible drops, and are complete once the index is up to date (seed ${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const randomInt = seededNumbers(seed);
  const random = randomDrops(randomInt);
  let clockMs = Date.now();
  const index = watchIndex(() => clockMs);
  const known = new Map<string, KnownDrop>();
  const ownerOf = new Map<string, string>();
  let waiting: string[] = [];
  let deaths = 0;
  await writeItems({
    puts: owners.map((id) => ({ ...keys.account(id), namespace: id, username: id, createdAtMs: 1 })),
    deletes: [],
  });

  const find = async (who: Reader, { q, tags }: KnownSearch) =>
    (await findDrops(who, { q, tags, page: 1, pageSize: 200 }, clockMs)).results;
  const lifeOfOne = () => ({
    requestsLeft: randomInt(2) === 0 ? randomInt(20) : Number.POSITIVE_INFINITY,
    losesResponse: randomInt(2) === 0,
  });

  /** Processes a batch, which is redelivered if its writer is killed, and sometimes otherwise. */
  async function follow(batch: readonly string[]): Promise<void> {
    const places = batch.map((slug) => ({ slug, ownerId: ownerOf.get(slug) as string }));
    const isDone = await runMortal(lifeOfOne(), async () => {
      await updateIndex(places, clockMs);
      await mergeIndex(clockMs, { isQuiet: randomInt(2) === 0 });
    });
    if (!isDone) deaths += 1;
    if (!isDone || randomInt(10) === 0) waiting.push(...batch);
  }

  async function makeChange(): Promise<readonly [KnownDrop | undefined, KnownDrop | undefined]> {
    const before = known.size > 0 && randomInt(4) > 0 ? random.oneOf([...known.values()]) : undefined;
    if (before && randomInt(known.size > dropsMax ? 2 : 8) === 0) {
      const { ownerId, slug } = before.drop;
      await writeItems({ puts: [], deletes: [keys.drop(ownerId, slug)] });
      return [before, undefined];
    }
    const after = await (before ? random.change(before, clockMs) : random.create(clockMs));
    await writeItems({ puts: [toDropItem(after.drop)], deletes: [] });
    return [before, after];
  }

  for (let change = 1; change <= changesMax; change += 1) {
    clockMs += randomInt(20_000);
    const [who, search] = [random.oneOf(readers), random.search()];
    // The stream's changes arrive in batches, at two concurrent writers.
    const batch = randomInt(5) === 0 ? waiting.filter(() => randomInt(2) === 0) : [];
    waiting = waiting.filter((slug) => !batch.includes(slug));
    const [results, [before, after]] = await Promise.all([
      find(who, search),
      makeChange(),
      ...(batch.length === 0 ? [] : [follow(batch), follow(batch.slice(0, batch.length / 2))]),
    ]);
    for (const { drop } of results) {
      const { slug } = drop;
      const states = before?.drop.slug === slug ? [before, after] : [known.get(slug) ?? after];
      const isAllowed = states.some((state) => state && isResult(state, search, who, clockMs));
      expect(isAllowed, `${slug} for ${search.q}, while it changed`).toBe(true);
    }

    const { slug, ownerId } = (after ?? (before as KnownDrop)).drop;
    if (after) known.set(slug, after);
    else known.delete(slug);
    ownerOf.set(slug, ownerId);
    waiting.push(slug);
    await index.checkDue(lifeOfOne);

    for (const { drop, owner, snippet } of await find(who, search)) {
      const truth = known.get(drop.slug);
      expect(truth && isResult(truth, search, who, clockMs), `${drop.slug} for ${search.q}`).toBe(true);
      expect(owner).toBe(truth?.drop.ownerId);
      const readable =
        `${truth?.text} ${truth?.drop.title} ${truth?.drop.description} ${truth?.drop.metadata.get("project")}`.split(
          " ",
        );
      for (const shown of snippet.text.split(" ").filter((one) => one !== ""))
        expect(readable).toContain(shown);
    }
    if (change % 100 > 0 && change !== changesMax) continue;
    await updateIndex(
      waiting.map((one) => ({ slug: one, ownerId: ownerOf.get(one) as string })),
      clockMs,
    );
    waiting = [];
    for (const one of readers)
      for (const sought of searchesOfWords()) {
        const found = (await find(one, sought)).map(({ drop }) => drop.slug);
        const expected = [...known.values()].filter((each) => isResult(each, sought, one, clockMs));
        expect(found.toSorted(), sought.q).toEqual(expected.map(({ drop }) => drop.slug).toSorted());
      }
  }

  expect(deaths).toBeGreaterThan(changesMax / 100);
  while (index.pending() > 0) {
    clockMs += 3_600_000;
    await index.checkDue(() => ({ requestsLeft: Number.POSITIVE_INFINITY, losesResponse: false }));
  }
  const { found, segments } = await latestSnapshot();
  const texts = segments.flatMap(({ segment, rows }) =>
    segment.rows.filter((row) => !row.isRemoved && !rows.has(row.id) && !known.has(row.slug)),
  );
  expect(texts, "texts of drops that are gone").toEqual([]);
  const left = (await indexObjects()).filter((key) => !isManifest(key));
  expect(left.toSorted(), "objects").toEqual(found.manifest.segments.map(({ key }) => key).toSorted());
});

test("an excluded word excludes a page that was unlocked after it was indexed", {}, async () => {
  const { drop } = await randomDrops(seededNumbers(seed)).create(Date.now());
  const { slug, ownerId } = drop;
  const locked = {
    ...drop,
    title: "unlocked",
    gate: { kind: "locked", epoch: 1, passcodeHash: "scrypt$0" },
  } as const;
  const account = { ...keys.account(ownerId), namespace: ownerId, username: ownerId, createdAtMs: 1 };
  await writeItems({ puts: [toDropItem(locked), account], deletes: [] });
  await updateIndex([{ slug, ownerId }], Date.now());
  const open = { ...locked, revision: drop.revision + 1, gate: { kind: "open", epoch: 1 } } as const;
  await writeItems({ puts: [toDropItem(open)], deletes: [] });
  const find = async (q: string) => {
    const owner = readers.find(({ userId }) => userId === ownerId) as Reader;
    const { results } = await findDrops(owner, { q, tags: [], page: 1, pageSize: 20 }, Date.now());
    return results.map((one) => one.drop.slug);
  };

  expect(await find("unlocked -word*")).toEqual([]);
  expect(await find("unlocked")).toEqual([slug]);
});

test.each([
  ["missing", undefined],
  ["damaged", "no database"],
])("an index with a %s file is rebuilt, and an unreachable one is not", {}, async (name, Body) => {
  const Key = `_search/${name}.sqlite`;
  if (Body)
    await s3.send(new PutObjectCommand({ Bucket: process.env[environmentNames.pagesBucket], Key, Body }));
  const found = await readManifest();
  const segment = { key: Key, entries: 1, bytes: 11, level: 0 };
  await writeManifest({ ...found.manifest, segments: [segment] }, found);
  const keysOf = async () => (await readManifest()).manifest.segments.map(({ key }) => key);

  const send = vi.spyOn(s3, "send").mockImplementation(() => Promise.reject(new Error("no connection")));
  await expect(resetUnreadableIndex()).rejects.toThrow("no connection");
  send.mockRestore();
  expect(await keysOf()).toEqual([Key]);

  expect([await resetUnreadableIndex(), await keysOf()]).toEqual([true, []]);
  expect(await resetUnreadableIndex()).toBe(false);
});
