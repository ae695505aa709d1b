import { describe, expect, test } from "vitest";
import { cacheTagHeader } from "../../../functions/http/environment.ts";
import { validateSettings } from "../../../lib/settings/validate-settings.ts";
import type { Settings } from "../../../lib/settings.ts";
import { givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

const domain: Settings = {
  baseUrl: "https://drops.example.com",
  certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/12345678-1234-1234-1234-123456789012",
};

/** CloudFront's own policies, by the developer guide, "Use managed cache policies". */
const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad";

// "Features by pricing plan tier": behaviors with the default one, and rules of the firewall.
describe.each<[what: string, settings: Settings, behaviorsMax: number]>([
  ["free, without a domain", { pricingPlan: "free" }, 5],
  ["free, with a domain", { ...domain, pricingPlan: "free", ingest: "webfunction" }, 5],
  ["pro, without a domain", { pricingPlan: "pro", ingest: "webfunction" }, 10],
  ["pro, with a domain", { ...domain, pricingPlan: "pro", ingest: "webfunction" }, 10],
])("the pricing plan %s", (_, settings, behaviorsMax) => {
  const template = givenStack(settings);
  const { DistributionConfig } = onlyResource(template, "AWS::CloudFront::Distribution").Properties;
  const behaviors = [DistributionConfig.DefaultCacheBehavior, ...DistributionConfig.CacheBehaviors];

  test("is a subscription of the distribution and of its firewall, which it turns on", () => {
    const [distributionId] = Object.keys(resourcesOf(template, "AWS::CloudFront::Distribution"));
    const [webAclId = ""] = Object.keys(resourcesOf(template, "AWS::WAFv2::WebACL"));
    const webAclArn = { "Fn::GetAtt": [webAclId, "Arn"] };

    const { Properties } = onlyResource(template, "AWS::PricingPlanManager::Subscription");

    expect(Properties).toEqual({
      PlanFamily: "CloudFront",
      PlanTier: settings.pricingPlan?.toUpperCase(),
      ResourceArns: [expect.anything(), webAclArn],
    });
    expect(JSON.stringify(Properties.ResourceArns[0])).toContain(
      `distribution/",{"Ref":"${distributionId}"}`,
    );
    expect(DistributionConfig.WebACLId).toEqual(webAclArn);
  });

  test("has no more behaviors and firewall rules than it allows, and only CloudFront's cache policies", () => {
    expect(behaviors.length).toBeLessThanOrEqual(behaviorsMax);
    expect(onlyResource(template, "AWS::WAFv2::WebACL").Properties.Rules.length).toBeLessThanOrEqual(5);
    expect(resourcesOf(template, "AWS::CloudFront::CachePolicy")).toEqual({});
    expect(new Set(behaviors.map(({ CachePolicyId }) => CachePolicyId))).toEqual(new Set([cachingDisabled]));
  });

  test("has none of what every plan excludes", () => {
    for (const behavior of behaviors) {
      expect(behavior).not.toHaveProperty("ForwardedValues");
      expect(behavior).not.toHaveProperty("LambdaFunctionAssociations");
      expect(behavior).not.toHaveProperty("RealtimeLogConfigArn");
    }
    expect(DistributionConfig).not.toHaveProperty("Staging");
    expect(DistributionConfig).not.toHaveProperty("ContinuousDeploymentPolicyId");
  });

  test("has a challenge for clients that are refused, and keeps cache tags from viewers", () => {
    const { ResponseHeadersPolicyId } = DistributionConfig.DefaultCacheBehavior;
    const policy = resourcesOf(template, "AWS::CloudFront::ResponseHeadersPolicy")[
      ResponseHeadersPolicyId.Ref
    ];
    const { CustomHeadersConfig, RemoveHeadersConfig } = policy?.Properties.ResponseHeadersPolicyConfig ?? {};

    expect(CustomHeadersConfig.Items).toContainEqual(
      expect.objectContaining({ Header: "WWW-Authenticate", Value: expect.stringMatching(/^Bearer/) }),
    );
    expect(RemoveHeadersConfig.Items.map(({ Header }: { Header: string }) => Header)).toEqual([
      "x-amzn-Remapped-WWW-Authenticate",
      cacheTagHeader,
    ]);
  });

  test("has the owner and the host of a file go to its stand-in, which a cache policy forwards otherwise", () => {
    const ofFiles = behaviors.find(({ PathPattern }) => PathPattern === "/b/*");
    const policies = resourcesOf(template, "AWS::CloudFront::OriginRequestPolicy");
    const { HeadersConfig } =
      policies[ofFiles.OriginRequestPolicyId.Ref]?.Properties.OriginRequestPolicyConfig ?? {};

    expect(HeadersConfig.Headers).toEqual(expect.arrayContaining(["x-dropleaf-host", "x-dropleaf-owner"]));
    expect(HeadersConfig.Headers.length).toBeLessThanOrEqual(10);
  });
});

test("without a pricing plan there is no subscription and no firewall", () => {
  const template = givenStack();

  expect(resourcesOf(template, "AWS::PricingPlanManager::Subscription")).toEqual({});
  expect(resourcesOf(template, "AWS::WAFv2::WebACL")).toEqual({});
});

test.each<[what: string, settings: Settings, message: string]>([
  ["another tier", { pricingPlan: "business" as "pro" }, 'pricingPlan is "business": write "free" or "pro"'],
  [
    "no firewall",
    { pricingPlan: "free", waf: false },
    'pricingPlan is "free" and waf is false: a pricing plan needs the firewall, and includes it. Write waf: true or leave out waf',
  ],
  [
    "another region",
    { pricingPlan: "pro", region: "eu-central-1" },
    'pricingPlan is "pro" and region is "eu-central-1": a pricing plan needs the firewall, which is made in us-east-1 only. Leave out pricingPlan or region',
  ],
  [
    "more behaviors than there are",
    { pricingPlan: "free", ingest: "webfunction" },
    'pricingPlan is "free" and ingest is "webfunction": without a domain, the plan has no behavior left for it. Write ingest: "none", a baseUrl, or pricingPlan: "pro"',
  ],
])("a pricing plan with %s is refused, with both settings and what to write", (_, settings, message) => {
  expect(() => validateSettings(settings)).toThrow(message);
});

test.each<Settings>([
  { pricingPlan: "free" },
  { pricingPlan: "pro", waf: true },
  { pricingPlan: "pro", waf: { requestsPer5MinutesPerAddress: 100 }, region: "us-east-1" },
])("%o is accepted", (settings) => {
  expect(() => validateSettings(settings)).not.toThrow();
});
