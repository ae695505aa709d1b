import { stackNameLengthMax } from "../../../lib/settings/operating-settings.ts";
import type { StackResource, StackTemplate, Uses } from "./quota.ts";

/** Counts the resources of a type. */
export function numberOf(type: string): (template: StackTemplate) => Uses {
  return (template) => inStack(resourcesOf(template, type).length);
}

/** Measures each resource of a type by its properties. */
export function each(
  type: string,
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape depends on the type.
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

/** Returns a use by the whole stack. */
export function inStack(used: number): Uses {
  return { "the stack": used };
}

/** Returns the length of a list that may be missing. */
export function lengthOf(list: readonly unknown[] | undefined): number {
  return list?.length ?? 0;
}

/** Returns the length of the longest text. */
export function longestOf(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

/** Lengths of the values of references: a generated name, an id, or the URL of a queue. */
const referenceLengths: Readonly<Record<string, number>> = {
  "AWS::CloudFront::Distribution": 14,
  "AWS::DynamoDB::Table": 80,
  "AWS::Lambda::Function": 64,
  "AWS::S3::Bucket": 63,
  "AWS::SQS::Queue": 134,
};

/** Length of an ARN with a generated end, such as a secret's. */
const arnLength = 138;

/** The longest values of CloudFormation's pseudo parameters. */
const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::AccountId": "123456789012",
  "AWS::Partition": "aws",
  // The longest name of a Region: AWS General Reference, "AWS service endpoints".
  "AWS::Region": "ap-southeast-7",
  "AWS::StackName": "S".repeat(stackNameLengthMax),
  "AWS::URLSuffix": "amazonaws.com",
};

/** A reference to a secret, which CloudFormation resolves to the stack's 64 characters. */
const dynamicReference = /\{\{resolve:secretsmanager:[^}]*\}\}/g;
const secretValue = "s".repeat(64);

/**
 * Replaces references in a value with the longest texts that they can resolve to.
 *
 * @param template defines the types of the referenced resources. @default - any type
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

/** Returns the length of a value's JSON without white space, as IAM counts a policy. */
export function jsonLength(value: unknown, template?: StackTemplate): number {
  return value === undefined ? 0 : JSON.stringify(resolved(value, template)).length;
}

/** Returns the length of a text with the longest values of its references. */
export function textLength(value: unknown): number {
  return String(resolved(value ?? "")).length;
}

/** Returns a number of the template, or the service's default if it is missing. */
export function numberOr(value: unknown, otherwise: number): number {
  return value === undefined ? otherwise : Number(value);
}
