/** A parsed pattern. Returns true if an event matches. */
export type EventPattern = (event: unknown) => boolean;

type Scalar = string | number | boolean | null;

/** Returns true if a field's value matches. Undefined stands for a missing field. */
type Rule = (value: Scalar | undefined) => boolean;

const operators: Readonly<Record<string, (argument: unknown, origin: string) => Rule>> = {
  exists: (argument) => (value) => (value !== undefined) === argument,
  prefix: textRule((value, text) => value.startsWith(text)),
  suffix: textRule((value, text) => value.endsWith(text)),
  "equals-ignore-case": textRule((value, text) => value.toLowerCase() === text.toLowerCase()),
  "anything-but": anythingBut,
  numeric,
};

/**
 * Parses a pattern of FilterCriteria. Each field has a list of values and comparisons. A field matches if one of them does; see "Control
 * which events Lambda sends to your function", AWS Lambda developer guide. Throws for a comparison that is not emulated.
 */
export function parseEventPattern(json: string, origin: string): EventPattern {
  return parseNode(parseJson(json, origin), origin);
}

function parseJson(json: string, origin: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(`${origin}: the pattern is not JSON: ${json}`);
  }
}

function parseNode(pattern: unknown, origin: string): EventPattern {
  if (typeof pattern !== "object" || pattern === null || Array.isArray(pattern)) {
    throw new Error(`${origin}: expected an object with field names, not ${JSON.stringify(pattern)}`);
  }
  const fields = Object.entries(pattern).map(([name, inner]): EventPattern => {
    const path = `${origin}.${name}`;
    if (name === "$or") return parseOr(inner, path);
    const matches = Array.isArray(inner) ? parseRules(inner, path) : parseNode(inner, path);
    return (event) => matches(fieldOf(event, name));
  });
  if (fields.length === 0) throw new Error(`${origin}: an empty object matches nothing`);
  return (event) => fields.every((matches) => matches(event));
}

function parseOr(alternatives: unknown, origin: string): EventPattern {
  if (!Array.isArray(alternatives)) throw new Error(`${origin}: expected a list of objects`);
  const patterns = alternatives.map((one, index) => parseNode(one, `${origin}[${index}]`));
  return (event) => patterns.some((matches) => matches(event));
}

/** Matches if one of the rules matches the value or an element of an array. An object is compared like a missing field. */
function parseRules(list: readonly unknown[], origin: string): EventPattern {
  if (list.length === 0) throw new Error(`${origin}: an empty list matches nothing`);
  const rules = list.map((one) => parseRule(one, origin));
  return (value) => {
    const scalars = [value].flat().filter(isScalar);
    const candidates = scalars.length > 0 ? scalars : [undefined];
    return candidates.some((candidate) => rules.some((matches) => matches(candidate)));
  };
}

function parseRule(rule: unknown, origin: string): Rule {
  if (isScalar(rule)) return (value) => value === rule;
  const [name = "", ...others] = Object.keys(rule as object);
  const operator = operators[name];
  if (operator === undefined || others.length > 0) {
    throw new Error(
      `${origin}: the comparison ${JSON.stringify(rule)} is not evaluated by the local cloud. Supported: ${Object.keys(operators).join(", ")}`,
    );
  }
  return operator((rule as Record<string, unknown>)[name], `${origin}.${name}`);
}

function textRule(compare: (value: string, text: string) => boolean) {
  return (argument: unknown, origin: string): Rule => {
    if (typeof argument !== "string") {
      throw new Error(`${origin}: expected text, not ${JSON.stringify(argument)}`);
    }
    return (value) => typeof value === "string" && compare(value, argument);
  };
}

/** Matches every value except a given value, the values in a list, or values that match a comparison. A missing field does not match. */
function anythingBut(argument: unknown, origin: string): Rule {
  const rules = [argument].flat().map((one) => parseRule(one, origin));
  return (value) => value !== undefined && !rules.some((matches) => matches(value));
}

const comparisons: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  "=": (value, bound) => value === bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
};

/** Compares only JSON numbers. Numbers of DynamoDB never match, because they are text, such as `{"N": "1"}`. */
function numeric(argument: unknown, origin: string): Rule {
  const list = Array.isArray(argument) ? argument : [];
  const rules = list.flatMap((operator, index): Rule[] => {
    if (index % 2 === 1) return [];
    const compare = comparisons[String(operator)];
    const bound: unknown = list[index + 1];
    if (compare === undefined || typeof bound !== "number") {
      throw new Error(
        `${origin}: expected a list such as [">", 0, "<=", 5], not ${JSON.stringify(argument)}`,
      );
    }
    return [(value) => typeof value === "number" && compare(value, bound)];
  });
  if (rules.length === 0)
    throw new Error(`${origin}: expected a list such as [">", 0], not ${JSON.stringify(argument)}`);
  return (value) => rules.every((matches) => matches(value));
}

function fieldOf(event: unknown, name: string): unknown {
  if (typeof event !== "object" || event === null || !Object.hasOwn(event, name)) return undefined;
  return (event as Record<string, unknown>)[name];
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
