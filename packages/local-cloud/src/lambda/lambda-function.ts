import { join } from "node:path";
import type { AccessKey } from "../aws/access-control.ts";
import type { SecretReader } from "../dynamic-references.ts";
import type { LocalInternet } from "../internet.ts";
import { assetDirectoryOf, type Resource, type Template } from "../template.ts";
import { region } from "../template-identity.ts";

/** A function of the template, ready to run. */
export interface LambdaFunction extends Pick<FunctionOptions, "compileCacheDirectory" | "internet"> {
  readonly name: string;
  readonly arn: string;
  readonly modulePath: string;
  readonly exportName: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  /** True if each tenant has its own environments; see "Tenant isolation", AWS Lambda developer guide. */
  readonly isTenantIsolated: boolean;
  readonly isDebugged: boolean;
  readonly clockOffsetSeconds: number;
  /** All variables of the function's `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Options for functions and servers, in addition to the template's properties. */
export interface FunctionOptions {
  /** Variables for every function and server, added to the template's variables. */
  readonly extraEnvironment?: Readonly<Record<string, string>> | undefined;
  /** Opens an inspector for each environment. Functions then have no timeout and no memory limit. @default false */
  readonly isDebugged?: boolean | undefined;
  /** Returns a function that explains the lines that a module prints. @default - lines are logged unchanged */
  readonly explainLines?: ((modulePath: string) => ExplainLine) | undefined;
  /** Completes a function's code folder before its first environment starts. If it rejects, the next request tries again. */
  readonly prepareCode?: ((directory: string) => Promise<void>) | undefined;
  /** Folder for V8's compile cache, which all environments share. @default - no cache */
  readonly compileCacheDirectory?: string | undefined;
  /** Hosts that functions reach instead of the real internet. @default - the real internet */
  readonly internet?: LocalInternet | undefined;
  /** Seconds by which functions, servers and this process are ahead of the machine's clock. @default 0 */
  readonly clockOffsetSeconds?: number | undefined;
}

/** Logs one or more lines in place of a printed line, in order. Some lines may be logged later. */
export type ExplainLine = (line: string, log: (line: string) => void) => void;

/** `FunctionOptions`, with access to the local AWS endpoint and to secrets. */
export interface FunctionSurroundings extends FunctionOptions {
  readonly readSecret: SecretReader;
  readonly awsEndpointUrl: string;
  readonly credentialsFor: (roleArn: string, functionArn?: string) => AccessKey;
}

/** Default timeout and memory; see "Configure Lambda function timeout" and "Configure Lambda function memory". */
export const defaultTimeoutSeconds = 3;
const debuggedSeconds = 24 * 60 * 60;
const defaultMemoryMegabytes = 128;

/** Reads an `AWS::Lambda::Function`. Dynamic references in `properties` must already be resolved. */
export function parseLambdaFunction(
  template: Template,
  resource: Resource,
  properties: Readonly<Record<string, unknown>>,
  surroundings: FunctionSurroundings,
): LambdaFunction {
  const [file, exportName] = parseHandler(resource.logicalId, properties.Handler);
  const name = resource.physicalId;
  const { isDebugged = false } = surroundings;
  const memoryMegabytes = Number(properties.MemorySize ?? defaultMemoryMegabytes);
  const { Variables = {} } = (properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
  const { TenantIsolationMode } = (properties.TenancyConfig ?? {}) as { TenantIsolationMode?: unknown };
  const { LogGroup = `/aws/lambda/${name}` } = (properties.LoggingConfig ?? {}) as { LogGroup?: unknown };
  return {
    name,
    arn: resource.arn,
    modulePath: join(assetDirectoryOf(template, resource), `${file}.mjs`),
    exportName,
    // The timeout is longer while debugging, because a developer steps through the code.
    timeoutSeconds: isDebugged ? debuggedSeconds : Number(properties.Timeout ?? defaultTimeoutSeconds),
    memoryMegabytes,
    isTenantIsolated: TenantIsolationMode === "PER_TENANT",
    isDebugged,
    internet: surroundings.internet,
    clockOffsetSeconds: surroundings.clockOffsetSeconds ?? 0,
    compileCacheDirectory: surroundings.compileCacheDirectory,
    environment: {
      ...Object.fromEntries(
        Object.entries(Variables).map(([key, value]) => [
          key,
          withLocalQueueUrls(String(value), surroundings.awsEndpointUrl),
        ]),
      ),
      // Runtime variables that Lambda defines; see "Working with Lambda environment variables", AWS Lambda developer guide.
      _HANDLER: String(properties.Handler),
      AWS_DEFAULT_REGION: region,
      AWS_EXECUTION_ENV: `AWS_Lambda_${String(properties.Runtime ?? "nodejs24.x")}`,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
      AWS_LAMBDA_LOG_GROUP_NAME: String(LogGroup),
      AWS_LAMBDA_LOG_STREAM_NAME: "local",
      TZ: ":UTC",
      ...awsVariables(surroundings, String(properties.Role), resource.arn),
    },
  };
}

/** Returns the environment variables for calling the local AWS endpoint with a role's credentials, and adds `extraEnvironment`. */
export function awsVariables(
  { awsEndpointUrl, credentialsFor, extraEnvironment }: FunctionSurroundings,
  roleArn: string,
  functionArn?: string,
): Record<string, string> {
  const { accessKeyId, secretAccessKey } = credentialsFor(roleArn, functionArn);
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL: awsEndpointUrl,
    // Prevents the SDK from reading the configuration of the person who runs the local cloud.
    HOME: "/home/sbx_user1051",
    ...extraEnvironment,
  };
}

/** Returns a function that logs a module's output lines with a label, explained by `explainLines`. */
export function printerOf(
  modulePath: string,
  label: string,
  { explainLines }: Pick<FunctionOptions, "explainLines">,
  log: (line: string) => void,
): (line: string) => void {
  const logLabelled = (line: string) => log(`[${label}] ${line}`);
  const explain = explainLines?.(modulePath);
  return explain === undefined ? logLabelled : (line) => explain(line, logLabelled);
}

/** Returns the function's name for logs, without the hash that the CDK appends. */
export function functionLabel(name: string): string {
  return name.replace(/(?:Function)?[0-9A-F]{8}$/, "");
}

function parseHandler(logicalId: string, handler: unknown): [file: string, exportName: string] {
  const match = /^([\w./-]+)\.(\w+)$/.exec(String(handler));
  if (match === null)
    throw new Error(
      `${logicalId}.Properties.Handler: expected <file>.<export>, such as index.handler, not ${JSON.stringify(handler)}`,
    );
  return [match[1] ?? "", match[2] ?? ""];
}

/** Rewrites queue URLs to `endpointUrl`, because the SDK sends requests to the queue URL's host and ignores AWS_ENDPOINT_URL. */
function withLocalQueueUrls(text: string, endpointUrl: string): string {
  return text.replaceAll(`https://sqs.${region}.amazonaws.com/`, `${endpointUrl.replace(/\/$/, "")}/`);
}
