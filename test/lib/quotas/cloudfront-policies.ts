import { each, lengthOf, longestOf, numberOf, textLength } from "./count.ts";
import { type Quota, reasons } from "./quota.ts";

const distribution = "AWS::CloudFront::Distribution";
const cachePolicy = "AWS::CloudFront::CachePolicy";
const originRequestPolicy = "AWS::CloudFront::OriginRequestPolicy";
const headersPolicy = "AWS::CloudFront::ResponseHeadersPolicy";

const shared = "Only the stack's distribution uses the resource.";

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Properties = any;

const cacheKeyOf = ({ CachePolicyConfig }: Properties) =>
  CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
const forwardedOf = ({ OriginRequestPolicyConfig }: Properties) => OriginRequestPolicyConfig;

/** Returns the names of query strings, headers and cookies in a policy. */
const namesIn = ({ QueryStringsConfig, HeadersConfig, CookiesConfig }: Properties): readonly string[] => [
  ...(QueryStringsConfig.QueryStrings ?? []),
  ...(HeadersConfig.Headers ?? []),
  ...(CookiesConfig.Cookies ?? []),
];

/** Returns the headers that a policy adds to responses. */
const addedBy = ({ ResponseHeadersPolicyConfig: config }: Properties) =>
  (config.CustomHeadersConfig?.Items ?? []) as readonly { readonly Header: string; readonly Value: string }[];

/** Returns the largest measure of the distribution's origins. */
const ofOrigins = (measure: (origin: Properties) => number) =>
  each(distribution, ({ DistributionConfig }) => Math.max(0, ...DistributionConfig.Origins.map(measure)));

/** Returns the headers that the edge adds to requests to an origin. */
const headersOf = (origin: Properties) => (origin.OriginCustomHeaders ?? []) as readonly Properties[];

/** Rows of "General quotas on policies". */
export const policyQuotas: readonly Quota[] = [
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
    count: each(originRequestPolicy, (properties) => lengthOf(forwardedOf(properties).HeadersConfig.Headers)),
  },
  {
    name: "Cookies per origin request policy",
    value: 10,
    bound: 8,
    count: each(originRequestPolicy, (properties) => lengthOf(forwardedOf(properties).CookiesConfig.Cookies)),
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
];

/** The rows of "Quotas on headers". */
export const headerQuotas: readonly Quota[] = [
  {
    name: "Headers per cache behavior (legacy cache settings)",
    value: 10,
    reason: "The stack uses policies.",
  },
  {
    name: "Forward headers per cache behavior",
    value: 25,
    reason: "The stack uses policies, which have their own rows.",
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
    reason: "No policy adds this header.",
  },
];
