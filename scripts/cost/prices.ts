/** A price of AWS in us-east-1. */
export interface Price {
  readonly dollars: number;
  /** The unit that the dollars buy. */
  readonly per: string;
  /** The number of units in it. */
  readonly units: number;
  /** The title of the page of aws.amazon.com with the price. */
  readonly page: string;
}

/** The date of the prices, which were written down by hand. */
export const pricesAsOf = "mid-2025";

const million = 1_000_000;

/** On-demand list prices in us-east-1, the first tier of each, without free tiers, discounts and tax. */
export const prices = {
  ...pricesOf("AWS Lambda Pricing", {
    functionCall: { dollars: 0.2, per: "million requests", units: million },
    functionGigabyteSecond: { dollars: 0.0000133334, per: "GB-second (Arm)", units: 1 },
    browserGigabyteSecond: { dollars: 0.0000166667, per: "GB-second (x86)", units: 1 },
  }),
  ...pricesOf("Amazon API Gateway Pricing", {
    apiCall: { dollars: 3.5, per: "million REST API calls", units: million },
  }),
  ...pricesOf("Amazon DynamoDB Pricing for On-Demand Capacity", {
    tableRead: { dollars: 0.125, per: "million read request units", units: million },
    tableWrite: { dollars: 0.625, per: "million write request units", units: million },
    tableGigabyte: {
      dollars: 0.25 + 0.2,
      per: "GB-month, 0.25 stored and 0.20 for point-in-time recovery",
      units: 1,
    },
  }),
  ...pricesOf("Amazon S3 pricing", {
    objectWrite: { dollars: 0.005, per: "thousand PUT requests", units: 1_000 },
    objectRead: { dollars: 0.0004, per: "thousand GET requests", units: 1_000 },
    objectGigabyte: { dollars: 0.023, per: "GB-month", units: 1 },
  }),
  ...pricesOf("Amazon SQS pricing", {
    queueRequest: { dollars: 0.4, per: "million requests", units: million },
  }),
  ...pricesOf("Amazon EventBridge Pricing", {
    scheduledCall: { dollars: 1, per: "million invocations of a schedule", units: million },
    busEvent: { dollars: 1, per: "million custom events of up to 64 KB", units: million },
  }),
  ...pricesOf("AWS Secrets Manager Pricing", {
    secret: { dollars: 0.4, per: "secret-month", units: 1 },
  }),
  ...pricesOf("Amazon CloudFront Pricing", {
    edgeRequest: {
      dollars: 0.01,
      per: "10,000 HTTPS requests (North America, Europe is 0.012)",
      units: 10_000,
    },
    edgeGigabyte: { dollars: 0.085, per: "GB to the internet (North America, Europe)", units: 1 },
    edgeFunctionCall: { dollars: 0.1, per: "million CloudFront Functions invocations", units: million },
    invalidationTag: {
      dollars: 0.005,
      per: "cache tag or path invalidated above the first 1,000 of the account's month",
      units: 1,
    },
  }),
  ...pricesOf("Amazon CloudWatch Pricing", {
    logGigabyte: { dollars: 0.5 + 0.03, per: "GB, 0.50 taken in and 0.03 kept for a month", units: 1 },
    alarmMetric: { dollars: 0.1, per: "alarm metric-month", units: 1 },
    dashboard: { dollars: 3, per: "dashboard-month", units: 1 },
  }),
  ...pricesOf("AWS X-Ray Pricing", {
    trace: { dollars: 5, per: "million traces recorded", units: million },
  }),
  ...pricesOf("AWS WAF Pricing", {
    firewall: { dollars: 5, per: "web ACL-month", units: 1 },
    firewallRule: { dollars: 1, per: "rule-month", units: 1 },
    firewallRequest: { dollars: 0.6, per: "million requests", units: million },
  }),
};

/** Adds the title of their page to prices. */
function pricesOf<Name extends string>(
  page: string,
  own: Readonly<Record<Name, Omit<Price, "page">>>,
): Readonly<Record<Name, Price>> {
  const entries = Object.entries<Omit<Price, "page">>(own).map(([name, price]) => [name, { ...price, page }]);
  return Object.fromEntries(entries);
}

/** The name of a price. */
export type PriceName = keyof typeof prices;

/** A line of a bill: the price, its purpose, and the quantity. */
export type Part = [price: PriceName, what: string, quantity: number];

/** Multiplies a quantity by its price, in dollars. */
export function costOf(name: PriceName, quantity: number): number {
  const { dollars, units } = prices[name];
  return (quantity / units) * dollars;
}
