import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { codeDirectory, ingestSource } from "./bundle/function-source.ts";
import { HostingStack } from "./hosting-stack.ts";
import { projectDirectory } from "./project-directory.ts";
import type { Settings } from "./settings.ts";

export type { Settings } from "./settings.ts";

const bundleOf = (id: string) => codeDirectory(join(projectDirectory, "functions"), id);

/**
 * The service as a stack of a CDK app, from the published package: `new Dropleaf(app, "Dropleaf", settings)`. Unless `stackName` is set,
 * the construct id is also the stack's name.
 *
 * @throws Error if a setting is wrong, or the renderer's package is missing
 */
// The explicit type contains only what callers need. The inferred type would export the types of all functions.
export const Dropleaf: new (scope: Construct, id: string, settings?: Settings) => Stack =
  class extends HostingStack {
    constructor(scope: Construct, id: string, settings: Settings = {}) {
      super(scope, {
        settings: { stackName: id, ...settings },
        codeOf: (functionId) => Code.fromAsset(bundleOf(functionId)),
        ingestDirectory: bundleOf(ingestSource.id),
      });
    }
  };
