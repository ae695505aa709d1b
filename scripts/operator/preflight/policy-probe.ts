import { randomUUID } from "node:crypto";
import type { CloudFrontServiceException } from "@aws-sdk/client-cloudfront";
import { policyKinds } from "./cloudfront-policies.ts";
import { fails, type Result, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** Name of a probe's policies. It also finds policies that an earlier run left behind. */
export const probePolicyPrefix = "dropleaf-preflight-probe-";

/** Permissions of this part of a probe, as IAM names them. */
export const policyProbeActions = policyKinds.flatMap(({ probeActions }) => probeActions);

/**
 * Creates the service's policies under other names, to find out if CloudFront accepts them. `removePolicies` deletes them, also after an
 * error.
 */
export async function createPolicies(plan: Plan, signal: AbortSignal): Promise<Result[]> {
  const refused: Result[] = [];
  let accepted = 0;
  for (const { type, create } of policyKinds) {
    const property = `${type.split("::").at(-1)}Config`;
    for (const properties of plan.propertiesOf(type)) {
      if (signal.aborted) return refused;
      const { Name, ...config } = properties[property] as { readonly Name: string };
      try {
        await create({ ...(inApiShape(config) as object), Name: `${probePolicyPrefix}${randomUUID()}` });
        accepted += 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push(
          fails(
            `CloudFront refuses ${Name}: ${error.name}: ${error.message}`,
            "This policy is not as AWS wants it: report it with this message.",
          ),
        );
      }
    }
  }
  return [...refused, well(`CloudFront accepts ${accepted} of ${accepted + refused.length}`)];
}

/** Deletes the policies of this run and of earlier ones, and names those that it cannot delete. */
export async function removePolicies(): Promise<Result[]> {
  const results: Result[] = [];
  for (const { list, remove } of policyKinds) {
    const own = (await list()).filter(({ name }) => name.startsWith(probePolicyPrefix));
    for (const { id, name } of own) {
      try {
        await remove(id);
      } catch (error) {
        const { name: errorName, message } = error as Error;
        results.push({
          verdict: "warns",
          says: `${name} (${id}), which costs nothing, is left: ${errorName}: ${message}`,
          todo: `Run this again (it needs ${policyProbeActions.join(", ")}), or delete ${id} in the CloudFront console, "Policies".`,
        });
      }
    }
  }
  return results.length > 0 ? results : [well("the probe's policies are deleted")];
}

/** Recognizes what CloudFront finds wrong with a request: not missing permissions, too many calls or faults. */
export function isRefusal(error: unknown): error is CloudFrontServiceException {
  const { name, $metadata } = error as Partial<CloudFrontServiceException>;
  return $metadata?.httpStatusCode === 400 && !/Throttl/.test(name ?? "");
}

/** A template has lists where the API has their length with them. */
function inApiShape(value: unknown): unknown {
  if (Array.isArray(value)) return { Quantity: value.length, Items: value.map(inApiShape) };
  if (typeof value !== "object" || value === null) return value;
  const { Items, ...others } = value as { readonly Items?: readonly unknown[] };
  const shaped = Object.fromEntries(Object.entries(others).map(([name, one]) => [name, inApiShape(one)]));
  return Items === undefined ? shaped : { ...shaped, ...(inApiShape(Items) as object) };
}
