import { each, inStack, jsonLength, lengthOf, numberOf, numberOr, resourcesOf, textLength } from "./count.ts";
import { type QuotaPage, reasons, type StackTemplate, type Uses } from "./quota.ts";

const lambda = "AWS::Lambda::Function";
const mapping = "AWS::Lambda::EventSourceMapping";
const endpoint = "AWS::Lambda::WebFunctionEndpoint";
const revision = "AWS::Lambda::WebFunctionRevision";

const zipped = "The functions are zip archives from Amazon S3.";
const bundles = "test/lib/every-setting.test.ts measures the zipped folders.";

/** Measures the names of functions. Generated names count as 0. */
function nameLengths(template: StackTemplate): Uses {
  return each(lambda, ({ FunctionName }) => (FunctionName === undefined ? 0 : textLength(FunctionName)))(
    template,
  );
}

export const lambdaFunctions: QuotaPage = {
  title: 'AWS Lambda Developer Guide, "Lambda quotas"',
  services: ["AWS::Lambda"],
  quotas: [
    // Compute and storage
    {
      name: "Concurrent executions",
      value: 1_000,
      bound: 900,
      // The count is reserved concurrency. AWS requires 100 unreserved executions.
      count: (template) =>
        inStack(
          resourcesOf(template, lambda).reduce(
            (sum, [, { Properties }]) => sum + numberOr(Properties.ReservedConcurrentExecutions, 0),
            0,
          ),
        ),
    },
    {
      name: "Storage for uploaded functions (.zip file archives) and layers",
      value: "300 GB",
      reason: bundles,
    },
    {
      name: "Storage for functions defined as container images",
      value: "as Amazon ECR says",
      reason: zipped,
    },
    {
      name: "Elastic network interfaces per virtual private cloud (VPC)",
      value: 500,
      bound: 1,
      count: (template) =>
        inStack(resourcesOf(template, lambda).filter(([, { Properties }]) => Properties.VpcConfig).length),
    },
    // Function configuration, deployment, and execution
    {
      name: "Function memory allocation",
      value: 10_240,
      // New accounts have a lower quota, which the page does not state. 3,008 MB was the earlier quota.
      bound: 3_008,
      count: each(lambda, ({ MemorySize }) => numberOr(MemorySize, 128)),
    },
    {
      name: "Function timeout",
      value: 900,
      bound: 900,
      count: each(lambda, ({ Timeout }) => numberOr(Timeout, 3)),
    },
    {
      name: "Function environment variables",
      value: 4_096,
      bound: 4_000,
      count: each(lambda, ({ Environment }, template) => jsonLength(Environment?.Variables, template)),
    },
    {
      name: "Function resource-based policy",
      value: 20_480,
      bound: 0,
      count: numberOf("AWS::Lambda::Permission"),
    },
    { name: "Function layers", value: 5, bound: 0, count: each(lambda, ({ Layers }) => lengthOf(Layers)) },
    { name: "Function concurrency scaling limit", value: "1,000 every 10 seconds", reason: reasons.rate },
    {
      name: "Invocation payload (request and response)",
      value: "6 MB (synchronous), 1 MB (asynchronous)",
      reason:
        "A size at run time. The contract's limits are below it, and larger bodies are sent to the ingest server.",
    },
    { name: "Bandwidth for streamed responses", value: "2 MBps after 6 MB", reason: "No function streams." },
    { name: "Network bandwidth per execution environment", value: "625 Mbps", reason: reasons.rate },
    { name: "Deployment package (.zip file archive) size", value: "250 MB unzipped", reason: bundles },
    { name: "Container image settings size", value: "16 KB", reason: zipped },
    { name: "Container image code package size", value: "10 GB", reason: zipped },
    { name: "Test events (console editor)", value: 10, reason: reasons.unused },
    {
      name: "/tmp directory storage",
      value: 10_240,
      bound: 4_096,
      count: each(lambda, ({ EphemeralStorage }) => numberOr(EphemeralStorage?.Size, 512)),
    },
    { name: "File descriptors", value: 1_024, reason: reasons.size },
    { name: "Execution processes/threads", value: 1_024, reason: reasons.size },
    { name: "Lambda API requests", value: "6 rows of requests per second", reason: reasons.rate },
    { name: "Durable functions", value: "13 rows", reason: reasons.unused },
    { name: "Lambda MicroVMs", value: "14 rows", reason: reasons.unused },
  ],
};

export const eventFiltering: QuotaPage = {
  title: 'AWS Lambda Developer Guide, "Control which events Lambda sends to your function"',
  services: ["AWS::Lambda"],
  quotas: [
    {
      name: "Filters for a single event source mapping",
      value: 5,
      bound: 5,
      count: each(mapping, ({ FilterCriteria }) => lengthOf(FilterCriteria?.Filters)),
    },
  ],
};

export const functionNames: QuotaPage = {
  title: 'AWS Lambda API Reference, "CreateFunction"',
  services: ["AWS::Lambda"],
  quotas: [
    { name: "FunctionName", value: 64, bound: 64, count: nameLengths },
    {
      name: "Description",
      value: 256,
      bound: 200,
      count: each(lambda, ({ Description }) => textLength(Description)),
    },
  ],
};

/**
 * The page names the quotas, and GetWebAccountSettings returns an account's values. The page's table of defaults could not be read. These
 * values are from AWS's instructions for agents about Lambda Web Functions, "Scaling and Concurrency".
 */
export const webFunctions: QuotaPage = {
  title:
    'AWS Lambda Developer Guide, "Scaling behavior for Lambda Web Functions", and API Reference, "AccountQuotas"',
  services: ["AWS::Lambda"],
  quotas: [
    {
      name: "maxEndpointsPerFunction",
      value: "as GetWebAccountSettings says",
      reason: "The function has only its default endpoint.",
    },
    {
      name: "maxRevisionsPerFunction",
      value: "as GetWebAccountSettings says",
      reason: "An update replaces the revision, and CloudFormation deletes the old one.",
    },
    {
      name: "maxTotalArmVCpus",
      value: 2_000,
      bound: 16,
      // An environment has 2 vCPUs: lib/ingest/ingest.ts.
      count: each(endpoint, ({ ScalingConfig }) => 2 * numberOr(ScalingConfig?.MaxEnvironments, 1_000)),
    },
    { name: "maxTotalRateLimit", value: "100,000 requests per second", reason: reasons.rate },
    { name: "Endpoint RPS limit", value: "10,000 requests per second", reason: reasons.rate },
    {
      name: "maxConcurrencyPerEnvironment",
      value: 128,
      bound: 128,
      count: each(revision, ({ ServiceConfig }) => numberOr(ServiceConfig?.MaxConcurrencyPerEnvironment, 64)),
    },
  ],
};
