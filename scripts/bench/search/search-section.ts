import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { textLengthMax } from "../../../functions/search/indexed-terms.ts";
import { visibleText } from "../../../functions/search/read-document.ts";
import { writeSegment } from "../../../functions/search/segment-file.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import { median } from "../median.ts";
import { measureCpuMs } from "../processor-time.ts";
import type { Section } from "../section.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { corpusSegments } from "./search-corpus.ts";
import type { SearchTimes } from "./search-process.ts";
import type { measureDear, ServiceTimes } from "./search-walk.ts";

type DearTimes = Awaited<ReturnType<typeof measureDear>>;

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
    const { ordinaryMs, dear } = await measureInStack<DearTimes>(module, "measureDear");
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
    data.push({
      ordinarySearchMs: round(ordinaryMs),
      dear: dear.map(({ what, ms }) => ({ what, ms: round(ms) })),
    });
    for (const [page, text] of indexedPages) data.push({ page, indexMs: round(await measureIndexing(text)) });
    const columns = "drops | MB | first search ms | p95 ms | merge ms | found after ms";
    return { table: { columns, rows }, data };
  },
};

/** Pages whose indexing is measured. */
const indexedPages = [
  ["20 KB of English", "The quarterly numbers of 12 regions grew again. ".repeat(425)],
  ["200,000 characters of Han", han(200_000)],
  ["500,000 characters of Han", han(500_000)],
] as const;

function han(count: number): string {
  const characters = Array.from({ length: count }, (_, index) => 0x4e00 + ((index * 7) % 6_000));
  return characters.map((code) => String.fromCodePoint(code)).join("");
}

/** Processor time of reading a page's text and writing a segment of it. */
async function measureIndexing(text: string): Promise<number> {
  const [document] = [...corpusSegments(1)].flatMap(({ documents }) => documents);
  if (document === undefined) throw new Error("The corpus is empty.");
  const directory = createTemporaryDirectory();
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1)
    times.push(
      await measureCpuMs(() => {
        const texts = { ...document.texts, text: visibleText(`<p>${text}</p>`, textLengthMax) };
        writeSegment(join(directory, `${round}.sqlite`), [{ ...document, texts }]);
      }),
    );
  return median(times);
}

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
