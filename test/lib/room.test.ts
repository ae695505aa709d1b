// @module-tag slow

import { describe, expect, test } from "vitest";
import { servedOperationIds } from "../../lib/bundle/function-source.ts";
import { stackNameLengthMax } from "../../lib/settings/validate-settings.ts";
import { apiDefinitionOf, givenStack, resourcesOf } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

/** As long as any name of a Region; AWS general reference, "AWS service endpoints". */
const longestRegion = "ap-southeast-7";
const longestStackName = "S".repeat(stackNameLengthMax);

/** Names that AWS makes up are longer than the ids that they are made of; a function's and a role's have 64 characters. */
const longestArn = `arn:aws:lambda:${longestRegion}:123456789012:function:${"n".repeat(64)}`;
const longestSecretArn = `arn:aws:secretsmanager:${longestRegion}:123456789012:secret:${"n".repeat(80)}`;

const templates = settingsOfEachKind.map(([what, settings]) => ({
  what,
  // In another Region there are no domains and firewalls of the stack's own.
  template: givenStack({
    ...settings,
    ...(what === "no setting" ? { region: longestRegion } : {}),
    stackName: longestStackName,
  }),
}));

describe.each(templates)("a stack with $what", ({ what, template }) => {
  const { Resources, Outputs = {}, Parameters = {}, Mappings = {} } = template.toJSON();

  test("has room for as many resources again", () => {
    // AWS CloudFormation user guide, "Understand CloudFormation quotas": 500.
    expect(Object.keys(Resources).length).toBeLessThan(350);
    if (what === "no setting") expect(Object.keys(Resources).length).toBeLessThanOrEqual(225);
  });

  test("is of a size that CloudFormation takes", () => {
    // The same page: 1 MB, 200 of each, and values that no output has.
    expect(Buffer.byteLength(JSON.stringify(template.toJSON()))).toBeLessThan(500_000);
    for (const named of [Outputs, Parameters, Mappings]) expect(Object.keys(named).length).toBeLessThan(100);
  });

  test("has policies of a size that IAM takes", () => {
    // IAM user guide, "IAM and AWS STS quotas": 10,240 characters in a role's own policies, without white space.
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::IAM::Role"))) {
      const policies = (Properties.Policies ?? []).map(({ PolicyDocument }: { PolicyDocument: unknown }) =>
        JSON.stringify(PolicyDocument, (_, value) => textOf(value)),
      );
      // Well before the limit.
      expect(policies.join("").length).toBeLessThan(9_000);
    }
  });

  test("has names and environments of a size that Lambda takes", () => {
    // AWS Lambda API reference, "CreateFunction": 64 characters; developer guide, "Lambda quotas": 4 KB.
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::Lambda::Function"))) {
      const [, [, name = ""] = []] = Properties.FunctionName?.["Fn::Join"] ?? [];
      expect(longestStackName.length + name.length).toBeLessThanOrEqual(64);
      const variables = JSON.stringify(Properties.Environment?.Variables ?? {}, (_, value) => textOf(value));
      expect(variables.length).toBeLessThan(4_000);
    }
  });

  test("asks about no more logs at once than a query may name", () => {
    // Amazon CloudWatch Logs user guide, "CloudWatch Logs quotas": 50.
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::CloudWatch::Dashboard"))) {
      const body = JSON.stringify(Properties.DashboardBody);
      for (const query of body.match(/(?:SOURCE[^|]*\|\s*)+/g) ?? []) {
        expect(query.match(/SOURCE/g)?.length).toBeLessThanOrEqual(50);
      }
    }
    expect(Object.keys(resourcesOf(template, "AWS::Logs::LogGroup")).length).toBeLessThanOrEqual(5);
  });
});

describe("an endpoint", () => {
  const [{ template } = { template: givenStack() }] = templates;
  const idsOf = (type: string) => Object.keys(resourcesOf(template, type));

  test("is two resources at most: its function, and a role where nobody else has its grants", () => {
    const all = Object.keys(template.toJSON().Resources).filter((id) => /^(Operations|Api)/.test(id));
    const functions = idsOf("AWS::Lambda::Function").filter((id) => id.startsWith("Operations"));
    const roles = idsOf("AWS::IAM::Role").filter((id) => id.startsWith("OperationsRoles"));
    // The same whatever the number of endpoints: the log, the API with its deployment, stage, plan and key, the role to invoke by.
    const others = all.filter((id) => !functions.includes(id) && !roles.includes(id));

    // All documents have one function together.
    expect(functions).toHaveLength(servedOperationIds.length + 1);
    expect(roles.length).toBeLessThan(functions.length);
    expect(others.map((id) => template.toJSON().Resources[id].Type).toSorted()).toEqual([
      "AWS::ApiGateway::ApiKey",
      "AWS::ApiGateway::Deployment",
      "AWS::ApiGateway::RestApi",
      "AWS::ApiGateway::Stage",
      "AWS::ApiGateway::UsagePlan",
      "AWS::ApiGateway::UsagePlanKey",
      "AWS::IAM::Role",
      "AWS::Logs::LogGroup",
    ]);
  });

  test("has room in the definition and its paths", () => {
    const definition = apiDefinitionOf(template);

    // "Quotas for configuring and running a REST API in API Gateway": 300 resources, 6 MB.
    expect(Object.keys(definition.paths).length).toBeLessThan(150);
    expect(Buffer.byteLength(JSON.stringify(definition))).toBeLessThan(1_000_000);
  });
});

/** AWS CloudFormation user guide, "Get AWS values using pseudo parameters", at their longest. */
const pseudoParameters: Readonly<Record<string, string>> = {
  "AWS::AccountId": "123456789012",
  "AWS::Partition": "aws-us-gov",
  "AWS::Region": longestRegion,
  "AWS::StackName": longestStackName,
};

/** What a reference becomes, at its longest. */
function textOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("Fn::GetAtt" in value) return longestArn;
  if ("Ref" in value) return pseudoParameters[String(value.Ref)] ?? longestSecretArn;
  if ("Fn::Join" in value) {
    const [separator, parts] = value["Fn::Join"] as [string, unknown[]];
    return parts.map((part) => String(textOf(part))).join(separator);
  }
  return value;
}
