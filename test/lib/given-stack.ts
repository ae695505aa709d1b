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

/** A resource of a template, with the fields that tests read. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape depends on the type.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: string | readonly string[];
}

const ingestDirectory = join(import.meta.dirname, "ingest-code");

/**
 * Returns the stack's template for these settings, with functions without code. The template is cached for the same sources, also across
 * processes. Throws if its references form a cycle.
 */
export function givenStack(settings: Settings = {}): Template {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? keptTemplate(key) ?? newTemplate(key, settings);
  templates.set(key, template);
  return template;
}

/** Templates of this process. Most tests use one of a few, and synthesis is slow. */
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
  // A source that was saved after this process started may not be in its template.
  if (sourcePaths().some((path) => isChangedSince(path, performance.timeOrigin))) return template;
  // A rename is atomic, so that other processes never read half a file.
  const unfinished = `${placeOf(key)}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(template.toJSON()));
  renameSync(unfinished, placeOf(key));
  return template;
}

const placeOf = (key: string) => join(keptTemplates(), `${hashOf(key)}.json`);

let place: string | undefined;

/** Returns the cache folder for templates of the current sources. */
function keptTemplates(): string {
  if (place !== undefined) return place;
  const own = [
    import.meta.filename,
    ...readdirSync(ingestDirectory).map((name) => join(ingestDirectory, name)),
  ];
  const states = [...stateOfSources(), ...own.map((path) => hashOf(readFileSync(path)))];
  place = join(defaultCacheDirectory, `templates-${hashOf(JSON.stringify(states))}`);
  mkdirSync(place, { recursive: true });
  // `removeUnused` deletes folders that were not used for a day.
  utimesSync(place, new Date(), new Date());
  return place;
}

/** Returns the stack for these settings, before synthesis. */
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

/** Returns the warnings of `cdk synth` for a stack. */
export function warningsOf(stack: Stack): string[] {
  return stack.node.metadata.filter(({ type }) => type === "aws:cdk:warning").map(({ data }) => String(data));
}

/** Returns the buckets of pages and files. A third bucket contains the ingest server's code. */
export function dataBucketsOf(template: Template): [logicalId: string, TemplateResource][] {
  return Object.entries(resourcesOf(template, "AWS::S3::Bucket")).filter(([logicalId]) =>
    logicalId.startsWith("Storage"),
  );
}

/** Returns the resources of one type by logical id. */
export function resourcesOf(template: Template, type: string): Record<string, TemplateResource> {
  return template.findResources(type) as Record<string, TemplateResource>;
}

/** Returns a function's environment variables. The browser's function has none. */
export function variablesOf({ Properties }: TemplateResource): Record<string, unknown> {
  return Properties.Environment?.Variables ?? {};
}

/** Returns the OpenAPI document of the API. */
// biome-ignore lint/suspicious/noExplicitAny: OpenAPI's shape, with functions and roles as CloudFormation refers to them.
export function apiDefinitionOf(template: Template): any {
  return onlyResource(template, "AWS::ApiGateway::RestApi").Properties.Body;
}

/** Returns the only resource of a type. */
export function onlyResource(template: Template, type: string): TemplateResource {
  const found = Object.values(resourcesOf(template, type));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`There are ${found.length} resources of ${type}, not one`);
  return found[0];
}
