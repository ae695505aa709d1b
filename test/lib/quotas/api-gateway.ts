import { each, inStack, jsonLength, lengthOf, numberOf, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons, type StackResource } from "./quota.ts";

const restApi = "AWS::ApiGateway::RestApi";
const stage = "AWS::ApiGateway::Stage";
const usagePlan = "AWS::ApiGateway::UsagePlan";

const regional = "The API is regional.";
const noDomain = "The distribution has the domain. The API has none.";
const whileDeploying =
  "A rate of calls during a deployment, which creates one API with one deployment and stage.";

/** Returns the nodes of the tree of paths, with the root. */
function nodesOf(paths: readonly string[]): ReadonlySet<string> {
  const nodes = paths.flatMap((path) => {
    const segments = path.split("/").slice(1);
    return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
  });
  return new Set(["/", ...nodes]);
}

/** Returns the number of methods with their own throttle for each stage of a plan. */
function throttledMethods([, { Properties }]: readonly [string, StackResource]): readonly number[] {
  const stages = (Properties.ApiStages ?? []) as readonly { readonly Throttle?: object }[];
  return stages.map(({ Throttle = {} }) => Object.keys(Throttle).length);
}

export const apiGatewayAccount: QuotaPage = {
  title: 'Amazon API Gateway Developer Guide, "Amazon API Gateway quotas"',
  services: ["AWS::ApiGateway"],
  quotas: [
    {
      name: "Throttle quota per account, per Region across HTTP APIs, REST APIs, WebSocket APIs, and WebSocket callback APIs",
      value: 10_000,
      bound: 2_500,
      // The quota is 2,500 in 13 Regions.
      count: each(stage, ({ MethodSettings = [] }) =>
        Math.max(
          0,
          ...MethodSettings.map((one: { ThrottlingRateLimit?: number }) => one.ThrottlingRateLimit ?? 10_000),
        ),
      ),
    },
    { name: "Throttle quota without access control for a portal", value: 250_000, reason: reasons.unused },
    { name: "Throttle quota with access control for a portal", value: 10_000, reason: reasons.unused },
    {
      name: "API Gateway quotas for creating, deploying and managing an API",
      value: "49 rows of requests per second",
      reason: whileDeploying,
    },
  ],
};

export const apiGateway: QuotaPage = {
  title: 'Amazon API Gateway Developer Guide, "Quotas for configuring and running a REST API in API Gateway"',
  services: ["AWS::ApiGateway"],
  quotas: [
    { name: "Public custom domain names per account per Region", value: 120, reason: noDomain },
    { name: "Private custom domain names per account per Region", value: 50, reason: noDomain },
    { name: "Regional APIs per Region", value: 600, bound: 1, count: numberOf(restApi) },
    { name: "Edge-optimized APIs per Region", value: 120, reason: regional },
    { name: "Private APIs per account per Region", value: 600, reason: regional },
    { name: "Domain name access associations per account", value: 100, reason: noDomain },
    { name: "Multi-level API mappings per domain", value: 200, reason: noDomain },
    { name: "Routing rules per domain", value: 50, reason: noDomain },
    { name: "Length, in characters, of the URL for an edge-optimized API", value: 8_192, reason: regional },
    {
      name: "Length, in characters, of the URL for a Regional API",
      value: 10_240,
      reason:
        "CloudFront accepts URLs of at most 8,192 characters, and the edge moves the query into a header.",
    },
    { name: "Length, in characters, of the URL for a private API", value: 8_192, reason: regional },
    {
      name: "Length, in characters, of API Gateway resource policy",
      value: 8_192,
      bound: 2_000,
      count: each(restApi, ({ Policy }) => jsonLength(Policy)),
    },
    {
      name: "API keys per account per Region",
      value: 10_000,
      bound: 5,
      count: numberOf("AWS::ApiGateway::ApiKey"),
    },
    {
      name: "API Gateway-generated client certificates per account per Region",
      value: 60,
      reason: reasons.unused,
    },
    { name: "ACM client certificates per account per Region", value: 500, reason: reasons.unused },
    { name: "Authorizers per API (AWS Lambda and Amazon Cognito)", value: 10, reason: reasons.unused },
    { name: "Documentation parts per API", value: 2_000, reason: reasons.unused },
    {
      name: "Resources per API",
      value: 300,
      bound: 225,
      count: each(restApi, ({ Body }) => nodesOf(Object.keys(Body.paths)).size),
    },
    { name: "Stages per API", value: 10, bound: 1, count: numberOf(stage) },
    {
      name: "Stage variables per stage",
      value: 100,
      bound: 0,
      count: each(stage, ({ Variables = {} }) => Object.keys(Variables).length),
    },
    {
      name: "Length, in characters, of the key in a stage variable",
      value: 64,
      reason: "The stage has no variables.",
    },
    {
      name: "Length, in characters, of the value in a stage variable",
      value: 512,
      reason: "The stage has no variables.",
    },
    {
      name: "Usage plans per account per Region",
      value: 300,
      bound: 2,
      count: numberOf(usagePlan),
    },
    {
      name: "Usage plans per API key",
      value: 10,
      bound: 2,
      count: numberOf(usagePlan),
    },
    { name: "VPC links per account per Region", value: 20, reason: reasons.unused },
    {
      name: "API caching TTL",
      value: "0 to 3,600 seconds",
      reason: "The API caches nothing; the edge does.",
    },
    {
      name: "Cached response size",
      value: "1,048,576 bytes",
      reason: "The API caches nothing; the edge does.",
    },
    {
      name: "Integration timeout for Regional APIs",
      value: 29,
      bound: 28,
      count: (template) =>
        Object.fromEntries(
          resourcesOf(template, "AWS::Lambda::Function")
            .filter(([id]) => id.startsWith("Operations"))
            .map(([id, { Properties }]) => [id, Properties.Timeout]),
        ),
    },
    { name: "Integration timeout for edge-optimized APIs", value: "29 seconds", reason: regional },
    { name: "Integration timeout for private APIs", value: "29 seconds", reason: regional },
    {
      name: "Total combined size of all header values, including header names, values, any line terminators, and whitespaces",
      value: "20,480 bytes",
      reason: "A size at run time. API Gateway refuses larger requests.",
    },
    {
      name: "Total combined size of all header values for a private API",
      value: "8,000 bytes",
      reason: regional,
    },
    {
      name: "Payload size",
      value: "10 MB",
      reason: "The edge sends bodies above 3 MB to the ingest server or refuses them.",
    },
    { name: "Tags per stage", value: 50, bound: 10, count: each(stage, ({ Tags }) => lengthOf(Tags)) },
    {
      name: "Number of iterations in a #foreach ... #end loop in mapping templates",
      value: 1_000,
      reason: "Requests are passed to functions without templates, and gateway responses have no loops.",
    },
    {
      name: "Maximum mapping template size",
      value: 307_200,
      bound: 1_000,
      count: each(restApi, ({ Body }) =>
        Math.max(
          ...Object.values(Body["x-amazon-apigateway-gateway-responses"]).map((response) =>
            jsonLength((response as { responseTemplates: unknown }).responseTemplates),
          ),
        ),
      ),
    },
    { name: "Access log template size", value: "3 KB", reason: "The stage has no access log." },
    {
      name: "Method ARN length",
      value: "1,600 bytes",
      reason:
        "A size at run time. The response is 414. The contract's longest parameters have 200 characters.",
    },
    {
      name: "Method-level throttling settings for a stage in a usage plan",
      value: 20,
      bound: 10,
      count: (template) =>
        inStack(Math.max(0, ...resourcesOf(template, usagePlan).flatMap(throttledMethods))),
    },
    { name: "Model size per API", value: "400 KB", reason: "The definition has no models." },
    { name: "Number of certificates in a truststore", value: 1_000, reason: reasons.unused },
    {
      name: "Idle connection timeout",
      value: "310 seconds",
      reason: "CloudFront closes its connections earlier.",
    },
    {
      name: "Maximum API definition file size when using restapi:import or restapi:put",
      value: 6_291_456,
      bound: 1_000_000,
      count: each(restApi, ({ Body }) => jsonLength(Body)),
    },
  ],
};
