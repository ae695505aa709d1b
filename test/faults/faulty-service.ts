import { join } from "node:path";
import { inject } from "vitest";
import { openParameterStore } from "../../local/aws/parameters/parameter-store.ts";
import { environmentOf } from "../../scripts/bench/calls/functions-environment.ts";
import { runOwnStorage } from "../support/own-storage.ts";
import { makeAwsFaulty } from "./faulty-aws.ts";

/** What the edge was told to forget. */
export const invalidatedPaths = new Set<string>();

/**
 * Starts AWS of the local cloud, and lets the operations of this process find it, as the administrator, and the identity
 * provider of the run's service. Nothing else of the cloud works on it: what a case leaves is not tidied up behind it.
 *
 * @returns how to stop it
 */
export async function startFaultyService(): Promise<() => Promise<void>> {
  const { endpoint, template, remove } = await runOwnStorage(undefined, { invalidationDelayMs: 0 });
  Object.assign(process.env, await environmentOf({ template, awsEndpoint: endpoint }));
  const parameter = process.env.IDENTITY_PROVIDER_PARAMETER ?? "";
  const registration = openParameterStore(join(inject("serviceDirectory"), "data")).find(parameter);
  endpoint.parameters.put(parameter, "SecureString", registration?.value ?? "");
  endpoint.connectEdge({
    distributionId: process.env.DISTRIBUTION_ID ?? "",
    invalidate: (paths) => {
      for (const path of paths) invalidatedPaths.add(path);
    },
  });
  const makeAwsReliable = await makeAwsFaulty();
  return async () => {
    await makeAwsReliable();
    await remove();
  };
}
