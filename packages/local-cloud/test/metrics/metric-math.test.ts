import { expect, test } from "vitest";
import { evaluateMath, type Series } from "../../src/metrics/metric-math.ts";

const series = new Map<string, Series>([
  ["calls", [undefined, 2, 4]],
  ["errors", [1, undefined, 3]],
  ["none", [undefined, undefined, undefined]],
]);

// Amazon CloudWatch user guide, "Using math expressions with CloudWatch metrics".
test.each<[expression: string, values: Series]>([
  ["calls", [undefined, 2, 4]],
  ["FILL(calls, 0)", [0, 2, 4]],
  ["FILL(none, 0)", [undefined, undefined, undefined]],
  ["DIFF(FILL(calls, 0))", [undefined, 2, 2]],
  ["DIFF(calls)", [undefined, undefined, 2]],
  ["MAX([calls, errors])", [1, 2, 4]],
  ["MAX([FILL(calls, 0) / 2, FILL(errors, 9)])", [1, 9, 3]],
  ["errors / calls", [undefined, undefined, 0.75]],
  ["FILL(calls, 1) * 3 - 1", [2, 5, 11]],
])("the expression %s has the documented value for each period", (expression, values) => {
  expect(evaluateMath(expression, series)).toEqual(values);
});

test.each([
  ["RUNNING_SUM(calls)", "the function RUNNING_SUM is not emulated, only DIFF, FILL, MAX"],
  ["FILL(calls, REPEAT)", "refers to REPEAT, which is not one of its metrics"],
  ["calls + requests", "refers to requests, which is not one of its metrics"],
  ["calls > 3", 'not emulated for "calls > 3"'],
  ["calls AND errors", 'not emulated for "calls AND errors"'],
  ["[calls, errors]", "does not evaluate to one series"],
  ["3", "does not evaluate to one series"],
])("the expression %s is refused with the reason", (expression, message) => {
  expect(() => evaluateMath(expression, series)).toThrow(message);
});
