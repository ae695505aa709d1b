import { describe, expect, test } from "vitest";
import { servedOperationIds } from "../../lib/bundle/function-source.ts";
import { givenStack, resourcesOf } from "./given-stack.ts";

describe("an endpoint", () => {
  const template = givenStack();
  const idsOf = (type: string) => Object.keys(resourcesOf(template, type));

  test("needs at most two resources: its function, and a role if its grants are unique", () => {
    const all = Object.keys(template.toJSON().Resources).filter((id) => /^(Operations|Api)/.test(id));
    const functions = idsOf("AWS::Lambda::Function").filter((id) => id.startsWith("Operations"));
    const roles = idsOf("AWS::IAM::Role").filter((id) => id.startsWith("OperationsRoles"));
    // These do not depend on the number of endpoints: the log, the API with its deployment, stage, plan and key, and its role.
    const others = all.filter((id) => !functions.includes(id) && !roles.includes(id));

    // All documents share one function.
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
});
