import { expect, test } from "vitest";
import { givenStack, onlyResource, resourcesOf } from "./given-stack.ts";

test("nothing is traced, and paid for, unless it is asked for", () => {
  const template = givenStack();

  for (const { Properties } of Object.values(resourcesOf(template, "AWS::Lambda::Function")))
    expect(Properties).not.toHaveProperty("TracingConfig");
  expect(onlyResource(template, "AWS::ApiGateway::Stage").Properties).not.toHaveProperty("TracingEnabled");
});

test("traces cover the API and every function, whose role may send them", () => {
  const template = givenStack({ tracing: true });
  const functions = Object.values(resourcesOf(template, "AWS::Lambda::Function"));
  const policies = Object.values(resourcesOf(template, "AWS::IAM::Policy"));
  const traced = policies
    .filter(({ Properties }) =>
      Properties.PolicyDocument.Statement.some(
        ({ Action, Resource }: { Action: string[]; Resource: string }) =>
          Resource === "*" && Action.join() === "xray:PutTelemetryRecords,xray:PutTraceSegments",
      ),
    )
    .flatMap(({ Properties }) => Properties.Roles.map(({ Ref }: { Ref: string }) => Ref));

  for (const { Properties } of functions) {
    expect(Properties.TracingConfig).toEqual({ Mode: "Active" });
    expect(traced).toContain(Properties.Role["Fn::GetAtt"][0]);
  }
  expect(onlyResource(template, "AWS::ApiGateway::Stage").Properties.TracingEnabled).toBe(true);
});
