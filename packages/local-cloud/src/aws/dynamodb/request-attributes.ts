/** The part of a DynamoDB request that concerns one table; fields as in the API, unchecked. */
export type TableRequest = Readonly<Record<string, unknown>>;

type Item = Readonly<Record<string, unknown>>;

const EXPRESSIONS = [
  "ProjectionExpression",
  "FilterExpression",
  "ConditionExpression",
  "KeyConditionExpression",
  "UpdateExpression",
];

/** Keywords of expressions, which are not attribute names unless written as `#name`. */
const KEYWORDS = new Set(["SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"]);

/**
 * The partition key values that a request reads or writes: the condition key `dynamodb:LeadingKeys`.
 * Source: "Using IAM policy conditions for fine-grained access control".
 */
export function leadingKeys(request: TableRequest, partitionKey: string): string[] {
  const values = [
    ...itemsOf(request).map((item) => item[partitionKey]),
    queriedValue(request, partitionKey),
  ].filter((value) => value !== undefined);
  return [...new Set(values.map(scalarText))];
}

/** The top-level attributes that a request names: the condition key `dynamodb:Attributes`. */
export function attributeNames(request: TableRequest): string[] {
  const names = new Set(itemsOf(request).flatMap((item) => Object.keys(item)));
  for (const field of EXPRESSIONS) {
    for (const name of namesInExpression(request[field], request)) names.add(name);
  }
  return [...names];
}

function itemsOf(request: TableRequest): Item[] {
  return [
    request.Key,
    request.Item,
    ...((request.Keys ?? []) as unknown[]),
    ...((request.Items ?? []) as unknown[]),
  ].filter((item): item is Item => typeof item === "object" && item !== null);
}

/** The value to which `pk = :value` of a KeyConditionExpression compares the key. */
function queriedValue(request: TableRequest, partitionKey: string): unknown {
  const expression = request.KeyConditionExpression;
  if (typeof expression !== "string") return undefined;
  for (const [, name = "", placeholder = ""] of expression.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)) {
    if (resolveName(name, request) === partitionKey) {
      return (request.ExpressionAttributeValues as Item | undefined)?.[placeholder];
    }
  }
  return undefined;
}

function namesInExpression(expression: unknown, request: TableRequest): string[] {
  if (typeof expression !== "string") return [];
  // A path's first segment: not `:value`, `.nested` or `function(`.
  const segments = expression.matchAll(/(?<![:.#\w])(#?[A-Za-z_]\w*)(?!\w*\s*\()/g);
  return [...segments]
    .map(([, segment = ""]) => segment)
    .filter((segment) => !KEYWORDS.has(segment.toUpperCase()))
    .map((segment) => resolveName(segment, request));
}

function resolveName(name: string, request: TableRequest): string {
  const names = request.ExpressionAttributeNames as Readonly<Record<string, string>> | undefined;
  return name.startsWith("#") ? (names?.[name] ?? name) : name;
}

function scalarText(value: unknown): string {
  return String(Object.values(value as Item)[0]);
}
