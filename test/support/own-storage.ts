import { join } from "node:path";
import type { AwsEndpointOptions } from "@dropleaf/local-cloud/aws/aws-endpoint";
import { loadTemplate, type Template } from "@dropleaf/local-cloud/template";
import { inject } from "vitest";
import { type RunningEndpoint, runEndpoint } from "../../packages/local-cloud/test/aws/running-endpoint.ts";

/** Storage of the stack for one file alone, without other parts of the service. */
export interface OwnStorage extends RunningEndpoint {
  readonly template: Template;
}

/** Starts it; its data is in a new temporary folder, or the given one. */
export async function runOwnStorage(
  dataDirectory?: string,
  options?: Pick<AwsEndpointOptions, "invalidationDelayMs">,
): Promise<OwnStorage> {
  // Made once for all files: the CDK takes seconds.
  const template = loadTemplate(join(inject("serviceDirectory"), "cdk.out"));
  return { ...(await runEndpoint(template, dataDirectory, options)), template };
}
