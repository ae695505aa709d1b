import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { HostingStack } from "../../../lib/hosting-stack.ts";
import { projectDirectory } from "../../../lib/project-directory.ts";
import { domainOf } from "../../../lib/settings/domain.ts";
import { edgeRegion, type Settings } from "../../../lib/settings.ts";

/** Resources and names of a deployment with the given settings. */
export type Plan = ReturnType<typeof planDeployment>;

type Properties = Readonly<Record<string, unknown>>;

const ingestDirectory = join(projectDirectory, "functions/ingest");

/** Synthesizes the stack without the functions' code. Throws if a setting is invalid. */
export function planDeployment(settings: Settings) {
  const outdir = mkdtempSync(join(tmpdir(), "dropleaf-preflight-"));
  try {
    const app = new App({
      outdir,
      treeMetadata: false,
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
    });
    const stack = new HostingStack(app, { settings, codeOf: () => Code.fromInline("0;"), ingestDirectory });
    const { template, requiresBootstrapStackVersion } = app.synth().getStackArtifact(stack.artifactId);
    const resources = Object.values<{ Type: string; Properties?: Properties }>(template.Resources);
    const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
    return {
      settings,
      stackName: stack.stackName,
      region: settings.region ?? edgeRegion,
      domain: domainOf(settings),
      /** Distinct AWS resource types in the template, without custom resources and the CDK's metadata. */
      resourceTypes: [...new Set(resources.map(({ Type }) => Type))].filter((type) =>
        /^AWS::(?!CDK::)/.test(type),
      ),
      /** Minimum version of the CDK bootstrap stack for the deployment. */
      bootstrapVersionMin: requiresBootstrapStackVersion ?? 0,
      countOf: (type: string) => ofType(type).length,
      propertiesOf: (type: string) => ofType(type).map(({ Properties = {} }) => Properties),
      /** Names that the template sets for resources of a type. Each name must be unique in the account. */
      namesOf: (type: string) =>
        ofType(type).flatMap(({ Properties }) => namesIn(Properties, stack.stackName)),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** Finds the names in a resource's properties: `FunctionName`, or the `Name` of the resource or of a CloudFront policy in it. */
function namesIn(properties: Properties = {}, stackName: string): string[] {
  const { FunctionName: functionName } = properties;
  if (functionName !== undefined) return [resolveName(functionName, stackName)];
  const nested = Object.values(properties).filter((value) => typeof value === "object" && value !== null);
  return [properties, ...(nested as Properties[])].flatMap(({ Name }) =>
    typeof Name === "string" ? [Name] : [],
  );
}

/** Resolves a name, which is a string or an `Fn::Join` of strings and the stack's name. */
function resolveName(name: unknown, stackName: string): string {
  if (typeof name === "string") return name;
  const [, parts = []] = (name as { "Fn::Join"?: [string, readonly unknown[]] })["Fn::Join"] ?? [];
  return parts.map((part) => (typeof part === "string" ? part : stackName)).join("");
}
