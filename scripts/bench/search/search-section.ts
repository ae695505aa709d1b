import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { writeSegment } from "../../../functions/search/segment-file.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import { measureCpuMs } from "../processor-time.ts";
import type { Section } from "../section.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { corpusSegments } from "./search-corpus.ts";
import type { SearchTimes } from "./search-process.ts";
import type { ServiceTimes } from "./search-walk.ts";

/** Numbers of drops that are measured, each with 5 KB of text. */
const sizes = [100, 1_000, 10_000, 50_000];

/** Share of a processor that a function with 1,024 MB has: AWS Lambda developer guide, "Configure Lambda function memory". */
const share = 1_024 / 1_769;

/** Measures the full-text search: its files, and the processor time of searches and of a write. */
export const searchSection: Section = {
  name: "search",
  minutes: 5,
  async measure() {
    const data: object[] = [];
    const rows: string[][] = [];
    const module = new URL("./search-walk.ts", import.meta.url);
    const inService = await measureInStack<ServiceTimes>(module, "measureInService");
    const round = (number: number) => Number(number.toFixed(1));
    for (const drops of sizes) {
      const { paths, bytes, newestMs, mergeMs } = await writeIndex(drops);
      const { coldMs, warmMs } = await searchIn(paths);
      const at = (part: number) => warmMs[Math.floor(part * (warmMs.length - 1))] ?? 0;
      const figures = {
        drops,
        segments: paths.length,
        megabytes: round(bytes / 2 ** 20),
        coldMs: round(coldMs),
        warmMedianMs: round(at(0.5)),
        warmP95Ms: round(at(0.95)),
        warmP95MsAtShare: round(at(0.95) / share),
        newestMs: round(newestMs),
        mergeMs: round(mergeMs),
      };
      const isInService = drops === inService.drops;
      data.push(isInService ? { ...figures, ...inService } : figures);
      const foundAfterMs = isInService ? inService.searchableAfterMsMax : "–";
      const { megabytes, warmP95Ms } = figures;
      rows.push([drops, megabytes, figures.coldMs, warmP95Ms, figures.mergeMs, foundAfterMs].map(String));
    }
    const columns = "drops | MB | first search ms | p95 ms | merge ms | found after ms";
    return { table: { columns, rows }, data };
  },
};

async function writeIndex(drops: number) {
  const directory = createTemporaryDirectory();
  const paths: string[] = [];
  let [newestMs, mergeMs] = [0, 0];
  for (const { level, documents } of corpusSegments(drops)) {
    const path = join(directory, `${paths.length}.sqlite`);
    const ms = await measureCpuMs(() => writeSegment(path, documents));
    if (level === 0) newestMs = Math.max(newestMs, ms);
    else mergeMs = Math.max(mergeMs, ms);
    paths.unshift(path);
  }
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  return { paths, bytes, newestMs, mergeMs };
}

async function searchIn(paths: readonly string[]): Promise<SearchTimes> {
  const child = fork(new URL("./search-process.ts", import.meta.url), paths, {
    execArgv: ["--import", "tsx"],
  });
  const [times] = await Promise.race([
    once(child, "message") as Promise<[SearchTimes]>,
    once(child, "exit").then(([code]) => {
      throw new Error(`The process that searches ended with code ${code}.`);
    }),
  ]);
  return times;
}
