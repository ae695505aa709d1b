import { afterEach, describe, expect, it } from "vitest";
import { resolveDynamicReferences } from "../src/dynamic-references.ts";
import { assetDirectoryOf, loadTemplate, resolveTemplate, resourcesOfType } from "../src/template.ts";
import type { RawTemplate } from "../src/template-intrinsics.ts";
import { lambdaResources, writeStack } from "./fixture-stack.ts";

const resolve = (raw: Partial<RawTemplate> & Pick<RawTemplate, "Resources">) =>
  resolveTemplate(raw, "/nowhere");

/** Returns the resolved properties of a resource `Subject`. */
function resolved(properties: Record<string, unknown>, rest: Partial<RawTemplate> = {}) {
  const Resources = { Subject: { Type: "AWS::Test::Thing", Properties: properties }, ...rest.Resources };
  return resolve({ ...rest, Resources }).resources.get("Subject")?.properties;
}

describe("dynamic references (CloudFormation user guide, Get values stored in other services)", () => {
  /** Writes a template with this number of references. */
  const withReferences = (count: number) =>
    writeStack({
      Subject: {
        Type: "AWS::Test::Thing",
        Properties: {
          list: Array.from({ length: count }, () => ({
            "Fn::Join": ["", ["{{resolve:secretsmanager:", "x", ":SecretString:::}}"]],
          })),
        },
      },
    });

  it.each([
    [60, undefined],
    [61, "The template has 61 dynamic references ({{resolve:…}}); CloudFormation takes at most 60"],
  ])("are at most 60 in a template: %d", (count, problem) => {
    const stack = withReferences(count);

    const load = () => loadTemplate(stack.directory);
    if (problem === undefined) expect(load).not.toThrow();
    else expect(load).toThrow(problem);

    stack.remove();
  });
});

describe("intrinsic functions (CloudFormation user guide, Intrinsic function reference)", () => {
  it("resolve references to names and ARNs of resources", () => {
    const properties = resolved(
      {
        table: { Ref: "Table" },
        tableArn: { "Fn::GetAtt": ["Table", "Arn"] },
        bucket: { Ref: "PagesBucket" },
        host: { "Fn::GetAtt": "PagesBucket.RegionalDomainName" },
        secret: { Ref: "Secret" },
      },
      {
        Resources: {
          Table: { Type: "AWS::DynamoDB::Table" },
          PagesBucket: { Type: "AWS::S3::Bucket" },
          Secret: { Type: "AWS::SecretsManager::Secret" },
        },
      },
    );

    expect(properties).toEqual({
      table: "Table",
      tableArn: "arn:aws:dynamodb:us-east-1:000000000000:table/Table",
      bucket: "pagesbucket",
      host: "pagesbucket.s3.us-east-1.amazonaws.com",
      secret: "arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret",
    });
  });

  it("resolve references to a resource with a name in the template by this name", () => {
    const { resources } = resolve({
      Resources: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub.
        Role: { Type: "AWS::IAM::Role", Properties: { RoleName: { "Fn::Sub": "${AWS::StackName}-role" } } },
        User: { Type: "AWS::Test::Thing", Properties: { arn: { "Fn::GetAtt": ["Role", "Arn"] } } },
      },
    });

    expect(resources.get("User")?.properties.arn).toBe("arn:aws:iam::000000000000:role/local-role");
  });

  it("join, split, select, substitute and look up", () => {
    const properties = resolved(
      {
        joined: { "Fn::Join": ["-", ["a", { Ref: "AWS::Region" }]] },
        selected: { "Fn::Select": ["1", { "Fn::Split": [":", "a:b:c"] }] },
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub.
        substituted: { "Fn::Sub": ["${x} ${AWS::AccountId} ${!literal}", { x: { Ref: "Size" } }] },
        mapped: { "Fn::FindInMap": ["Map", { Ref: "AWS::Region" }, "value"] },
      },
      { Parameters: { Size: { Default: "big" } }, Mappings: { Map: { "us-east-1": { value: 7 } } } },
    );

    expect(properties).toEqual({
      joined: "a-us-east-1",
      selected: "b",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of Fn::Sub.
      substituted: "big 000000000000 ${literal}",
      mapped: 7,
    });
  });

  it("omit resources and values that a condition excludes, and AWS::NoValue", () => {
    const template = resolve({
      Conditions: { Never: { "Fn::Equals": [{ Ref: "AWS::Region" }, "eu-west-1"] } },
      Resources: {
        Absent: { Type: "AWS::Test::Thing", Condition: "Never" },
        Present: {
          Type: "AWS::Test::Thing",
          Properties: {
            choice: { "Fn::If": ["Never", "yes", "no"] },
            gone: { Ref: "AWS::NoValue" },
            list: [1, { "Fn::If": ["Never", 2, { Ref: "AWS::NoValue" }] }],
          },
        },
      },
    });

    expect([...template.resources.keys()]).toEqual(["Present"]);
    expect(template.resources.get("Present")?.properties).toEqual({ choice: "no", list: [1] });
  });

  it("keep the Condition of a policy statement unchanged", () => {
    const statement = { Effect: "Allow", Condition: { StringEquals: { "aws:SourceArn": "x" } } };

    expect(resolved({ statement })).toEqual({ statement });
    expect(resolved({ Condition: statement.Condition })).toEqual({ Condition: statement.Condition });
  });

  it.each([
    [{ a: [{ Ref: "Missing" }] }, 'Subject.Properties.a[0]: Ref "Missing" is not a resource'],
    [{ a: { "Fn::GetAtt": ["Subject", "Colour"] } }, 'Subject.Properties.a: Fn::GetAtt "Subject.Colour"'],
    [
      { a: { "Fn::ImportValue": "x" } },
      "Subject.Properties.a: the local cloud does not emulate the intrinsic function Fn::ImportValue",
    ],
  ])("report the position of an unresolvable value: %j", (properties, message) => {
    expect(() => resolved(properties)).toThrow(message);
  });
});

describe("a cdk.out folder", () => {
  let remove = () => {};
  afterEach(() => remove());

  it("contains the stack and the folder of a function's bundle", () => {
    const stack = writeStack(lambdaResources("Hello"), { Hello: "export const handler = () => {};" });
    remove = stack.remove;

    const template = loadTemplate(stack.directory);
    const [lambda] = resourcesOfType(template, "AWS::Lambda::Function");

    expect(lambda?.physicalId).toBe("Hello");
    expect(lambda && assetDirectoryOf(template, lambda)).toBe(`${stack.directory}/Hello`);
  });

  it("without a template is refused with its path", () => {
    expect(() => loadTemplate("/nowhere")).toThrow(
      "Expected exactly one <stack>.template.json in /nowhere, found none",
    );
  });
});

describe("dynamic references (CloudFormation user guide, Get a secret or secret value from Secrets Manager)", () => {
  const arn = "arn:aws:secretsmanager:us-east-1:000000000000:secret:Idp";
  const readSecret = (id: string) => (id === arn ? '{"key":"hidden"}' : `value of ${id}`);

  it("are replaced at any position in a value", () => {
    const value = {
      whole: `{{resolve:secretsmanager:${arn}:SecretString:::}}`,
      list: [`a {{resolve:secretsmanager:${arn}:SecretString:key::}} b`, 3],
      named: "{{resolve:secretsmanager:origin}}",
    };

    expect(resolveDynamicReferences(value, readSecret)).toEqual({
      whole: '{"key":"hidden"}',
      list: ["a hidden b", 3],
      named: "value of origin",
    });
  });

  it("to other services are refused", () => {
    expect(() => resolveDynamicReferences("{{resolve:ssm:name}}", readSecret)).toThrow("only secretsmanager");
  });
});
