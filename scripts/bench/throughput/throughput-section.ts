import { join, resolve } from "node:path";
import type { Findings, Section } from "../section.ts";
import { startService } from "../service-process.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import {
  connections,
  type LoadCase,
  type LoadResult,
  measuredRequests,
  runLoad,
  warmUpRequests,
} from "./load.ts";
import { readCases, runWrites } from "./load-cases.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");

/** What the whole local cloud carries on this machine. */
export const throughputSection: Section = {
  name: "throughput",
  title: "Requests per second through the local cloud",
  minutes: 1,
  async measure(): Promise<Findings> {
    const temporaryDirectory = createTemporaryDirectory();
    const dataDirectory = join(temporaryDirectory, "data");
    const service = await startService({ projectDirectory, dataDirectory, temporaryDirectory });
    const rows: string[][] = [];
    const run = async (load: LoadCase) => {
      rows.push(toRow(load.name, await runLoad(service.address, load)));
    };
    try {
      const { token, slug } = await runWrites(service.address, run);
      for (const load of readCases(token, slug)) await run(load);
    } catch (cause) {
      throw new Error(`The load failed. The service said last:\n${service.lastLines()}`, { cause });
    } finally {
      await service.stop();
    }
    return {
      table: {
        columns: ":request | requests | per second | p50 ms | p99 ms",
        rows,
      },
      notes: [
        `\`npm start\` in one process group, the load in another, both on this machine: ${connections} connections that stay open, each sending its next request when the last is answered; ${measuredRequests} requests a row after ${warmUpRequests} that are not counted.`,
        "There are no targets: this shows what emulating the edge, API Gateway, Lambda and the table costs on one machine, not how fast AWS is.",
      ],
    };
  },
};

function toRow(name: string, { requests, perSecond, medianMs, p99Ms }: LoadResult): string[] {
  return [name, String(requests), perSecond.toFixed(0), medianMs.toFixed(1), p99Ms.toFixed(1)];
}
