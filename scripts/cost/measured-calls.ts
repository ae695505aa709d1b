import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationId } from "../../functions/routes.ts";
import type { MeasuredCall } from "../bench/calls/measured-call.ts";

/** Finds a call as `npm run bench calls` measured it: the usual variant, or a named one. */
export type FindMeasuredCall = (operation: OperationId, variant?: string) => MeasuredCall;

const file = "docs/measured/calls.json";

/** Reads the calls that the benchmark wrote. */
export function readMeasuredCalls(): FindMeasuredCall {
  const path = join(import.meta.dirname, "../..", file);
  const calls = JSON.parse(readFileSync(path, "utf8")) as MeasuredCall[];
  return (operation, variant = "") => {
    const found = calls.find((call) => call.operation === operation && call.variant === variant);
    if (found) return found;
    const variants = calls.filter((call) => call.operation === operation).map((call) => call.variant);
    throw new Error(
      `${file} has no ${operation} measured as ${JSON.stringify(variant)}, only ${JSON.stringify(variants)}: npm run bench calls -- --write.`,
    );
  };
}
