/** A price of AWS in us-east-1. */
export interface Price {
  readonly dollars: number;
  /** The unit that the dollars buy. */
  readonly per: string;
  /** The number of units in it. */
  readonly units: number;
  /** The title of the page of aws.amazon.com with the price. */
  readonly page: string;
  /** Usage types in AWS's price list. The price is their sum. @default - the price list has none */
  readonly offers?: readonly Offer[];
  /** Day on which a copy of AWS's price list or of its page had this price. @default - not seen since `pricesAsOf` */
  readonly seen?: string;
}

/** A row of AWS's price list for us-east-1. */
export interface Offer {
  /** The service's code, such as `AWSLambda`: the name of its offer file. */
  readonly service: string;
  /** The usage type, such as `Request-ARM`, without the prefix of the region that some services write. */
  readonly usageType: string;
}

/** The date of the prices, which were written down by hand. */
export const pricesAsOf = "mid-2025";

const million = 1_000_000;

/** On-demand list prices in us-east-1, the first tier of each, without free tiers, discounts and tax. */
export const prices = {
  ...pricesOf("AWS Lambda Pricing", {
    functionCall: {
      dollars: 0.2,
      per: "million requests",
      units: million,
      offers: [{ service: "AWSLambda", usageType: "Request-ARM" }],
      seen: "2026-09-20",
    },
    functionGigabyteSecond: {
      dollars: 0.0000133334,
      per: "GB-second (Arm)",
      units: 1,
      offers: [{ service: "AWSLambda", usageType: "Lambda-GB-Second-ARM" }],
    },
    browserGigabyteSecond: {
      dollars: 0.0000166667,
      per: "GB-second (x86)",
      units: 1,
      offers: [{ service: "AWSLambda", usageType: "Lambda-GB-Second" }],
    },
  }),
  ...pricesOf("Amazon API Gateway Pricing", {
    apiCall: {
      dollars: 3.5,
      per: "million REST API calls",
      units: million,
      offers: [{ service: "AmazonApiGateway", usageType: "ApiGatewayRequest" }],
      seen: "2026-09-20",
    },
  }),
  ...pricesOf("Amazon DynamoDB Pricing for On-Demand Capacity", {
    tableRead: {
      dollars: 0.125,
      per: "million read request units",
      units: million,
      offers: [{ service: "AmazonDynamoDB", usageType: "ReadRequestUnits" }],
    },
    tableWrite: {
      dollars: 0.625,
      per: "million write request units",
      units: million,
      offers: [{ service: "AmazonDynamoDB", usageType: "WriteRequestUnits" }],
    },
    tableGigabyte: {
      dollars: 0.25 + 0.2,
      per: "GB-month, 0.25 stored and 0.20 for point-in-time recovery",
      units: 1,
      offers: [
        { service: "AmazonDynamoDB", usageType: "TimedStorage-ByteHrs" },
        { service: "AmazonDynamoDB", usageType: "TimedPITRStorage-ByteHrs" },
      ],
    },
  }),
  ...pricesOf("Amazon S3 pricing", {
    objectWrite: {
      dollars: 0.005,
      per: "thousand PUT requests",
      units: 1_000,
      offers: [{ service: "AmazonS3", usageType: "Requests-Tier1" }],
    },
    objectRead: {
      dollars: 0.0004,
      per: "thousand GET requests",
      units: 1_000,
      offers: [{ service: "AmazonS3", usageType: "Requests-Tier2" }],
    },
    objectGigabyte: {
      dollars: 0.023,
      per: "GB-month",
      units: 1,
      offers: [{ service: "AmazonS3", usageType: "TimedStorage-ByteHrs" }],
    },
  }),
  ...pricesOf("Amazon SQS pricing", {
    queueRequest: {
      dollars: 0.4,
      per: "million requests",
      units: million,
      offers: [{ service: "AWSQueueService", usageType: "Requests-RBP" }],
    },
  }),
  ...pricesOf("Amazon EventBridge Pricing", {
    scheduledCall: { dollars: 1, per: "million invocations of a schedule", units: million },
    busEvent: {
      dollars: 1,
      per: "million custom events of up to 64 KB",
      units: million,
      offers: [{ service: "AWSEvents", usageType: "Event-64K-Chunks" }],
    },
  }),
  ...pricesOf("AWS Secrets Manager Pricing", {
    secret: {
      dollars: 0.4,
      per: "secret-month",
      units: 1,
      offers: [{ service: "AWSSecretsManager", usageType: "AWSSecretsManager-Secrets" }],
      seen: "2026-09-20",
    },
  }),
  ...pricesOf("Amazon CloudFront Pricing", {
    edgeRequest: {
      dollars: 0.01,
      per: "10,000 HTTPS requests (North America, Europe is 0.012)",
      units: 10_000,
      offers: [{ service: "AmazonCloudFront", usageType: "US-Requests-Tier2-HTTPS" }],
    },
    edgeGigabyte: {
      dollars: 0.085,
      per: "GB to the internet (North America, Europe)",
      units: 1,
      offers: [{ service: "AmazonCloudFront", usageType: "US-DataTransfer-Out-Bytes" }],
    },
    edgeFunctionCall: {
      dollars: 0.1,
      per: "million CloudFront Functions invocations",
      units: million,
      offers: [{ service: "AmazonCloudFront", usageType: "Executions-CloudFrontFunctions" }],
    },
    invalidationTag: {
      dollars: 0.005,
      per: "cache tag or path invalidated above the first 1,000 of the account's month",
      units: 1,
      offers: [{ service: "AmazonCloudFront", usageType: "Invalidations" }],
    },
  }),
  ...pricesOf("Amazon CloudWatch Pricing", {
    logGigabyte: {
      dollars: 0.5 + 0.03,
      per: "GB, 0.50 taken in and 0.03 kept for a month",
      units: 1,
      offers: [
        { service: "AmazonCloudWatch", usageType: "DataProcessing-Bytes" },
        { service: "AmazonCloudWatch", usageType: "TimedStorage-ByteHrs" },
      ],
    },
    alarmMetric: {
      dollars: 0.1,
      per: "alarm metric-month",
      units: 1,
      offers: [{ service: "AmazonCloudWatch", usageType: "CW:AlarmMonitorUsage" }],
    },
    dashboard: {
      dollars: 3,
      per: "dashboard-month",
      units: 1,
      offers: [{ service: "AmazonCloudWatch", usageType: "DashboardsUsageHour" }],
    },
  }),
  ...pricesOf("AWS X-Ray Pricing", {
    trace: {
      dollars: 5,
      per: "million traces recorded",
      units: million,
      offers: [{ service: "AWSXRay", usageType: "XRay-TracesStored" }],
    },
  }),
  ...pricesOf("AWS WAF Pricing", {
    firewall: {
      dollars: 5,
      per: "web ACL-month",
      units: 1,
      offers: [{ service: "awswaf", usageType: "WebACLV2" }],
    },
    firewallRule: {
      dollars: 1,
      per: "rule-month",
      units: 1,
      offers: [{ service: "awswaf", usageType: "RuleV2" }],
    },
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
