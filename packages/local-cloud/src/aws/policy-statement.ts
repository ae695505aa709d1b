/** A condition of a statement, for example `ForAllValues:StringLike` on `dynamodb:LeadingKeys`. */
export interface PolicyCondition {
  readonly operator: (typeof CONDITION_OPERATORS)[number];
  /** Condition key in lower case, because IAM ignores the case of condition keys. */
  readonly key: string;
  readonly values: readonly string[];
}

/** A statement of a policy document that the local cloud can evaluate. */
export interface PolicyStatement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: readonly PolicyCondition[];
}

const CONDITION_OPERATORS = [
  "ArnEquals",
  "ArnLike",
  "Bool",
  "StringEquals",
  "StringLike",
  "ForAllValues:StringEquals",
  "ForAllValues:StringLike",
] as const;

/** Condition keys whose values the services provide. Conditions on other keys cannot be evaluated. */
const CONDITION_KEYS = [
  "aws:SecureTransport",
  "aws:SourceAccount",
  "aws:SourceArn",
  "dynamodb:Attributes",
  "dynamodb:LeadingKeys",
  "dynamodb:ReturnValues",
  "dynamodb:Select",
  "events:detail-type",
  "events:source",
  "lambda:SourceFunctionArn",
  "s3:prefix",
];

/** Prefix of the condition key for an object's tag. The services provide its value when an object is read. */
const TAG_CONDITION_KEY = "s3:ExistingObjectTag/";

/**
 * Reads the statements of a policy document. `origin` is the logical id of the document's resource, for error messages.
 *
 * @throws Error if the document uses a feature that the local cloud does not evaluate
 */
export function parseStatements(document: unknown, origin: string): PolicyStatement[] {
  const statements = (document as { Statement?: unknown } | undefined)?.Statement;
  if (statements === undefined) throw new Error(`${origin}: the policy document has no Statement`);
  return [statements]
    .flat()
    .map((statement, index) =>
      parseStatement(statement as Record<string, unknown>, `${origin}, statement ${index + 1}`),
    );
}

function parseStatement(statement: Record<string, unknown>, origin: string): PolicyStatement {
  for (const element of ["NotAction", "NotResource", "NotPrincipal"]) {
    if (element in statement) {
      throw new Error(
        `${origin}: ${element} is not evaluated by the local cloud; use ${element.slice(3)} instead`,
      );
    }
  }
  if (statement.Effect !== "Allow" && statement.Effect !== "Deny") {
    throw new Error(`${origin}: Effect must be Allow or Deny, not ${JSON.stringify(statement.Effect)}`);
  }
  return {
    effect: statement.Effect,
    actions: patterns(statement.Action, "Action", origin),
    resources: patterns(statement.Resource, "Resource", origin),
    conditions: parseConditions(statement.Condition, origin),
  };
}

function parseConditions(condition: unknown, origin: string): PolicyCondition[] {
  return Object.entries((condition ?? {}) as Record<string, Record<string, unknown>>).flatMap(
    ([name, keys]) => {
      const operator = CONDITION_OPERATORS.find((supported) => supported === name);
      if (operator === undefined) {
        throw new Error(
          `${origin}: the condition operator ${name} is not evaluated by the local cloud. Supported: ${CONDITION_OPERATORS.join(", ")}`,
        );
      }
      return Object.entries(keys).map(([key, values]) => ({
        operator,
        key: knownConditionKey(key, origin),
        values: patterns(values, `Condition ${key}`, origin),
      }));
    },
  );
}

function knownConditionKey(key: string, origin: string): string {
  const isTag = key.toLowerCase().startsWith(TAG_CONDITION_KEY.toLowerCase());
  if (!isTag && !CONDITION_KEYS.some((known) => known.toLowerCase() === key.toLowerCase())) {
    throw new Error(
      `${origin}: the condition key ${key} is not evaluated by the local cloud. Supported: ${[...CONDITION_KEYS, `${TAG_CONDITION_KEY}<key>`].join(", ")}`,
    );
  }
  return key.toLowerCase();
}

function patterns(value: unknown, element: string, origin: string): string[] {
  const list = value === undefined ? [] : [value].flat();
  if (list.length === 0) throw new Error(`${origin}: ${element} is missing`);
  return list.map((pattern) => {
    if (typeof pattern !== "string") {
      throw new Error(`${origin}: ${element} must be text, not ${JSON.stringify(pattern)}`);
    }
    if (pattern.includes("${")) {
      throw new Error(
        `${origin}: ${element} "${pattern}" uses a policy variable, which the local cloud does not evaluate`,
      );
    }
    return pattern;
  });
}
