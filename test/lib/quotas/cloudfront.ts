import { each, lengthOf, longestOf, numberOf, numberOr, textLength } from "./count.ts";
import { type QuotaPage, reasons } from "./quota.ts";

const distribution = "AWS::CloudFront::Distribution";
const cachePolicy = "AWS::CloudFront::CachePolicy";
const originRequestPolicy = "AWS::CloudFront::OriginRequestPolicy";
const headersPolicy = "AWS::CloudFront::ResponseHeadersPolicy";
const edgeFunction = "AWS::CloudFront::Function";

const oneDistribution = "The stack has one distribution.";
const atTheEdge = "A size at run time: CloudFront refuses larger requests itself, with 4xx.";

// biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's.
type Properties = any;

const configOf = ({ DistributionConfig }: Properties) => DistributionConfig;
const cacheKeyOf = ({ CachePolicyConfig }: Properties) =>
  CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
const forwardedOf = ({ OriginRequestPolicyConfig }: Properties) => OriginRequestPolicyConfig;

/** Names of query strings, headers and cookies in the configuration of a policy. */
const namesIn = ({ QueryStringsConfig, HeadersConfig, CookiesConfig }: Properties): readonly string[] => [
  ...(QueryStringsConfig.QueryStrings ?? []),
  ...(HeadersConfig.Headers ?? []),
  ...(CookiesConfig.Cookies ?? []),
];

const addedBy = ({ ResponseHeadersPolicyConfig: config }: Properties) =>
  (config.CustomHeadersConfig?.Items ?? []) as readonly { readonly Header: string; readonly Value: string }[];

/** The largest number of the distribution's origins; those of S3 have no such settings. */
const ofOrigins = (measure: (origin: Properties) => number) =>
  each(distribution, (properties) => Math.max(0, ...configOf(properties).Origins.map(measure)));

const headersOf = (origin: Properties) => (origin.OriginCustomHeaders ?? []) as readonly Properties[];

/** The policies that one distribution is associated with are the stack's, and no other's. */
const shared = "Only the stack's distribution uses it.";

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
    { name: "Files that you can serve per distribution", value: "no quota", reason: "There is none." },
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
      reason: "Others are sent as they are.",
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
    // General quotas on policies
    { name: "Custom cache policies per AWS account", value: 20, bound: 5, count: numberOf(cachePolicy) },
    { name: "Distributions associated with the same cache policy", value: 100, reason: shared },
    {
      name: "Query strings per cache policy",
      value: 10,
      bound: 8,
      count: each(cachePolicy, (properties) =>
        lengthOf(cacheKeyOf(properties).QueryStringsConfig.QueryStrings),
      ),
    },
    {
      name: "Headers per cache policy",
      value: 10,
      bound: 8,
      count: each(cachePolicy, (properties) => lengthOf(cacheKeyOf(properties).HeadersConfig.Headers)),
    },
    {
      name: "Cookies per cache policy",
      value: 10,
      bound: 8,
      count: each(cachePolicy, (properties) => lengthOf(cacheKeyOf(properties).CookiesConfig.Cookies)),
    },
    {
      name: "Total combined length of all query string, header, and cookie names in a cache policy",
      value: 1_024,
      bound: 500,
      count: each(cachePolicy, (properties) => namesIn(cacheKeyOf(properties)).join("").length),
    },
    {
      name: "Custom origin request policies per AWS account",
      value: 20,
      bound: 5,
      count: numberOf(originRequestPolicy),
    },
    { name: "Distributions associated with the same origin request policy", value: 100, reason: shared },
    {
      name: "Query strings per origin request policy",
      value: 10,
      bound: 8,
      count: each(originRequestPolicy, (properties) =>
        lengthOf(forwardedOf(properties).QueryStringsConfig.QueryStrings),
      ),
    },
    {
      name: "Headers per origin request policy",
      value: 10,
      bound: 8,
      count: each(originRequestPolicy, (properties) =>
        lengthOf(forwardedOf(properties).HeadersConfig.Headers),
      ),
    },
    {
      name: "Cookies per origin request policy",
      value: 10,
      bound: 8,
      count: each(originRequestPolicy, (properties) =>
        lengthOf(forwardedOf(properties).CookiesConfig.Cookies),
      ),
    },
    {
      name: "Total combined length of all query string, header, and cookie names in an origin request policy",
      value: 1_024,
      bound: 500,
      count: each(originRequestPolicy, (properties) => namesIn(forwardedOf(properties)).join("").length),
    },
    {
      name: "Custom response headers policies per AWS account",
      value: 20,
      bound: 8,
      count: numberOf(headersPolicy),
    },
    { name: "Distributions associated with the same response headers policy", value: 100, reason: shared },
    {
      name: "Custom headers per response headers policy",
      value: 10,
      bound: 8,
      count: each(headersPolicy, (properties) => addedBy(properties).length),
    },
    { name: "Continuous deployment policies per AWS account", value: 20, reason: reasons.unused },
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
        "A rate at run time: the workers gather the tags of a batch into one invalidation, and the client retries.",
    },
    { name: "Number of wildcard invalidations", value: "1 a second", reason: "Invalidations are by tag." },
    {
      name: "Tag invalidation: maximum number of files that one tag based invalidation can process",
      value: "no quota",
      reason: "There is none.",
    },
    {
      name: "Wildcard invalidation: maximum number of files that one wildcard invalidation can process",
      value: "no quota",
      reason: "There is none.",
    },
    { name: "Quotas on key groups", value: "4 rows", reason: reasons.unused },
    { name: "Quotas on WebSocket connections", value: "1 row", reason: reasons.unused },
    { name: "Quotas on field-level encryption", value: "9 rows", reason: reasons.unused },
    { name: "Quotas on cookies (legacy cache settings)", value: "2 rows", reason: "Policies are used." },
    {
      name: "Quotas on query strings (legacy cache settings)",
      value: "3 rows",
      reason: "Policies are used.",
    },
    // Quotas on headers
    { name: "Headers per cache behavior (legacy cache settings)", value: 10, reason: "Policies are used." },
    {
      name: "Forward headers per cache behavior",
      value: 25,
      reason: "Policies are used, with rows of their own.",
    },
    {
      name: "Custom headers: maximum number of custom headers that you can configure CloudFront to add to origin requests",
      value: 30,
      bound: 5,
      count: ofOrigins((origin) => headersOf(origin).length),
    },
    {
      name: "Custom headers: maximum number of custom headers that you can add to a response headers policy",
      value: 10,
      bound: 8,
      count: each(headersPolicy, (properties) => addedBy(properties).length),
    },
    {
      name: "Custom headers: maximum length of a header name",
      value: 256,
      bound: 100,
      count: (template) => ({
        ...each(headersPolicy, (properties) => longestOf(addedBy(properties).map(({ Header }) => Header)))(
          template,
        ),
        ...ofOrigins((origin) => longestOf(headersOf(origin).map(({ HeaderName }) => HeaderName)))(template),
      }),
    },
    {
      name: "Custom headers: maximum length of a header value",
      value: 1_783,
      bound: 1_000,
      count: (template) => ({
        ...each(headersPolicy, (properties) => longestOf(addedBy(properties).map(({ Value }) => Value)))(
          template,
        ),
        ...ofOrigins((origin) =>
          Math.max(0, ...headersOf(origin).map(({ HeaderValue }) => textLength(HeaderValue))),
        )(template),
      }),
    },
    {
      name: "Custom headers: maximum length of all header values and names combined",
      value: 10_240,
      bound: 2_000,
      count: each(headersPolicy, (properties) =>
        addedBy(properties).reduce((sum, { Header, Value }) => sum + Header.length + Value.length, 0),
      ),
    },
    {
      name: "Maximum length of the Content-Security-Policy header value",
      value: 1_783,
      bound: 1_000,
      count: each(headersPolicy, ({ ResponseHeadersPolicyConfig: { SecurityHeadersConfig } }) =>
        textLength(SecurityHeadersConfig?.ContentSecurityPolicy?.ContentSecurityPolicy),
      ),
    },
    {
      name: "Maximum length of a CORS (Access-Control-Allow-Origin) header value",
      value: "1,783 characters",
      reason: "No policy adds it.",
    },
    { name: "Quotas on multi-tenant distributions", value: "8 rows", reason: reasons.unused },
  ],
};
