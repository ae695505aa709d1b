import { existsSync } from "node:fs";
import { loadSettings, settingsOfEnvironment } from "../../../lib/settings/settings-file.ts";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";
import { type Command, textOption, UsageError } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import type { Finding, Verdict } from "./finding.ts";

const marks: Readonly<Record<Verdict, string>> = {
  well: "well",
  fails: "FAILS",
  warns: "look",
  unseen: "unseen",
  unasked: "NOT ASKED",
};

/** `preflight` */
export const preflightCommand: Command = {
  usage: "[--settings <file>] [--region <name>] [--policy] [--probe-cloudfront]",
  summary: "asks AWS, changing nothing, for what would make a first deployment fail",
  help: `
Goes by the settings that a deployment goes by (settings.local.ts, or the file that SETTINGS names), and says of each thing
that it finds what to do about it. Ends with 1 where something would fail, and where AWS did not say whether it would.

  --settings <file> another file of settings, which exports them as \`settings\`, or JSON
  --region <name>   as if the settings said this region
  --policy          prints the IAM policy that it needs, which allows reading only, and asks nothing; with
                    --probe-cloudfront, the policy that this needs
  --probe-cloudfront
                    makes a distribution that is turned off, to see whether AWS has verified the account for CloudFront,
                    and deletes it: about five minutes, at no cost. Does nothing else; deletes what an earlier probe left`,
  options: {
    settings: { type: "string" },
    region: { type: "string" },
    policy: { type: "boolean" },
    "probe-cloudfront": { type: "boolean" },
  },
  async run(input, terminal) {
    if (input.words.length > 0) throw new UsageError("There is nothing to say but options.");
    // Imported late, twice: the CDK is large, and only this command makes a template.
    if (input.options.policy === true) {
      const { preflightPolicy, probePolicy } = await import("./preflight.ts");
      const policy = input.options["probe-cloudfront"] === true ? probePolicy() : preflightPolicy();
      terminal.print(JSON.stringify(policy, undefined, 2));
      return true;
    }
    if (input.options["probe-cloudfront"] === true) return probe(terminal);
    const named = textOption(input, "settings");
    if (named !== undefined && !existsSync(named)) {
      throw new UsageError(`${named} cannot be read: there is no such file.`);
    }
    const written = await loadSettings(
      named === undefined ? settingsOfEnvironment(process.env) : { file: named, by: "--settings" },
    );
    const region = textOption(input, "region");
    const settings: Settings = region === undefined ? written.settings : { ...written.settings, region };
    validateSettings(settings, written.file);
    terminal.print(`Settings: ${written.file}`);
    const { planDeployment } = await import("./plan.ts");
    const { askEverything } = await import("./preflight.ts");
    return tell(await askEverything(planDeployment(settings)), terminal);
  },
};

/** Prints what was found; returns whether nothing would fail, as far as it was said. */
export function tell(findings: readonly Finding[], terminal: Terminal): boolean {
  for (const finding of findings) show(finding, terminal);
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const [fails, unasked] = [count("fails"), count("unasked")];
  if (fails + unasked === 0) {
    terminal.print("Nothing was found that would make a deployment fail.");
    return true;
  }
  terminal.print(`A deployment would fail at ${fails}; ${unasked} could not be asked.`);
  return false;
}

async function probe(terminal: Terminal): Promise<boolean> {
  const { askCredentials } = await import("./preflight.ts");
  const { probeCloudFront } = await import("./cloudfront-probe.ts");
  const { finding } = await askCredentials();
  const findings = finding.verdict === "well" ? await probeCloudFront(terminal) : [];
  for (const one of [finding, ...findings]) show(one, terminal);
  return findings.length > 0 && findings.every(({ verdict }) => verdict === "well");
}

function show({ verdict, about, says, todo }: Finding, terminal: Terminal): void {
  terminal.print(`${marks[verdict].padEnd(10)} ${about}: ${says}`);
  if (todo !== undefined) terminal.print(`${" ".repeat(11)}${todo}`);
}
