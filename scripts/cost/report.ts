import { renderTable } from "../bench/markdown-table.ts";
import { assumptions } from "./assumptions.ts";
import { type CostLine, estimate } from "./estimate.ts";
import { tagsOfMassDeletion, tagsPerEvent } from "./invalidations.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { costOf, prices, pricesAsOf } from "./prices.ts";
import { defaultTraffic, idleTraffic, type Traffic } from "./traffic.ts";

/** The plain statement that stands under every figure. */
export const caution =
  `Prices as of ${pricesAsOf}, us-east-1, without free tiers, discounts and tax; none was read from AWS since. ` +
  "Check them on AWS's pricing pages before you rely on a figure.";

/** An estimate line by line, with its sum. */
export function renderEstimate(lines: readonly CostLine[]): string {
  const rows = lines.map(({ what, price, quantity, dollars }) => [
    what,
    formatQuantity(quantity),
    `${prices[price].dollars} per ${prices[price].per}`,
    formatDollars(dollars),
  ]);
  return renderTable({
    columns: ":what | quantity | :price | dollars a month",
    rows: [...rows, ["together", "", "", formatDollars(totalOf(lines))]],
  });
}

/** What it costs to be there, for each way to set the stack up. */
export function renderIdle(find: FindMeasuredCall): string {
  const options: readonly (readonly [string, Partial<Traffic>])[] = [
    ["as it comes", {}],
    ["where pages are not rendered", { withoutRenders: true }],
    ["with ingest as a web function", { ingest: "webfunction" }],
    ["with the dashboard", { dashboard: true }],
    ["kept warm", { keepWarm: true }],
    ["with the firewall", { waf: true }],
    ["with ingest as a web function and the firewall", { ingest: "webfunction", waf: true }],
  ];
  return renderTable({
    columns: ":setup | dollars a month",
    rows: options.map(([setup, changes]) => [
      setup,
      formatDollars(totalOf(estimate({ ...idleTraffic, ...changes }, find))),
    ]),
  });
}

/** The example of docs/cost.md: the traffic that is taken where none is given. */
export function renderExample(find: FindMeasuredCall): string {
  return renderEstimate(estimate(defaultTraffic, find));
}

/** What it costs to make the edge forget, above the free tags. */
export function renderInvalidations(): string {
  const million = 1_000_000;
  const rows: readonly (readonly [string, number])[] = [
    ["a drop locked, or deleted", tagsPerEvent],
    ["a version deleted", tagsPerEvent],
    ["a file deleted, or closed to some readers", tagsPerEvent],
    ["a passcode changed, or taken away", 0],
    [
      "a million drops of one owner deleted all at once",
      tagsOfMassDeletion(million, assumptions.recordsPerBatch),
    ],
    ["a million drops deleted one by one, over a month", million * tagsPerEvent],
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

/** The prices and where they are. */
export function renderPrices(): string {
  return renderTable({
    columns: "dollars | :per | :page of aws.amazon.com",
    rows: Object.values(prices).map(({ dollars, per, page }) => [String(dollars), per, page]),
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
