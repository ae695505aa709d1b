import { stat } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../median.ts";
import type { Findings, Section } from "../section.ts";
import { bundleBaselines } from "./client-baseline.ts";
import { measureImportMs } from "./import-time.ts";
import { bundleStackFunctions } from "./stack-function.ts";

const importsPerBundle = 5;
const kilobyte = 1024;
const aboveKilobytesMax = 100;
const importRatioMax = 1.25;

/** A bundle, and how long each of its imports took. */
interface Bundle {
  readonly path: string;
  readonly bytes: number;
  readonly samplesMs: number[];
}

const emptyHandler = { id: "empty-handler", grants: [] };

/** What each function's code weighs, beside the SDK clients that it cannot do without. */
export const bundlesSection: Section = {
  name: "bundles",
  title: "Size and import time of the bundles",
  minutes: 1,
  async measure(): Promise<Findings> {
    const functions = await bundleStackFunctions();
    const leastDirectory = await bundleBaselines([emptyHandler, ...functions]);
    const readLeast = (id: string) => readBundle(join(leastDirectory, id, "index.mjs"));
    const empty = await readLeast(emptyHandler.id);
    const pairs = await Promise.all(
      functions.map(async ({ id, modulePath }) => ({
        id,
        own: await readBundle(modulePath),
        least: await readLeast(id),
      })),
    );
    // Side by side, so that a slower moment of the machine is the function's and its measure's alike.
    const bundles = [empty, ...pairs.flatMap(({ own, least }) => [own, least])];
    for (let turn = 0; turn < importsPerBundle; turn += 1) {
      for (const { path, samplesMs } of bundles) samplesMs.push(await measureImportMs(path));
    }
    const rows = pairs.map(({ id, own, least }) => toRow(id, own, least));
    return {
      table: { columns, rows: [["an empty handler", ...toCells(empty), "", "", "", "", ""], ...rows] },
      notes: [
        `Size in KB of ${kilobyte} bytes, minified. Import: how long \`import()\` of the bundle takes in a fresh process, the median of ${importsPerBundle}. Least: a bundle, made by the same options, that makes the SDK clients which the function's row grants and holds the commands of its actions, and nothing else; where the row grants nothing, an empty handler. The server for large bodies is not here: it is a program, which listens as soon as it is imported.`,
        `Targets: at most ${aboveKilobytesMax} KB above the least, and at most ${importRatioMax} × its import time.`,
      ],
    };
  },
};

const columns = `:function | KB | import ms | least KB | least ms | KB above (≤ ${aboveKilobytesMax}) | ratio (≤ ${importRatioMax}) | :verdict`;

async function readBundle(path: string): Promise<Bundle> {
  return { path, bytes: (await stat(path)).size, samplesMs: [] };
}

function toRow(id: string, own: Bundle, least: Bundle): string[] {
  const aboveKilobytes = (own.bytes - least.bytes) / kilobyte;
  const ratio = median(own.samplesMs) / median(least.samplesMs);
  const over = [
    ...(aboveKilobytes > aboveKilobytesMax ? ["size"] : []),
    ...(ratio > importRatioMax ? ["import"] : []),
  ];
  return [
    id,
    ...toCells(own),
    ...toCells(least),
    aboveKilobytes.toFixed(0),
    ratio.toFixed(2),
    over.length === 0 ? "within" : `over: ${over.join(", ")}`,
  ];
}

function toCells({ bytes, samplesMs }: Bundle): string[] {
  return [(bytes / kilobyte).toFixed(0), median(samplesMs).toFixed(1)];
}
