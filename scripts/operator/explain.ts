import { text } from "node:stream/consumers";
import { findOrBundleFunctions } from "../../lib/bundle/bundle-cache.ts";
import { bundledCommit } from "../../lib/bundle/bundled-commit.ts";
import { explainedStack, findFault, type LoggedFault } from "../../lib/bundle/explained-fault.ts";
import { findOrMakeMap } from "../../lib/bundle/fault-map.ts";
import { functionSources, ingestSource } from "../../lib/bundle/function-source.ts";
import { createPositionFinder, type MappedBundle } from "../../lib/bundle/source-position.ts";
import { type Command, type CommandInput, UsageError } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** `explain <log line>` */
export const explainCommand: Command = {
  usage: "[<log line>]",
  summary: "tells where in the source code a fault of the log happened",
  help: `
A line of the log with a fault, from the command line (in single quotes) or any number of lines from standard input, such as

  aws logs tail <log group> | npm run operator -- explain

Its frames are places in a bundle; they are shown with file, line, column and function. Nothing is asked of AWS: the
functions of this checkout are bundled again, and the build id of the line tells whether they are the ones that ran. Where
they are not, this says which commit to check out.`,
  options: {},
  async run(input, terminal) {
    const lines = (await readLines(input)).split("\n").filter((line) => line.trim() !== "");
    const faults = lines.map((line) => findFault(line)).filter((fault) => fault !== undefined);
    if (faults.length === 0) {
      const found = `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
      throw new UsageError(
        `There is no fault in ${found}: it is a line of JSON with "fault", "at" and "build", whole, in single quotes.`,
      );
    }
    const findBundle = await bundlesByBuild();
    let isWell = true;
    for (const fault of faults) isWell = (await explain(fault, findBundle, terminal)) && isWell;
    return isWell;
  },
};

async function readLines({ words }: CommandInput): Promise<string> {
  return words.length > 0 ? words.join(" ") : text(process.stdin);
}

type FindBundle = (build: string) => Promise<MappedBundle | undefined>;

async function explain(fault: LoggedFault, findBundle: FindBundle, terminal: Terminal): Promise<boolean> {
  const { operation, requestId, build } = fault;
  const about = [operation ?? "a function", ...(requestId ? [`request ${requestId}`] : [])].join(", ");
  const bundle = build === undefined ? undefined : await findBundle(build);
  if (bundle === undefined) {
    terminal.print(`${about}: ${await whatIsMissing(build)}`);
    return false;
  }
  terminal.print(`${about}:`);
  for (const line of explainedStack(fault, createPositionFinder(bundle))) terminal.print(line);
  return true;
}

async function whatIsMissing(build: string | undefined): Promise<string> {
  if (build === undefined) return "the line has no build id, so nobody can tell which code it is of.";
  const [hash, commit] = build.split("@");
  if (commit === undefined)
    return `it is of the build ${hash}, whose commit is not known, and this checkout builds others.`;
  const [id, ...changed] = commit.split("+");
  if (changed.length > 0)
    return `it is of the commit ${id} with changes that were not committed: only where it was deployed from can tell.`;
  if ((await bundledCommit()) === id)
    return `it is of this commit, ${id}, which is bundled otherwise here: npm ci, and then again.`;
  return `it is of another commit: git checkout ${id} && npm ci, and then again.`;
}

/**
 * Bundles every function of this checkout, or takes what was bundled before: which of them a line is of, only its build id
 * tells, and that the code is the same.
 */
async function bundlesByBuild(): Promise<FindBundle> {
  const { directory } = await findOrBundleFunctions([...functionSources, ingestSource]);
  return (build) => findOrMakeMap(directory, build);
}
