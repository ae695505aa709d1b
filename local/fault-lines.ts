import { readFile } from "node:fs/promises";
import type { ExplainLine } from "@dropleaf/local-cloud";
import { readBuildId } from "../lib/bundle/build-id.ts";
import { explainedStack, explainFrame, findFault, isExplainable } from "../lib/bundle/explained-fault.ts";
import type { MappedBundle, Position, SourcePosition } from "../lib/bundle/source-position.ts";

type FindMap = (functionsDirectory: string, build: string) => Promise<MappedBundle | undefined>;
type FindPlace = (position: Position) => SourcePosition | undefined;

/**
 * Creates a function that logs faults, each followed by its stack frames with source positions. The first fault and later lines are held
 * back until the bundle's source map is loaded.
 *
 * @param bundlesOf function that finds the folder of the bundle and of its source maps
 */
export function explainerOf(
  modulePath: string,
  bundlesOf: (modulePath: string) => Promise<string>,
  findMap: FindMap = findOrMakeMap,
): ExplainLine {
  const open = () => openFinder(modulePath, bundlesOf, findMap);
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

/** Loads a bundle's source map. If the sources have changed since the build, the returned function finds no positions. */
async function openFinder(
  modulePath: string,
  bundlesOf: (modulePath: string) => Promise<string>,
  findMap: FindMap,
): Promise<FindPlace> {
  const nowhere = () => undefined;
  try {
    const build = readBuildId(await readFile(modulePath, "utf8"));
    const bundle = build === undefined ? undefined : await findMap(await bundlesOf(modulePath), build);
    const { createPositionFinder } = await import("../lib/bundle/source-position.ts");
    return bundle === undefined ? nowhere : createPositionFinder(bundle);
  } catch {
    // Without a source map, lines are logged unchanged. The map is missing, for example, if the sources cannot be bundled now.
    return nowhere;
  }
}

/** Finds a bundle's source map. Uses a dynamic import, because most runs log no faults. */
const findOrMakeMap: FindMap = async (...given) =>
  (await import("../lib/bundle/fault-map.ts")).findOrMakeMap(...given);
