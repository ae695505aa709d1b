import { setTimeout } from "node:timers/promises";
import { indexLeaseName } from "../../../functions/search/index-drops.ts";
import {
  type Manifest,
  putSegment,
  readManifest,
  writeManifest,
} from "../../../functions/search/index-files.ts";
import { indexQueue } from "../../../functions/search/index-queue.ts";
import type { SearchResponse } from "../../../functions/search/schemas.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { takeLease } from "../../../functions/table/lease.ts";
import { queryKeys } from "../../../functions/table/table.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { callOperation, callUnmeasured } from "../calls/operation-caller.ts";
import { publish } from "../calls/publish-walk.ts";
import { signIn } from "../calls/sign-in-walk.ts";
import { measureCpuMs } from "../processor-time.ts";
import { measureDearSearches, putDearCorpus } from "./dear-searches.ts";
import { corpusSegments } from "./search-corpus.ts";

/** Measures searches that hostile pages make dear, with rows and S3. */
export async function measureDear() {
  // The corpus is in the index without its pages, so nothing of it may be indexed.
  const lease = await takeLease(indexLeaseName, { seconds: 60, isRenewed: true });
  if (lease === undefined) throw new Error("The search index is being written.");
  const drops = await putDearCorpus();
  const waiting = async () => (await indexQueue.list()).reduce((sum, one) => sum + one.waiting.size, 0);
  while ((await waiting()) < drops) await setTimeout(pollMs);
  await deleteItems(await queryKeys(ranges.waitingIndexTasks()));
  const times = await measureDearSearches();
  await lease.giveBack();
  return times;
}

/** Measurements in a service that has drops already. */
export interface ServiceTimes {
  readonly drops: number;
  /** Processor time of the first search of a function, with fetching the index from S3. */
  readonly firstSearchMs: number;
  /** Longest time from a publication's response to the first search that finds it. */
  readonly searchableAfterMsMax: number;
}

const drops = 10_000;
const publications = 10;
const pollMs = 100;

/** Publishes into a service, and searches until each publication is found. */
export async function measureInService(): Promise<ServiceTimes> {
  const token = await signIn(callUnmeasured, "searches");
  const search = async (q: string) => {
    const { text } = await callOperation("search-drops", { token, query: { q } });
    return (JSON.parse(text) as SearchResponse).results;
  };
  // Loads the code.
  await search("nothing");
  await putCorpus();
  const firstSearchMs = await measureCpuMs(() => search("babe"));
  let searchableAfterMsMax = 0;
  for (let index = 0; index < publications; index += 1) {
    const title = `Publication${index}`;
    await publish(callUnmeasured, "", token, { title });
    const start = performance.now();
    while ((await search(title)).length === 0) await setTimeout(pollMs);
    searchableAfterMsMax = Math.max(searchableAfterMsMax, performance.now() - start);
  }
  return {
    drops,
    firstSearchMs: Math.round(firstSearchMs),
    searchableAfterMsMax: Math.round(searchableAfterMsMax),
  };
}

async function putCorpus(): Promise<void> {
  const found = await readManifest();
  const segments: Manifest["segments"][number][] = [];
  for (const { level, documents } of corpusSegments(drops)) {
    const segment = await putSegment(documents, level);
    if (segment !== undefined) segments.unshift(segment);
  }
  await writeManifest({ ...found.manifest, segments }, found);
}
