import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { firewallLimitDefault } from "../../lib/edge/firewall.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { requestsPerDayDefault as quota } from "../../lib/settings.ts";
import { renderTable, replaceBetween } from "../bench/section.ts";
import * as model from "./estimate.ts";

const costPage = join(projectDirectory, "docs/cost.md");
const { assumptions, defaultTraffic, idleTraffic, estimate, dollarsOf } = model;

/** Lists worst cases for an operator, and the settings that limit their cost; see "Who stops it", docs/cost.md. */
export function costCases(
  find: model.FindMeasuredCall,
): (readonly [what: string, stoppedBy: string, units: model.Units])[] {
  const requests = 100_000_000;
  const daily = `\`requestsPerDayMax: ${quota}\``;
  const above = `${daily}, above ${quota.toLocaleString("en-US")} a day`;
  // Assumes that the requests come from ten addresses. CloudFront does not charge for requests that the firewall blocks (AWS, "What's New",
  // 25 October 2024).
  const allowed = Math.min(requests, 10 * firewallLimitDefault.requestsPer5MinutesPerAddress * 24 * 12);
  const filter = { firewall: 1, firewallRule: assumptions.firewallRules, firewallRequest: requests };
  /**
   * Computes the billed units of requests for uncached pages. API Gateway does not charge for requests that a quota refuses. Each refused
   * request transfers a kilobyte.
   */
  const hostile = (atEdge: number, called: number, firewall: model.Units = {}) =>
    model.sumOf([
      [called, { ...model.callUnits(find("view-drop")), edgeGigabyte: assumptions.viewerKilobytes / 1e6 }],
      [atEdge, { edgeRequest: 1, edgeFunctionCall: 1 }],
      [atEdge - called, { edgeGigabyte: 1 / 1e6 }],
      [1, firewall],
    ]);
  const poll = { ...idleTraffic, drops: 1, versions: 1, views: 200, answers: 200 };
  return [
    ["idle", "nothing to stop", estimate(idleTraffic, find)],
    ["thirty people", "nothing to stop", estimate(defaultTraffic, find)],
    ["a poll that 200 readers answer", "nothing to stop", estimate(poll, find)],
    ["a page with ten million views", above, estimate({ ...idleTraffic, views: 1e7, cacheHits: 0.99 }, find)],
    ["a hundred million hostile requests", "no setting", hostile(requests, requests)],
    ["the same", daily, hostile(requests, quota)],
    ["the same", `${daily} and \`waf: true\``, hostile(allowed, quota, filter)],
    ["hostile requests that use up the quota on thirty days", daily, hostile(30 * quota, 30 * quota)],
  ];
}

/** Renders an estimate as a table with the cost of each quantity, and the total. */
export function renderEstimate(units: model.Units): string {
  const rows = Object.entries(units).map(([name, quantity]) => {
    const [dollars, , per] = model.prices[name as keyof typeof model.prices];
    const maximumFractionDigits = quantity < 100 ? 2 : 0;
    const shown = quantity.toLocaleString("en-US", { maximumFractionDigits });
    return [shown, `${dollars} per ${per}`, dollarsOf({ [name]: quantity }).toFixed(2)];
  });
  const sum = ["", "together", dollarsOf(units).toFixed(2)];
  return renderTable({ columns: "quantity | :price | dollars a month", rows: [...rows, sum] });
}

/** Renders docs/cost.md with updated tables. Each table is between two comments that contain its name. */
export function renderCostPage(find: model.FindMeasuredCall): string {
  const changes: Partial<model.Traffic>[] = [{}, { withoutRenders: true }, { ingest: "none" }];
  for (const name of ["dashboard", "keepWarm", "waf"]) changes.push({ [name]: true });
  const idle = changes.map((change) => {
    const name = Object.entries(change).map(([key, value]) => `\`--${optionOf(key)}\` ${value}`)[0];
    return [name ?? "no option", dollarsOf(estimate({ ...idleTraffic, ...change }, find)).toFixed(2)];
  });
  const cases = costCases(find).map(([what, stoppedBy, units]) => {
    return [what, stoppedBy, dollarsOf(units).toFixed(2), model.dollarsWithFreeTier(units).toFixed(2)];
  });
  const tables = {
    idle: renderTable({ columns: ":settings | dollars a month", rows: idle }),
    cases: renderTable({ columns: ":case | :stopped by | dollars | with the free tier", rows: cases }),
    example: renderEstimate(estimate(defaultTraffic, find)),
  };
  let page = readFileSync(costPage, "utf8");
  for (const [name, table] of Object.entries(tables))
    page = replaceBetween(page, [`cost:${name}`, `/cost:${name}`], table);
  return page;
}

/** Converts a field's name to its option, such as `cacheHits` to `cache-hits`. */
const optionOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const costHelp = `npm run cost -- [options]

Estimates the monthly cost in dollars. The options are shown with their defaults. --write updates docs/cost.md instead.

${Object.entries(defaultTraffic)
  .map(([name, value]) => `  --${optionOf(name)}`.padEnd(33) + (value === false ? "" : value))
  .join("\n")}
  --idle                         no traffic, unless other options say so`;

/** Parses the command line. Throws an Error that names the invalid option and the valid values. */
export function parseCostRequest(args: string[]) {
  const options = Object.entries({ ...defaultTraffic, idle: false, write: false, help: false }).map(
    ([name, value]) => [optionOf(name), { type: typeof value === "boolean" ? "boolean" : "string" }],
  );
  const values: Record<string, unknown> = parseArgs({ args, options: Object.fromEntries(options) }).values;
  const fields = Object.entries(values.idle ? idleTraffic : defaultTraffic).map(([name, usual]) => {
    const given = values[optionOf(name)] ?? usual;
    if (typeof usual !== "number") return [name, given];
    const number = String(given).trim() === "" ? Number.NaN : Number(given);
    if (Number.isFinite(number) && number >= 0) return [name, number];
    throw new Error(`--${optionOf(name)} is ${JSON.stringify(given)}: use 0 or a larger number.`);
  });
  const traffic = Object.fromEntries(fields) as model.Traffic;
  if (traffic.cacheHits > 1) throw new Error("--cache-hits is a share: use a number from 0 to 1.");
  if (!["webfunction", "none"].includes(traffic.ingest))
    throw new Error(`--ingest is ${JSON.stringify(traffic.ingest)}: use webfunction or none.`);
  return { traffic, wants: values.help ? "help" : values.write ? "page" : "estimate" } as const;
}

/** Runs the command: prints an estimate, prints the help, or writes docs/cost.md. */
export function runCost(args: string[]): void {
  const { traffic, wants } = parseCostRequest(args);
  if (wants === "help") console.log(costHelp);
  else if (wants === "page") writeFileSync(costPage, renderCostPage(model.readMeasuredCalls()));
  else console.log(renderEstimate(estimate(traffic, model.readMeasuredCalls())));
}
