import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { rankDrops } from "../../../functions/search/rank.ts";
import { parseSearchQuery } from "../../../functions/search/search-query.ts";
import { Segment } from "../../../functions/search/segment.ts";
import { liveSegments } from "../../../functions/search/snapshot.ts";
import { describeMatches } from "../../../functions/search/snippet.ts";
import { measureCpuMs } from "../processor-time.ts";
import { searchQueries } from "./search-corpus.ts";

/** Measurements of a process that searches. */
export interface SearchTimes {
  /** Processor time of copying and opening the files, and of the first search. */
  readonly coldMs: number;
  /** Processor time of the searches after it, from the shortest on. */
  readonly warmMs: readonly number[];
}

/** Results whose texts a page of results shows. */
const shownMax = 20;

const paths = process.argv.slice(2);
const [first = "", ...queries] = searchQueries(301);

let segments: ReturnType<typeof liveSegments> = [];
const search = (query: string) => {
  const terms = parseSearchQuery(query);
  const scope = { searcher: { userId: "owner1", audiences: new Set(["members"] as const) } };
  const found = rankDrops(segments, terms, scope, Date.now()).candidates.slice(0, shownMax);
  return describeMatches(
    found.map(({ segment, row }) => segment.textsOf(row.id)),
    terms,
  );
};
const coldMs = await measureCpuMs(async () => {
  const copies = paths.map(async (path) => {
    await pipeline(createReadStream(path), createWriteStream(`${path}.copy`));
    return new Segment(`${path}.copy`);
  });
  segments = liveSegments(await Promise.all(copies));
  search(first);
});
const warmMs: number[] = [];
for (const query of queries) warmMs.push(await measureCpuMs(() => search(query)));
process.send?.({ coldMs, warmMs: warmMs.sort((one, other) => one - other) } satisfies SearchTimes);
