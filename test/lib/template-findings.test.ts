// @module-tag slow

import { describe, expect, test } from "vitest";
import { givenStack, type TemplateResource } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";
import { type TemplateFinding, templateFindings } from "./template-findings.ts";

type Resources = Record<string, TemplateResource>;

const [, everything = {}] =
  settingsOfEachKind.find(([kind]) => kind === "the maximum number of resources") ?? [];

const all: Resources = givenStack(everything).toJSON().Resources;

/** Returns a template with a copy of the first resource of a type, without the resources that it refers to. */
function templateWith(type: string): { readonly Resources: Resources } {
  const found = Object.values(all).find(({ Type }) => Type === type);
  if (found === undefined) throw new Error(`No kind of settings has ${type}.`);
  return { Resources: { Spoiled: structuredClone(found) } };
}

// biome-ignore lint/suspicious/noExplicitAny: each fault knows the properties of its type.
type Spoil = (properties: any) => void;

const faults: readonly (readonly [what: string, type: string, spoil: Spoil, message: RegExp])[] = [
  [
    "an unknown property inside another",
    "AWS::CloudFront::Distribution",
    ({ DistributionConfig }) => {
      DistributionConfig.CacheTagConfig.HeaderNames = "x-tags";
    },
    /Additional properties are not allowed \('HeaderNames' was unexpected/,
  ],
  [
    "a missing property",
    "AWS::Lambda::Function",
    (properties) => {
      delete properties.Role;
    },
    /'Role' is a required property/,
  ],
  [
    "a missing property inside another",
    "AWS::Scheduler::Schedule",
    ({ Target }) => {
      delete Target.RoleArn;
    },
    /'RoleArn' is a required property/,
  ],
  [
    "a value outside an enum",
    "AWS::CloudWatch::Alarm",
    (properties) => {
      properties.ComparisonOperator = "GreaterThan";
    },
    /'GreaterThan' is not one of/,
  ],
  [
    "a value outside an enum, inside another property",
    "AWS::CloudFront::Distribution",
    ({ DistributionConfig }) => {
      DistributionConfig.PriceClass = "Most";
    },
    /PriceClass: 'Most' is not one of/,
  ],
  [
    "a text in place of a number",
    "AWS::Lambda::Function",
    (properties) => {
      properties.Timeout = "soon";
    },
    /'soon' is not of type 'integer'/,
  ],
  [
    "a number above the maximum",
    "AWS::SQS::Queue",
    (properties) => {
      properties.DelaySeconds = 901;
    },
    /901 is greater than the maximum of 900/,
  ],
  [
    "a reference to a missing resource",
    "AWS::Lambda::Function",
    (properties) => {
      properties.Role = { "Fn::GetAtt": ["Nobody", "Arn"] };
    },
    /non-existent resource 'Nobody'/,
  ],
];

describe("the template validator", () => {
  test.each(faults)("finds %s", (_, type, spoil, message) => {
    const template = templateWith(type);
    const before = templateFindings(template);

    spoil(template.Resources.Spoiled?.Properties);

    expect(before.filter((one) => message.test(one.message))).toEqual([]);
    expect(templateFindings(template).filter((one) => message.test(one.message))).toHaveLength(1);
  });

  test("finds a type that CloudFormation does not define", () => {
    const template = { Resources: { Nothing: { Type: "AWS::SQS::Nothing", Properties: {} } } };

    expect(templateFindings(template).map(({ message }) => message)).toEqual([
      "Unknown resource type 'AWS::SQS::Nothing'",
    ]);
  });

  test("knows the properties of every resource type in a stack", () => {
    const spoiled = Object.entries(all).map(([id, resource]) => [
      id,
      { ...resource, Properties: { ...resource.Properties, NoSuchProperty: true } },
    ]);

    const found = templateFindings({ Resources: Object.fromEntries(spoiled) }).filter(({ message }) =>
      message.includes("NoSuchProperty"),
    );

    // Only its function knows a custom resource's properties.
    expect(typesOf(found)).toEqual(
      [...new Set(Object.values(all).map(({ Type }) => Type))]
        .filter((type) => !type.startsWith("Custom::"))
        .sort(),
    );
  });

  test("knows which Regions have a resource type", () => {
    const template = {
      Resources: { Web: { Type: "AWS::Lambda::WebFunction", Properties: { FunctionName: "ingest" } } },
    };

    expect(templateFindings(template, "eu-central-1")).toEqual([]);
    expect(templateFindings(template, "ap-southeast-7").map(({ message }) => message)).toEqual([
      "Type: Resource type 'AWS::Lambda::WebFunction' does not exist in 'ap-southeast-7'",
    ]);
  });
});

function typesOf(findings: readonly TemplateFinding[]): string[] {
  return [...new Set(findings.map(({ logicalId = "" }) => all[logicalId]?.Type ?? ""))].sort();
}
