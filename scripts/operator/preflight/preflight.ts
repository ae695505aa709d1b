import { resolveNs } from "node:dns/promises";
import type { VisibilityKind } from "../../../functions/policies/access.ts";
import { findRendererProblem } from "../../../lib/bundle/renderer-package.ts";
import { areRendered } from "../../../lib/settings.ts";
import { getIdentity } from "../service.ts";
import {
  accountChecks,
  askRegion,
  askStack,
  type DeployedStack,
  judgeDataFormat,
  judgeStackStatus,
  searchChecks,
  searchStatement,
} from "./account-checks.ts";
import { probeActions } from "./cloudfront-probe.ts";
import { type Finding, fails, runCheck, well } from "./finding.ts";
import { functionChecks, webFunctionChecks } from "./function-checks.ts";
import { nameChecks, type ResolveNameServers } from "./name-checks.ts";
import { type Plan, planDeployment } from "./plan.ts";
import { roomChecks } from "./room-checks.ts";

/** Further checks beside AWS. */
export interface PreflightOptions {
  /** @default - the DNS */
  readonly resolveNameServers?: ResolveNameServers;
  /** @default - looks for the package of the renderer */
  readonly findRendererProblem?: typeof findRendererProblem;
}

/** Asks AWS, without changing anything, for what makes a first deployment fail. */
export async function runPreflightChecks(
  plan: Plan,
  {
    resolveNameServers = resolveNs,
    findRendererProblem: findProblem = findRendererProblem,
  }: PreflightOptions = {},
): Promise<Finding[]> {
  const { finding: credentials, account } = await askCredentials();
  if (account === undefined) return [credentials];
  const region = await askRegion(plan);
  if (region.verdict === "fails") return [credentials, region];

  let deployed: DeployedStack | undefined;
  const stack = await runCheck({
    about: "Stack",
    actions: ["cloudformation:DescribeStacks"],
    run: async () => {
      deployed = await askStack(plan);
      return judgeStackStatus(plan, deployed?.status);
    },
  });
  const data = deployed === undefined ? [] : judgeDataFormat(deployed);
  const status = deployed?.status;
  const isNew = status === undefined || ["ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"].includes(status);
  const checks = [
    ...accountChecks(plan),
    ...functionChecks(plan, isNew),
    ...webFunctionChecks(plan, isNew),
    ...nameChecks(plan, isNew, account, resolveNameServers),
    ...(isNew ? roomChecks(plan) : searchChecks(plan, deployed?.pagesBucket)),
  ];
  const renderer = areRendered(plan.settings) ? findProblem() : undefined;
  const found: Finding[] = [
    credentials,
    region,
    ...stack,
    ...data,
    ...(renderer === undefined ? [] : [{ about: "Rendering", ...fails(renderer.problem, renderer.todo) }]),
    describeDefaultVisibility(plan),
  ];
  for (const check of checks) found.push(...(await runCheck(check)));
  return [...found, ...unseen(plan)];
}

/** Asks AWS whose credentials these are; without an account where it does not take them. */
export async function askCredentials(): Promise<{ finding: Finding; account?: string }> {
  const about = "Credentials";
  const identity = await getIdentity().catch((error: Error) => error);
  if (identity instanceof Error) {
    const says = `AWS does not take the credentials: ${identity.name}: ${identity.message}`;
    const todo = "aws sso login, aws configure, or whatever gives this shell credentials of the account.";
    return { finding: { about, ...fails(says, todo) } };
  }
  const { account, arn } = identity;
  return { finding: { about, ...well(`account ${account}, as ${arn}`) }, account };
}

const readersOf: Readonly<Record<VisibilityKind, string>> = {
  public: "everybody on the internet can read them",
  unlisted: "everybody who has the link can read them",
  members: "members can read them",
  people: "their owners must name the readers",
};

/** Says who can read pages that are published without a visibility. */
function describeDefaultVisibility({ settings }: Plan): Finding {
  const { mostOpenVisibility = "public", defaultVisibility = mostOpenVisibility } = settings;
  const bound = mostOpenVisibility === "public" ? "" : `; none may be more open than ${mostOpenVisibility}`;
  const says = `pages without a visibility are ${defaultVisibility}: ${readersOf[defaultVisibility]} (defaultVisibility)${bound}`;
  return { about: "Who can read", ...well(says) };
}

/** Possible failures that no read-only call shows. */
function unseen({ settings }: Plan): Finding[] {
  if (settings.costAnomalyDollars === undefined) return [];
  return [
    {
      verdict: "unseen",
      about: "costAnomalyDollars",
      says: "whether Cost Explorer is on shows only to a call that costs money; where it is off, the deployment fails",
      todo: 'Look at "Billing and Cost Management", "Cost Explorer".',
    },
  ];
}

/**
 * The least that `preflight` needs: an identity policy of IAM, made of what the checks say that they call. With every
 * setting that brings a check.
 */
export function preflightPolicy(): object {
  const zone = { id: "Z0123456789ABCDEFGHIJ", name: "example.com" };
  const made = { baseUrl: "https://example.com", hostedZone: zone };
  const given = { ...made, certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d" };
  const checks = [made, given]
    .map(planDeployment)
    .flatMap((plan) => [
      ...accountChecks(plan),
      ...functionChecks(plan, true),
      ...webFunctionChecks(plan, true),
      ...nameChecks(plan, true, "111122223333", resolveNs),
      ...roomChecks(plan),
    ]);
  const actions = ["cloudformation:DescribeStacks", ...checks.flatMap((check) => check.actions)];
  return policyOf(actions, searchStatement);
}

/** The policy that `preflight --probe-cloudfront` needs. */
export function probePolicy(): object {
  return policyOf(probeActions);
}

function policyOf(actions: readonly string[], ...others: readonly object[]): object {
  return {
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Action: [...new Set(actions)].sort(), Resource: "*" }, ...others],
  };
}
