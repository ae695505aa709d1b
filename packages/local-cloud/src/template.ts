import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { requireFewReferences } from "./dynamic-references.ts";
import { arnOf, physicalIdOf, region } from "./template-identity.ts";
import { createIntrinsicResolver, type RawTemplate } from "./template-intrinsics.ts";

/** A resource of the template with every intrinsic function resolved to a plain value. */
export interface Resource {
  readonly logicalId: string;
  /** CloudFormation type, such as `AWS::Lambda::Function`. */
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Result of `Ref`. */
  readonly physicalId: string;
  readonly arn: string;
}

/** The synthesized stack, resolved for one machine. */
export interface Template {
  /** Resources by logical id, in the template's order. */
  readonly resources: ReadonlyMap<string, Resource>;
  readonly outputs: Readonly<Record<string, string>>;
  /** The cdk.out folder, to which the assets' paths are relative. */
  readonly assetsDirectory: string;
}

/** Returns the resources of one type, in the template's order. */
export function resourcesOfType(template: Template, type: string): Resource[] {
  return [...template.resources.values()].filter((resource) => resource.type === type);
}

/** Finds the resource of the given type whose `Ref` value is this id. */
export function findResource(template: Template, type: string, physicalId: unknown): Resource | undefined {
  return resourcesOfType(template, type).find((resource) => resource.physicalId === physicalId);
}

/**
 * Reads `<stack>.template.json` from a cdk.out folder and resolves its intrinsic functions.
 *
 * @throws Error that names the logical id and path of a value that cannot be resolved
 */
export function loadTemplate(assetsDirectory: string): Template {
  const file = findTemplateFile(assetsDirectory);
  // The local cloud emulates a single region, which replaces the template's own region.
  const text = readFileSync(file, "utf8").replaceAll(regionOf(assetsDirectory), region);
  requireFewReferences(text);
  return resolveTemplate(JSON.parse(text) as RawTemplate, assetsDirectory);
}

/** Returns the stack's region, which the CDK writes to the manifest beside the template. */
function regionOf(assetsDirectory: string): string {
  const file = join(assetsDirectory, "manifest.json");
  if (!existsSync(file)) return region;
  const { artifacts } = JSON.parse(readFileSync(file, "utf8")) as {
    artifacts: Record<string, { type: string; environment?: string }>;
  };
  const stack = Object.values(artifacts).find(({ type }) => type === "aws:cloudformation:stack");
  const given = stack?.environment?.split("/").at(-1);
  return given === undefined || given === "unknown-region" ? region : given;
}

/** Resolves the intrinsic functions of a parsed template. */
export function resolveTemplate(raw: RawTemplate, assetsDirectory: string): Template {
  const resolver = createIntrinsicResolver(raw);
  const resources = new Map<string, Resource>();
  for (const [logicalId, resource] of Object.entries(raw.Resources)) {
    if (!resolver.condition(resource.Condition)) continue;
    const properties = resolver.resolve(resource.Properties ?? {}, `${logicalId}.Properties`);
    const identity = resolver.identity(logicalId);
    resources.set(logicalId, {
      logicalId,
      type: resource.Type,
      properties: properties as Record<string, unknown>,
      metadata: resource.Metadata ?? {},
      physicalId: physicalIdOf(identity),
      arn: arnOf(identity),
    });
  }
  const outputs: Record<string, string> = {};
  for (const [name, output] of Object.entries(raw.Outputs ?? {})) {
    if (!resolver.condition(output.Condition)) continue;
    outputs[name] = String(resolver.resolve(output.Value, `Outputs.${name}`));
  }
  return { resources, outputs, assetsDirectory };
}

/** Returns the folder with a Lambda function's code, which the CDK wrote below cdk.out. */
export function assetDirectoryOf(template: Template, resource: Resource): string {
  const path = resource.metadata["aws:asset:path"];
  const code = resource.properties.Code as { S3Key?: unknown } | undefined;
  const hash = typeof code?.S3Key === "string" ? code.S3Key.replace(/^.*\//, "").replace(/\.zip$/, "") : "";
  const candidates = [path, `asset.${hash}`, hash].filter((name) => typeof name === "string" && name !== "");
  for (const candidate of candidates) {
    const directory = join(template.assetsDirectory, String(candidate));
    if (existsSync(directory)) return directory;
  }
  throw new Error(
    `${resource.logicalId}: no code below ${template.assetsDirectory}; looked for ${candidates.join(", ") || "nothing, because neither Metadata nor Code.S3Key names an asset"}`,
  );
}

function findTemplateFile(assetsDirectory: string): string {
  const files = existsSync(assetsDirectory)
    ? readdirSync(assetsDirectory).filter((name) => /^[^.]+\.template\.json$/.test(name))
    : [];
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new Error(
      `Expected exactly one <stack>.template.json in ${assetsDirectory}, found ${files.length === 0 ? "none" : files.join(", ")}`,
    );
  }
  return join(assetsDirectory, file);
}
