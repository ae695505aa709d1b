import { renderTable } from "../bench/markdown-table.ts";
import { assumptions } from "./assumptions.ts";
import { costCases } from "./cases.ts";
import { type CostLine, estimate } from "./estimate.ts";
import { dollarsWithFreeTier } from "./free-tier.ts";
import { tagsOfMassDeletion, tagsPerEvent } from "./invalidations.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { costOf, prices, pricesAsOf } from "./prices.ts";
import { defaultTraffic, idleTraffic, type Traffic } from "./traffic.ts";

/** A caution that is printed under every estimate. */
export const estimateCaveat =
  `Prices as of ${pricesAsOf}, us-east-1, without free tiers, discounts and tax, except where docs/cost.md has a later ` +
  "day. Compare them with AWS's price list before you rely on an estimate: npm run cost -- --help.";

/** Renders an estimate line by line, with its sum. */
export function renderEstimate(lines: readonly CostLine[]): string {
  return renderTable({
    columns: ":what | quantity | :price | dollars a month",
    rows: [...lines.map(toRow), ["together", "", "", formatDollars(totalOf(lines))]],
  });
}

/** Renders the cost without traffic, for each setting that changes it. */
export function renderIdle(find: FindMeasuredCall): string {
  const options: readonly (readonly [string, Partial<Traffic>])[] = [
    ["no setting", {}],
    ["`renders: false`", { withoutRenders: true }],
    ['`ingest: "none"`', { ingest: "none" }],
    ["`dashboard: true`", { dashboard: true }],
    ["`keepWarm: true`", { keepWarm: true }],
    ["`waf: true`", { waf: true }],
  ];
  return renderTable({
    columns: ":settings | dollars a month",
    rows: options.map(([setup, changes]) => [
      setup,
      formatDollars(totalOf(estimate({ ...idleTraffic, ...changes }, find))),
    ]),
  });
}

/** Renders what cases cost that an operator fears, and what bounds each. */
export function renderCases(find: FindMeasuredCall): string {
  return renderTable({
    columns: ":case | :stopped by | dollars a month | with the free tier",
    rows: costCases(find).map(({ what, stoppedBy, lines }) => [
      what,
      stoppedBy,
      formatDollars(totalOf(lines)),
      formatDollars(dollarsWithFreeTier(lines)),
    ]),
  });
}

/** Renders the example of docs/cost.md: the default traffic, with lines below 30 cents in one. */
export function renderExample(find: FindMeasuredCall): string {
  const lines = estimate(defaultTraffic, find);
  const [large, small] = [lines.filter(isLarge), lines.filter((line) => !isLarge(line))];
  return renderTable({
    columns: ":what | quantity | dollars a month",
    rows: [
      ...large.map(({ what, quantity, dollars }) => [what, formatQuantity(quantity), formatDollars(dollars)]),
      [`${small.length} lines below 30 cents`, "", formatDollars(totalOf(small))],
      ["together", "", formatDollars(totalOf(lines))],
    ],
  });
}

function isLarge({ dollars }: CostLine): boolean {
  return dollars >= 0.3;
}

function toRow({ what, price, quantity, dollars }: CostLine): string[] {
  return [
    what,
    formatQuantity(quantity),
    `${prices[price].dollars} per ${prices[price].per}`,
    formatDollars(dollars),
  ];
}

/** Renders what folders add, by a thousand of each that nothing else is counted with. */
export function renderFolders(find: FindMeasuredCall): string {
  const rows: readonly (readonly [string, Partial<Traffic>])[] = [
    ["1,000 folders of 100 files published", { folders: 1_000 }],
    ["1,000 new versions of them, with one changed file", { folderVersions: 1_000 }],
    ["10,000 reads of their files by a function", { folderReads: 10_000, cacheHits: 0 }],
    ["10,000 reads of their files from the edge's cache", { folderReads: 10_000, cacheHits: 1 }],
  ];
  const dollarsOf = (changes: Partial<Traffic>) => totalOf(estimate({ ...idleTraffic, ...changes }, find));
  return renderTable({
    columns: ":what | dollars",
    rows: rows.map(([what, changes]) => [what, formatDollars(dollarsOf(changes) - dollarsOf({}))]),
  });
}

/** Renders the cost of invalidations above the free tags. */
export function renderInvalidations(): string {
  const million = 1_000_000;
  const rows: readonly (readonly [string, number])[] = [
    ["a drop locked or deleted, a version deleted, a file deleted or restricted", tagsPerEvent],
    ["a passcode changed or removed", 0],
    [
      "a million drops of one owner deleted at once",
      tagsOfMassDeletion(million, assumptions.recordsPerBatch),
    ],
    ["a million drops deleted one by one in a month", million * tagsPerEvent],
  ];
  return renderTable({
    columns: ":what | tags | dollars",
    rows: rows.map(([what, tags]) => [
      what,
      formatQuantity(tags),
      formatDollars(costOf("invalidationTag", tags)),
    ]),
  });
}

function totalOf(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

function formatDollars(dollars: number): string {
  return dollars > 0 && dollars < 0.005 ? "< 0.01" : dollars.toFixed(2);
}

function formatQuantity(quantity: number): string {
  const digits = quantity < 100 && !Number.isInteger(quantity) ? 2 : 0;
  return quantity.toLocaleString("en-US", { maximumFractionDigits: digits });
}
