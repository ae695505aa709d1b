import { describe, expect, test } from "vitest";
import { receiveSlackEventRoute } from "../../../functions/slack/rows.ts";
import { givenStack, resourcesOf } from "../given-stack.ts";

const without = givenStack();
const withSlack = givenStack({ slack: true });

const typesOf = (template: typeof without) =>
  Object.values(template.toJSON().Resources as Record<string, { readonly Type: string }>).map(
    ({ Type }) => Type,
  );
const slackFunction = () =>
  Object.values(resourcesOf(withSlack, "AWS::Lambda::Function")).find(
    ({ Properties }) => Properties.Handler === "index.receiveSlackEvent",
  );

describe("the setting slack", () => {
  test("adds a function, its role, and nothing else", () => {
    const before = typesOf(without);
    const added = [...Map.groupBy(typesOf(withSlack), (type) => type)]
      .map(([type, all]) => [type, all.length - before.filter((one) => one === type).length] as const)
      .filter(([, more]) => more !== 0);

    expect(Object.fromEntries(added)).toEqual({ "AWS::IAM::Role": 1, "AWS::Lambda::Function": 1 });
  });

  test("leaves no trace in the template if it is off", () => {
    expect(JSON.stringify(without.toJSON())).not.toMatch(/slack/i);
  });

  test("adds one path to the API, whose function can read its secret and write only its log", () => {
    const text = JSON.stringify(withSlack.toJSON());
    expect(text).toContain(receiveSlackEventRoute.path);

    const { Role, Environment } = slackFunction()?.Properties ?? {};
    expect(Environment.Variables).toMatchObject({ SLACK_PARAMETER: "/dropleaf/Dropleaf/slack" });
    expect(text).not.toMatch(/xoxb-|signing_secret"\s*:/);
    const role = resourcesOf(withSlack, "AWS::IAM::Role")[Role["Fn::GetAtt"][0]];
    const statements: { readonly Action: string | string[] }[] = role?.Properties.Policies.flatMap(
      (policy: { PolicyDocument: { Statement: unknown } }) => policy.PolicyDocument.Statement,
    );
    expect(statements.flatMap(({ Action }) => Action).toSorted()).toEqual([
      "dynamodb:BatchGetItem",
      "dynamodb:GetItem",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "ssm:GetParameter",
    ]);
  });
});
