import { expect, test } from "vitest";
import { givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

test("tracing is off by default", () => {
  const template = givenStack();

  for (const { Properties } of Object.values(resourcesOf(template, "AWS::Lambda::Function")))
    expect(Properties).not.toHaveProperty("TracingConfig");
  expect(onlyResource(template, "AWS::ApiGateway::Stage").Properties).not.toHaveProperty("TracingEnabled");
});

test("traces cover the API and every function that can send them: not the browser's, and not the deployment's", () => {
  const template = givenStack({ tracing: true });
  const all = Object.entries(resourcesOf(template, "AWS::Lambda::Function"));
  const isUntraced = ([id]: [string, unknown]) => /^(CustomS3ObjectCopy|RendererDrawPage)/.test(id);
  const functions = all.filter((one) => !isUntraced(one)).map(([, resource]) => resource);
  const [policyId, policy] = Object.entries(resourcesOf(template, "AWS::IAM::ManagedPolicy"))[0] ?? [];
  const roles = resourcesOf(template, "AWS::IAM::Role");

  expect(policy?.Properties.PolicyDocument.Statement).toEqual([
    {
      Action: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
      Effect: "Allow",
      Resource: "*",
    },
  ]);
  expect(functions).toHaveLength(all.length - 2);
  for (const [, { Properties }] of all.filter(isUntraced))
    expect(Properties).not.toHaveProperty("TracingConfig");
  for (const { Properties } of functions) {
    expect(Properties.TracingConfig).toEqual({ Mode: "Active" });
    const role = roles[Properties.Role["Fn::GetAtt"][0]];
    expect(role?.Properties.ManagedPolicyArns).toContainEqual({ Ref: policyId });
  }
  expect(onlyResource(template, "AWS::ApiGateway::Stage").Properties.TracingEnabled).toBe(true);
});
