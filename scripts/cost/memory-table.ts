import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryMegabytesOf, processorsOf } from "../../functions/http/route.ts";
import { routeOf } from "../../functions/routes.ts";
import type { ColdCall } from "../bench/cold/cold-walk.ts";
import { renderTable } from "../bench/markdown-table.ts";
import { assumptions } from "./assumptions.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { costOf } from "./prices.ts";

const file = join(import.meta.dirname, "../../docs/measured/cold-calls.json");
const sizes = [512, 1_024, 1_769];

/** What a call takes at each size of its function, and what a million of them cost: the basis of the rows' memory. */
export function renderMemory(find: FindMeasuredCall): string {
  const calls = JSON.parse(readFileSync(file, "utf8")) as readonly ColdCall[];
  return renderTable({
    columns: `:operation | :which | processor ms | first | waiting ms | ${sizes.map((size) => `${size} MB | first | dollars`).join(" | ")} | has`,
    rows: calls.flatMap((call) => (call.warmCpuMs === undefined ? [] : [toRow(call, call.warmCpuMs, find)])),
  });
}

function toRow({ operation, variant, early }: ColdCall, cpuMs: number, find: FindMeasuredCall): string[] {
  const waitingMs = tripsOf(operation, variant, find) * assumptions.roundTripMs;
  return [
    operation,
    variant,
    cpuMs.toFixed(1),
    early.firstCpuMs.toFixed(0),
    String(waitingMs),
    ...sizes.flatMap((size) => {
      const ms = cpuMs / processorsOf(size) + waitingMs;
      const firstMs = early.firstCpuMs / processorsOf(size) + waitingMs;
      const dollars = costOf("functionGigabyteSecond", 1_000_000 * (ms / 1000) * (size / 1024));
      return [`${ms.toFixed(0)} ms`, `${firstMs.toFixed(0)} ms`, dollars.toFixed(2)];
    }),
    `${memoryMegabytesOf(routeOf(operation))} MB`,
  ];
}

/** A list of MCP's tools asks AWS for nothing, and neither does a row without grants. */
function tripsOf(operation: ColdCall["operation"], variant: string, find: FindMeasuredCall): number {
  const asksNothing = operation === "call-mcp" || Object.keys(routeOf(operation).grants).length === 0;
  return asksNothing ? 0 : find(operation, variant).sequentialRoundTrips;
}
