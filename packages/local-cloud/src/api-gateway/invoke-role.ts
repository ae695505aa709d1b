import { decide } from "../aws/policy.ts";
import type { Role } from "../aws/role-policies.ts";
import type { ApiMethod } from "./api-definition.ts";

/**
 * Why the role of a method's integration does not let API Gateway invoke the function; undefined where it does. API
 * Gateway answers 500 then. Developer guide, "API Gateway permissions model for invoking an API" and
 * "x-amazon-apigateway-integration object": credentials.
 */
export function invokeRefusal(
  roles: readonly Role[],
  { roleArn, functionArn }: ApiMethod,
): string | undefined {
  const role = roles.find(({ arn }) => arn === roleArn);
  if (role === undefined) return `there is no role ${roleArn}`;
  if (!role.trustedServices.includes("apigateway.amazonaws.com"))
    return `the role ${roleArn} cannot be assumed by apigateway.amazonaws.com`;
  const decision = decide(role.statements, { action: "lambda:InvokeFunction", resourceArn: functionArn });
  return decision === "allowed"
    ? undefined
    : `the role ${roleArn} may not invoke ${functionArn}: ${decision}`;
}
