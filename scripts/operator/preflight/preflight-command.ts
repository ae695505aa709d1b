import { existsSync } from "node:fs";
import { loadSettings, settingsOfEnvironment } from "../../../lib/settings/settings-file.ts";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";
import { defineCommand, type Terminal, UsageError } from "../command.ts";
import type { Finding, Verdict } from "./finding.ts";

const marks: Readonly<Record<Verdict, string>> = {
  well: "ok",
  fails: "FAILS",
  warns: "warning",
  unknown: "unknown",
  unchecked: "NOT CHECKED",
};

export const preflightCommand = defineCommand({
  usage: "preflight",
  summary: "checks the AWS account before the first deployment",
  details: `
Uses the settings of a deployment (settings.local.ts, or the file that SETTINGS names) and changes nothing. Prints what to do about each
problem. Exits with 1 if a deployment would fail, or if AWS refused a request.`,
  options: {
    "settings <file>": "another settings file, which exports `settings` or is JSON",
    "region <name>": "a region to use instead of the settings' region",
    policy:
      "prints the read-only IAM policy that the check needs, or with --probe-cloudfront the probe's policy",
    "probe-cloudfront":
      "creates and deletes the service's policies and a disabled distribution, to see whether CloudFront accepts them (5 min, free)",
  },
  async run(
    { options: { settings: named, region, policy: isPolicy, "probe-cloudfront": isProbe } },
    terminal,
  ) {
    // Dynamic imports, because the CDK is large and only this command needs it.
    if (isPolicy) {
      const { preflightPolicy, probePolicy } = await import("./preflight.ts");
      const policy = isProbe ? probePolicy() : preflightPolicy();
      terminal.print(JSON.stringify(policy, undefined, 2));
      return true;
    }
    if (named !== undefined && !existsSync(named)) throw new UsageError(`${named} does not exist.`);
    const source =
      named === undefined ? settingsOfEnvironment(process.env) : { file: named, by: "--settings" };
    const { file, settings: written } = await loadSettings(source);
    const settings: Settings = region === undefined ? written : { ...written, region };
    validateSettings(settings, file);
    terminal.print(`Settings: ${file}`);
    const { runPreflightChecks, runProbe } = await import("./preflight.ts");
    const { planDeployment } = await import("./plan.ts");
    const plan = planDeployment(settings);
    if (!isProbe) return printFindings(await runPreflightChecks(plan), terminal);
    const findings = await runProbe(plan, terminal);
    for (const finding of findings) show(finding, terminal);
    return findings.length > 1 && findings.every(({ verdict }) => verdict === "well");
  },
});

/** Prints the findings. Returns true if every check had a result and a deployment would not fail. */
export function printFindings(findings: readonly Finding[], terminal: Terminal): boolean {
  for (const finding of findings) show(finding, terminal);
  const count = (verdict: Verdict) => findings.filter((one) => one.verdict === verdict).length;
  const [fails, unchecked] = [count("fails"), count("unchecked")];
  const isReady = fails + unchecked === 0;
  terminal.print(
    isReady
      ? "Nothing was found that would make a deployment fail."
      : `Checks that would make a deployment fail: ${fails}. Checks that could not be done: ${unchecked}.`,
  );
  return isReady;
}

function show({ verdict, about, says, todo }: Finding, terminal: Terminal): void {
  terminal.print(`${marks[verdict].padEnd(11)} ${about}: ${says}`);
  if (todo !== undefined) terminal.print(`${" ".repeat(12)}${todo}`);
}
