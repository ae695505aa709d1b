import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CreateDistributionCommand,
  DeleteDistributionCommand,
  type DistributionConfig,
  GetDistributionCommand,
} from "@aws-sdk/client-cloudfront";
import { cacheTagHeader } from "../../../functions/core/environment.ts";
import { withInterruption } from "../interruption.ts";
import type { Terminal } from "../terminal.ts";
import { cloudFront, listDistributions } from "./distributions.ts";
import { type Finding, fails, type Result, runCheck, well } from "./finding.ts";
import type { Plan } from "./plan.ts";
import { createPolicies, isRefusal, policyProbeActions, removePolicies } from "./policy-probe.ts";

/** Comment by which a probe is found among the account's distributions, also one that an earlier run has left. */
export const probeComment = "dropleaf preflight probe, may be deleted";

/** Permissions of a probe, as IAM names them. */
export const probeActions = [
  "cloudfront:CreateDistribution",
  "cloudfront:DeleteDistribution",
  "cloudfront:GetDistribution",
  "cloudfront:ListDistributions",
  ...policyProbeActions,
];

const leftThere =
  "the probe is deleted as soon as CloudFront allows it. A second Ctrl-C leaves it: it serves nothing and costs nothing, and the next --probe-cloudfront deletes it.";

/**
 * Creates the service's policies, and a distribution with cache tags, to find out if CloudFront accepts them and if AWS has verified the
 * account. Everything is deleted again, also after an error. The distribution is turned off: that tags invalidate what they are on is
 * left to the first deployment, which `smoke` tests.
 *
 * @param pauseMs between two requests for the distribution's status
 */
export async function probeCloudFront(plan: Plan, terminal: Terminal, pauseMs = 10_000): Promise<Finding[]> {
  return withInterruption(terminal, leftThere, async (signal) => {
    const check = (about: string, run: () => Promise<Result[]>) =>
      runCheck({ about, actions: probeActions, run });
    const policies = await check("Policies", () => createPolicies(plan, signal));
    const removed = await check("Policies", removePolicies);
    const found = await check("CloudFront", () => createDistribution(terminal, signal));
    const left = await check("Probe", () => removeProbes(terminal, pauseMs));
    return [...policies, ...removed, ...found, ...left];
  });
}

async function createDistribution(terminal: Terminal, signal: AbortSignal): Promise<Result[]> {
  if (signal.aborted) return [];
  terminal.print(
    "Creates a CloudFront distribution that is turned off and serves nothing, and deletes it again. It costs nothing and takes about five minutes.",
  );
  try {
    await cloudFront().send(new CreateDistributionCommand({ DistributionConfig: probeConfig() }));
    return [well("AWS has verified the account, and accepts cache tags")];
  } catch (error) {
    if (isRefusal(error))
      return [
        fails(
          `CloudFront refuses a distribution with cache tags: ${error.name}: ${error.message}`,
          "The service cannot be deployed without them (docs/adr/0017-edge-caching.md). Report it with this message.",
        ),
      ];
    const { message } = error as Error;
    // A missing permission is AccessDenied too. The response of an account that is not verified: github.com/aws-samples/aws-cdk-examples/issues/279.
    if (!/account must be verified/i.test(message)) throw error;
    return [
      fails(
        `AWS has not verified the account: ${message}`,
        'Open a case with this message at AWS Support, "Account and billing", which costs nothing. It takes a day or two.',
      ),
    ];
  }
}

/** The least that CloudFront takes. CloudFront API reference, "DistributionConfig"; developer guide, "Use managed cache policies". */
function probeConfig(): DistributionConfig {
  const originId = "none";
  return {
    CallerReference: randomUUID(),
    Comment: probeComment,
    Enabled: false,
    CacheTagConfig: { HeaderName: cacheTagHeader },
    Origins: {
      Quantity: 1,
      Items: [
        {
          Id: originId,
          DomainName: "example.com",
          CustomOriginConfig: { HTTPPort: 80, HTTPSPort: 443, OriginProtocolPolicy: "https-only" },
        },
      ],
    },
    DefaultCacheBehavior: {
      TargetOriginId: originId,
      ViewerProtocolPolicy: "https-only",
      CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
    },
  };
}

/** Deletes the probes of this run and of earlier ones. Only one that is turned off and deployed can be: developer guide, "Delete a distribution". */
async function removeProbes(terminal: Terminal, pauseMs: number): Promise<Result[]> {
  const probes = (await listDistributions()).filter(
    ({ Comment, Enabled }) => Comment === probeComment && Enabled === false,
  );
  const results: Result[] = [];
  for (const { Id } of probes) {
    terminal.print(`Deletes the distribution ${Id} when CloudFront has deployed it.`);
    try {
      await removeProbe(Id ?? "", pauseMs);
      results.push(well(`${Id} is deleted`));
    } catch (error) {
      const { name, message } = error as Error;
      results.push({
        verdict: "warns",
        says: `${Id}, turned off and at no cost, is left: ${name}: ${message}`,
        todo: `Run this again (it needs ${probeActions.join(", ")}), or delete ${Id} in the CloudFront console.`,
      });
    }
  }
  return results;
}

async function removeProbe(id: string, pauseMs: number): Promise<void> {
  const client = cloudFront();
  for (;;) {
    const { Distribution, ETag } = await client.send(new GetDistributionCommand({ Id: id }));
    if (Distribution?.Status === "Deployed") {
      await client.send(new DeleteDistributionCommand({ Id: id, IfMatch: ETag }));
      return;
    }
    await sleep(pauseMs);
  }
}
