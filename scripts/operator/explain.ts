import { text } from "node:stream/consumers";
import { findOrBundleFunctions } from "../../lib/bundle/bundle-cache.ts";
import { bundledCommit } from "../../lib/bundle/bundled-commit.ts";
import { explainedStack, findFault, type LoggedFault } from "../../lib/bundle/explained-fault.ts";
import { findOrMakeMap } from "../../lib/bundle/fault-map.ts";
import { functionSources, ingestSource } from "../../lib/bundle/function-source.ts";
import { createPositionFinder, type MappedBundle } from "../../lib/bundle/source-position.ts";
import type { Terminal } from "./command.ts";
import { defineCommand, UsageError } from "./command.ts";

/** `explain` */
export const explainCommand = defineCommand({
  name: "explain",
  words: "[<log line>…]",
  summary: "shows the source code position of a fault in the log",
  details: `
Takes a log line with a fault as an argument in single quotes, or any number of lines from standard input:

  aws logs tail <log group> | npm run operator -- explain

Prints file, line, column and function of each stack frame. Bundles the functions of this checkout and compares the build id of the
line. If another commit was deployed, prints which one to check out. Calls nothing in AWS.`,
  options: {},
  async run({ words }, terminal) {
    const log = words.length > 0 ? words.join(" ") : await text(process.stdin);
    const lines = log.split("\n").filter((line) => line.trim() !== "");
    const faults = lines.map((line) => findFault(line)).filter((fault) => fault !== undefined);
    if (faults.length === 0) {
      const found = `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
      throw new UsageError(
        `No fault in ${found}. Give the whole JSON line with "fault", "at" and "build" in single quotes.`,
      );
    }
    const findBundle = await bundlesByBuild();
    let isWell = true;
    for (const fault of faults) isWell = (await explain(fault, findBundle, terminal)) && isWell;
    return isWell;
  },
});

type FindBundle = (build: string) => Promise<MappedBundle | undefined>;

async function explain(fault: LoggedFault, findBundle: FindBundle, terminal: Terminal): Promise<boolean> {
  const { operation, requestId, build } = fault;
  const about = [operation ?? "a function", ...(requestId ? [`request ${requestId}`] : [])].join(", ");
  const bundle = build === undefined ? undefined : await findBundle(build);
  if (bundle === undefined) {
    terminal.print(`${about}: ${await describeMissingBundle(build)}`);
    return false;
  }
  terminal.print(`${about}:`);
  for (const line of explainedStack(fault, createPositionFinder(bundle))) terminal.print(line);
  return true;
}

async function describeMissingBundle(build: string | undefined): Promise<string> {
  if (build === undefined) return "the line has no build id.";
  const [hash, commit] = build.split("@");
  if (commit === undefined) return `build ${hash} of an unknown commit, which is not this checkout.`;
  const [id, ...changed] = commit.split("+");
  if (changed.length > 0)
    return `commit ${id} with uncommitted changes. Run this in the folder from which it was deployed.`;
  if ((await bundledCommit()) === id)
    return `this commit, ${id}, with other packages. Run npm ci and try again.`;
  return `another commit. Run git checkout ${id} && npm ci and try again.`;
}

/** Bundles every function of this checkout, or uses earlier bundles of the same code. The build id finds the function. */
async function bundlesByBuild(): Promise<FindBundle> {
  const { directory } = await findOrBundleFunctions([...functionSources, ingestSource]);
  return (build) => findOrMakeMap(directory, build);
}
