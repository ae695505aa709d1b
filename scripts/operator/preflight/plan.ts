import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { HostingStack } from "../../../lib/hosting-stack.ts";
import { projectDirectory } from "../../../lib/project-directory.ts";
import { domainOf } from "../../../lib/settings/domain.ts";
import { edgeRegion, type Settings } from "../../../lib/settings.ts";

/** Needs of a first deployment with some settings. */
export type Plan = ReturnType<typeof planDeployment>;

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const ingestDirectory = join(projectDirectory, "functions/ingest");

/** Synthesizes the stack without its code. Throws if a setting is wrong. */
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
    const resources = Object.values(template.Resources as Record<string, TemplateResource>);
    const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
    return {
      settings,
      stackName: stack.stackName,
      region: settings.region ?? edgeRegion,
      domain: domainOf(settings),
      /** Each type once, without those that the stack brings itself. */
      resourceTypes: [...new Set(resources.map(({ Type }) => Type))].filter((type) =>
        /^AWS::(?!CDK::)/.test(type),
      ),
      /** The version of the CDK's own resources that the deployment needs. */
      bootstrapVersionMin: requiresBootstrapStackVersion ?? 0,
      countOf: (type: string) => ofType(type).length,
      propertiesOf: (type: string) => ofType(type).map(({ Properties = {} }) => Properties),
      /** The names that the template gives resources of a type, in an account where each may be there once. */
      namesOf: (type: string) =>
        ofType(type).flatMap(({ Properties }) => namesIn(Properties, stack.stackName)),
    };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** `Name`, which for policies of CloudFront is one level down, or `FunctionName`, which begins with the stack's name. */
function namesIn(properties: Readonly<Record<string, unknown>> = {}, stackName: string): string[] {
  const { FunctionName: functionName } = properties;
  if (functionName !== undefined) return [resolveName(functionName, stackName)];
  const nested = Object.values(properties).filter((value) => typeof value === "object" && value !== null);
  return [properties, ...(nested as Readonly<Record<string, unknown>>[])].flatMap(({ Name }) =>
    typeof Name === "string" ? [Name] : [],
  );
}

/** A text, or one that is joined to the stack's name. */
function resolveName(name: unknown, stackName: string): string {
  if (typeof name === "string") return name;
  const [, parts = []] = (name as { "Fn::Join"?: [string, readonly unknown[]] })["Fn::Join"] ?? [];
  return parts.map((part) => (typeof part === "string" ? part : stackName)).join("");
}
