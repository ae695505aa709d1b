import { type Expression, parseExpressionAt, type SpreadElement } from "acorn";

/** Data points from the oldest to the newest period. A period without data is undefined. */
export type Series = readonly (number | undefined)[];

/** Value of a subexpression. */
type Value = number | Series | readonly Series[];

/** Evaluates an expression; see "Using math expressions with CloudWatch metrics". Throws for a feature that is not emulated. */
export function evaluateMath(expression: string, series: ReadonlyMap<string, Series>): Series {
  const parsed = parseExpressionAt(expression, 0, { ecmaVersion: "latest" });
  if (parsed.end !== expression.length) throw notEmulated(expression);
  const value = evaluate(parsed, { expression, series });
  if (!isSeries(value))
    throw new Error(`${JSON.stringify(expression)} does not evaluate to one series, as an alarm requires`);
  return value;
}

interface Scope {
  readonly expression: string;
  readonly series: ReadonlyMap<string, Series>;
}

function evaluate(node: Expression | SpreadElement, scope: Scope): Value {
  switch (node.type) {
    case "Literal":
      if (typeof node.value === "number") return node.value;
      break;
    case "Identifier": {
      const found = scope.series.get(node.name);
      if (found !== undefined) return found;
      throw new Error(
        `${JSON.stringify(scope.expression)} refers to ${node.name}, which is not one of its metrics`,
      );
    }
    case "ArrayExpression":
      return node.elements.map((element) => seriesOf(element, scope));
    case "BinaryExpression": {
      const operator = operators[node.operator];
      if (operator === undefined || node.left.type === "PrivateIdentifier") break;
      return combine(evaluate(node.left, scope), evaluate(node.right, scope), operator, scope);
    }
    case "CallExpression": {
      const name = node.callee.type === "Identifier" ? node.callee.name : "";
      const call = functions[name];
      if (call !== undefined) return call(node.arguments, scope);
      throw new Error(
        `${JSON.stringify(scope.expression)}: the function ${name} is not emulated, only ${Object.keys(functions).join(", ")}`,
      );
    }
  }
  throw notEmulated(scope.expression.slice(node.start, node.end));
}

type MathFunction = (given: readonly (Expression | SpreadElement)[], scope: Scope) => Value;

const functions: Readonly<Record<string, MathFunction>> = {
  /** Returns the difference from the preceding period. The first period is undefined. */
  DIFF: ([metric], scope) => {
    const values = seriesOf(metric, scope);
    return values.map((value, index) => {
      const before = values[index - 1];
      return value === undefined || before === undefined ? undefined : value - before;
    });
  },
  /** Fills periods without data. A metric without any data point stays empty. */
  FILL: ([metric, filler], scope) => {
    const values = seriesOf(metric, scope);
    const fill = filler && evaluate(filler, scope);
    if (typeof fill !== "number") throw notEmulated(scope.expression);
    return values.every((value) => value === undefined) ? values : values.map((value) => value ?? fill);
  },
  /** Returns the largest value of several series in each period. */
  MAX: ([all], scope) => {
    const list = all?.type === "ArrayExpression" ? all.elements.map((one) => seriesOf(one, scope)) : [];
    const [first] = list;
    if (first === undefined) throw notEmulated(scope.expression);
    return first.map((_, index) => {
      const present = list.flatMap((values) => values[index] ?? []);
      return present.length === 0 ? undefined : Math.max(...present);
    });
  },
};

type Operator = (left: number, right: number) => number;

const operators: Readonly<Record<string, Operator>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/** Applies an operator in each period in which both sides have data. */
function combine(left: Value, right: Value, operator: Operator, { expression }: Scope): Value {
  if (typeof left === "number" && typeof right === "number") return operator(left, right);
  const one = isSeries(left) ? left : isSeries(right) ? right : undefined;
  if (one === undefined) throw notEmulated(expression);
  const at = (value: Value, index: number) => {
    if (typeof value === "number") return value;
    if (isSeries(value)) return value[index];
    throw notEmulated(expression);
  };
  return one.map((_, index) => {
    const [a, b] = [at(left, index), at(right, index)];
    return a === undefined || b === undefined ? undefined : operator(a, b);
  });
}

function seriesOf(node: Expression | SpreadElement | null | undefined, scope: Scope): Series {
  const value = node && evaluate(node, scope);
  if (isSeries(value)) return value;
  throw notEmulated(scope.expression);
}

function isSeries(value: Value | null | undefined): value is Series {
  return Array.isArray(value) && value.every((one) => typeof one !== "object");
}

function notEmulated(text: string): Error {
  return new Error(`Metric math is not emulated for ${JSON.stringify(text)}`);
}
