import { type Resource, resourcesOfType, type Template } from "../template.ts";
import { type PolicyStatement, parseStatements } from "./policy-statement.ts";

/** AWS managed policies for services that are not emulated: logs, traces and AWS Backup. */
const POLICIES_WITHOUT_LOCAL_EFFECT = [
  "service-role/AWSLambdaBasicExecutionRole",
  "service-role/AmazonAPIGatewayPushToCloudWatchLogs",
  "service-role/AWSBackupServiceRolePolicyForBackup",
  "AWSBackupServiceRolePolicyForS3Backup",
  "AWSXRayDaemonWriteAccess",
  "CloudWatchLambdaInsightsExecutionRolePolicy",
  "CloudWatchLambdaApplicationSignalsExecutionRolePolicy",
];

/** A role of the template, with the statements of all its policies. */
export interface Role {
  readonly arn: string;
  /** Services that may assume the role, such as `lambda.amazonaws.com`. */
  readonly trustedServices: readonly string[];
  readonly statements: readonly PolicyStatement[];
}

/**
 * Collects the roles with their inline policies, and with each AWS::IAM::Policy or ManagedPolicy that names them. Throws an Error for a
 * policy that the local cloud does not evaluate.
 */
export function rolesOf(template: Template): Role[] {
  return resourcesOfType(template, "AWS::IAM::Role").map((role) => {
    const attachedArns = refuseUnknownManagedPolicies(template, role);
    return {
      arn: role.arn,
      trustedServices: trustedServices(role),
      statements: [
        ...inlineStatements(role),
        ...attachedStatements(template, role, "AWS::IAM::Policy"),
        ...attachedStatements(template, role, "AWS::IAM::ManagedPolicy", attachedArns),
      ],
    };
  });
}

/** Returns the services that the trust policy names. Statements with a condition are ignored, because conditions are not evaluated. */
function trustedServices({ properties }: Resource): string[] {
  const document = (properties.AssumeRolePolicyDocument ?? {}) as { Statement?: TrustStatement[] };
  return (document.Statement ?? [])
    .filter(({ Effect, Condition }) => Effect === "Allow" && Condition === undefined)
    .filter(({ Action }) => [Action].flat().includes("sts:AssumeRole"))
    .flatMap(({ Principal }) => Principal?.Service ?? []);
}

interface TrustStatement {
  readonly Effect?: string;
  readonly Action?: string | string[];
  readonly Principal?: { readonly Service?: string | string[] };
  readonly Condition?: unknown;
}

function inlineStatements(role: Resource): PolicyStatement[] {
  const policies = (role.properties.Policies ?? []) as { PolicyName?: string; PolicyDocument: unknown }[];
  return policies.flatMap((policy) =>
    parseStatements(policy.PolicyDocument, `${role.logicalId}, policy ${policy.PolicyName}`),
  );
}

function attachedStatements(
  template: Template,
  role: Resource,
  type: string,
  attachedArns: readonly string[] = [],
): PolicyStatement[] {
  return resourcesOfType(template, type)
    .filter((policy) => {
      const roleNames = (policy.properties.Roles ?? []) as string[];
      return roleNames.includes(role.physicalId) || attachedArns.includes(policy.physicalId);
    })
    .flatMap((policy) => parseStatements(policy.properties.PolicyDocument, policy.logicalId));
}

/** Returns the ARNs of the role's managed policies. Throws for a managed policy that the local cloud does not support. */
function refuseUnknownManagedPolicies(template: Template, role: Resource): readonly string[] {
  const own = resourcesOfType(template, "AWS::IAM::ManagedPolicy").map((policy) => policy.physicalId);
  const attachedArns = (role.properties.ManagedPolicyArns ?? []) as string[];
  for (const arn of attachedArns) {
    const isHarmless = POLICIES_WITHOUT_LOCAL_EFFECT.some((name) => arn.endsWith(`:policy/${name}`));
    if (!isHarmless && !own.includes(arn)) {
      throw new Error(
        `${role.logicalId}: the managed policy ${arn} is not known to the local cloud; grant its actions in a policy of the stack`,
      );
    }
  }
  return attachedArns;
}
