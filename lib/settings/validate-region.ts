import { areRendered, edgeRegion, type Settings } from "../settings.ts";
import { problemsOf, quote } from "./setting-problems.ts";

/** Problems with the stack's region: a line for each. */
export function regionProblems(settings: Settings): string[] {
  const { region, baseUrl, certificateArn, waf } = settings;
  if (region === undefined || region === edgeRegion) return [];
  if (!isRegion(region)) return [`region is ${quote(region)}: write a region of AWS such as "eu-central-1"`];
  const there = `region is ${quote(region)}`;
  const hasDomain = baseUrl?.startsWith("https:") ?? false;
  return problemsOf(
    hasDomain &&
      certificateArn === undefined &&
      `${there}, and CloudFront takes certificates of ${edgeRegion} only: have one made there for the names, and ` +
        `write certificateArn, such as "arn:aws:acm:${edgeRegion}:111122223333:certificate/…"`,
    areRendered(settings) &&
      region === regionWithoutTenants &&
      `${there}, where AWS Lambda has no tenant isolation, in which pages are rendered: write renders: false`,
    Boolean(waf) && `${there}, and a firewall before CloudFront is made in ${edgeRegion} only: leave out waf`,
  );
}

/** AWS Lambda developer guide, "Tenant isolation", "Supported AWS Regions". */
const regionWithoutTenants = "ap-southeast-6";

/** Not of China and AWS GovCloud, where accounts, and much of CloudFront, are others. */
function isRegion(region: unknown): boolean {
  return typeof region === "string" && /^(?!cn-|us-gov-|us-iso)[a-z]{2}(-[a-z]+)+-\d$/.test(region);
}
