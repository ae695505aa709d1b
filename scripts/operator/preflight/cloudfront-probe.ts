import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CloudFrontServiceException, DistributionConfig } from "@aws-sdk/client-cloudfront";
import { cacheTagHeader } from "../../../functions/core/environment.ts";
import { type Terminal, withInterruption } from "../command.ts";
import {
  cloudFront,
  createPolicy,
  deletePolicy,
  listDistributions,
  listPolicies,
  policyKinds,
} from "./cloudfront.ts";
import { type Finding, fails, type Result, runCheck, warns, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** Comment that identifies probes among the account's distributions, including leftovers of earlier runs. */
export const probeComment = "dropleaf preflight probe, may be deleted";

/** Name prefix that identifies a probe's policies, including leftovers of earlier runs. */
export const probePolicyPrefix = "dropleaf-preflight-probe-";

/** IAM actions that a probe needs. */
export const probeActions = [
  ...["Create", "Delete", "Get"].map((verb) => `cloudfront:${verb}Distribution`),
  "cloudfront:ListDistributions",
  ...policyKinds.flatMap(({ name, plural }) => [
    `cloudfront:List${plural}`,
    ...["Create", "Delete", "Get"].map((verb) => `cloudfront:${verb}${name}`),
  ]),
];

const interruptionAdvice =
  "the probe is deleted as soon as CloudFront allows it. After a second Ctrl-C, the probe stays until the next --probe-cloudfront. It serves nothing and costs nothing.";

/**
 * Checks that CloudFront accepts the service's policies and cache tags, and that AWS has verified the account. Creates the policies and a
 * disabled distribution with cache tags, and deletes all of them afterwards, even after an error.
 */
export async function probeCloudFront(plan: Plan, terminal: Terminal, pauseMs = 10_000): Promise<Finding[]> {
  return withInterruption(terminal, interruptionAdvice, async (signal) => {
    const check = (about: string, run: () => Promise<Result[]>) =>
      runCheck({ about, actions: probeActions, run });
    return [
      ...(await check("Policies", () => createPolicies(plan, signal))),
      ...(await check("Policies", removePolicies)),
      ...(await check("CloudFront", async () =>
        signal.aborted ? [] : [await createDistribution(terminal)],
      )),
      ...(await check("Probe", () => removeProbes(terminal, pauseMs))),
    ];
  });
}

/** Creates copies of the service's policies under other names. */
async function createPolicies(plan: Plan, signal: AbortSignal): Promise<Result[]> {
  const refused: Result[] = [];
  let accepted = 0;
  for (const kind of policyKinds)
    for (const properties of plan.propertiesOf(`AWS::CloudFront::${kind.name}`)) {
      if (signal.aborted) return refused;
      const { Name, ...config } = properties[`${kind.name}Config`] as { readonly Name: string };
      try {
        const parameters = toApiParameters(config) as object;
        await createPolicy(kind, { ...parameters, Name: `${probePolicyPrefix}${randomUUID()}` });
        accepted += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const says = `CloudFront refuses ${Name}: ${error.name}: ${error.message}`;
        refused.push(fails(says, "Report this message as a bug of Dropleaf."));
      }
    }
  return [...refused, well(`CloudFront accepts ${accepted} of ${accepted + refused.length}`)];
}

/** Converts template properties to API parameters. The API also needs the length of each list. */
function toApiParameters(value: unknown): unknown {
  if (Array.isArray(value)) return { Quantity: value.length, Items: value.map(toApiParameters) };
  if (typeof value !== "object" || value === null) return value;
  const { Items, ...others } = value as { readonly Items?: readonly unknown[] };
  const parameters = Object.fromEntries(
    Object.entries(others).map(([name, one]) => [name, toApiParameters(one)]),
  );
  return Items === undefined ? parameters : { ...parameters, ...(toApiParameters(Items) as object) };
}

/** Returns true if CloudFront refuses a request's contents. Returns false for missing permissions, throttling and server errors. */
function isRefusal(error: unknown): error is CloudFrontServiceException {
  const { name, $metadata } = error as Partial<CloudFrontServiceException>;
  return $metadata?.httpStatusCode === 400 && !/Throttl/.test(name ?? "");
}

/** Deletes the policies of this run and of earlier runs. Returns a warning for each policy that cannot be deleted. */
async function removePolicies(): Promise<Result[]> {
  const results: Result[] = [];
  for (const kind of policyKinds)
    for (const { id, name } of await listPolicies(kind)) {
      if (!name.startsWith(probePolicyPrefix)) continue;
      await deletePolicy(kind, id).catch((error: Error) =>
        results.push(warnOfRemainder(`${name} (${id}), which costs nothing,`, error, id, ', "Policies"')),
      );
    }
  return results.length > 0 ? results : [well("the probe's policies are deleted")];
}

function warnOfRemainder(what: string, { name, message }: Error, id: string, page = ""): Result {
  const todo = `Run the probe again, with the permissions ${probeActions.join(", ")}, or delete ${id} in the CloudFront console${page}.`;
  return warns(`${what} was not deleted: ${name}: ${message}`, todo);
}

async function createDistribution(terminal: Terminal): Promise<Result> {
  terminal.print(
    "Creating a disabled CloudFront distribution, which is deleted afterwards. This costs nothing and takes about five minutes.",
  );
  try {
    await cloudFront().createDistribution({ DistributionConfig: probeConfig() });
    return well("AWS has verified the account, and accepts cache tags");
  } catch (error) {
    if (isRefusal(error))
      return fails(
        `CloudFront refuses a distribution with cache tags: ${error.name}: ${error.message}`,
        "The service cannot be deployed without cache tags (docs/adr/0017-edge-caching.md). Report this message as a bug of Dropleaf.",
      );
    const { message } = error as Error;
    // AccessDenied means a missing permission or an unverified account; see github.com/aws-samples/aws-cdk-examples/issues/279.
    if (!/account must be verified/i.test(message)) throw error;
    return fails(
      `AWS has not verified the account: ${message}`,
      'Open a free case with this message at AWS Support, "Account and billing". The answer takes a day or two.',
    );
  }
}

/** Builds a minimal distribution; see "DistributionConfig", CloudFront API reference, and "Use managed cache policies", developer guide. */
function probeConfig(): DistributionConfig {
  const Id = "none";
  const custom = { HTTPPort: 80, HTTPSPort: 443, OriginProtocolPolicy: "https-only" } as const;
  return {
    CallerReference: randomUUID(),
    Comment: probeComment,
    Enabled: false,
    CacheTagConfig: { HeaderName: cacheTagHeader },
    Origins: { Quantity: 1, Items: [{ Id, DomainName: "example.com", CustomOriginConfig: custom }] },
    DefaultCacheBehavior: {
      TargetOriginId: Id,
      ViewerProtocolPolicy: "https-only",
      CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
    },
  };
}

/** Deletes the probes of this and earlier runs, once CloudFront has deployed them; see "Delete a distribution", developer guide. */
async function removeProbes(terminal: Terminal, pauseMs: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const { Id = "", Comment, Enabled } of await listDistributions()) {
    if (Comment !== probeComment || Enabled !== false) continue;
    terminal.print(`Waiting until CloudFront has deployed the distribution ${Id}, to delete it.`);
    const result = await removeProbe(Id, pauseMs).then(
      () => well(`${Id} is deleted`),
      (error: Error) => warnOfRemainder(`${Id}, which is disabled and costs nothing,`, error, Id),
    );
    results.push(result);
  }
  return results;
}

async function removeProbe(Id: string, pauseMs: number): Promise<void> {
  for (;;) {
    const { Distribution, ETag } = await cloudFront().getDistribution({ Id });
    if (Distribution?.Status === "Deployed")
      return void (await cloudFront().deleteDistribution({ Id, IfMatch: ETag }));
    await sleep(pauseMs);
  }
}
