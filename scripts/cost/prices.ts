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
  functionCall: { dollars: 0.2, per: "million requests", units: million, page: "AWS Lambda Pricing" },
  functionGigabyteSecond: {
    dollars: 0.0000133334,
    per: "GB-second (Arm)",
    units: 1,
    page: "AWS Lambda Pricing",
  },
  browserGigabyteSecond: {
    dollars: 0.0000166667,
    per: "GB-second (x86)",
    units: 1,
    page: "AWS Lambda Pricing",
  },
  apiCall: {
    dollars: 3.5,
    per: "million REST API calls",
    units: million,
    page: "Amazon API Gateway Pricing",
  },
  tableRead: {
    dollars: 0.125,
    per: "million read request units",
    units: million,
    page: "Amazon DynamoDB Pricing for On-Demand Capacity",
  },
  tableWrite: {
    dollars: 0.625,
    per: "million write request units",
    units: million,
    page: "Amazon DynamoDB Pricing for On-Demand Capacity",
  },
  tableGigabyte: {
    dollars: 0.25 + 0.2,
    per: "GB-month, 0.25 stored and 0.20 for point-in-time recovery",
    units: 1,
    page: "Amazon DynamoDB Pricing for On-Demand Capacity",
  },
  objectWrite: { dollars: 0.005, per: "thousand PUT requests", units: 1_000, page: "Amazon S3 pricing" },
  objectRead: { dollars: 0.0004, per: "thousand GET requests", units: 1_000, page: "Amazon S3 pricing" },
  objectGigabyte: { dollars: 0.023, per: "GB-month", units: 1, page: "Amazon S3 pricing" },
  queueRequest: { dollars: 0.4, per: "million requests", units: million, page: "Amazon SQS pricing" },
  scheduledCall: {
    dollars: 1,
    per: "million invocations of a schedule",
    units: million,
    page: "Amazon EventBridge Pricing",
  },
  busEvent: {
    dollars: 1,
    per: "million custom events of up to 64 KB",
    units: million,
    page: "Amazon EventBridge Pricing",
  },
  secret: { dollars: 0.4, per: "secret-month", units: 1, page: "AWS Secrets Manager Pricing" },
  edgeRequest: {
    dollars: 0.01,
    per: "10,000 HTTPS requests (North America, Europe is 0.012)",
    units: 10_000,
    page: "Amazon CloudFront Pricing",
  },
  edgeGigabyte: {
    dollars: 0.085,
    per: "GB to the internet (North America, Europe)",
    units: 1,
    page: "Amazon CloudFront Pricing",
  },
  edgeFunctionCall: {
    dollars: 0.1,
    per: "million CloudFront Functions invocations",
    units: million,
    page: "Amazon CloudFront Pricing",
  },
  invalidationTag: {
    dollars: 0.005,
    per: "cache tag or path invalidated above the first 1,000 of the account's month",
    units: 1,
    page: "Amazon CloudFront Pricing",
  },
  logGigabyte: {
    dollars: 0.5 + 0.03,
    per: "GB, 0.50 taken in and 0.03 kept for a month",
    units: 1,
    page: "Amazon CloudWatch Pricing",
  },
  alarmMetric: { dollars: 0.1, per: "alarm metric-month", units: 1, page: "Amazon CloudWatch Pricing" },
  dashboard: { dollars: 3, per: "dashboard-month", units: 1, page: "Amazon CloudWatch Pricing" },
  trace: { dollars: 5, per: "million traces recorded", units: million, page: "AWS X-Ray Pricing" },
  firewall: { dollars: 5, per: "web ACL-month", units: 1, page: "AWS WAF Pricing" },
  firewallRule: { dollars: 1, per: "rule-month", units: 1, page: "AWS WAF Pricing" },
  firewallRequest: { dollars: 0.6, per: "million requests", units: million, page: "AWS WAF Pricing" },
} as const satisfies Readonly<Record<string, Price>>;

/** The name of a price. */
export type PriceName = keyof typeof prices;

/** A line of a bill: the price, its purpose, and the quantity. */
export type Part = [price: PriceName, what: string, quantity: number];

/** Multiplies a quantity by its price, in dollars. */
export function costOf(name: PriceName, quantity: number): number {
  const { dollars, units } = prices[name];
  return (quantity / units) * dollars;
}
