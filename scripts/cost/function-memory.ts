import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryMegabytesOf, processorsOf } from "../../functions/http/route.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { ColdCall } from "../bench/cold/cold-walk.ts";
import { assumptions } from "./assumptions.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { costOf } from "./prices.ts";

/** The file that holds the result, relative to the root of the project. */
export const memoryFile = "docs/measured/function-memory.json";

const coldFile = join(projectDirectory, "docs/measured/cold.json");
const sizes = [512, 1_024, 1_769] as const;

/** The duration and cost of an operation's call at each memory size. */
export interface FunctionMemory {
  readonly operation: OperationId;
  readonly variant: string;
  /** The memory that the row has now. */
  readonly memoryMegabytes: number;
  /** Processor time of a later call, and of the first one after loading. */
  readonly cpuMs: number;
  readonly firstCpuMs: number;
  readonly waitingMs: number;
  /** Durations, and dollars of Lambda time for a million later calls. */
  readonly sizes: readonly {
    readonly megabytes: number;
    readonly ms: number;
    readonly firstMs: number;
    readonly dollarsPerMillion: number;
  }[];
}

/** Computes duration and cost of each measured call at each memory size: the basis of the rows' `memoryMegabytes`. */
export function measureMemory(find: FindMeasuredCall): FunctionMemory[] {
  const calls = JSON.parse(readFileSync(coldFile, "utf8")) as readonly ColdCall[];
  return calls.flatMap((call) =>
    call.warmCpuMs === undefined ? [] : [toFunctionMemory(call, call.warmCpuMs, find)],
  );
}

function toFunctionMemory(
  { operation, variant, early }: ColdCall,
  cpuMs: number,
  find: FindMeasuredCall,
): FunctionMemory {
  const waitingMs = tripsOf(operation, variant, find) * assumptions.roundTripMs;
  return {
    operation,
    variant,
    memoryMegabytes: memoryMegabytesOf(routeOf(operation)),
    cpuMs,
    firstCpuMs: early.firstCpuMs,
    waitingMs,
    sizes: sizes.map((megabytes) => {
      const ms = cpuMs / processorsOf(megabytes) + waitingMs;
      const firstMs = early.firstCpuMs / processorsOf(megabytes) + waitingMs;
      const dollars = costOf("functionGigabyteSecond", 1_000_000 * (ms / 1000) * (megabytes / 1024));
      return {
        megabytes,
        ms: Math.round(ms),
        firstMs: Math.round(firstMs),
        dollarsPerMillion: Math.round(dollars * 100) / 100,
      };
    }),
  };
}

/** A list of MCP tools makes no call to AWS, and neither does a row without grants. */
function tripsOf(operation: OperationId, variant: string, find: FindMeasuredCall): number {
  const makesNoCall = operation === "call-mcp" || Object.keys(routeOf(operation).grants).length === 0;
  return makesNoCall ? 0 : find(operation, variant).sequentialRoundTrips;
}
