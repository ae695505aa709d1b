import { ACMClient, ListCertificatesCommand } from "@aws-sdk/client-acm";
import { APIGatewayClient, GetRestApisCommand } from "@aws-sdk/client-api-gateway";
import { ListFunctionsCommand } from "@aws-sdk/client-cloudfront";
import { DescribeVpcsCommand, EC2Client } from "@aws-sdk/client-ec2";
import { GetAccountSummaryCommand, IAMClient } from "@aws-sdk/client-iam";
import { GetServiceQuotaCommand, ServiceQuotasClient } from "@aws-sdk/client-service-quotas";
import { edgeRegion } from "../../../lib/settings.ts";
import { policyKinds } from "./cloudfront-policies.ts";
import { cloudFront, listDistributions } from "./distributions.ts";
import { type Check, everyPage, fails, type Result, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** A kind of resource with a quota. */
interface Room {
  readonly about: string;
  readonly type: string;
  readonly actions: readonly string[];
  /** Undefined where Service Quotas does not tell it: the documented number holds then. */
  readonly quota?: { readonly service: string; readonly code: string };
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
    .filter(({ type }) => plan.countOf(type) > 0)
    .map((room) => ({
      about: room.about,
      actions: [...room.actions, ...(room.quota ? ["servicequotas:GetServiceQuota"] : [])],
      run: () => checkRoom(plan, room),
    }));
  return [...rooms, { about: "Roles", actions: ["iam:GetAccountSummary"], run: () => checkRoles(plan) }];
}

/** IAM counts the account's roles itself. IAM API reference, "GetAccountSummary". */
async function checkRoles(plan: Plan): Promise<Result> {
  const { SummaryMap } = await new IAMClient({ region: edgeRegion }).send(new GetAccountSummaryCommand({}));
  const { Roles: existing, RolesQuota: most } = SummaryMap ?? {};
  if (existing === undefined || most === undefined) throw new Error("IAM returned no number of roles.");
  return judgeRoom("Roles per account", { existing, most, wanted: plan.countOf("AWS::IAM::Role") });
}

async function checkRoom(plan: Plan, room: Room): Promise<Result> {
  const { about, type } = room;
  const [names, most] = await Promise.all([room.list(), askQuota(plan, room)]);
  const wanted = plan.countOf(type);
  const taken = plan.namesOf(type).filter((name) => names.includes(name));
  if (taken.length > 0)
    return fails(
      `there are already ${taken.join(", ")}: an earlier stack left them, or one of this name is in another region`,
      "Delete them, or choose another `stackName`.",
    );
  return judgeRoom(about, { existing: names.length, most, wanted });
}

function judgeRoom(
  quota: string,
  { existing, most, wanted }: Readonly<Record<"existing" | "most" | "wanted", number>>,
): Result {
  const says = `${existing} of ${most}, and the stack makes ${wanted}`;
  if (existing + wanted <= most) return well(says);
  return fails(says, `Delete what nobody needs, or ask for more: Service Quotas, "${quota}".`);
}

async function askQuota({ region }: Plan, { quota, usualMax }: Room): Promise<number> {
  if (quota === undefined) return usualMax;
  const isOfEdge = quota.service === "cloudfront";
  const client = new ServiceQuotasClient({ region: isOfEdge ? edgeRegion : region });
  try {
    const { Quota } = await client.send(
      new GetServiceQuotaCommand({ ServiceCode: quota.service, QuotaCode: quota.code }),
    );
    return Quota?.Value ?? usualMax;
  } catch (error) {
    // Nothing but the default is known of it.
    if ((error as Error).name === "NoSuchResourceException") return usualMax;
    throw error;
  }
}

const policyQuotas: Readonly<Record<string, string>> = {
  "AWS::CloudFront::CachePolicy": "L-7D134442",
  "AWS::CloudFront::OriginRequestPolicy": "L-C3659C43",
  "AWS::CloudFront::ResponseHeadersPolicy": "L-CF0D4FC5",
};

function roomsOf({ region }: Plan): Room[] {
  const edge = cloudFront();
  const ofEdge = (code: string) => ({ service: "cloudfront", code });
  return [
    {
      about: "Distributions",
      type: "AWS::CloudFront::Distribution",
      actions: ["cloudfront:ListDistributions"],
      quota: ofEdge("L-24B04930"),
      usualMax: 200,
      list: async () => (await listDistributions()).map(() => ""),
    },
    ...policyKinds.map(({ about, type, listAction, list }) => ({
      about,
      type,
      actions: [listAction],
      quota: ofEdge(policyQuotas[type] ?? ""),
      usualMax: 20,
      list: async () => (await list()).map(({ name }) => name),
    })),
    {
      about: "CloudFront functions",
      type: "AWS::CloudFront::Function",
      actions: ["cloudfront:ListFunctions"],
      usualMax: 100,
      list: () =>
        everyPage(
          (Marker) => edge.send(new ListFunctionsCommand({ Stage: "DEVELOPMENT", Marker })),
          ({ FunctionList: page }) => ({
            items: page?.Items?.map(({ Name }) => Name ?? ""),
            next: page?.NextMarker,
          }),
        ),
    },
    {
      about: "Certificates",
      type: "AWS::CertificateManager::Certificate",
      actions: ["acm:ListCertificates"],
      quota: { service: "acm", code: "L-F141DD1D" },
      usualMax: 2_500,
      list: () =>
        everyPage(
          (NextToken) => new ACMClient({ region }).send(new ListCertificatesCommand({ NextToken })),
          ({ CertificateSummaryList, NextToken }) => ({
            items: CertificateSummaryList?.map(() => ""),
            next: NextToken,
          }),
        ),
    },
    {
      about: "VPCs per Region",
      type: "AWS::EC2::VPC",
      actions: ["ec2:DescribeVpcs"],
      quota: { service: "vpc", code: "L-F678F1CE" },
      usualMax: 5,
      // The default one counts.
      list: () =>
        everyPage(
          (NextToken) => new EC2Client({ region }).send(new DescribeVpcsCommand({ NextToken })),
          ({ Vpcs, NextToken }) => ({ items: Vpcs?.map(() => ""), next: NextToken }),
        ),
    },
    {
      about: "REST APIs",
      type: "AWS::ApiGateway::RestApi",
      actions: ["apigateway:GET"],
      usualMax: 600,
      list: () =>
        everyPage(
          (position) =>
            new APIGatewayClient({ region }).send(new GetRestApisCommand({ position, limit: 500 })),
          // Several may have one name.
          ({ items, position }) => ({ items: items?.map(() => ""), next: position }),
        ),
    },
  ];
}
