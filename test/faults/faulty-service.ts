import { findFreePort } from "../../local/free-port.ts";
import { startIdentityProvider } from "../../local/identity-provider/identity-provider.ts";
import { resolveTemplate } from "../../local/template.ts";
import { environmentOf } from "../../scripts/bench/calls/functions-environment.ts";
import { givenStack } from "../lib/given-stack.ts";
import { runEndpoint } from "../local/aws/running-endpoint.ts";
import { makeAwsFaulty } from "./faulty-aws.ts";

/** What the edge was told to forget. */
export const invalidatedPaths = new Set<string>();

/**
 * Starts AWS and the identity provider of the local cloud, and lets the operations of this process find them, as the
 * administrator. Nothing else of the cloud runs: what a case leaves is not tidied up behind it.
 *
 * @returns how to stop them
 */
export async function startFaultyService(): Promise<() => Promise<void>> {
  const port = await findFreePort(2);
  const baseUrl = `http://localhost:${port}`;
  const issuer = `http://localhost:${port + 1}`;
  const stack = givenStack({ baseUrl, identityProvider: { kind: "oidc", issuer } });
  const template = resolveTemplate(stack.toJSON() as Parameters<typeof resolveTemplate>[0], "/nowhere");
  const { endpoint, remove } = await runEndpoint(template, undefined, { invalidationDelayMs: 0 });
  const provider = await startIdentityProvider({ port: port + 1, serviceAddress: baseUrl, log: () => {} });
  Object.assign(process.env, await environmentOf({ template, awsEndpoint: endpoint }));
  const { id: client_id, secret: client_secret } = provider.client;
  const parameter = process.env.IDENTITY_PROVIDER_PARAMETER ?? "";
  endpoint.parameters.put(parameter, "SecureString", JSON.stringify({ client_id, client_secret }));
  endpoint.connectEdge({
    distributionId: process.env.DISTRIBUTION_ID ?? "",
    invalidate: (paths) => {
      for (const path of paths) invalidatedPaths.add(path);
    },
  });
  const makeAwsReliable = await makeAwsFaulty();
  return async () => {
    await makeAwsReliable();
    await provider.stop();
    await remove();
  };
}
