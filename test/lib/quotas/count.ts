import { stackNameLengthMax } from "../../../lib/settings/operating-settings.ts";
import type { StackResource, StackTemplate, Uses } from "./quota.ts";

/** Counts the resources of a type. */
export function numberOf(type: string): (template: StackTemplate) => Uses {
  return (template) => inStack(resourcesOf(template, type).length);
}

/** Measures each resource of a type by its properties. */
export function each(
  type: string,
  // biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's, and each row knows its own.
  measure: (properties: any, template: StackTemplate) => number,
): (template: StackTemplate) => Uses {
  return (template) =>
    Object.fromEntries(
      resourcesOf(template, type).map(([id, resource]) => [id, measure(resource.Properties ?? {}, template)]),
    );
}

export function resourcesOf(
  { Resources }: StackTemplate,
  type: string,
): (readonly [string, StackResource])[] {
  return Object.entries(Resources).filter(([, resource]) => resource.Type === type);
}

/** The use of a whole stack. */
export function inStack(used: number): Uses {
  return { "the stack": used };
}

/** Length of a list that may be missing. */
export function lengthOf(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0;
}

/** Length of the longest text. */
export function longestOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

/** Lengths of what a reference to a resource becomes: a name that CloudFormation makes up, an id, or the URL of a queue. */
const referenceLengths: Readonly<Record<string, number>> = {
  "AWS::CloudFront::Distribution": 14,
  "AWS::DynamoDB::Table": 80,
  "AWS::Lambda::Function": 64,
  "AWS::S3::Bucket": 63,
  "AWS::SQS::Queue": 134,
};

/** Length of an ARN, of a secret for example, whose end CloudFormation makes up. */
const arnLength = 138;

/** The longest values of CloudFormation's pseudo parameters. */
const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::AccountId": "123456789012",
  "AWS::Partition": "aws",
  // As long as any; AWS General Reference, "AWS service endpoints".
  "AWS::Region": "ap-southeast-7",
  "AWS::StackName": "S".repeat(stackNameLengthMax),
  "AWS::URLSuffix": "amazonaws.com",
};

/** A secret is resolved while CloudFormation works; the stack's have 64 characters. */
const dynamicReference = /\{\{resolve:secretsmanager:[^}]*\}\}/g;
const secretValue = "s".repeat(64);

/**
 * A value with references replaced by the longest texts that they may become.
 *
 * @param template tells the types of resources that are referred to. @default - they may be any
 */
export function resolved(value: unknown, template?: StackTemplate): unknown {
  if (typeof value === "string") return value.replace(dynamicReference, secretValue);
  if (typeof value !== "object" || value === null) return value;
  if ("Fn::GetAtt" in value) return "n".repeat(arnLength);
  if ("Ref" in value) {
    const type = template?.Resources[String(value.Ref)]?.Type ?? "";
    return pseudoParameters[String(value.Ref)] ?? "n".repeat(referenceLengths[type] ?? arnLength);
  }
  if ("Fn::Join" in value) {
    const [separator, parts] = value["Fn::Join"] as [string, unknown[]];
    return resolved(parts.map((part) => String(resolved(part, template))).join(separator));
  }
  if ("Fn::Sub" in value) {
    return String(value["Fn::Sub"]).replace(/\$\{([^}]+)\}/g, (_, name) => String(resolved({ Ref: name })));
  }
  if (Array.isArray(value)) return value.map((one) => resolved(one, template));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolved(one, template)]));
}

/** Length of a value's JSON without white space, as IAM counts a policy. */
export function jsonLength(value: unknown, template?: StackTemplate): number {
  return value === undefined ? 0 : JSON.stringify(resolved(value, template)).length;
}

/** Length of a text with the longest values of its references. */
export function textLength(value: unknown): number {
  return String(resolved(value ?? "")).length;
}

/** Seconds or other numbers that a template may leave to the service's default. */
export function numberOr(value: unknown, otherwise: number): number {
  return value === undefined ? otherwise : Number(value);
}
