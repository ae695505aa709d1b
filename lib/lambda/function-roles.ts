import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** A function with statements of its own in a shared role. */
export interface RoleMember {
  readonly functionArn: string;
  readonly statements: readonly PolicyStatement[];
}

export interface SharedRoleProps {
  /** Statements for every function of the role. */
  readonly all: readonly PolicyStatement[];
  readonly members: readonly RoleMember[];
  /** The role has functions that are not among the members. */
  readonly hasOthers: boolean;
}

/**
 * Creates a role for several functions in which a member's own statements name it in a condition, unless all functions have them. Lambda
 * puts the condition's key into the role's session, so that it also applies to requests that a function has signed.
 *
 * Sources: AWS Lambda developer guide, "Using source function ARN to control function access behavior"; IAM user guide, "AWS global
 * condition context keys", "Properties of a role session".
 */
export function sharedRole(scope: Construct, id: string, { all, members, hasOthers }: SharedRoleProps): Role {
  const keyOf = (statement: PolicyStatement) =>
    JSON.stringify(Stack.of(scope).resolve(statement.toStatementJson()));
  const ofAll = new Set(all.map(keyOf));
  const own = members
    .flatMap(({ functionArn, statements }) => statements.map((statement) => ({ functionArn, statement })))
    .filter(({ statement }) => !ofAll.has(keyOf(statement)));
  const statements = [...Map.groupBy(own, ({ statement }) => keyOf(statement)).values()].flatMap((same) => {
    const functionArns = [...new Set(same.map(({ functionArn }) => functionArn))];
    const statement = same[0]?.statement;
    if (hasOthers || functionArns.length < members.length)
      statement?.addCondition("ArnEquals", { "lambda:SourceFunctionArn": functionArns });
    return statement ?? [];
  });
  return functionRole(scope, id, [...all, ...statements], { minimize: true });
}

/**
 * A function's role with these statements and no others.
 *
 * @param minimize merges statements that differ in their actions or resources alone: a role for many functions would approach IAM's size
 * limit. @default false
 */
export function functionRole(
  scope: Construct,
  id: string,
  statements: PolicyStatement[],
  { minimize = false } = {},
): Role {
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    inlinePolicies: { grants: new PolicyDocument({ statements, minimize }) },
  });
}
