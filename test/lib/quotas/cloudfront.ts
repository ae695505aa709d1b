import { headerQuotas, policyQuotas } from "./cloudfront-policies.ts";
import { each, lengthOf, numberOf, numberOr } from "./count.ts";
import { type QuotaPage, reasons } from "./quota.ts";

const distribution = "AWS::CloudFront::Distribution";
const edgeFunction = "AWS::CloudFront::Function";

const shared = "Only the stack's distribution uses the resource.";
const oneDistribution = "The stack has one distribution.";
const atTheEdge = "A size at run time. CloudFront refuses larger requests with 4xx.";

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Properties = any;

const configOf = ({ DistributionConfig }: Properties) => DistributionConfig;

/** Returns the largest measure of the distribution's origins. Origins of S3 use the defaults. */
const ofOrigins = (measure: (origin: Properties) => number) =>
  each(distribution, (properties) => Math.max(0, ...configOf(properties).Origins.map(measure)));

export const cloudFront: QuotaPage = {
  title: 'Amazon CloudFront Developer Guide, "Quotas"',
  services: ["AWS::CloudFront"],
  quotas: [
    // General quotas
    { name: "Data transfer rate per distribution", value: "150 Gbps", reason: reasons.rate },
    { name: "Requests per second per distribution", value: 250_000, reason: reasons.rate },
    {
      name: "Tags that can be added to a distribution",
      value: 50,
      bound: 10,
      count: each(distribution, ({ Tags }) => lengthOf(Tags)),
    },
    {
      name: "Files that you can serve per distribution",
      value: "no quota",
      reason: "CloudFront has no quota.",
    },
    {
      name: "Maximum length of a request or an origin response, including headers and query strings",
      value: "32,768 bytes",
      reason: atTheEdge,
    },
    { name: "Maximum length of a URL", value: "8,192 bytes", reason: atTheEdge },
    {
      name: "Maximum number of real-time access log delivery configurations per AWS account",
      value: 150,
      reason: "The distribution has no access log.",
    },
    { name: "Maximum number of associations per web ACL", value: 100, reason: oneDistribution },
    // General quotas on distributions
    {
      name: "Alternate domain names (CNAMEs) per distribution",
      value: 100,
      bound: 10,
      count: each(distribution, (properties) => lengthOf(configOf(properties).Aliases)),
    },
    {
      name: "Cache behaviors per distribution",
      value: 75,
      bound: 50,
      count: each(distribution, (properties) => 1 + lengthOf(configOf(properties).CacheBehaviors)),
    },
    {
      name: "Connection attempts per origin",
      value: 3,
      bound: 3,
      count: ofOrigins(({ ConnectionAttempts }) => numberOr(ConnectionAttempts, 3)),
    },
    {
      name: "Connection timeout per origin",
      value: 10,
      bound: 10,
      count: ofOrigins(({ ConnectionTimeout }) => numberOr(ConnectionTimeout, 10)),
    },
    {
      name: "Response timeout per origin",
      value: 120,
      bound: 60,
      count: ofOrigins(({ CustomOriginConfig }) => numberOr(CustomOriginConfig?.OriginReadTimeout, 30)),
    },
    {
      name: "Keep-alive timeout per origin",
      value: 300,
      bound: 60,
      count: ofOrigins(({ CustomOriginConfig }) => numberOr(CustomOriginConfig?.OriginKeepaliveTimeout, 5)),
    },
    { name: "Distributions per AWS account", value: 500, bound: 1, count: numberOf(distribution) },
    { name: "Distributions per origin access control", value: 100, reason: shared },
    {
      name: "Distributions within chain of requests to origin endpoint",
      value: 2,
      reason: "No origin is a distribution: the API is regional.",
    },
    {
      name: "File compression: range of file sizes that CloudFront compresses",
      value: "1,000 to 10,000,000 bytes",
      reason: "Other files are sent uncompressed.",
    },
    { name: "Maximum cacheable file size per HTTP GET response", value: "50 GB", reason: reasons.size },
    { name: "Maximum size of an HTTP request body", value: "64 GB", reason: reasons.size },
    {
      name: "Origin access controls per AWS account",
      value: 100,
      bound: 5,
      count: numberOf("AWS::CloudFront::OriginAccessControl"),
    },
    { name: "Origin access identities per AWS account", value: 100, reason: reasons.unused },
    {
      name: "Origins per distribution",
      value: 100,
      bound: 20,
      count: each(distribution, (properties) => lengthOf(configOf(properties).Origins)),
    },
    {
      name: "Origin groups per distribution",
      value: 10,
      bound: 8,
      count: each(distribution, (properties) => lengthOf(configOf(properties).OriginGroups?.Items)),
    },
    { name: "Staging distributions per AWS account", value: 20, reason: reasons.unused },
    { name: "Distributions associated with the same VPC origin", value: 50, reason: reasons.unused },
    { name: "VPC origins per AWS account", value: 25, reason: reasons.unused },
    {
      name: "Maximum number of distributions that can be associated with a single Anycast static IP list",
      value: 100,
      reason: reasons.unused,
    },
    ...policyQuotas,
    { name: "Quotas on mTLS and trust stores", value: "6 rows", reason: reasons.unused },
    // Quotas on CloudFront Functions
    { name: "Functions per AWS account", value: 100, bound: 10, count: numberOf(edgeFunction) },
    {
      name: "Maximum function size",
      value: 10_240,
      bound: 10_000,
      count: each(edgeFunction, ({ FunctionCode }) => Buffer.byteLength(FunctionCode)),
    },
    { name: "Maximum function memory", value: "2 MB", reason: reasons.size },
    { name: "Distributions associated with the same function", value: 100, reason: shared },
    { name: "Quotas on Connection Functions", value: "4 rows", reason: reasons.unused },
    { name: "Quotas on key value stores", value: "7 rows", reason: reasons.unused },
    { name: "Quotas on Lambda@Edge", value: "9 rows", reason: reasons.unused },
    // Quotas on SSL certificates
    {
      name: "SSL certificates per AWS account when serving HTTPS requests using dedicated IP addresses",
      value: 2,
      bound: 0,
      count: each(distribution, (properties) =>
        configOf(properties).ViewerCertificate?.SslSupportMethod === "vip" ? 1 : 0,
      ),
    },
    {
      name: "SSL certificates that can be associated with a CloudFront distribution",
      value: 1,
      bound: 1,
      count: each(distribution, (properties) => (configOf(properties).ViewerCertificate ? 1 : 0)),
    },
    // Quotas on invalidations
    {
      name: "Number of paths or tags",
      value: "150 a second",
      reason:
        "A rate at run time. Workers merge the tags of a batch into one invalidation, and the client retries.",
    },
    { name: "Number of wildcard invalidations", value: "1 a second", reason: "Invalidations are by tag." },
    {
      name: "Tag invalidation: maximum number of files that one tag based invalidation can process",
      value: "no quota",
      reason: "CloudFront has no quota.",
    },
    {
      name: "Wildcard invalidation: maximum number of files that one wildcard invalidation can process",
      value: "no quota",
      reason: "CloudFront has no quota.",
    },
    { name: "Quotas on key groups", value: "4 rows", reason: reasons.unused },
    { name: "Quotas on WebSocket connections", value: "1 row", reason: reasons.unused },
    { name: "Quotas on field-level encryption", value: "9 rows", reason: reasons.unused },
    {
      name: "Quotas on cookies (legacy cache settings)",
      value: "2 rows",
      reason: "The stack uses policies.",
    },
    {
      name: "Quotas on query strings (legacy cache settings)",
      value: "3 rows",
      reason: "The stack uses policies.",
    },
    ...headerQuotas,
    { name: "Quotas on multi-tenant distributions", value: "8 rows", reason: reasons.unused },
  ],
};

export const cacheTags: QuotaPage = {
  title: 'Amazon CloudFront Developer Guide, "Invalidating content by cache tags"',
  services: ["AWS::CloudFront"],
  quotas: [
    {
      name: "Tags per object",
      value: 50,
      reason: "A page or file has three tags: its own, its owner's and a common one.",
    },
    {
      name: "Characters per tag",
      value: 256,
      reason: "A tag is a kind, a namespace and an id in hexadecimal digits.",
    },
    {
      name: "Letters of a tag",
      value: "case-insensitive",
      reason: "Tags have case-sensitive ids in hexadecimal digits.",
    },
  ],
};
