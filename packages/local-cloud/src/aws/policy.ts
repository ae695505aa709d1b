import { matchesWildcards } from "../wildcards.ts";
import type { Access } from "./aws-service.ts";
import type { PolicyCondition, PolicyStatement } from "./policy-statement.ts";

/** Result of evaluating a set of policy statements for an access. */
type PolicyDecision = "allowed" | "denied by a statement" | "not allowed by any statement";

/**
 * Evaluates statements as IAM does. A matching Deny takes precedence over a matching Allow. Access is denied if no statement matches. See
 * "Policy evaluation logic" and "IAM JSON policy elements reference".
 */
export function decide(statements: readonly PolicyStatement[], access: Access): PolicyDecision {
  const matching = statements.filter((statement) => matches(statement, access));
  if (matching.some((statement) => statement.effect === "Deny")) return "denied by a statement";
  return matching.length > 0 ? "allowed" : "not allowed by any statement";
}

const sourceFunctionKey = "lambda:sourcefunctionarn";

/**
 * Selects the statements of a role that apply to calls by a function. Without `functionArn`, an AWS service uses the role. Conditions on
 * `lambda:SourceFunctionArn` are evaluated only here, because the value of this key stays the same during a role session.
 */
export function statementsForFunction(
  statements: readonly PolicyStatement[],
  functionArn: string | undefined,
): PolicyStatement[] {
  const conditionKeys = { [sourceFunctionKey]: functionArn === undefined ? [] : [functionArn] };
  const session = { action: "", resourceArn: "", conditionKeys };
  return statements.flatMap((statement) => {
    const { ofFunctions = [], others = [] } = Object.groupBy(statement.conditions, ({ key }) =>
      key === sourceFunctionKey ? "ofFunctions" : "others",
    );
    const applies = ofFunctions.every((condition) => holds(condition, session));
    return applies ? [{ ...statement, conditions: others }] : [];
  });
}

/**
 * Explains why no statement of a role allows an access: the action, the resource or a condition does not match. Values of conditions are
 * cut after the first `#` or after four characters, because keys may contain a secret's hash.
 */
export function explainRefusal(statements: readonly PolicyStatement[], access: Access): string {
  const allowing = statements.filter(({ effect }) => effect === "Allow");
  const ofAction = allowing.filter((statement) => coversAction(statement, access));
  if (ofAction.length === 0) return `no statement of the role allows ${access.action} on any resource`;
  const ofResource = ofAction.filter((statement) => coversResource(statement, access));
  if (ofResource.length === 0) {
    const resources = new Set(ofAction.flatMap((statement) => statement.resources));
    return `the role is allowed this action only on ${[...resources].join(", ")}`;
  }
  const failing = ofResource.flatMap(({ conditions }) => conditions).filter((one) => !holds(one, access));
  return failing
    .map((condition) => {
      const refused = valuesOf(access, condition.key).filter((value) => !isOneOf(condition, value));
      const shown = [...new Set(refused.map(beginningOf))].join(", ") || "nothing";
      return `${shown} is not allowed: the role's ${nameOfKey(condition.key, access)} are ${condition.values.join(", ")}`;
    })
    .join("; ");
}

function beginningOf(value: string): string {
  const end = value.indexOf("#") + 1 || 4;
  return value.length > end ? `${value.slice(0, end)}…` : value;
}

/** Returns a condition key's name without the service, such as `LeadingKeys` for `dynamodb:LeadingKeys`. */
function nameOfKey(key: string, { conditionKeys = {} }: Access): string {
  const name = Object.keys(conditionKeys).find((one) => one.toLowerCase() === key) ?? key;
  return name.slice(name.indexOf(":") + 1);
}

function matches(statement: PolicyStatement, access: Access): boolean {
  return (
    coversAction(statement, access) &&
    coversResource(statement, access) &&
    statement.conditions.every((condition) => holds(condition, access))
  );
}

function coversAction({ actions }: PolicyStatement, { action }: Access): boolean {
  return actions.some((pattern) => matchesWildcards(pattern.toLowerCase(), action.toLowerCase()));
}

function coversResource({ resources }: PolicyStatement, { resourceArn }: Access): boolean {
  return resources.some((pattern) => matchesWildcards(pattern, resourceArn));
}

function holds(condition: PolicyCondition, access: Access): boolean {
  const requestValues = valuesOf(access, condition.key);
  switch (condition.operator) {
    case "ArnEquals":
    case "ArnLike":
    case "Bool":
    case "StringEquals":
    case "StringLike":
      return requestValues.some((value) => isOneOf(condition, value));
    // As documented, ForAllValues is also true if the request does not have the key.
    case "ForAllValues:StringEquals":
    case "ForAllValues:StringLike":
      return requestValues.every((value) => isOneOf(condition, value));
  }
}

function isOneOf(condition: PolicyCondition, value: string): boolean {
  return condition.values.some((expected) => compares(condition, value, expected));
}

/** Compares a request's value with a condition's value. ArnEquals accepts wildcards like ArnLike. */
function compares({ operator }: PolicyCondition, value: string, expected: string): boolean {
  if (operator === "Bool") return value === expected.toLowerCase();
  const takesWildcards = operator.endsWith("StringLike") || operator.startsWith("Arn");
  return takesWildcards ? matchesWildcards(expected, value) : value === expected;
}

function valuesOf(access: Access, key: string): readonly string[] {
  // The value is always true, because a deployed stack receives the same requests over TLS.
  if (key === "aws:securetransport") return ["true"];
  const found = Object.entries(access.conditionKeys ?? {}).find(([name]) => name.toLowerCase() === key);
  return found?.[1] ?? [];
}
