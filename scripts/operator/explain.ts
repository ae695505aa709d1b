import { text } from "node:stream/consumers";
import { findOrBundleFunctions } from "../../lib/bundle/bundle-cache.ts";
import { bundledCommit } from "../../lib/bundle/bundled-commit.ts";
import { explainedStack, findFault, type LoggedFault } from "../../lib/bundle/explained-fault.ts";
import { findOrMakeMap } from "../../lib/bundle/fault-map.ts";
import { functionSources, ingestSource } from "../../lib/bundle/function-source.ts";
import { createPositionFinder } from "../../lib/bundle/source-position.ts";
import { defineCommand, type Terminal, UsageError } from "./command.ts";

export const explainCommand = defineCommand({
  usage: "explain [<log line>…]",
  summary: "shows the source code position of a fault in the log",
  details: `
Takes a log line in single quotes, or any number of lines from standard input:

  aws logs tail <log group> | npm run operator -- explain

Prints file, line, column and function of each stack frame, or the commit to check out if another commit was deployed. Does not call AWS.`,
  async run({ words }, terminal) {
    const log = words.length > 0 ? words.join(" ") : await text(process.stdin);
    const lines = log.split("\n").filter((line) => line.trim() !== "");
    const faults = lines.map((line) => findFault(line)).filter((fault) => fault !== undefined);
    if (faults.length === 0)
      throw new UsageError(
        `Found no fault in ${lines.length} ${lines.length === 1 ? "line" : "lines"}. Give the whole JSON line with "fault", "at" and "build" in single quotes.`,
      );
    const { directory } = await findOrBundleFunctions([...functionSources, ingestSource]);
    let isWell = true;
    for (const fault of faults) isWell = (await explain(fault, directory, terminal)) && isWell;
    return isWell;
  },
});

/** @param directory folder of this checkout's bundles, in which the function's bundle is found by its build id */
async function explain(fault: LoggedFault, directory: string, terminal: Terminal): Promise<boolean> {
  const { operation, requestId, build } = fault;
  const about = `${operation ?? "a function"}${requestId ? `, request ${requestId}` : ""}`;
  const bundle = build === undefined ? undefined : await findOrMakeMap(directory, build);
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
  if (commit === undefined) return `build ${hash} comes from an unknown commit, not from this checkout.`;
  const [id, ...changed] = commit.split("+");
  if (changed.length > 0)
    return `the build comes from commit ${id} with uncommitted changes. Run explain in the folder from which the build was deployed.`;
  if ((await bundledCommit()) === id)
    return `the build comes from this commit, ${id}, with other packages. Run npm ci and try again.`;
  return `the build comes from another commit. Run git checkout ${id} && npm ci and try again.`;
}
