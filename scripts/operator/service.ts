import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { moveClock } from "@dropleaf/local-cloud/clock";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { environmentNames } from "../../functions/core/environment.ts";
import type { Site } from "../../functions/http/site.ts";
import { type OutputValues, optionalOutputs, outputNames } from "../../lib/output-names.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { edgeRegion } from "../../lib/settings.ts";
import { UsageError } from "./command.ts";
import { fetchStackOutputs, type StackOutputs } from "./stack-outputs.ts";

/** The options of every command that works on a service. */
export const serviceOptions = {
  stack: {
    type: "string",
    value: "<name>",
    help: "the service of a CloudFormation stack, with the default credentials of the AWS SDK",
  },
  region: { type: "string", value: "<name>", help: `the region of that stack (${edgeRegion})` },
  local: {
    type: "string",
    value: "<folder>",
    help: "the service of a running local cloud, by its data folder (npm start: .dropleaf)",
  },
} as const;

/** The values of those options. */
export type ServiceChoice = { readonly [Name in keyof typeof serviceOptions]?: string | undefined };

/** The service that a command works on. */
export type Service = Site &
  OutputValues & {
    /** The longest duration of a request that has begun. */
    readonly requestMsMax: number;
    /** Resolves to the ARN of the caller's credentials. */
    getOperatorArn(): Promise<string>;
  };

/** Outputs that the stores read as environment variables. */
const storeSettings = [
  "baseUrl",
  "baseDomain",
  "tableName",
  "pagesBucket",
  "blobsBucket",
  "distributionId",
  "auditDays",
  "keepVersions",
  "members",
  "mostOpenVisibility",
  "pageBytesMax",
  "tokenDaysMax",
] as const satisfies readonly (keyof OutputValues)[];

/** The timeout of a function. */
const functionMsMax = 28_000;

/** The local cloud has one administrator and no STS. */
const localOperator = "arn:aws:iam::000000000000:user/administrator";

const localRequestMsMax = 200;

/**
 * Finds the service that the options name, and sets the environment variables by which the stores and the AWS SDK find it.
 *
 * @throws UsageError if the options name none or two, Error if it is not found or has data of a later format
 */
export async function openService({ stack, region, local }: ServiceChoice): Promise<Service> {
  if ((stack === undefined) === (local === undefined))
    throw new UsageError("Name the service: either --stack <name> or --local <data folder>.");
  const service: Service =
    local === undefined
      ? {
          ...readOutputs(await openStack(stack ?? "", region)),
          requestMsMax: functionMsMax,
          getOperatorArn: async () => (await getIdentity()).arn,
        }
      : {
          ...readOutputs(await openLocal(local)),
          requestMsMax: localRequestMsMax,
          getOperatorArn: async () => localOperator,
        };
  requireKnownDataFormat(service);
  for (const name of storeSettings) {
    // A service that this process opened before may have had a value.
    if (service[name] === undefined) delete process.env[environmentNames[name]];
    else process.env[environmentNames[name]] = service[name];
  }
  return service;
}

/** Commands read and write rows, and an earlier version's do not know every mark of a later one. */
function requireKnownDataFormat({ dataFormat: stored = "1", version }: OutputValues): void {
  if (Number(stored) > dataFormat)
    throw new Error(
      `The stack has data format ${stored}, and this version reads up to format ${dataFormat}. Run the command of version ${version}.`,
    );
}

/** Gets the account and the ARN of the caller. Needs no permission; IAM user guide, "GetCallerIdentity". */
export async function getIdentity(): Promise<{ account: string; arn: string }> {
  const { Account, Arn } = await new STSClient({ region: edgeRegion }).send(new GetCallerIdentityCommand({}));
  return { account: Account ?? "", arn: Arn ?? "" };
}

function openStack(stackName: string, region = edgeRegion): Promise<StackOutputs> {
  process.env.AWS_REGION = region;
  return fetchStackOutputs(stackName);
}

async function openLocal(folder: string): Promise<StackOutputs> {
  const {
    awsEndpointUrl,
    administrator,
    clockOffsetSeconds = 0,
    outputs,
  } = readOperatorAccess(join(folder, operatorAccessFile));
  moveClock(clockOffsetSeconds);
  // A local cloud that was killed leaves its file behind.
  await fetch(awsEndpointUrl).catch(() => {
    throw new Error(`The local cloud of ${folder} is not running. Start it with npm start.`);
  });
  process.env.AWS_REGION = edgeRegion;
  process.env.AWS_ENDPOINT_URL = awsEndpointUrl;
  process.env.AWS_ACCESS_KEY_ID = administrator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = administrator.secretAccessKey;
  // These would be used with the keys or instead of them.
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  return outputs;
}

function readOperatorAccess(file: string): OperatorAccess {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as OperatorAccess;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(
      `${file} does not exist. The local cloud writes it while it runs: start it with npm start.`,
    );
  }
}

function readOutputs(outputs: StackOutputs): OutputValues {
  const mayBeMissing = optionalOutputs.map((key): string => outputNames[key]);
  const missing = Object.values(outputNames).filter(
    (name) => !mayBeMissing.includes(name) && outputs[name] === undefined,
  );
  if (missing.length > 0) {
    throw new Error(`The stack has no output ${missing.join(", ")}. Deploy this version of it first.`);
  }
  const entries = Object.entries(outputNames).map(([key, name]) => [key, outputs[name]]);
  return Object.fromEntries(entries) as OutputValues;
}
