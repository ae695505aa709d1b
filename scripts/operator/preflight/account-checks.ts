import { CloudFormation } from "@aws-sdk/client-cloudformation";
import { S3 } from "@aws-sdk/client-s3";
import { SSM } from "@aws-sdk/client-ssm";
import { STS } from "@aws-sdk/client-sts";
import { type Manifest, manifestKey } from "../../../functions/search/index-files.ts";
import { searchedDropsMax, sizeOf } from "../../../functions/search/index-size.ts";
import { outputNames } from "../../../lib/output-names.ts";
import { dataFormat as knownDataFormat, serviceVersion } from "../../../lib/service-version.ts";
import { edgeRegion } from "../../../lib/settings.ts";
import { getIdentity, outputsOf } from "../service.ts";
import { type Finding, fails, type Result, undefinedFor, warns, well } from "./finding.ts";
import { webFunctionType, withoutWebFunctions } from "./function-checks.ts";
import type { Plan } from "./plan.ts";

/** Finds the account that the credentials belong to. If AWS refuses the credentials, returns a finding and no account. */
export async function checkCredentials(): Promise<{ finding: Finding; account?: string }> {
  const about = "Credentials";
  try {
    const { account, arn } = await getIdentity();
    return { finding: { about, ...well(`account ${account}, as ${arn}`) }, account };
  } catch (error) {
    const { name, message } = error as Error;
    const todo = "Run aws sso login or aws configure, or get credentials of the account in another way.";
    return { finding: { about, ...fails(`AWS refuses the credentials: ${name}: ${message}`, todo) } };
  }
}

/** Checks that the region is enabled in the account. A disabled region refuses the account's credentials. */
export async function checkRegion({ region }: Plan): Promise<Finding> {
  const about = "Region";
  if (region === edgeRegion) return { about, ...well(region) };
  try {
    await new STS({ region }).getCallerIdentity({});
    return { about, ...well(region) };
  } catch (error) {
    const { name, message } = error as Error;
    if (!["InvalidClientTokenId", "RegionDisabledException"].includes(name))
      return { verdict: "unchecked", about, says: `could not be checked: ${name}: ${message}` };
    const todo =
      'Enable the region in the AWS console, "Account", "AWS Regions", which takes some minutes. Or set another `region`.';
    return { about, ...fails(`the account cannot use ${region} (${name})`, todo) };
  }
}

/** State of a deployed stack. Undefined if no stack has this name. */
export type DeployedStack = Awaited<ReturnType<typeof readStack>>;

/** Reads the state of the stack from CloudFormation. */
export async function readStack({ stackName, region }: Plan) {
  try {
    const { Stacks: [stack] = [] } = await new CloudFormation({ region }).describeStacks({
      StackName: stackName,
    });
    const outputs = outputsOf(stack);
    return {
      status: stack?.StackStatus,
      version: outputs[outputNames.version],
      dataFormat: outputs[outputNames.dataFormat],
      pagesBucket: outputs[outputNames.pagesBucket],
    };
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "ValidationError" && message.includes("does not exist")) return undefined;
    throw error;
  }
}

/** Checks that a stack's status allows a deployment; see "Stack status codes", CloudFormation user guide. */
export function judgeStackStatus({ stackName }: Plan, status: string | undefined): Result {
  if (status === undefined) return well(`there is no stack ${stackName} yet`);
  // The first deployment of such a stack failed, or the stack has only a change set. The CDK deletes and recreates it.
  if (["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"].includes(status))
    return well(`${stackName} is ${status}: the next deployment creates it again`);
  if (/_IN_PROGRESS$/.test(status))
    return fails(`${stackName} is ${status}`, "Wait until this operation ends.");
  if (/^(UPDATE_FAILED|CREATE_FAILED|.*ROLLBACK_FAILED|DELETE_FAILED)$/.test(status))
    return fails(
      `${stackName} is ${status}`,
      'The stack\'s "Events" in CloudFormation show the reason. Fix it, then choose "Continue update rollback" or delete the stack.',
    );
  return warns(`${stackName} is ${status}: this would be an update, so quotas and names are not checked`);
}

/** Checks that this version can read the deployed data format. Returns no finding if nothing is deployed. */
export function judgeDataFormat(stack: { version?: string; dataFormat?: string }): Finding[] {
  const { version, dataFormat } = stack;
  if (dataFormat === undefined) return [];
  const about = "Data";
  const deployed = version === undefined ? "the deployed version" : `the deployed version ${version}`;
  if (Number(dataFormat) <= knownDataFormat)
    return [{ about, ...well(`version ${serviceVersion} can read the data of ${deployed}`) }];
  const says = `${deployed} writes data format ${dataFormat}, but version ${serviceVersion} can only read formats up to ${knownDataFormat}`;
  const todo =
    'Deploy a later version than this one. docs/runbook.md, "Roll back", describes the alternatives.';
  return [{ about, ...fails(says, todo) }];
}

export async function checkBootstrap({ region, bootstrapVersionMin }: Plan): Promise<Result> {
  const todo = `npx cdk bootstrap aws://<account>/${region}`;
  const found = await new SSM({ region })
    .getParameter({ Name: "/cdk-bootstrap/hnb659fds/version" })
    .catch(undefinedFor("ParameterNotFound"));
  if (found === undefined) return fails(`not bootstrapped in ${region}`, todo);
  const version = Number(found.Parameter?.Value);
  if (version >= bootstrapVersionMin) return well(`bootstrapped, version ${version}`);
  return fails(`bootstrapped with version ${version}, but version ${bootstrapVersionMin} is needed`, todo);
}

/** Checks that the region has all resource types of the stack. Some regions lack the newest types. */
export async function checkTypes({ region, resourceTypes }: Plan): Promise<Result> {
  // CloudFormation allows only a few requests a second, so throttled requests are retried.
  const client = new CloudFormation({ region, maxAttempts: 8 });
  const isUnknown = undefinedFor("TypeNotFound", "TypeNotFoundException", "CFNRegistryException");
  const missing: string[] = [];
  for (const TypeName of resourceTypes) {
    const found = await client.describeType({ Type: "RESOURCE", TypeName }).catch(isUnknown);
    if (found === undefined) missing.push(TypeName);
  }
  if (missing.length === 0) return well(`${region} has all ${resourceTypes.length}`);
  const todo = missing.every((type) => type.startsWith(webFunctionType))
    ? withoutWebFunctions
    : "Set another `region`, or leave out the setting that needs these types.";
  return fails(`${region} does not know ${missing.join(", ")}`, todo);
}

/** IAM statement for `checkIndexSize`, which reads only the manifest of the search index. */
export const searchStatement = {
  Effect: "Allow",
  Action: ["s3:GetObject"],
  Resource: `arn:aws:s3:::*/${manifestKey}`,
} as const;

/** Checks that search will stay fast in a deployed stack. */
export async function checkIndexSize({ region }: Plan, Bucket: string): Promise<Result> {
  const { Body } = await new S3({ region }).getObject({ Bucket, Key: manifestKey });
  const manifest = JSON.parse((await Body?.transformToString()) ?? "") as Manifest;
  const { entries, megabytes, isNearBound } = sizeOf(manifest);
  const says = `the index has ${entries.toLocaleString("en-US")} entries, ${megabytes} MB`;
  if (!isNearBound) return well(says);
  const bound = searchedDropsMax.toLocaleString("en-US");
  const todo = "Plan to change to another search engine; see docs/adr/0101-full-text-search.md.";
  return warns(`${says}; search gets slow above ${bound} drops`, todo);
}
