import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { median } from "../median.ts";
import type { Findings, Section } from "../section.ts";
import { type ServiceProcess, startService } from "../service-process.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { createFreshCheckout } from "./fresh-checkout.ts";

const rounds = 3;
const firstSecondsMax = 5;
const laterSecondsMax = 1.5;
const changedSecondsMax = 3;

/** How long `npm start` takes to be ready, the first time after `npm ci` and after that, and `npm run dev` after a change. */
export const startSection: Section = {
  name: "start",
  title: "From `npm start` to ready",
  minutes: 1,
  async measure(): Promise<Findings> {
    const first: Start[] = [];
    const second: Start[] = [];
    const changed = changes.map(({ name, file }) => ({ name, file, starts: [] as Start[] }));
    for (let round = 0; round < rounds; round += 1) {
      const { projectDirectory, start } = await prepareFreshStart();
      for (const samples of [first, second]) {
        const service = await start("start");
        await service.stop();
        samples.push(service);
      }
      const service = await start("dev");
      for (const { file, starts } of changed) {
        const change = () => appendFile(join(projectDirectory, file), changedCode);
        starts.push({ readyAfterMs: await service.readyAgainAfterMs(change), readyCpuMs: undefined });
      }
      await service.stop();
    }
    return {
      table: {
        columns: ":start | median | :of | target | :verdict | CPU s",
        rows: [
          toRow("first after `npm ci`", first, firstSecondsMax),
          toRow("second", second, laterSecondsMax),
          ...changed.map(({ name, starts }) => toRow(`\`npm run dev\`, ${name}`, starts, changedSecondsMax)),
        ],
      },
      notes: [
        "From the start of npm to the line `Dropleaf is ready at …`; functions are bundled at their first call. First: a copy of the sources with the installed packages, no data, no `cdk.out`, no bundles and no transpiled code of earlier runs. Second: the same folders once more. After a change: from the moment a file of the functions is saved to the same line. **CPU**: of all processes until then, the median.",
        "`npm test` (target: at most 4 min) is not run from here: `time npm test`.",
      ],
    };
  },
};

type Start = Pick<ServiceProcess, "readyAfterMs" | "readyCpuMs">;

/** What is saved: one function has the first, every bundle the second, and keeps what has an effect. */
const changes = [
  { name: "after a change of one function", file: "functions/drops/get-version.ts" },
  { name: "after a change of what all have", file: "functions/http/errors.ts" },
] as const;
const changedCode = 'Reflect.set(globalThis, "changed", true);\n';

/** A checkout in folders that nothing has run in, and what starts the service there. */
async function prepareFreshStart(): Promise<{
  readonly projectDirectory: string;
  readonly start: (script: "start" | "dev") => Promise<ServiceProcess>;
}> {
  const directory = createTemporaryDirectory();
  const projectDirectory = join(directory, "checkout");
  const temporaryDirectory = join(directory, "tmp");
  await mkdir(projectDirectory);
  await mkdir(temporaryDirectory);
  await createFreshCheckout(projectDirectory);
  const dataDirectory = join(directory, "data");
  const start = (script: "start" | "dev") =>
    startService({ projectDirectory, dataDirectory, temporaryDirectory, script });
  return { projectDirectory, start };
}

function toRow(name: string, starts: readonly Start[], secondsMax: number): string[] {
  const samplesMs = starts.map(({ readyAfterMs }) => readyAfterMs);
  const seconds = median(samplesMs) / 1000;
  const cpuSeconds = median(starts.map(({ readyCpuMs = Number.NaN }) => readyCpuMs)) / 1000;
  return [
    name,
    `${seconds.toFixed(1)} s`,
    samplesMs.map((ms) => (ms / 1000).toFixed(1)).join(", "),
    `${secondsMax} s`,
    seconds <= secondsMax ? "within" : "over",
    Number.isNaN(cpuSeconds) ? "" : cpuSeconds.toFixed(1),
  ];
}
