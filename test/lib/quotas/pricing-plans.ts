import { parse } from "tldts";
import { inStack, lengthOf, numberOf, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons, type StackTemplate, type Uses } from "./quota.ts";

const subscription = "AWS::PricingPlanManager::Subscription";

const tiers = ["free", "pro", "business", "premium"];

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Properties = any;

/** Measures a stack with a plan, by the index of the plan's tier. */
function inPlan(
  measure: (tier: number, template: StackTemplate) => number,
): (template: StackTemplate) => Uses {
  return (template) => {
    const [plan] = resourcesOf(template, subscription);
    if (plan === undefined) return inStack(0);
    return inStack(measure(tiers.indexOf(String(plan[1].Properties.PlanTier).toLowerCase()), template));
  };
}

/** Counts the uses of a feature if the stack's plan is below the feature's tier. */
function below(
  tier: string,
  countIn: (template: StackTemplate) => number,
): (template: StackTemplate) => Uses {
  return inPlan((own, template) => (own < tiers.indexOf(tier) ? countIn(template) : 0));
}

const ofType = (type: string) => (template: StackTemplate) => resourcesOf(template, type).length;

/** Sums a measure of the stack's distributions. */
const ofDistribution = (measure: (config: Properties) => number) => (template: StackTemplate) =>
  resourcesOf(template, "AWS::CloudFront::Distribution").reduce(
    (sum, [, { Properties }]) => sum + measure(Properties.DistributionConfig),
    0,
  );

const behaviorsIn = ofDistribution(({ CacheBehaviors }) => 1 + lengthOf(CacheBehaviors));

const rulesIn = (template: StackTemplate): readonly Properties[] =>
  resourcesOf(template, "AWS::WAFv2::WebACL").flatMap(([, { Properties }]) => Properties.Rules);

/** Counts the registrable domains of the distribution's names. */
const domainsIn = ofDistribution(
  ({ Aliases = [] }) => new Set(Aliases.map((name: string) => parse(name.replace("*.", "")).domain)).size,
);

/** Features that a tier lacks. CloudFront refuses the plan for a distribution that uses one of them. */
export const pricingPlans: QuotaPage = {
  title: 'Amazon CloudFront Developer Guide, "CloudFront flat-rate pricing plans"',
  services: ["AWS::PricingPlanManager"],
  quotas: [
    // Features by pricing plan tier: uses above the tier's number
    {
      name: "Number of cache behaviors: 5, 10, 50, 100",
      value: 0,
      bound: 0,
      count: inPlan((tier, template) => Math.max(0, behaviorsIn(template) - ([5, 10, 50, 100][tier] ?? 0))),
    },
    {
      name: "Invalidations by cache tag, from Pro",
      value: 0,
      bound: 0,
      count: below(
        "pro",
        ofDistribution(({ CacheTagConfig }) => (CacheTagConfig ? 1 : 0)),
      ),
    },
    {
      name: "Custom caching rules, from Business",
      value: 0,
      bound: 0,
      count: below("business", ofType("AWS::CloudFront::CachePolicy")),
    },
    {
      name: "Custom origin request rules, from Business",
      value: 0,
      bound: 0,
      count: below("business", ofType("AWS::CloudFront::OriginRequestPolicy")),
    },
    {
      name: "Custom response header rules, from Business",
      value: 0,
      bound: 0,
      count: below("business", ofType("AWS::CloudFront::ResponseHeadersPolicy")),
    },
    {
      name: "Automatic origin failover, Premium only",
      value: 0,
      bound: 0,
      count: below(
        "premium",
        ofDistribution(({ OriginGroups }) => lengthOf(OriginGroups?.Items)),
      ),
    },
    {
      name: "Number of WAF rules: 5, 25, 50, 75",
      value: 0,
      bound: 0,
      count: inPlan((tier, template) => Math.max(0, rulesIn(template).length - ([5, 25, 50, 75][tier] ?? 0))),
    },
    {
      name: "Custom WAF response, from Pro",
      value: 0,
      bound: 0,
      count: below(
        "pro",
        (template) => rulesIn(template).filter(({ Action }) => Action?.Block?.CustomResponse).length,
      ),
    },
    {
      name: "Regex-based threat filtering, from Business",
      value: 0,
      bound: 0,
      count: below(
        "business",
        (template) => rulesIn(template).filter((rule) => JSON.stringify(rule).includes("RegexString")).length,
      ),
    },
    { name: "Other features by tier", value: "30 rows", reason: reasons.unused },
    // Flat-rate pricing plan quotas
    { name: "Pricing plans per AWS account", value: 100, bound: 1, count: numberOf(subscription) },
    { name: "Free plans per AWS account", value: 3, bound: 1, count: numberOf(subscription) },
    {
      name: "Apex-level domains per plan",
      value: 1,
      bound: 1,
      count: inPlan((_, template) => domainsIn(template)),
    },
    { name: "Monthly usage allowances", value: "by tier", reason: reasons.rate },
  ],
};
