import { memoryMegabytesOf, processorsOf } from "../../../functions/http/route.ts";
import { routeOf } from "../../../functions/routes.ts";
import { byOperation } from "../calls/calls-section.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Section } from "../section.ts";
import type { ColdCall } from "./cold-walk.ts";

/** Measures the processor time of a new process until its first response. docs/measured/cold.json is an input of docs/cost.md. */
export const coldSection: Section = {
  name: "cold",
  minutes: 1,
  async measure() {
    const module = new URL("./cold-walk.ts", import.meta.url);
    const calls = (await measureInStack<ColdCall[]>(module, "measureColdCalls")).toSorted(byOperation);
    return {
      table: {
        columns: ":operation | :which | memory MB | load ms | first call ms | first response ms",
        rows: calls.map(toRow),
      },
      data: calls.map(rounded),
    };
  },
};

/** The first response adds both times at the share of a processor that the memory stands for. Loading has two processors. */
function toRow({ operation, variant, early: { loadCpuMs, firstCpuMs } }: ColdCall): string[] {
  const memoryMegabytes = memoryMegabytesOf(routeOf(operation));
  const firstResponseMs = loadCpuMs + firstCpuMs / processorsOf(memoryMegabytes);
  const times = [loadCpuMs, firstCpuMs, firstResponseMs].map((ms) => ms.toFixed(0));
  return [operation, variant, String(memoryMegabytes), ...times];
}

function rounded({ operation, variant, early, warmCpuMs }: ColdCall): ColdCall {
  return {
    operation,
    variant,
    early: { loadCpuMs: round(early.loadCpuMs), firstCpuMs: round(early.firstCpuMs) },
    ...(warmCpuMs === undefined ? {} : { warmCpuMs: round(warmCpuMs) }),
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
