import { join } from "node:path";
import { resolveDynamicReferences } from "../dynamic-references.ts";
import { awsVariables, type FunctionSurroundings } from "../lambda/lambda-function.ts";
import {
  assetDirectoryOf,
  findResource,
  type Resource,
  resourcesOfType,
  type Template,
} from "../template.ts";
import { webFunctionDomainName } from "../template-identity.ts";

/** A program of the template that serves HTTP under the host name of an origin. */
export interface ServerProgram {
  /** Name of the program in the log. */
  readonly name: string;
  /** The host name of the origin in the distribution. */
  readonly domainName: string;
  readonly modulePath: string;
  /** All variables of the program's `process.env`, except the variable for the port. */
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMegabytes: number;
  /** Options for completing the module's folder and explaining its output. */
  readonly options: Pick<
    FunctionSurroundings,
    "clockOffsetSeconds" | "isDebugged" | "explainLines" | "prepareCode"
  >;
  /** Timeout of a request. */
  readonly timeoutSeconds: number;
  /** Maximum number of concurrent requests in all environments together. Locally, one process emulates all environments. */
  readonly requestsMax: number;
  /** Maximum number of requests per second. If undefined, the account's quota applies. */
  readonly requestsPerSecondMax?: number | undefined;
}

/** Memory of an environment, which always has 2 GB and 2 vCPUs; see Web Functions in "Lambda quotas", AWS Lambda developer guide. */
const webFunctionMegabytes = 2_048;
const webFunctionTimeoutSecondsDefault = 30;
/** Default number of concurrent requests per environment; see "Scaling behavior for Lambda Web Functions". */
const webFunctionConcurrencyDefault = 64;

/** Finds the servers of the template, which are the endpoints of Web Functions. */
export function findServerPrograms(template: Template, surroundings: FunctionSurroundings): ServerProgram[] {
  const endpoints = resourcesOfType(template, "AWS::Lambda::WebFunctionEndpoint");
  return endpoints.map((endpoint) => webFunctionProgram(template, endpoint, surroundings));
}

interface RevisionProperties {
  readonly BuildConfig: { readonly CodeConfig: { readonly S3Object: { readonly Key: string } } };
  readonly ServiceConfig: {
    readonly EnvironmentVariables?: Readonly<Record<string, string>>;
    readonly ExecutionRoleArn: string;
    readonly MaxConcurrencyPerEnvironment?: number;
    readonly TimeoutSeconds?: number;
  };
}

/** Reads an endpoint's program; see "Environment variables", "Request timeout" and "Scaling behavior" of Web Functions. */
function webFunctionProgram(
  template: Template,
  endpoint: Resource,
  surroundings: FunctionSurroundings,
): ServerProgram {
  const [{ RevisionId: revisionId } = { RevisionId: "" }] = endpoint.properties.RevisionWeights as {
    RevisionId: string;
  }[];
  const revision = findResource(template, "AWS::Lambda::WebFunctionRevision", revisionId);
  if (revision === undefined)
    throw new Error(`${endpoint.logicalId}: no revision ${revisionId} in the template`);
  const { BuildConfig, ServiceConfig } = resolveDynamicReferences(
    revision.properties,
    surroundings.readSecret,
  ) as unknown as RevisionProperties;
  const { EnvironmentVariables: variables = {}, ExecutionRoleArn, TimeoutSeconds } = ServiceConfig;
  const { MaxEnvironments = Number.POSITIVE_INFINITY } = (endpoint.properties.ScalingConfig ?? {}) as {
    MaxEnvironments?: number;
  };
  const code = { ...revision, properties: { Code: { S3Key: BuildConfig.CodeConfig.S3Object.Key } } };
  return {
    name: endpoint.logicalId,
    domainName: webFunctionDomainName(endpoint.physicalId),
    modulePath: join(assetDirectoryOf(template, code), variables.AWS_LAMBDA_NODEJS_ENTRYPOINT ?? "index.js"),
    environment: { ...variables, ...awsVariables(surroundings, ExecutionRoleArn) },
    options: surroundings,
    memoryMegabytes: webFunctionMegabytes,
    timeoutSeconds: TimeoutSeconds ?? webFunctionTimeoutSecondsDefault,
    requestsPerSecondMax: (endpoint.properties.ThrottleConfig as { RateLimit?: number } | undefined)
      ?.RateLimit,
    requestsMax:
      MaxEnvironments * (ServiceConfig.MaxConcurrencyPerEnvironment ?? webFunctionConcurrencyDefault),
  };
}
