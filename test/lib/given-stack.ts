import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { Code } from "aws-cdk-lib/aws-lambda";
import { App } from "aws-cdk-lib/core";
import { HostingStack } from "../../lib/hosting-stack.ts";
import type { Settings } from "../../lib/settings.ts";

/** A resource of a template, as far as tests look into it. */
export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's, and each test knows its own.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

const ingestDirectory = join(import.meta.dirname, "ingest-code");

/**
 * The template of the stack with these settings, whose functions have no code. Throws when its references form a cycle.
 */
export function givenStack(settings: Settings = {}): Template {
  const key = JSON.stringify(settings);
  const template = templates.get(key) ?? Template.fromStack(givenHostingStack(settings));
  templates.set(key, template);
  return template;
}

/** Most tests ask for one of a few, which take longer to make than to look at. */
const templates = new Map<string, Template>();

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
