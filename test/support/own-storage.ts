import { join } from "node:path";
import type { AwsEndpointOptions } from "@dropleaf/local-cloud/aws/aws-endpoint";
import { loadTemplate, type Template } from "@dropleaf/local-cloud/template";
import { inject } from "vitest";
import { type RunningEndpoint, runEndpoint } from "../../packages/local-cloud/test/aws/running-endpoint.ts";

/** The stack's storage for a single file, without other parts of the service. */
export interface OwnStorage extends RunningEndpoint {
  readonly template: Template;
}

/** Starts the storage. Its data is in the given folder, or in a new temporary one. */
export async function runOwnStorage(
  dataDirectory?: string,
  options?: Pick<AwsEndpointOptions, "invalidationDelayMs">,
): Promise<OwnStorage> {
  // Synthesized once for all files, because the CDK takes seconds.
  const template = loadTemplate(join(inject("serviceDirectory"), "cdk.out"));
  return { ...(await runEndpoint(template, dataDirectory, options)), template };
}
