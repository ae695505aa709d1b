import type { CostLine } from "./estimate.ts";
import { costOf, type PriceName } from "./prices.ts";

/** A monthly allowance of an account that does not end. */
interface Allowance {
  readonly quantity: number;
  /** Prices whose quantities are counted together. */
  readonly prices: readonly PriceName[];
  readonly what: string;
}

/**
 * AWS's allowances that never end, for the whole account. DynamoDB's requests and API Gateway's calls have none for on-demand tables and
 * after the first year. AWS, "AWS Free Tier", filter "Always free".
 */
export const alwaysFree: readonly Allowance[] = [
  { quantity: 1_000_000, prices: ["functionCall"], what: "1 million calls of functions" },
  {
    quantity: 400_000,
    prices: ["functionGigabyteSecond", "browserGigabyteSecond"],
    what: "400,000 GB-seconds of functions",
  },
  { quantity: 25, prices: ["tableGigabyte"], what: "25 GB in the table" },
  { quantity: 1_000_000, prices: ["queueRequest"], what: "1 million requests to queues" },
  { quantity: 14_000_000, prices: ["scheduledCall"], what: "14 million calls of schedules" },
  { quantity: 10_000_000, prices: ["edgeRequest"], what: "10 million requests at the edge" },
  { quantity: 1_000, prices: ["edgeGigabyte"], what: "1,000 GB of traffic at the edge" },
  { quantity: 2_000_000, prices: ["edgeFunctionCall"], what: "2 million calls of functions at the edge" },
  { quantity: 5, prices: ["logGigabyte"], what: "5 GB of logs" },
  { quantity: 10, prices: ["alarmMetric"], what: "10 alarm metrics" },
  { quantity: 3, prices: ["dashboard"], what: "3 dashboards" },
  { quantity: 100_000, prices: ["trace"], what: "100,000 traces" },
];

/** The dollars of a bill in an account that uses the allowances for nothing else. */
export function dollarsWithFreeTier(lines: readonly CostLine[]): number {
  const left = new Map(alwaysFree.map((allowance) => [allowance, allowance.quantity]));
  return lines.reduce((sum, { price, quantity }) => {
    const allowance = alwaysFree.find(({ prices }) => prices.includes(price));
    const free = Math.min(quantity, allowance ? (left.get(allowance) ?? 0) : 0);
    if (allowance) left.set(allowance, (left.get(allowance) ?? 0) - free);
    return sum + costOf(price, quantity - free);
  }, 0);
}
