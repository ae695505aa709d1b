import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import { CfnSubscription } from "aws-cdk-lib/aws-pricingplanmanager";
import { Construct } from "constructs";
import type { PricingPlanTier, Settings } from "../settings.ts";

/**
 * Tells whether a distribution with these settings can have a server for large bodies: a plan may have no behavior left for it. Without a
 * domain, files have two.
 */
export function hasRoomForIngest({ pricingPlan, baseUrl }: Settings): boolean {
  return pricingPlan !== "free" || baseUrl !== undefined;
}

export interface PricingPlanProps {
  readonly tier: PricingPlanTier;
  readonly distribution: Distribution;
  readonly webAclArn: string;
}

/**
 * Subscribes the distribution and its firewall to a flat-rate pricing plan of CloudFront. AWS approves no paid subscription by itself, and
 * changes no tier of an existing one by CloudFormation: docs/deployment.md, "Pricing plan".
 *
 * Source: AWS CloudFormation template reference, "AWS::PricingPlanManager::Subscription".
 */
export class PricingPlan extends Construct {
  constructor(scope: Construct, id: string, { tier, distribution, webAclArn }: PricingPlanProps) {
    super(scope, id);
    new CfnSubscription(this, "Subscription", {
      planFamily: "CloudFront",
      planTier: tier.toUpperCase(),
      resourceArns: [distribution.distributionArn, webAclArn],
    });
  }
}
