import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../median.ts";
import type { Findings, Section } from "../section.ts";
import { startService } from "../service-process.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { createFreshCheckout } from "./fresh-checkout.ts";

const rounds = 3;
const firstSecondsMax = 5;
const laterSecondsMax = 1.5;

/** How long `npm start` takes to be ready: the first time after `npm ci`, and after that. */
export const startSection: Section = {
  name: "start",
  title: "From `npm start` to ready",
  minutes: 1,
  async measure(): Promise<Findings> {
    const firstMs: number[] = [];
    const secondMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const start = await prepareFreshStart();
      firstMs.push(await start());
      secondMs.push(await start());
    }
    return {
      table: {
        columns: ":start | median | :of | target | :verdict",
        rows: [
          toRow("first after `npm ci`", firstMs, firstSecondsMax),
          toRow("second", secondMs, laterSecondsMax),
        ],
      },
      notes: [
        "From the start of npm to the line `Dropleaf is ready at …`. First: a copy of the sources with the installed packages, no data, no `cdk.out`, no bundles and no transpiled code of earlier runs. Second: the same folders once more.",
        "`npm test` (target: at most 4 min) is not run from here: `time npm test`.",
      ],
    };
  },
};

/** A checkout in folders that nothing has run in; each call starts the service there once, and stops it. */
async function prepareFreshStart(): Promise<() => Promise<number>> {
  const directory = createTemporaryDirectory();
  const projectDirectory = join(directory, "checkout");
  const temporaryDirectory = join(directory, "tmp");
  await mkdir(projectDirectory);
  await mkdir(temporaryDirectory);
  await createFreshCheckout(projectDirectory);
  return async () => {
    const dataDirectory = join(directory, "data");
    const service = await startService({ projectDirectory, dataDirectory, temporaryDirectory });
    await service.stop();
    return service.readyAfterMs;
  };
}

function toRow(name: string, samplesMs: readonly number[], secondsMax: number): string[] {
  const seconds = median(samplesMs) / 1000;
  return [
    name,
    `${seconds.toFixed(1)} s`,
    samplesMs.map((ms) => (ms / 1000).toFixed(1)).join(", "),
    `${secondsMax} s`,
    seconds <= secondsMax ? "within" : "over",
  ];
}
