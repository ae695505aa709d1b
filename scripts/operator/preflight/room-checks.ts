import { ACMClient, ListCertificatesCommand } from "@aws-sdk/client-acm";
import { APIGatewayClient, GetRestApisCommand } from "@aws-sdk/client-api-gateway";
import { ListFunctionsCommand } from "@aws-sdk/client-cloudfront";
import { DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";
import { GetAccountSummaryCommand, IAMClient } from "@aws-sdk/client-iam";
import { GetServiceQuotaCommand, ServiceQuotasClient } from "@aws-sdk/client-service-quotas";
import { edgeRegion } from "../../../lib/settings.ts";
import { cloudFront, listDistributions, policyKinds } from "./cloudfront-policies.ts";
import { type Check, everyPage, fails, type Result, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** A kind of resource with a quota. */
interface Room {
  readonly about: string;
  /** Without `AWS::`. */
  readonly type: string;
  readonly action: string;
  /** Service and code. Undefined if Service Quotas does not have it: the documented number holds then. */
  readonly quota?: readonly [service: string, code: string];
  /** AWS's documented default. */
  readonly usualMax: number;
  /** Lists the names of those that exist; an empty text for one without a name. */
  readonly list: () => Promise<string[]>;
}

/**
 * Checks quotas and names for the stack's resources.
 *
 * Sources: CloudFront developer guide, "Quotas"; API Gateway developer guide, "Quotas for configuring and running
 * a REST API"; Certificate Manager user guide, "Quotas"; Amazon VPC user guide, "Amazon VPC quotas"; Service Quotas user
 * guide, "GetServiceQuota".
 */
export function roomChecks(plan: Plan): Check[] {
  const rooms = roomsOf(plan)
    .filter(({ type }) => plan.countOf(`AWS::${type}`) > 0)
    .map((room) => ({
      about: room.about,
      actions: [room.action, ...(room.quota ? ["servicequotas:GetServiceQuota"] : [])],
      run: () => checkRoom(plan, room),
    }));
  return [...rooms, { about: "Roles", actions: ["iam:GetAccountSummary"], run: () => checkRoles(plan) }];
}

/** IAM counts the account's roles itself. IAM API reference, "GetAccountSummary". */
async function checkRoles(plan: Plan): Promise<Result> {
  const { SummaryMap } = await new IAMClient({ region: edgeRegion }).send(new GetAccountSummaryCommand({}));
  const { Roles: existing, RolesQuota: most } = SummaryMap ?? {};
  if (existing === undefined || most === undefined) throw new Error("IAM returned no number of roles.");
  return judgeRoom("Roles per account", existing, most, plan.countOf("AWS::IAM::Role"));
}

async function checkRoom(plan: Plan, room: Room): Promise<Result> {
  const type = `AWS::${room.type}`;
  const [names, most] = await Promise.all([room.list(), askQuota(plan, room)]);
  const taken = plan.namesOf(type).filter((name) => names.includes(name));
  if (taken.length > 0)
    return fails(
      `there are already ${taken.join(", ")}: an earlier stack left them, or one of this name is in another region`,
      "Delete them, or choose another `stackName`.",
    );
  return judgeRoom(room.about, names.length, most, plan.countOf(type));
}

function judgeRoom(quota: string, existing: number, most: number, wanted: number): Result {
  const says = `${existing} of ${most}, and the stack makes ${wanted}`;
  if (existing + wanted <= most) return well(says);
  return fails(says, `Delete what is not needed, or request a higher quota: Service Quotas, "${quota}".`);
}

async function askQuota({ region }: Plan, { quota, usualMax }: Room): Promise<number> {
  if (quota === undefined) return usualMax;
  const [ServiceCode, QuotaCode] = quota;
  const client = new ServiceQuotasClient({ region: ServiceCode === "cloudfront" ? edgeRegion : region });
  try {
    const { Quota } = await client.send(new GetServiceQuotaCommand({ ServiceCode, QuotaCode }));
    return Quota?.Value ?? usualMax;
  } catch (error) {
    // Nothing but the default is known of it.
    if ((error as Error).name === "NoSuchResourceException") return usualMax;
    throw error;
  }
}

const nameless = () => "";

function roomsOf({ region }: Plan): Room[] {
  return [
    {
      about: "Distributions",
      type: "CloudFront::Distribution",
      action: "cloudfront:ListDistributions",
      quota: ["cloudfront", "L-24B04930"],
      usualMax: 200,
      list: async () => (await listDistributions()).map(nameless),
    },
    ...policyKinds.map(
      ({ about, name, plural, quotaCode, list }): Room => ({
        about,
        type: `CloudFront::${name}`,
        action: `cloudfront:List${plural}`,
        quota: ["cloudfront", quotaCode],
        usualMax: 20,
        list: async () => (await list()).map((policy) => policy.name),
      }),
    ),
    {
      about: "CloudFront functions",
      type: "CloudFront::Function",
      action: "cloudfront:ListFunctions",
      usualMax: 100,
      list: () =>
        everyPage(
          (Marker) => cloudFront().send(new ListFunctionsCommand({ Stage: "DEVELOPMENT", Marker })),
          ({ FunctionList: page }) => [page?.Items?.map(({ Name }) => Name ?? ""), page?.NextMarker],
        ),
    },
    {
      about: "Certificates",
      type: "CertificateManager::Certificate",
      action: "acm:ListCertificates",
      quota: ["acm", "L-F141DD1D"],
      usualMax: 2_500,
      list: () =>
        everyPage(
          (NextToken) => new ACMClient({ region }).send(new ListCertificatesCommand({ NextToken })),
          ({ CertificateSummaryList, NextToken }) => [CertificateSummaryList?.map(nameless), NextToken],
        ),
    },
    {
      about: "VPCs per Region",
      type: "EC2::VPC",
      action: "ec2:DescribeVpcs",
      quota: ["vpc", "L-F678F1CE"],
      usualMax: 5,
      // The default one counts.
      list: () =>
        everyPage(
          (NextToken) => new EC2Client({ region }).send(new DescribeVpcsCommand({ NextToken })),
          ({ Vpcs, NextToken }) => [Vpcs?.map(nameless), NextToken],
        ),
    },
    {
      about: "REST APIs",
      type: "ApiGateway::RestApi",
      action: "apigateway:GET",
      usualMax: 600,
      // Several may have one name.
      list: () =>
        everyPage(
          (position) =>
            new APIGatewayClient({ region }).send(new GetRestApisCommand({ position, limit: 500 })),
          ({ items, position }) => [items?.map(nameless), position],
        ),
    },
  ];
}
