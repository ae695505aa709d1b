import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { environmentNames } from "../../functions/http/environment.ts";
import type { Site } from "../../functions/http/site.ts";
import { type OutputValues, optionalOutputs, outputNames } from "../../lib/output-names.ts";
import { edgeRegion } from "../../lib/settings.ts";
import { type CommandInput, textOption, UsageError } from "./command.ts";
import { askIdentity } from "./identity.ts";
import { fetchStackOutputs, type StackOutputs } from "./stack-outputs.ts";

/** The options of every command that works on a service. */
export const serviceOptions = {
  stack: { type: "string" },
  region: { type: "string" },
  local: { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

/** How those options are written, for the usage lines. */
export const serviceUsage = "(--stack <name> | --local <data folder>)";

/** What those options mean, for the help texts. */
export const serviceHelp = `
  --stack <name>   the service of a CloudFormation stack, with the AWS SDK's default credentials
  --region <name>  where that stack is (${edgeRegion})
  --local <folder> the service of a running local cloud, by its data folder (npm start: .dropleaf)`;

/** The service that a command works on. */
export type Service = Site &
  OutputValues & {
    /** How long a request that has begun may be under way. */
    readonly requestMsMax: number;
    /** The name that AWS has for whose credentials these are: an ARN. */
    askOperator(): Promise<string>;
  };

/** A function's timeout. */
const functionMsMax = 28_000;

/** A local cloud has one, and nobody to ask who it is. */
const localOperator = "arn:aws:iam::000000000000:user/administrator";

/** On one machine nothing is far away. */
const localRequestMsMax = 200;

/**
 * Finds the service that the options name, and lets the stores and the AWS SDK find it too: they go by environment
 * variables, as in the functions.
 *
 * @throws UsageError when the options name none or two, Error when it cannot be found
 */
export async function openService(input: CommandInput): Promise<Service> {
  const stackName = textOption(input, "stack");
  const localFolder = textOption(input, "local");
  if ((stackName === undefined) === (localFolder === undefined)) {
    throw new UsageError("Say which service: either --stack <name> or --local <data folder>.");
  }
  const service: Service =
    localFolder === undefined
      ? {
          ...readOutputs(await openStack(stackName ?? "", textOption(input, "region"))),
          requestMsMax: functionMsMax,
          askOperator: async () => (await askIdentity()).arn,
        }
      : {
          ...readOutputs(await openLocal(localFolder)),
          requestMsMax: localRequestMsMax,
          askOperator: async () => localOperator,
        };
  process.env[environmentNames.baseUrl] = service.baseUrl;
  if (service.baseDomain !== undefined) process.env[environmentNames.baseDomain] = service.baseDomain;
  process.env[environmentNames.tableName] = service.tableName;
  process.env[environmentNames.pagesBucket] = service.pagesBucket;
  process.env[environmentNames.blobsBucket] = service.blobsBucket;
  process.env[environmentNames.distributionId] = service.distributionId;
  process.env[environmentNames.auditDays] = service.auditDays;
  setOrForget(environmentNames.members, service.members);
  setOrForget(environmentNames.mostOpenVisibility, service.mostOpenVisibility);
  setOrForget(environmentNames.pageBytesMax, service.pageBytesMax);
  setOrForget(environmentNames.tokenDaysMax, service.tokenDaysMax);
  return service;
}

/** Another service that was opened before may have had it. */
function setOrForget(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function openStack(stackName: string, region = edgeRegion): Promise<StackOutputs> {
  process.env.AWS_REGION = region;
  return fetchStackOutputs(stackName);
}

async function openLocal(folder: string): Promise<StackOutputs> {
  const { awsEndpointUrl, administrator, outputs } = readOperatorAccess(join(folder, operatorAccessFile));
  // What was killed has left its file behind.
  await fetch(awsEndpointUrl).catch(() => {
    throw new Error(`The local cloud of ${folder} does not run any more: start it again (npm start).`);
  });
  process.env.AWS_REGION = edgeRegion;
  process.env.AWS_ENDPOINT_URL = awsEndpointUrl;
  process.env.AWS_ACCESS_KEY_ID = administrator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = administrator.secretAccessKey;
  // These would go along with the keys, or take their place.
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  return outputs;
}

function readOperatorAccess(file: string): OperatorAccess {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as OperatorAccess;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`There is no ${file}: the local cloud writes it while it runs (npm start).`);
  }
}

function readOutputs(outputs: StackOutputs): OutputValues {
  const mayBeMissing = optionalOutputs.map((key): string => outputNames[key]);
  const missing = Object.values(outputNames).filter(
    (name) => !mayBeMissing.includes(name) && outputs[name] === undefined,
  );
  if (missing.length > 0) {
    throw new Error(`The stack does not put out ${missing.join(", ")}: deploy this version of it first.`);
  }
  const entries = Object.entries(outputNames).map(([key, name]) => [key, outputs[name]]);
  return Object.fromEntries(entries) as OutputValues;
}
