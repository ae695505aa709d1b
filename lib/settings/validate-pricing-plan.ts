import { hasRoomForIngest } from "../edge/pricing-plan.ts";
import { edgeRegion, type Settings } from "../settings.ts";
import { problemsOf, quote } from "./setting-problems.ts";

/** Problems of the pricing plan, alone and with other settings: a line for each. */
export function pricingPlanProblems(settings: Settings): string[] {
  const { pricingPlan, waf, region = edgeRegion, ingest } = settings;
  if (pricingPlan === undefined) return [];
  const plan = `pricingPlan is ${quote(pricingPlan)}`;
  if (pricingPlan !== "free" && pricingPlan !== "pro")
    return [`${plan}: write "free" or "pro", or leave it out`];
  return problemsOf(
    waf === false &&
      `${plan} and waf is false: a pricing plan needs the firewall, and includes it. Write waf: true or leave out waf`,
    region !== edgeRegion &&
      `${plan} and region is ${quote(region)}: a pricing plan needs the firewall, which is made in ${edgeRegion} only. ` +
        "Leave out pricingPlan or region",
    ingest === "webfunction" &&
      !hasRoomForIngest(settings) &&
      `${plan} and ingest is "webfunction": without a domain, the plan has no behavior left for it. Write ingest: "none", ` +
        'a baseUrl, or pricingPlan: "pro"',
  );
}
