import { memoryMegabytesOf, processorsOf } from "../../../functions/platform/route.ts";
import { operationIds, routeOf } from "../../../functions/routes.ts";
import { measureInStack } from "../calls/measure-in-stack.ts";
import type { Findings, Section } from "../section.ts";
import type { ColdCall, ColdTimes } from "./cold-walk.ts";

/** The data for docs/cost.md. */
const dataFile = "docs/measured/cold-calls.json";

const firstCallMsMax = 40;

/** What a function that has just started takes up to its first response. */
export const coldSection: Section = {
  name: "cold",
  title: "Processor time from start to first response",
  minutes: 2,
  async measure(): Promise<Findings> {
    const program = new URL("./cold-process.ts", import.meta.url);
    const calls = (await measureInStack<ColdCall[]>(program)).toSorted(
      (one, other) => operationIds.indexOf(one.operation) - operationIds.indexOf(other.operation),
    );
    return {
      table: {
        columns: `:operation | :which | load ms | first call ms (≤ ${firstCallMsMax}) | load, late | first call, late | later call ms | memory MB | first response ms | late`,
        rows: calls.map(toRow),
      },
      notes: [
        "Milliseconds of the processors (`process.cpuUsage()`, all threads), each call once in a fresh process, which speaks to the local cloud over TLS. **Load**: `import()` of the bundle, while Lambda gives two processors; connections are opened in it. **First call**: the first request afterwards, at the share of a processor that the memory stands for. **Late**: the same with the connections left to the first request. **Later call**: the median of three more of the same, where that can be called again.",
        "**First answer**: load ÷ 1 + first call ÷ (memory ÷ 1,769 MB), without waiting for AWS and without what Lambda itself takes to start Node: AWS Lambda developer guide, \"Configure Lambda function memory\". This machine's processors are not Graviton's: the figures compare, and promise nothing.",
        `Target: a first call of at most ${firstCallMsMax} ms, but for those that hash a passcode, which takes as long as it is meant to.`,
      ],
      dataFiles: { [dataFile]: calls.map(rounded) },
    };
  },
};

function toRow(call: ColdCall): string[] {
  const { operation, variant, early, late, warmCpuMs } = call;
  return [
    operation,
    variant,
    early.loadCpuMs.toFixed(0),
    early.firstCpuMs.toFixed(0),
    late.loadCpuMs.toFixed(0),
    late.firstCpuMs.toFixed(0),
    warmCpuMs?.toFixed(0) ?? "",
    String(memoryMegabytesOf(routeOf(operation))),
    firstResponseMs(operation, early).toFixed(0),
    firstResponseMs(operation, late).toFixed(0),
  ];
}

function firstResponseMs(operation: ColdCall["operation"], { loadCpuMs, firstCpuMs }: ColdTimes): number {
  return loadCpuMs + firstCpuMs / processorsOf(memoryMegabytesOf(routeOf(operation)));
}

function rounded({ early, late, warmCpuMs, ...call }: ColdCall): ColdCall {
  return {
    ...call,
    early: roundedTimes(early),
    late: roundedTimes(late),
    ...(warmCpuMs === undefined ? {} : { warmCpuMs: round(warmCpuMs) }),
  };
}

function roundedTimes({ loadCpuMs, firstCpuMs }: ColdTimes): ColdTimes {
  return { loadCpuMs: round(loadCpuMs), firstCpuMs: round(firstCpuMs) };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
