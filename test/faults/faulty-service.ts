import { join } from "node:path";
import { inject } from "vitest";
import type { Drawing } from "../../functions/renders/report.ts";
import { openParameterStore } from "../../local/aws/parameters/parameter-store.ts";
import { environmentOf } from "../../scripts/bench/calls/functions-environment.ts";
import { runOwnStorage } from "../support/own-storage.ts";
import { makeAwsFaulty } from "./faulty-aws.ts";

/** What the edge was told to forget. */
export const invalidatedPaths = new Set<string>();

/** What the function with the browser makes of every page: the run's service has none. */
const drawing: Drawing = {
  report: { views: [], weight: { pageBytes: 1, fileBytes: 0, requests: 0 } },
  pictures: { card: { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: "AAAA" } },
  milliseconds: 1,
};

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
  Object.assign(process.env, { DRAW_PAGE_FUNCTION: "DrawPage" });
  endpoint.connectFunctions({
    functionNames: ["DrawPage"],
    invoke: async () => ({ payload: JSON.stringify(drawing), isFunctionError: false, requestId: "drawn" }),
  });
  const makeAwsReliable = await makeAwsFaulty();
  return async () => {
    await makeAwsReliable();
    await remove();
  };
}
