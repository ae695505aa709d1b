import { ACMClient, paginateListCertificates } from "@aws-sdk/client-acm";
import { APIGatewayClient, paginateGetRestApis } from "@aws-sdk/client-api-gateway";
import { EC2Client, paginateDescribeVpcs } from "@aws-sdk/client-ec2";
import { IAM } from "@aws-sdk/client-iam";
import { ServiceQuotas } from "@aws-sdk/client-service-quotas";
import { edgeRegion } from "../../../lib/settings.ts";
import { listDistributions, listFunctionNames, listPolicies, policyKinds } from "./cloudfront.ts";
import { type Check, everyItem, fails, type Result, undefinedFor, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** A resource type with a quota. */
interface LimitedType {
  readonly about: string;
  /** CloudFormation type without the prefix `AWS::`. */
  readonly type: string;
  readonly action: string;
  /** Service and code of the quota. If undefined, Service Quotas does not list the quota, and `usualMax` is used instead. */
  readonly quota?: readonly [service: string, code: string];
  /** Default quota according to AWS's documentation. */
  readonly usualMax: number;
  /** Lists existing resources of the type, or their names if names must be unique. */
  readonly list: (region: string) => Promise<readonly unknown[]>;
}

const limitedTypes: readonly LimitedType[] = [
  {
    about: "Distributions",
    type: "CloudFront::Distribution",
    action: "cloudfront:ListDistributions",
    quota: ["cloudfront", "L-24B04930"],
    usualMax: 200,
    list: listDistributions,
  },
  ...policyKinds.map(
    (kind): LimitedType => ({
      about: kind.about,
      type: `CloudFront::${kind.name}`,
      action: `cloudfront:List${kind.plural}`,
      quota: ["cloudfront", kind.quotaCode],
      usualMax: 20,
      list: async () => (await listPolicies(kind)).map(({ name }) => name),
    }),
  ),
  {
    about: "CloudFront functions",
    type: "CloudFront::Function",
    action: "cloudfront:ListFunctions",
    usualMax: 100,
    list: listFunctionNames,
  },
  {
    about: "Certificates",
    type: "CertificateManager::Certificate",
    action: "acm:ListCertificates",
    quota: ["acm", "L-F141DD1D"],
    usualMax: 2_500,
    list(region) {
      const client = new ACMClient({ region });
      return everyItem(paginateListCertificates({ client }, {}), "CertificateSummaryList");
    },
  },
  {
    about: "VPCs per Region",
    type: "EC2::VPC",
    action: "ec2:DescribeVpcs",
    quota: ["vpc", "L-F678F1CE"],
    usualMax: 5,
    // The default VPC counts against the quota, too.
    list: (region) => everyItem(paginateDescribeVpcs({ client: new EC2Client({ region }) }, {}), "Vpcs"),
  },
  {
    about: "REST APIs",
    type: "ApiGateway::RestApi",
    action: "apigateway:GET",
    usualMax: 600,
    list(region) {
      const client = new APIGatewayClient({ region });
      return everyItem(paginateGetRestApis({ client, pageSize: 500 }, {}), "items");
    },
  },
];

/**
 * Creates checks of quotas and names for the stack's resources.
 *
 * Sources: CloudFront developer guide, "Quotas"; API Gateway developer guide, "Quotas for configuring and running
 * a REST API"; Certificate Manager user guide, "Quotas"; Amazon VPC user guide, "Amazon VPC quotas"; Service Quotas user
 * guide, "GetServiceQuota".
 */
export function quotaChecks(plan: Plan): Check[] {
  const checks = limitedTypes
    .filter(({ type }) => plan.countOf(`AWS::${type}`) > 0)
    .map((type) => ({
      about: type.about,
      actions: [type.action, ...(type.quota ? ["servicequotas:GetServiceQuota"] : [])],
      run: () => checkType(plan, type),
    }));
  return [...checks, { about: "Roles", actions: ["iam:GetAccountSummary"], run: () => checkRoles(plan) }];
}

/** Checks the quota for roles. IAM returns the number of roles; see "GetAccountSummary", IAM API reference. */
async function checkRoles(plan: Plan): Promise<Result> {
  const { SummaryMap } = await new IAM({ region: edgeRegion }).getAccountSummary({});
  const { Roles: existing, RolesQuota: most } = SummaryMap ?? {};
  if (existing === undefined || most === undefined)
    throw new Error("IAM did not return the number of roles.");
  return judgeQuota("Roles per account", existing, most, plan.countOf("AWS::IAM::Role"));
}

/** Checks that the quota has room for the stack's resources, and that their names are free. */
async function checkType(plan: Plan, limited: LimitedType): Promise<Result> {
  const type = `AWS::${limited.type}`;
  const [existing, most] = await Promise.all([limited.list(plan.region), readQuota(plan, limited)]);
  const taken = plan.namesOf(type).filter((name) => existing.includes(name));
  if (taken.length > 0)
    return fails(
      `there are already ${taken.join(", ")}, from an earlier stack or from a stack of this name in another region`,
      "Delete them, or choose another `stackName`.",
    );
  return judgeQuota(limited.about, existing.length, most, plan.countOf(type));
}

function judgeQuota(quota: string, existing: number, most: number, wanted: number): Result {
  const says = `${existing} of ${most} are in use, and the stack adds ${wanted}`;
  if (existing + wanted <= most) return well(says);
  return fails(says, `Delete unused ones, or request a higher quota in Service Quotas, "${quota}".`);
}

async function readQuota({ region }: Plan, { quota, usualMax }: LimitedType): Promise<number> {
  if (quota === undefined) return usualMax;
  const [ServiceCode, QuotaCode] = quota;
  const client = new ServiceQuotas({ region: ServiceCode === "cloudfront" ? edgeRegion : region });
  const found = await client
    .getServiceQuota({ ServiceCode, QuotaCode })
    .catch(undefinedFor("NoSuchResourceException"));
  return found?.Quota?.Value ?? usualMax;
}
