import { resolveNs } from "node:dns/promises";
import type { VisibilityKind } from "../../../functions/policies/access.ts";
import { findRendererProblem } from "../../../lib/bundle/renderer-package.ts";
import { areRendered } from "../../../lib/settings.ts";
import type { Terminal } from "../command.ts";
import {
  checkBootstrap,
  checkCredentials,
  checkIndexSize,
  checkRegion,
  checkTypes,
  type DeployedStack,
  judgeDataFormat,
  judgeStackStatus,
  readStack,
  searchStatement,
} from "./account-checks.ts";
import { probeActions, probeCloudFront } from "./cloudfront-probe.ts";
import { type Check, type Finding, fails, runCheck, well } from "./finding.ts";
import {
  checkConcurrency,
  checkFunctionNames,
  checkWebFunctions,
  webFunctionType,
} from "./function-checks.ts";
import {
  checkCertificate,
  checkDistributions,
  checkZone,
  type ResolveNameServers,
  zonesOf,
} from "./name-checks.ts";
import { type Plan, planDeployment } from "./plan.ts";
import { quotaChecks } from "./quota-checks.ts";

/** Functions for checks outside AWS, which tests replace. */
const outsideAws = { resolveNameServers: resolveNs as ResolveNameServers, findRendererProblem };

/** Checks for reasons why a deployment would fail. Changes nothing in AWS. */
export async function runPreflightChecks(
  plan: Plan,
  replaced: Partial<typeof outsideAws> = {},
): Promise<Finding[]> {
  const { resolveNameServers, findRendererProblem: findProblem } = { ...outsideAws, ...replaced };
  const { finding: credentials, account } = await checkCredentials();
  if (account === undefined) return [credentials];
  const region = await checkRegion(plan);
  if (region.verdict === "fails") return [credentials, region];

  let deployed: DeployedStack;
  const stack = await runCheck({
    about: "Stack",
    actions: ["cloudformation:DescribeStacks"],
    run: async () => {
      deployed = await readStack(plan);
      return judgeStackStatus(plan, deployed?.status);
    },
  });
  const data = deployed === undefined ? [] : judgeDataFormat(deployed);
  const status = deployed?.status;
  const isNew = status === undefined || ["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"].includes(status);
  const checks = checksOf(plan, isNew, account, resolveNameServers, deployed?.pagesBucket);
  const renderer = areRendered(plan.settings) ? findProblem() : undefined;
  const rendering = renderer ? [{ about: "Rendering", ...fails(renderer.problem, renderer.todo) }] : [];
  const found = [credentials, region, ...stack, ...data, ...rendering, describeDefaultVisibility(plan)];
  for (const check of checks) found.push(...(await runCheck(check)));
  return [...found, ...describeUnknown(plan)];
}

/** Checks the credentials, then probes CloudFront. Returns the findings of both checks. */
export async function runProbe(plan: Plan, terminal: Terminal): Promise<Finding[]> {
  const { finding, account } = await checkCredentials();
  return account === undefined ? [finding] : [finding, ...(await probeCloudFront(plan, terminal))];
}

/**
 * Lists the checks that the settings and the state of the stack require.
 *
 * @param isNew true if nothing is deployed yet
 */
function checksOf(
  plan: Plan,
  isNew: boolean,
  account: string,
  resolveNameServers: ResolveNameServers,
  pagesBucket?: string,
): Check[] {
  const { domain } = plan;
  const arn = domain?.certificateArn;
  const checks: (Check | false | undefined | "")[] = [
    { about: "CDK", actions: ["ssm:GetParameter"], run: () => checkBootstrap(plan) },
    { about: "Resource types", actions: ["cloudformation:DescribeType"], run: () => checkTypes(plan) },
    { about: "Functions at once", actions: ["lambda:GetAccountSettings"], run: () => checkConcurrency(plan) },
    isNew && { about: "Functions", actions: ["lambda:ListFunctions"], run: () => checkFunctionNames(plan) },
    plan.countOf(webFunctionType) > 0 && {
      about: "Web Functions",
      actions: ["lambda:GetWebAccountSettings", ...(isNew ? ["lambda:GetWebFunction"] : [])],
      run: () => checkWebFunctions(plan, isNew),
    },
    {
      about: "CloudFront",
      actions: ["cloudfront:ListDistributions"],
      run: () => checkDistributions(domain, isNew),
    },
    domain &&
      arn && {
        about: "Certificate",
        actions: ["acm:DescribeCertificate"],
        run: () => checkCertificate(domain, arn, account),
      },
    ...zonesOf(domain).map(([zone, name]) => ({
      about: `Zone ${zone.name}`,
      actions: ["route53:GetHostedZone", "route53:ListResourceRecordSets"],
      run: () => checkZone(zone, name, isNew, resolveNameServers),
    })),
    ...(isNew ? quotaChecks(plan) : []),
    !isNew &&
      pagesBucket && {
        about: "Search",
        actions: searchStatement.Action,
        run: () => checkIndexSize(plan, pagesBucket),
      },
  ];
  return checks.filter((check) => typeof check === "object");
}

const readersOf: Readonly<Record<VisibilityKind, string>> = {
  public: "anyone on the internet can read them",
  unlisted: "anyone with the link can read them",
  members: "members can read them",
  people: "their owners must name the readers",
};

/** Describes who can read pages that are published without a visibility. */
function describeDefaultVisibility({ settings }: Plan): Finding {
  const { mostOpenVisibility = "public", defaultVisibility = mostOpenVisibility } = settings;
  const bound = mostOpenVisibility === "public" ? "" : `; none may be more open than ${mostOpenVisibility}`;
  const says = `pages without a visibility are ${defaultVisibility}: ${readersOf[defaultVisibility]} (defaultVisibility)${bound}`;
  return { about: "Who can read", ...well(says) };
}

/** Lists possible failures that cannot be detected with free, read-only calls. */
function describeUnknown({ settings }: Plan): Finding[] {
  if (settings.costAnomalyDollars === undefined) return [];
  const says =
    "only a call that costs money shows whether Cost Explorer is on; if it is off, the deployment fails";
  const todo = 'Check in "Billing and Cost Management" whether "Cost Explorer" is on.';
  return [{ verdict: "unknown", about: "costAnomalyDollars", says, todo }];
}

/** IAM policy for `preflight`, which covers the checks of all settings. */
export function preflightPolicy(): object {
  const zone = { id: "Z0123456789ABCDEFGHIJ", name: "example.com" };
  const made = { baseUrl: "https://example.com", hostedZone: zone };
  const given = { ...made, certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d" };
  const checks = [made, given].flatMap((settings) =>
    checksOf(planDeployment(settings), true, "111122223333", resolveNs),
  );
  const actions = ["cloudformation:DescribeStacks", ...checks.flatMap((check) => check.actions)];
  return policyOf(actions, searchStatement);
}

/** IAM policy for `preflight --probe-cloudfront`. */
export const probePolicy = () => policyOf(probeActions);

function policyOf(actions: readonly string[], ...others: readonly object[]): object {
  return {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: [...new Set(actions)].sort(), Resource: "*" }, ...others],
  };
}
