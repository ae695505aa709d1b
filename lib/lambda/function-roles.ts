import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** A function in a shared role, with policy statements for this function only. */
export interface RoleMember {
  readonly functionArn: string;
  readonly statements: readonly PolicyStatement[];
}

export interface SharedRoleProps {
  /** Policy statements for every function of the role. */
  readonly all: readonly PolicyStatement[];
  readonly members: readonly RoleMember[];
  /** True if the role also has functions that are not in `members`. */
  readonly hasOthers: boolean;
}

/**
 * Creates a role for several functions. A statement that only some functions need has a condition with the ARNs of these functions. A
 * statement that all functions need has no condition. Lambda adds the condition key to the role's session, so that the condition also
 * applies to requests that a function has presigned.
 *
 * Sources: "Using source function ARN to control function access behavior", AWS Lambda developer guide; "AWS global condition context
 * keys", "Properties of a role session", IAM user guide.
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
 * Creates a function's role with exactly these statements.
 *
 * @param minimize merges statements that differ only in their actions or only in their resources. Otherwise, the role for many functions
 * would approach IAM's size limit.
 * @default false
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
