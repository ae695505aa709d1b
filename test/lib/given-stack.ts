import { mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App, type Stack } from "aws-cdk-lib/core";
import {
  defaultCacheDirectory,
  hashOf,
  isChangedSince,
  sourcePaths,
  stateOfSources,
} from "../../lib/bundle/cache-directory.ts";
import { HostingStack } from "../../lib/hosting-stack.ts";
import type { Settings } from "../../lib/settings.ts";

/** A resource of a template, as far as tests look into it. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's, and each test knows its own.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: string | readonly string[];
}

const ingestDirectory = join(import.meta.dirname, "ingest-code");

/**
 * The template of the stack with these settings, whose functions have no code: of the same sources it was made an earlier time, or by
 * another process. Throws when its references form a cycle.
 */
export function givenStack(settings: Settings = {}): Template {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? keptTemplate(key) ?? newTemplate(key, settings);
  templates.set(key, template);
  return template;
}

/** Most tests ask for one of a few, which take longer to make than to look at. */
const templates = new Map<string, Template>();

function keptTemplate(key: string): Template | undefined {
  try {
    return Template.fromString(readFileSync(placeOf(key), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function newTemplate(key: string, settings: Settings): Template {
  const template = Template.fromStack(givenHostingStack(settings));
  // The modules of this process may be older than what was saved meanwhile.
  if (sourcePaths().some((path) => isChangedSince(path, performance.timeOrigin))) return template;
  // Whole from the beginning: other processes read it.
  const unfinished = `${placeOf(key)}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(template.toJSON()));
  renameSync(unfinished, placeOf(key));
  return template;
}

const placeOf = (key: string) => join(keptTemplates(), `${hashOf(key)}.json`);

let place: string | undefined;

/** A folder for templates of the sources as they are. */
function keptTemplates(): string {
  if (place !== undefined) return place;
  const own = [
    import.meta.filename,
    ...readdirSync(ingestDirectory).map((name) => join(ingestDirectory, name)),
  ];
  const states = [...stateOfSources(), ...own.map((path) => hashOf(readFileSync(path)))];
  place = join(defaultCacheDirectory, `templates-${hashOf(JSON.stringify(states))}`);
  mkdirSync(place, { recursive: true });
  // It goes when nobody has used it for a day: `removeUnused`.
  utimesSync(place, new Date(), new Date());
  return place;
}

/** The same before it is a template. */
export function givenHostingStack(settings: Settings = {}): HostingStack {
  const app = new App({
    treeMetadata: false,
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
  });
  return new HostingStack(app, {
    settings,
    codeOf: () => Code.fromInline("0;"),
    ingestDirectory,
  });
}

/** Warnings of `cdk synth` for a stack. */
export function warningsOf(stack: Stack): string[] {
  return stack.node.metadata.filter(({ type }) => type === "aws:cdk:warning").map(({ data }) => String(data));
}

/** The buckets of pages and of files. A third one holds the code of the server for large bodies. */
export function dataBucketsOf(template: Template): [logicalId: string, TemplateResource][] {
  return Object.entries(resourcesOf(template, "AWS::S3::Bucket")).filter(([logicalId]) =>
    logicalId.startsWith("Storage"),
  );
}

/** The resources of one type, by logical id. */
export function resourcesOf(template: Template, type: string): Record<string, TemplateResource> {
  return template.findResources(type) as Record<string, TemplateResource>;
}

/** The environment variables of a function of the template: the one with the browser has none. */
export function variablesOf({ Properties }: TemplateResource): Record<string, unknown> {
  return Properties.Environment?.Variables ?? {};
}

/** The document that API Gateway makes the API of. */
// biome-ignore lint/suspicious/noExplicitAny: OpenAPI's shape, with functions and roles as CloudFormation refers to them.
export function apiDefinitionOf(template: Template): any {
  return onlyResource(template, "AWS::ApiGateway::RestApi").Properties.Body;
}

/** The only resource of a type. */
export function onlyResource(template: Template, type: string): TemplateResource {
  const found = Object.values(resourcesOf(template, type));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`There are ${found.length} resources of ${type}, not one`);
  return found[0];
}
