import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DrawRequest } from "../../../functions/renders/report.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { drawPageSource } from "../../../lib/bundle/function-source.ts";
import { type ColdFunction, lambdaEnvironment, startColdFunction } from "../cold/cold-function.ts";
import { median } from "../median.ts";
import { usageOfTree } from "../process-tree.ts";
import type { Findings, Section } from "../section.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { renderedPages } from "./rendered-pages.ts";

/** AWS Lambda pricing, us-east-1, x86. */
const dollarsPerGigabyteSecond = 0.0000166667;
const memoryMegabytes = 2_048;
/** AWS Lambda developer guide, "Configure Lambda function memory". */
const processors = memoryMegabytes / 1_769;

const warmRounds = 3;
const lookEveryMs = 100;

/** What one render takes. */
interface Rendered {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytesMax: number;
}

/** What it takes to draw a page in all views, with card, thumbnail and report. */
export const renderSection: Section = {
  name: "render",
  title: "Drawing a page",
  minutes: 2,
  async measure(): Promise<Findings> {
    const directory = createTemporaryDirectory();
    const { directory: bundles } = await bundleFunctions([drawPageSource], join(directory, "functions"));
    const rows: string[][] = [];
    for (const [name, html] of Object.entries(renderedPages)) {
      // Nothing is unpacked there yet.
      const temporary = join(directory, name.replaceAll(" ", "-"));
      await mkdir(temporary);
      rows.push(...(await measurePage(name, html, bundles, temporary)));
    }
    return {
      table: {
        columns: ":page | :which | s | processors s | memory MB | billed s, about | dollars per 1,000",
        rows,
      },
      notes: [
        "The function's bundle in a process of its own: four views, card, thumbnail and report. **Cold**: with the load of the code and the unpacking of the browser, 67 MB that become 220, and without what Lambda takes to start Node; **warm**: the median of three after it. **Memory**: the most that the processes had together, the browser's program, which is mapped, among it.",
        `**Billed**: as long as it took here or, where that is longer, what it took of the processors at the ${processors.toFixed(2)} that ${memoryMegabytes} MB stand for; times ${memoryMegabytes / 1_024} GB and $${dollarsPerGigabyteSecond} a GB-second (x86). The worker that waits meanwhile is not in it. This machine's processors are not Lambda's: the figures compare, and promise nothing.`,
      ],
    };
  },
};

async function measurePage(
  name: string,
  html: string,
  bundles: string,
  temporary: string,
): Promise<string[][]> {
  const event: DrawRequest = {
    extent: "report",
    page: Buffer.from(html).toString("base64"),
    url: "https://owner.example.com/p/measured/raw",
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "sandbox allow-scripts",
    },
    files: [],
  };
  const startedAtMs = performance.now();
  const drawing = await startColdFunction(
    join(bundles, drawPageSource.id, "index.mjs"),
    drawPageSource.exportName,
    { ...lambdaEnvironment, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x", TMPDIR: temporary },
  );
  try {
    const loadSeconds = (performance.now() - startedAtMs) / 1000;
    const first = await measureCall(drawing, event, 0);
    const cold = { ...first, seconds: loadSeconds + first.seconds };
    const warm: Rendered[] = [];
    for (let round = 0; round < warmRounds; round += 1) {
      warm.push(await measureCall(drawing, event, usageOfTree(drawing.pid)?.cpuMs ?? 0));
    }
    const middle = (of: (one: Rendered) => number) => median(warm.map(of));
    return [
      toRow(name, "cold", cold),
      toRow(name, "warm", {
        seconds: middle(({ seconds }) => seconds),
        cpuSeconds: middle(({ cpuSeconds }) => cpuSeconds),
        megabytesMax: middle(({ megabytesMax }) => megabytesMax),
      }),
    ];
  } finally {
    drawing.kill();
  }
}

/** @throws Error when the page was not drawn in every view */
async function measureCall(
  drawing: ColdFunction,
  event: DrawRequest,
  cpuMsBefore: number,
): Promise<Rendered> {
  let megabytesMax = 0;
  const look = setInterval(() => {
    megabytesMax = Math.max(megabytesMax, usageOfTree(drawing.pid)?.residentMegabytes ?? 0);
  }, lookEveryMs);
  const startedAtMs = performance.now();
  const { response } = await drawing.call(event).finally(() => clearInterval(look));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { report, pictures } = response as { report: { stopped?: string }; pictures: object };
  if (report.stopped !== undefined || Object.keys(pictures).length < 6) {
    throw new Error(`The page was not drawn: ${report.stopped ?? "pictures are missing"}.`);
  }
  // The browser has ended, and what it took counts with its parent.
  const cpuMs = (usageOfTree(drawing.pid)?.cpuMs ?? Number.NaN) - cpuMsBefore;
  return { seconds, cpuSeconds: cpuMs / 1000, megabytesMax };
}

function toRow(name: string, which: string, { seconds, cpuSeconds, megabytesMax }: Rendered): string[] {
  const billedSeconds = Math.max(seconds, cpuSeconds / processors);
  const dollars = billedSeconds * (memoryMegabytes / 1_024) * dollarsPerGigabyteSecond * 1_000;
  return [
    name,
    which,
    seconds.toFixed(1),
    cpuSeconds.toFixed(1),
    megabytesMax.toFixed(0),
    billedSeconds.toFixed(1),
    dollars.toFixed(2),
  ];
}
