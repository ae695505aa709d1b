import type { Access } from "./aws-service.ts";
import type { PolicyCondition, PolicyStatement } from "./policy-statement.ts";

/** What a set of statements says of one access. */
export type PolicyDecision = "allowed" | "denied by a statement" | "not allowed by any statement";

/**
 * Decides as IAM does: a matching Deny wins, then any matching Allow, else the access is denied.
 * Source: "Policy evaluation logic" and "IAM JSON policy elements reference".
 */
export function decide(statements: readonly PolicyStatement[], access: Access): PolicyDecision {
  const matching = statements.filter((statement) => matches(statement, access));
  if (matching.some((statement) => statement.effect === "Deny")) return "denied by a statement";
  return matching.length > 0 ? "allowed" : "not allowed by any statement";
}

function matches(statement: PolicyStatement, access: Access): boolean {
  return (
    statement.actions.some((pattern) => isLike(access.action.toLowerCase(), pattern.toLowerCase())) &&
    statement.resources.some((pattern) => isLike(access.resourceArn, pattern)) &&
    statement.conditions.every((condition) => holds(condition, access))
  );
}

function holds(condition: PolicyCondition, access: Access): boolean {
  const requestValues = valuesOf(access, condition.key);
  const isOneOf = (value: string) =>
    condition.values.some((expected) => compares(condition, value, expected));
  switch (condition.operator) {
    case "ArnEquals":
    case "ArnLike":
    case "Bool":
    case "StringEquals":
    case "StringLike":
      return requestValues.some(isOneOf);
    // Documented: ForAllValues is also true when the request does not have the key.
    case "ForAllValues:StringEquals":
    case "ForAllValues:StringLike":
      return requestValues.every(isOneOf);
  }
}

/** "ArnEquals and ArnLike behave identically": both take wildcards. */
function compares({ operator }: PolicyCondition, value: string, expected: string): boolean {
  if (operator === "Bool") return value === expected.toLowerCase();
  const takesWildcards = operator.endsWith("StringLike") || operator.startsWith("Arn");
  return takesWildcards ? isLike(value, expected) : value === expected;
}

function valuesOf(access: Access, key: string): readonly string[] {
  // The same requests go over TLS where the stack is deployed.
  if (key === "aws:securetransport") return ["true"];
  const found = Object.entries(access.conditionKeys ?? {}).find(([name]) => name.toLowerCase() === key);
  return found?.[1] ?? [];
}

/** IAM's wildcards: `*` is any text, `?` any one character; linear in the text for any pattern of a policy. */
function isLike(text: string, pattern: string): boolean {
  let position = 0;
  let patternPosition = 0;
  let afterStar = -1;
  let retryFrom = 0;
  while (position < text.length) {
    const expected = pattern[patternPosition];
    if (expected === "*") {
      afterStar = ++patternPosition;
      retryFrom = position;
    } else if (expected === "?" || expected === text[position]) {
      position++;
      patternPosition++;
    } else if (afterStar >= 0) {
      patternPosition = afterStar;
      position = ++retryFrom;
    } else {
      return false;
    }
  }
  while (pattern[patternPosition] === "*") patternPosition++;
  return patternPosition === pattern.length;
}
