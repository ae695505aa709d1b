// @module-tag nightly

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { restrictedPrefix } from "../../functions/blobs/blob.ts";
import { searchPrefix } from "../../functions/search/search-document.ts";
import { outputNames } from "../../lib/output-names.ts";
import { openService } from "../../scripts/operator/service.ts";
import { killedIntent } from "../model/intents/every-intent.ts";
import { callsJudged } from "../model/player.ts";
import { useService } from "../support/http.ts";
import { race } from "../support/race.ts";
import { runLength, seed } from "../support/random-run.ts";
import { KilledService, operate } from "./kill-service.ts";
import { Writer } from "./kill-writer.ts";

const rounds = 3 * runLength;
const writerCount = 6;
/** Responses of all writers before each kill, which follows within `killWithinMs`. */
const answeredMin = 40;
const killWithinMs = 50;
/** The longest visibility timeout, and the delay of the orphan check. */
const quarterHourMs = 15 * 60 * 1000;
const timeoutMs = 300_000 + rounds * 120_000;

let service: KilledService;
let writers: readonly Writer[];

beforeAll(async () => {
  service = await KilledService.prepare();
  useService(service);
  await service.start();
  // The stores read the storage's location once, so the service must be running before.
  await openService({ local: service.dataDirectory });
  writers = await race(writerCount, () => Writer.begin("writer"));
}, timeoutMs);

/** A failed test may have left the service stopped. */
beforeEach(() => service.start(), timeoutMs);

afterAll(() => service?.remove());

test(
  `after ${rounds} kills during writes, everything acknowledged is stored and nothing is partial (seed ${seed})`,
  async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      outcomes.push(...(await killWhileWriting(seed + round * writerCount)));
    }

    // Otherwise no call was in progress at the kills.
    expect(outcomes.filter((outcome) => outcome !== "all answered").length).toBeGreaterThan(rounds);
    expect(await operate(service, "recount", "--all")).toMatchObject({
      exitCode: 0,
      stdout: `Accounts counted: ${writerCount}.\n`,
    });
    // The next writer of the search index waits until the killed writer's lease expires.
    await expect
      .poll(async () => (await operate(service, "reindex", "--search")).stdout, {
        timeout: 60_000,
        interval: 2_000,
      })
      .toContain("Drops missing: 0, outdated: 0, deleted but indexed: 0.");
  },
  timeoutMs,
);

test(
  "unreferenced and deleted objects are removed despite kills in between",
  async () => {
    const [slug = "NoDrops"] = writers.flatMap(({ state }) => state.drops.map((drop) => drop.slug));
    for (const orphan of [`${slug}/0000000000000001.html`, "Unknown/0000000000000001.context.txt"]) {
      const { s3, outputs } = service.openStorage();
      await s3.send(
        new PutObjectCommand({ Bucket: outputs[outputNames.pagesBucket], Key: orphan, Body: "left over" }),
      );
    }

    await service.kill();
    service.passQueueTime(quarterHourMs);
    await service.start();

    await expect.poll(storedObjects).toEqual(referencedObjects());
    for (const writer of writers) writer.noteRedelivery();
    for (const writer of writers) expect(await writer.expectAllThere()).toBe("all answered");
    await service.kill();
    expect(service.checkTableFile()).toBe("ok");
  },
  timeoutMs,
);

/**
 * Kills the service while writers write, restarts it, and returns the outcome of each writer's last call. It checks all
 * writers even if one fails, so that the next test gets a running service and writers with a known state.
 */
async function killWhileWriting(seed: number): Promise<string[]> {
  const before = callsJudged();
  const writing = writers.map((writer, index) => writer.write(sampleIntents(seed + index)));
  const allWritten = Promise.all(writing);
  const enoughAnswered = expect
    .poll(() => callsJudged() - before, { interval: 10 })
    .toBeGreaterThan(answeredMin);
  const underWay = Promise.race([enoughAnswered, allWritten]).then(() => sleep(randomInt(killWithinMs)));
  await Promise.allSettled([underWay]);

  const killedAtMs = Date.now();
  await service.kill();
  await Promise.allSettled(writing);
  for (const writer of writers) writer.noteKill(killedAtMs);
  await service.start();

  const outcomes: Promise<string>[] = [];
  for (const writer of writers) {
    outcomes.push(writer.expectAllThere());
    await Promise.allSettled(outcomes);
  }
  await Promise.all([underWay, allWritten]);
  return Promise.all(outcomes);
}

/** Samples more intents than are made before the kill. */
function sampleIntents(seed: number) {
  return fc.sample(killedIntent, { seed, numRuns: 200 });
}

/** Counts the stored objects of each drop, and of each owner's files. */
async function storedObjects(): Promise<Record<string, number>> {
  const { s3, outputs } = service.openStorage();
  const keys: string[] = [];
  for (const Bucket of [outputs[outputNames.pagesBucket], outputs[outputNames.blobsBucket]]) {
    const { Contents = [], IsTruncated } = await s3.send(new ListObjectsV2Command({ Bucket }));
    if (IsTruncated) throw new Error("There are more objects than one page of the list holds.");
    keys.push(...Contents.map(({ Key = "" }) => Key));
  }
  // The search index belongs to no page, and is rewritten after each change.
  const stored = keys.filter((key) => !key.startsWith(searchPrefix));
  return countedByPrefix(stored.map((key) => key.replace(restrictedPrefix, "").split("/")[0] ?? ""));
}

/** Counts the objects that the model expects: a page for each version, a context for some, and one for each file. */
function referencedObjects(): Record<string, number> {
  const states = writers.map(({ state }) => state);
  const pages = states.flatMap(({ drops, trash }) =>
    [...drops, ...trash.map(({ drop }) => drop)].flatMap(({ slug, versions }) =>
      versions.flatMap(({ context }) => (context === undefined ? [slug] : [slug, slug])),
    ),
  );
  const files = states.flatMap(({ blobs, namespace }) => blobs.map(() => namespace));
  return countedByPrefix([...pages, ...files]);
}

function countedByPrefix(prefixes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const prefix of prefixes) counts[prefix] = (counts[prefix] ?? 0) + 1;
  return counts;
}
