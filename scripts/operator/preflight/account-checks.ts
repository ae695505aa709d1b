import {
  CloudFormationClient,
  DescribeStacksCommand,
  DescribeTypeCommand,
} from "@aws-sdk/client-cloudformation";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { type Manifest, manifestKey } from "../../../functions/search/index-files.ts";
import { searchedDropsMax, sizeOf } from "../../../functions/search/index-size.ts";
import { outputNames } from "../../../lib/output-names.ts";
import { dataFormat as knownDataFormat, serviceVersion } from "../../../lib/service-version.ts";
import { edgeRegion } from "../../../lib/settings.ts";
import { outputsOf } from "../service.ts";
import { type Check, type Finding, fails, type Result, warns, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** Checks that the account can use the region: disabled regions do not know its keys. */
export async function askRegion({ region }: Plan): Promise<Finding> {
  const about = "Region";
  if (region === edgeRegion) return { about, ...well(region) };
  try {
    await new STSClient({ region }).send(new GetCallerIdentityCommand({}));
    return { about, ...well(region) };
  } catch (error) {
    const { name, message } = error as Error;
    if (!["InvalidClientTokenId", "RegionDisabledException"].includes(name))
      return { verdict: "unasked", about, says: `could not be asked: ${name}: ${message}` };
    const todo = 'Turn it on: "Account", "AWS Regions". It takes some minutes. Or set another `region`.';
    return { about, ...fails(`the account may not use ${region} (${name})`, todo) };
  }
}

/** State of a deployed stack; its outputs `Version` and `DataFormat` may be missing. */
export interface DeployedStack {
  readonly status: string | undefined;
  readonly version: string | undefined;
  readonly dataFormat: string | undefined;
  readonly pagesBucket: string | undefined;
}

/** `undefined` if the name is unknown. */
export async function askStack({ stackName, region }: Plan): Promise<DeployedStack | undefined> {
  try {
    const client = new CloudFormationClient({ region });
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = outputsOf(stack);
    const { version, dataFormat, pagesBucket } = outputNames;
    return (
      stack && {
        status: stack.StackStatus,
        version: outputs[version],
        dataFormat: outputs[dataFormat],
        pagesBucket: outputs[pagesBucket],
      }
    );
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "ValidationError" && message.includes("does not exist")) return undefined;
    throw error;
  }
}

/** Judges a stack's status for a deployment. CloudFormation user guide, "Stack status codes". */
export function judgeStackStatus({ stackName }: Plan, status: string | undefined): Result {
  if (status === undefined) return well(`there is no ${stackName} yet`);
  // The CDK deletes stacks of failed first deployments, and stacks that were only planned.
  if (["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"].includes(status))
    return well(`${stackName} is ${status}: the next deployment begins anew`);
  if (/_IN_PROGRESS$/.test(status)) return fails(`${stackName} is ${status}`, "Wait until that is over.");
  if (/^(UPDATE_FAILED|CREATE_FAILED|.*ROLLBACK_FAILED|DELETE_FAILED)$/.test(status))
    return fails(
      `${stackName} is ${status}`,
      'CloudFormation, "Events" of the stack, says why: mend that, then "Continue update rollback" or delete the stack.',
    );
  return warns(`${stackName} is ${status}: this would be an update, so room and names are not looked at`);
}

/** Compares the deployed data's format with the newest one that this version reads. Empty without a deployment. */
export function judgeDataFormat({ version, dataFormat }: DeployedStack): Finding[] {
  if (dataFormat === undefined) return [];
  const about = "Data";
  const deployed = version === undefined ? "what is deployed" : `version ${version}, which is deployed,`;
  if (Number(dataFormat) <= knownDataFormat)
    return [{ about, ...well(`version ${serviceVersion} reads what ${deployed} has written`) }];
  const says = `${deployed} writes data of form ${dataFormat}, and version ${serviceVersion} reads up to form ${knownDataFormat}`;
  const todo = 'Deploy a later version than this one: docs/runbook.md, "Roll back", says what is left.';
  return [{ about, ...fails(says, todo) }];
}

/** The checks of the account in the stack's region. */
export function accountChecks(plan: Plan): Check[] {
  return [
    { about: "CDK", actions: ["ssm:GetParameter"], run: () => checkBootstrap(plan) },
    { about: "Resource types", actions: ["cloudformation:DescribeType"], run: () => checkTypes(plan) },
  ];
}

const bootstrapParameter = "/cdk-bootstrap/hnb659fds/version";

async function checkBootstrap({ region, bootstrapVersionMin }: Plan): Promise<Result> {
  const todo = `npx cdk bootstrap aws://<account>/${region}`;
  try {
    const { Parameter } = await new SSMClient({ region }).send(
      new GetParameterCommand({ Name: bootstrapParameter }),
    );
    const version = Number(Parameter?.Value);
    if (version >= bootstrapVersionMin) return well(`bootstrapped, version ${version}`);
    return fails(`bootstrapped as version ${Parameter?.Value}, and this needs ${bootstrapVersionMin}`, todo);
  } catch (error) {
    if ((error as Error).name !== "ParameterNotFound") throw error;
    return fails(`not bootstrapped in ${region}`, todo);
  }
}

/** By the registry: the newest types are not in every region. */
async function checkTypes({ region, resourceTypes }: Plan): Promise<Result> {
  // The registry is asked by few at a time, and patiently.
  const client = new CloudFormationClient({ region, maxAttempts: 8 });
  const missing: string[] = [];
  for (const type of resourceTypes) {
    try {
      await client.send(new DescribeTypeCommand({ Type: "RESOURCE", TypeName: type }));
    } catch (error) {
      if (!/^(TypeNotFound|TypeNotFoundException|CFNRegistryException)$/.test((error as Error).name))
        throw error;
      missing.push(type);
    }
  }
  if (missing.length === 0) return well(`${region} has all ${resourceTypes.length}`);
  const todo = missing.every((type) => type.startsWith("AWS::Lambda::WebFunction"))
    ? 'Set `ingest: "none"`: bodies above 3 MB are refused, and large files go in steps.'
    : "Set another `region`, or leave out the setting that brings them.";
  return fails(`${region} does not know ${missing.join(", ")}`, todo);
}

/** Permissions of the check, and the one object of a stack that it reads. */
export const searchStatement = {
  Effect: "Allow",
  Action: ["s3:GetObject"],
  Resource: `arn:aws:s3:::*/${manifestKey}`,
} as const;

/** Checks that search stays fast in a stack that is deployed. There is nothing to check without a bucket of pages. */
export function searchChecks({ region }: Plan, pagesBucket: string | undefined): Check[] {
  if (pagesBucket === undefined) return [];
  const run = () => checkIndexSize(new S3Client({ region }), pagesBucket);
  return [{ about: "Search", actions: searchStatement.Action, run }];
}

async function checkIndexSize(client: S3Client, pagesBucket: string): Promise<Result> {
  const command = new GetObjectCommand({ Bucket: pagesBucket, Key: manifestKey });
  const { Body } = await client.send(command);
  const { entries, megabytes, isNearBound } = sizeOf(
    JSON.parse((await Body?.transformToString()) ?? "") as Manifest,
  );
  const says = `the index has ${entries.toLocaleString("en-US")} entries, ${megabytes} MB`;
  if (!isNearBound) return well(says);
  const bound = searchedDropsMax.toLocaleString("en-US");
  const todo = "Plan another search engine: docs/adr/0101-full-text-search.md.";
  return warns(`${says}; search gets slow above ${bound} drops`, todo);
}
