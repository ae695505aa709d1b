import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { HostingStack } from "../../../lib/hosting-stack.ts";
import { projectDirectory } from "../../../lib/project-directory.ts";
import { type Domain, domainOf } from "../../../lib/settings/domain.ts";
import { edgeRegion, type Settings } from "../../../lib/settings.ts";

/** Needs of a first deployment with these settings. */
export interface Plan {
  readonly settings: Settings;
  readonly stackName: string;
  readonly region: string;
  readonly domain: Domain | undefined;
  /** Each type once, without those that the stack brings itself. */
  readonly resourceTypes: readonly string[];
  /** The version of the CDK's own resources that the deployment needs. */
  readonly bootstrapVersionMin: number;
  countOf(resourceType: string): number;
  propertiesOf(resourceType: string): readonly Readonly<Record<string, unknown>>[];
  /** The names that the template gives resources of a type, in an account where each may be there once. */
  namesOf(resourceType: string): string[];
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

const ingestDirectory = join(projectDirectory, "functions/ingest");

/**
 * Synthesizes the stack without its code.
 *
 * @throws Error when a setting is wrong
 */
export function planDeployment(settings: Settings): Plan {
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
      resourceTypes: [...new Set(resources.map(({ Type }) => Type))].filter((type) =>
        /^AWS::(?!CDK::)/.test(type),
      ),
      bootstrapVersionMin: requiresBootstrapStackVersion ?? 0,
      countOf: (type) => ofType(type).length,
      propertiesOf: (type) => ofType(type).map(({ Properties = {} }) => Properties),
      namesOf: (type) => ofType(type).flatMap(({ Properties }) => namesIn(Properties, stack.stackName)),
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
