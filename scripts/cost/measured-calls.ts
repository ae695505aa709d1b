import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationId } from "../../functions/routes.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { MeasuredCall } from "../bench/calls/measured-call.ts";

/** Finds a call as `npm run bench calls` measured it: the usual variant, or a named one. */
export type FindMeasuredCall = (operation: OperationId, variant?: string) => MeasuredCall;

/** The file with the measured calls, relative to the root of the project. */
export const measuredCallsFile = "docs/measured/calls.json";

/** Reads the calls that the benchmark wrote. */
export function readMeasuredCalls(): FindMeasuredCall {
  const calls = JSON.parse(readFileSync(join(projectDirectory, measuredCallsFile), "utf8")) as MeasuredCall[];
  return (operation, variant = "") => {
    const found = calls.find((call) => call.operation === operation && call.variant === variant);
    if (found) return found;
    const variants = calls.filter((call) => call.operation === operation).map((call) => call.variant);
    throw new Error(
      `${measuredCallsFile} has no ${operation} measured as ${JSON.stringify(variant)}, only ${JSON.stringify(variants)}: npm run bench calls -- --write.`,
    );
  };
}
