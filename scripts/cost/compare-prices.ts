import { renderTable } from "../bench/markdown-table.ts";
import type { FindOffer } from "./price-list.ts";
import { type Offer, type Price, prices } from "./prices.ts";

/** Result of one comparison, in the words of the table. */
type Verdict = "the same" | "DIFFERENT" | "not in the files" | "not compared";

/** Renders our prices beside those of a price list: every price, with what could not be compared. */
export function renderComparison(find: FindOffer): string {
  const rows = Object.values<Price>(prices).map((price) => {
    const offers = price.offers ?? [];
    const found = offers.map(find);
    // To the digits that a price list has.
    const listed =
      offers.length > 0 && found.every((one) => one !== undefined)
        ? Number((found.reduce((sum, one) => sum + one.dollars, 0) * price.units).toPrecision(10))
        : undefined;
    return [
      price.per,
      String(price.dollars),
      listed === undefined ? "" : String(listed),
      verdictOf(price, listed),
      where(offers),
    ];
  });
  return renderTable({ columns: ":what | ours | price list | :result | :service and usage type", rows });
}

function verdictOf({ offers, dollars }: Price, listed: number | undefined): Verdict {
  if (offers === undefined) return "not compared";
  if (listed === undefined) return "not in the files";
  return Math.abs(listed - dollars) <= dollars * 1e-6 ? "the same" : "DIFFERENT";
}

function where(offers: readonly Offer[]): string {
  return offers.map(({ service, usageType }) => `${service} ${usageType}`).join(" + ");
}
