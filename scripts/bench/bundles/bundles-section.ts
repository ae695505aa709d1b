import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Grants } from "../../../functions/http/route.ts";
import { grantsOf } from "../../../functions/routes.ts";
import { workerIds, workerOf } from "../../../functions/workers.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import {
  documentOperationIds,
  documentsSource,
  handlerSource,
  servedOperationIds,
  workerSource,
} from "../../../lib/bundle/function-source.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { bundleBaselines } from "./client-baseline.ts";

const importsPerBundle = 5;
const kilobyte = 1024;

/** A bundle and the durations of its imports. */
interface Bundle {
  readonly path: string;
  readonly bytes: number;
  readonly samplesMs: number[];
}

/** Compares each function's bundle with one that has only the AWS SDK clients and commands that its row grants. */
export const bundlesSection: Section = {
  name: "bundles",
  minutes: 1,
  async measure() {
    const functions = await bundleStackFunctions();
    const leastDirectory = await bundleBaselines(functions);
    const pairs = await Promise.all(
      functions.map(async ({ id, modulePath }) => ({
        id,
        own: await readBundle(modulePath),
        least: await readBundle(join(leastDirectory, id, "index.mjs")),
      })),
    );
    // In turns, so that a slow moment of the machine affects all bundles.
    const bundles = pairs.flatMap(({ own, least }) => [own, least]);
    for (let turn = 0; turn < importsPerBundle; turn += 1) {
      for (const { path, samplesMs } of bundles) samplesMs.push(await measureImportMs(path));
    }
    const data = pairs.map(({ id, own, least }) => ({
      function: id,
      kilobytes: Math.round(own.bytes / kilobyte),
      importMs: Number(median(own.samplesMs).toFixed(1)),
      leastKilobytes: Math.round(least.bytes / kilobyte),
      leastImportMs: Number(median(least.samplesMs).toFixed(1)),
    }));
    return {
      table: {
        columns: ":function | KB | least KB | import ms | least ms",
        rows: data.map((one) => [
          one.function,
          String(one.kilobytes),
          String(one.leastKilobytes),
          one.importMs.toFixed(1),
          one.leastImportMs.toFixed(1),
        ]),
      },
      data,
    };
  },
};

interface StackFunction {
  readonly id: string;
  readonly grants: readonly Grants[];
  readonly modulePath: string;
}

/** Bundles every function that has a row, as it is deployed. */
async function bundleStackFunctions(): Promise<StackFunction[]> {
  const rows = [
    ...servedOperationIds.map((id) => ({ source: handlerSource(id), grants: grantsOf(id) })),
    { source: documentsSource, grants: documentOperationIds.flatMap(grantsOf) },
    ...workerIds.map((id) => ({ source: workerSource(id), grants: workerOf(id).grants })),
  ];
  const outputDirectory = join(createTemporaryDirectory(), "functions");
  const { directory } = await bundleFunctions(
    rows.map(({ source }) => source),
    outputDirectory,
  );
  return rows.map(({ source: { id }, grants }) => ({
    id,
    grants,
    modulePath: join(directory, id, "index.mjs"),
  }));
}

async function readBundle(path: string): Promise<Bundle> {
  return { path, bytes: (await stat(path)).size, samplesMs: [] };
}

const measuringCode = `
const startedAtMs = performance.now();
await import(process.argv[1]);
process.stdout.write(String(performance.now() - startedAtMs));
process.exit();
`;

/** Measures the import of a module in a new process of this Node, without its NODE_OPTIONS. */
async function measureImportMs(modulePath: string): Promise<number> {
  const args = ["--input-type=module", "--eval", measuringCode, pathToFileURL(modulePath).href];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  return Number(stdout);
}
