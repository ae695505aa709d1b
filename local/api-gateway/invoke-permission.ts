import { resourcesOfType, type Template } from "../template.ts";
import type { ApiMethod } from "./resource-tree.ts";

/**
 * Whether an `AWS::Lambda::Permission` lets this API's stage call the method's function.
 * API Gateway answers 500 without one. Lambda developer guide, "Invoking a Lambda function using an Amazon API
 * Gateway endpoint".
 */
export function isInvokeAllowed(
  template: Template,
  apiId: string,
  stage: string,
  method: ApiMethod,
): boolean {
  const path = method.resourcePath.replace(/\{[^}]+\}/g, "*");
  const source = `arn:aws:execute-api:us-east-1:000000000000:${apiId}/${stage}/${method.httpMethod}${path}`;
  return resourcesOfType(template, "AWS::Lambda::Permission").some(({ properties }) => {
    const { Action, FunctionName, Principal, SourceArn } = properties;
    if (Action !== "lambda:InvokeFunction" || Principal !== "apigateway.amazonaws.com") return false;
    if (FunctionName !== method.functionArn && FunctionName !== method.functionName) return false;
    return SourceArn === undefined || matchesArn(String(SourceArn), source);
  });
}

function matchesArn(pattern: string, arn: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`).test(arn);
}
