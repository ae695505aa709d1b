import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Settings } from "../../lib/settings.ts";
import { validateSettings } from "../../lib/validate-settings.ts";
import { type Command, textOption, UsageError } from "./command.ts";
import type { Finding, Verdict } from "./preflight/finding.ts";
import type { Terminal } from "./terminal.ts";

const marks: Readonly<Record<Verdict, string>> = {
  well: "well",
  fails: "FAILS",
  warns: "look",
  unseen: "unseen",
  unasked: "NOT ASKED",
};

/** `preflight` */
export const preflightCommand: Command = {
  usage: "[--settings <file>] [--region <name>] [--policy]",
  summary: "asks AWS, changing nothing, for what would make a first deployment fail",
  help: `
Goes by settings.ts, and says of each thing that it finds what to do about it. Ends with 1 where something would fail, and
where AWS did not say whether it would.

  --settings <file> another file of settings, which exports them as \`settings\`
  --region <name>   as if the settings said this region
  --policy          prints the IAM policy that it needs, which allows reading only, and asks nothing`,
  options: { settings: { type: "string" }, region: { type: "string" }, policy: { type: "boolean" } },
  async run(input, terminal) {
    if (input.words.length > 0) throw new UsageError("There is nothing to say but options.");
    // Imported late, twice: the CDK is large, and only this command makes a template.
    if (input.options.policy === true) {
      const { preflightPolicy } = await import("./preflight/preflight.ts");
      terminal.print(JSON.stringify(preflightPolicy(), undefined, 2));
      return true;
    }
    const written = await loadSettings(textOption(input, "settings") ?? "settings.ts");
    const region = textOption(input, "region");
    const settings: Settings = region === undefined ? written : { ...written, region };
    validateSettings(settings);
    const { planDeployment } = await import("./preflight/plan.ts");
    const { askEverything } = await import("./preflight/preflight.ts");
    return tell(await askEverything(planDeployment(settings)), terminal);
  },
};

async function loadSettings(file: string): Promise<Settings> {
  const url = pathToFileURL(resolve(file)).href;
  const { settings } = (await import(url).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  })) as { settings?: Settings };
  if (settings === undefined) throw new UsageError(`${file} does not export \`settings\`.`);
  return settings;
}

/** Prints what was found; returns whether nothing would fail, as far as it was said. */
export function tell(findings: readonly Finding[], terminal: Terminal): boolean {
  for (const { verdict, about, says, todo } of findings) {
    terminal.print(`${marks[verdict].padEnd(10)} ${about}: ${says}`);
    if (todo !== undefined) terminal.print(`${" ".repeat(11)}${todo}`);
  }
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const [fails, unasked] = [count("fails"), count("unasked")];
  if (fails + unasked === 0) {
    terminal.print("Nothing was found that would make a deployment fail.");
    return true;
  }
  terminal.print(`A deployment would fail at ${fails}; ${unasked} could not be asked.`);
  return false;
}
