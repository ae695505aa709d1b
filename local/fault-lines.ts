import { readFileSync } from "node:fs";
import { buildIn, mapFileOf } from "../lib/build-id.ts";
import { explainedStack, explainFrame, findFault } from "../lib/explained-fault.ts";
import { createPositionFinder, type Position, type SourcePosition } from "../lib/source-position.ts";
import type { FaultSettings } from "./lambda/lambda-function.ts";

/** Makes the lines of the local log of a line that a function printed. */
export type ExplainLine = (line: string) => readonly string[];

/** Leaves lines as they are, where faults are logged as in AWS. */
export function explainerOf(modulePath: string, faults: FaultSettings | undefined): ExplainLine {
  return faults === undefined ? (line) => [line] : createLineExplainer(modulePath, faults.functionsDirectory);
}

/**
 * Shows faults as Node prints errors, below their line, and frames of a bundle as places in the source code. The map is
 * the one that was made with the bundle: its sources may have been saved again since.
 *
 * @param functionsDirectory where bundles were made, with their maps beside
 */
function createLineExplainer(modulePath: string, functionsDirectory: string): ExplainLine {
  let finder: ((position: Position) => SourcePosition | undefined) | undefined;
  const find = (position: Position) => {
    finder ??= openFinder(modulePath, functionsDirectory);
    return finder(position);
  };
  return (line) => {
    const fault = findFault(line);
    return fault ? [line, ...explainedStack(fault, find)] : [explainFrame(line, find)];
  };
}

function openFinder(modulePath: string, functionsDirectory: string) {
  const code = readFileSync(modulePath, "utf8");
  const build = buildIn(code);
  if (build === undefined) return () => undefined;
  return createPositionFinder({ code, map: readFileSync(mapFileOf(functionsDirectory, build), "utf8") });
}
