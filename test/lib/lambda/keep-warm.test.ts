import { expect, test } from "vitest";
import { isKeepWarmEvent } from "../../../functions/core/environment.ts";
import { handlerSource } from "../../../lib/bundle/function-source.ts";
import { keptWarmOperations } from "../../../lib/lambda/keep-warm.ts";
import { givenStack, onlyResource, resourcesOf, type TemplateResource } from "../given-stack.ts";

const without = givenStack();
const template = givenStack({ keepWarm: true });
const oftenest = givenStack({ keepWarm: 1 });
const seldom = givenStack({ keepWarm: 12 });
const refused = givenStack({ keepWarm: false });
const schedules = schedulesOf(template);
const functions = resourcesOf(template, "AWS::Lambda::Function");

/** Returns the schedules that keep functions warm. */
function schedulesOf(stack: typeof template): TemplateResource[] {
  const all = Object.entries(resourcesOf(stack, "AWS::Scheduler::Schedule"));
  return all.filter(([logicalId]) => logicalId.startsWith("KeepWarm")).map(([, one]) => one);
}

/** Returns the function that a schedule calls. */
function targetOf({ Properties }: TemplateResource): [logicalId: string, handler: string] {
  const logicalId = Properties.Target.Arn["Fn::GetAtt"][0];
  return [logicalId, functions[logicalId]?.Properties.Handler];
}

test("each function that people wait for is called every five minutes, once, with an event that it recognizes", () => {
  expect(schedules.map((one) => targetOf(one)[1]).toSorted()).toEqual(
    keptWarmOperations.map((id) => `index.${handlerSource(id).exportName}`).toSorted(),
  );
  for (const { Properties } of schedules) {
    expect(Properties).toMatchObject({
      ScheduleExpression: "rate(5 minutes)",
      FlexibleTimeWindow: { Mode: "OFF" },
      Target: { RetryPolicy: { MaximumRetryAttempts: 0 } },
    });
    expect(Properties).not.toHaveProperty("State");
    expect(isKeepWarmEvent(JSON.parse(Properties.Target.Input))).toBe(true);
  }
});

test.each([
  ["rate(1 minute)", oftenest],
  ["rate(12 minutes)", seldom],
])("minutes are written in the syntax of EventBridge Scheduler: %s", (expression, stack) => {
  expect(schedulesOf(stack).map(({ Properties }) => Properties.ScheduleExpression)).toEqual(
    keptWarmOperations.map(() => expression),
  );
});

test("the role of the schedules can invoke their functions, for this account only", () => {
  const all = Object.values(resourcesOf(template, "AWS::Scheduler::Schedule"));
  const roleIds = new Set(all.map(({ Properties }) => Properties.Target.RoleArn["Fn::GetAtt"][0]));
  const [roleId = "", ...more] = roleIds;
  const role = resourcesOf(template, "AWS::IAM::Role")[roleId];

  expect(more).toEqual([]);
  expect(role?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Effect: "Allow",
      Action: "sts:AssumeRole",
      Principal: { Service: "scheduler.amazonaws.com" },
      Condition: { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } },
    },
  ]);
  const statements = role?.Properties.Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) => PolicyDocument.Statement,
  );
  expect(
    new Set(statements.map(({ Effect, Action }: Record<string, string>) => `${Effect} ${Action}`)),
  ).toEqual(new Set(["Allow lambda:InvokeFunction"]));
  expect(statements.flatMap(({ Resource }: { Resource: object }) => Resource)).toEqual(
    expect.arrayContaining(all.map(({ Properties }) => Properties.Target.Arn)),
  );
  expect(statements.flatMap(({ Resource }: { Resource: object }) => Resource)).toHaveLength(all.length);
});

test("the setting is off by default, and adds schedules only, without a new API deployment", () => {
  const idsOf = (stack: typeof template) => Object.keys(stack.toJSON().Resources);
  const added = idsOf(template).filter((id) => !idsOf(without).includes(id));

  expect(added.filter((id) => !id.startsWith("KeepWarm"))).toEqual([]);
  // The schedules' role exists without the setting.
  expect(added).toHaveLength(keptWarmOperations.length);
  expect(idsOf(without).filter((id) => !idsOf(template).includes(id))).toEqual([]);
  expect(idsOf(refused)).toEqual(idsOf(without));
  expect(onlyResource(template, "AWS::ApiGateway::RestApi").Properties.Body).toEqual(
    onlyResource(without, "AWS::ApiGateway::RestApi").Properties.Body,
  );
});
