import { readFile } from "node:fs/promises";
import { buildIn } from "../lib/bundle/build-id.ts";
import { explainedStack, explainFrame, findFault, isExplainable } from "../lib/bundle/explained-fault.ts";
import type { MappedBundle, Position, SourcePosition } from "../lib/bundle/source-position.ts";
import type { FaultSettings } from "./lambda/lambda-function.ts";

/** Logs the lines that a line which a function printed becomes: in the order of those lines, and some of them later. */
export type ExplainLine = (line: string, log: (line: string) => void) => void;

type FindMap = (functionsDirectory: string, build: string) => Promise<MappedBundle | undefined>;
type FindPlace = (position: Position) => SourcePosition | undefined;

/** Leaves lines as they are, where faults are logged as in AWS. */
export function explainerOf(
  modulePath: string,
  faults: FaultSettings | undefined,
  findMap: FindMap = findOrMakeMap,
): ExplainLine {
  return faults === undefined
    ? (line, log) => log(line)
    : createLineExplainer(() => openFinder(modulePath, faults.functionsDirectory, findMap));
}

/**
 * Shows faults as Node prints errors, below their line, and frames of a bundle as places in the source code. The first of
 * them waits for the bundle's map, and what is printed after it too.
 */
function createLineExplainer(open: () => Promise<FindPlace>): ExplainLine {
  let find: FindPlace | undefined;
  let opening: Promise<void> | undefined;
  const explain = (line: string): readonly string[] => {
    const fault = findFault(line);
    const place = find ?? (() => undefined);
    return fault ? [line, ...explainedStack(fault, place)] : [explainFrame(line, place)];
  };
  return (line, log) => {
    const logExplained = () => explain(line).forEach((one) => void log(one));
    if (find !== undefined || (opening === undefined && !isExplainable(line))) {
      logExplained();
      return;
    }
    opening ??= open().then((opened) => {
      find = opened;
    });
    void opening.then(logExplained);
  };
}

/** Finds nothing where there is no map of the build: its sources have been saved again since. */
async function openFinder(
  modulePath: string,
  functionsDirectory: string,
  findMap: FindMap,
): Promise<FindPlace> {
  const nowhere = () => undefined;
  try {
    const build = buildIn(await readFile(modulePath, "utf8"));
    const bundle = build === undefined ? undefined : await findMap(functionsDirectory, build);
    const { createPositionFinder } = await import("../lib/bundle/source-position.ts");
    return bundle === undefined ? nowhere : createPositionFinder(bundle);
  } catch {
    // Such as a source that cannot be bundled just now: the line itself says what there is to say.
    return nowhere;
  }
}

/** Loaded late, as what finds places is: most starts see no fault. */
const findOrMakeMap: FindMap = async (...given) =>
  (await import("../lib/bundle/fault-map.ts")).findOrMakeMap(...given);
