import { each, jsonLength, lengthOf, numberOf } from "./count.ts";
import { type QuotaPage, reasons } from "./quota.ts";

const vpc = "AWS::EC2::VPC";
const group = "AWS::EC2::SecurityGroup";
const routeTable = "AWS::EC2::RouteTable";
const webAcl = "AWS::WAFv2::WebACL";

const noGateway = "The network reaches only Amazon S3.";
const noResolver = "The stack has no custom resolver.";
const oneAcl = "The web ACL protects only the distribution.";

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Properties = any;

const rulesOf = ({ Rules }: Properties) => Rules as readonly Properties[];
const responseOf = ({ Action }: Properties) => Action?.Block?.CustomResponse;
const bodiesOf = ({ CustomResponseBodies = {} }: Properties) =>
  Object.values<{ readonly Content: string }>(CustomResponseBodies).map(({ Content }) => Content.length);

/** Returns all values of a property in the rules, at any depth. */
function valuesOf(rules: unknown, name: string): readonly unknown[] {
  if (typeof rules !== "object" || rules === null) return [];
  return Object.entries(rules).flatMap(([key, value]) => (key === name ? [value] : valuesOf(value, name)));
}

const largest = (numbers: readonly number[]) => Math.max(0, ...numbers);

export const vpcs: QuotaPage = {
  title: 'Amazon VPC User Guide, "Amazon VPC quotas"',
  services: ["AWS::EC2"],
  quotas: [
    { name: "VPCs per Region", value: 5, bound: 1, count: numberOf(vpc) },
    { name: "Subnets per VPC", value: 200, bound: 1, count: numberOf("AWS::EC2::Subnet") },
    {
      name: "IPv4 CIDR blocks per VPC",
      value: 5,
      bound: 1,
      count: each(vpc, ({ CidrBlock }) => (CidrBlock ? 1 : 0)),
    },
    { name: "IPv6 CIDR blocks per VPC", value: 5, bound: 0, count: numberOf("AWS::EC2::VPCCidrBlock") },
    { name: "VPC Block Public Access exclusions per account per Region", value: 50, reason: reasons.unused },
    { name: "DNS", value: "1,024 packets per second", reason: reasons.rate },
    { name: "Elastic IP addresses", value: "2 rows", reason: noGateway },
    { name: "Gateways", value: "5 rows", reason: noGateway },
    { name: "Customer-managed prefix lists", value: "4 rows", reason: reasons.unused },
    { name: "Network ACLs", value: "2 rows", reason: "The network has its default ACL." },
    {
      name: "Network interfaces per instance",
      value: "by type of instance",
      reason: "There are no instances.",
    },
    {
      name: "Network interfaces per Region",
      value: 5_000,
      reason: "Lambda creates one interface for the only subnet and security group.",
    },
    { name: "Route tables per VPC", value: 200, bound: 2, count: numberOf(routeTable) },
    {
      name: "Routes per route table (non-propagated routes)",
      value: 500,
      bound: 2,
      count: numberOf("AWS::EC2::Route"),
    },
    { name: "Propagated routes per route table", value: 100, reason: noGateway },
    { name: "Route servers", value: "6 rows", reason: noGateway },
    { name: "VPC security groups per Region", value: 2_500, bound: 1, count: numberOf(group) },
    {
      name: "Inbound or outbound rules per security group",
      value: 60,
      bound: 5,
      count: each(group, ({ SecurityGroupIngress, SecurityGroupEgress }) =>
        largest([lengthOf(SecurityGroupIngress), lengthOf(SecurityGroupEgress)]),
      ),
    },
    {
      name: "Security groups per network interface",
      value: 5,
      bound: 1,
      count: each("AWS::Lambda::Function", ({ VpcConfig }) => lengthOf(VpcConfig?.SecurityGroupIds)),
    },
    { name: "VPC subnet sharing", value: "2 rows", reason: reasons.unused },
    { name: "Network Address Usage", value: 64_000, reason: "The network has 256 addresses." },
    { name: "Peered Network Address Usage", value: 128_000, reason: noGateway },
  ],
};

export const vpcEndpoints: QuotaPage = {
  title: 'AWS PrivateLink Guide, "AWS PrivateLink quotas"',
  services: ["AWS::EC2"],
  quotas: [
    { name: "Interface and Gateway Load Balancer endpoints per VPC", value: 50, reason: noGateway },
    {
      name: "Gateway VPC endpoints per Region",
      value: 20,
      bound: 1,
      count: numberOf("AWS::EC2::VPCEndpoint"),
    },
    { name: "Resource VPC endpoints per VPC", value: 200, reason: noGateway },
    { name: "Service network VPC endpoints per VPC", value: 50, reason: noGateway },
    {
      name: "Characters per VPC endpoint policy",
      value: 20_480,
      bound: 2_000,
      count: each("AWS::EC2::VPCEndpoint", ({ PolicyDocument }) => jsonLength(PolicyDocument)),
    },
  ],
};

export const route53: QuotaPage = {
  title: 'Amazon Route 53 Developer Guide, "Quotas"',
  services: ["AWS::Route53"],
  quotas: [
    { name: "Quotas on domains", value: "1 row", reason: "The operator registers domains." },
    { name: "Quotas on hosted zones", value: "6 rows", reason: "The operator creates the zones." },
    { name: "Records", value: 10_000, bound: 10, count: numberOf("AWS::Route53::RecordSet") },
    {
      name: "Records in a record set",
      value: 400,
      bound: 1,
      count: each("AWS::Route53::RecordSet", ({ ResourceRecords }) => lengthOf(ResourceRecords)),
    },
    {
      name: "Geolocation, latency, multivalue answer, weighted, and IP-based records",
      value: 100,
      reason: reasons.unused,
    },
    { name: "Geoproximity records", value: 30, reason: reasons.unused },
    { name: "CIDR collections and blocks", value: "2 rows", reason: reasons.unused },
    { name: "Quotas on Route 53 VPC Resolver", value: "6 sections", reason: noResolver },
    { name: "Quotas on health checks", value: "3 rows", reason: reasons.unused },
    { name: "Quotas on query log configurations", value: "1 row", reason: reasons.unused },
    {
      name: "Quotas on traffic flow, delegation sets and profiles",
      value: "3 sections",
      reason: reasons.unused,
    },
    { name: "Maximums on API requests", value: "5 a second", reason: reasons.rate },
  ],
};

export const waf: QuotaPage = {
  title: 'AWS WAF Developer Guide, "AWS WAF quotas"',
  services: ["AWS::WAFv2"],
  quotas: [
    { name: "Maximum number of protection packs (web ACLs)", value: 100, bound: 1, count: numberOf(webAcl) },
    { name: "Maximum number of rule groups", value: 100, reason: reasons.unused },
    { name: "Maximum number of IP sets", value: 100, reason: reasons.unused },
    {
      name: "Maximum number of requests per second per protection pack (web ACL)",
      value: 100_000,
      reason: reasons.rate,
    },
    { name: "Maximum number of custom request headers", value: 100, reason: "The rules add no headers." },
    {
      name: "Maximum number of custom response headers per protection pack (web ACL) or rule group",
      value: 100,
      bound: 40,
      count: each(webAcl, (properties) =>
        rulesOf(properties).reduce((sum, rule) => sum + lengthOf(responseOf(rule)?.ResponseHeaders), 0),
      ),
    },
    {
      name: "Maximum number of custom response bodies per protection pack (web ACL) or rule group",
      value: 50,
      bound: 5,
      count: each(webAcl, (properties) => bodiesOf(properties).length),
    },
    { name: "Maximum number of token domains", value: 10, reason: reasons.unused },
    { name: "Maximum number of regex pattern sets", value: 10, reason: reasons.unused },
    { name: "Associations per protection pack (web ACL)", value: "8 rows", reason: oneAcl },
    {
      name: "Maximum protection pack (web ACL) capacity units (WCUs)",
      value: 5_000,
      reason: "Two rate-based rules with one regular expression use less than a hundred units.",
    },
    { name: "Maximum WCUs per rule group", value: 5_000, reason: reasons.unused },
    { name: "Maximum number of reference statements", value: 50, reason: reasons.unused },
    {
      name: "Maximum number of IP addresses in CIDR notation per IP set",
      value: 10_000,
      reason: reasons.unused,
    },
    {
      name: "Maximum number of rate-based rules per protection pack (web ACL)",
      value: 10,
      bound: 5,
      count: each(webAcl, (properties) => valuesOf(rulesOf(properties), "RateBasedStatement").length),
    },
    { name: "Maximum number of rate-based rules per rule group", value: 4, reason: reasons.unused },
    {
      name: "Minimum request rate that can be defined for a rate-based rule",
      value: 10,
      reason: "The settings refuse a lower rate: `wafProblems`.",
    },
    {
      name: "Maximum number of unique IP addresses that can be rate limited per rate-based rule",
      value: 10_000,
      reason: "A number at run time.",
    },
    { name: "Maximum number of characters in a string match statement", value: 200, reason: reasons.unused },
    {
      name: "Maximum number of characters in each regex pattern",
      value: 200,
      bound: 100,
      count: each(webAcl, (properties) =>
        largest(valuesOf(rulesOf(properties), "RegexString").map((one) => String(one).length)),
      ),
    },
    {
      name: "Maximum number of unique regex patterns per regex pattern set",
      value: 10,
      reason: reasons.unused,
    },
    {
      name: "Maximum size of a web request body that can be inspected",
      value: "3 rows",
      reason: "No rule reads bodies.",
    },
    {
      name: "Maximum number of text transformations per rule statement",
      value: 10,
      bound: 2,
      count: each(webAcl, (properties) =>
        largest(
          valuesOf(rulesOf(properties), "TextTransformations").map((one) => lengthOf(one as unknown[])),
        ),
      ),
    },
    {
      name: "Maximum size of the custom response body content for a single custom response definition",
      value: 4_096,
      bound: 1_000,
      count: each(webAcl, (properties) => largest(bodiesOf(properties))),
    },
    {
      name: "Maximum number of custom headers for a single custom response definition",
      value: 10,
      bound: 8,
      count: each(webAcl, (properties) =>
        largest(rulesOf(properties).map((rule) => lengthOf(responseOf(rule)?.ResponseHeaders))),
      ),
    },
    {
      name: "Maximum number of custom headers for a single custom request definition",
      value: 10,
      reason: "The rules add no headers.",
    },
    {
      name: "Maximum combined size of all response body content",
      value: 51_200,
      bound: 2_000,
      count: each(webAcl, (properties) => bodiesOf(properties).reduce((sum, one) => sum + one, 0)),
    },
    { name: "Maximum number of Geo match country codes", value: 50, reason: reasons.unused },
    { name: "Calls per account and per organization", value: "9 rows", reason: reasons.rate },
    { name: "AI traffic monetization features", value: "8 rows", reason: reasons.unused },
  ],
};
