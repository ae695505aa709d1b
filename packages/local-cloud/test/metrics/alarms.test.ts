import { describe, expect, test } from "vitest";
import { type AlarmState, alarmsOf } from "../../src/metrics/alarms.ts";
import { createMetricStore } from "../../src/metrics/metric-store.ts";
import { resolveTemplate } from "../../src/template.ts";

const metric = { namespace: "App", name: "Errors", dimensions: { FunctionName: "f" } };
const minuteMs = 60_000;

/** Returns the state of an alarm after these values, one per minute. Undefined is a minute without a value. */
function stateAfter(values: readonly (number | undefined)[], properties: object): AlarmState | undefined {
  const time = { nowMs: 0 };
  const store = createMetricStore(() => time.nowMs);
  for (const value of values) {
    if (value !== undefined) store.put(metric, value);
    time.nowMs += minuteMs;
  }
  const Resources = { Alarm: { Type: "AWS::CloudWatch::Alarm", Properties: { ...plain, ...properties } } };
  const [alarm] = alarmsOf(resolveTemplate({ Resources }, ""));
  // Ten seconds into a minute, the window still ends with the last whole minute.
  return alarm?.stateAt(time.nowMs + 10_000, store);
}

const plain = {
  AlarmName: "alarm",
  Namespace: metric.namespace,
  MetricName: metric.name,
  Dimensions: [{ Name: "FunctionName", Value: "f" }],
  Statistic: "Sum",
  Period: 60,
  EvaluationPeriods: 3,
  Threshold: 2,
  ComparisonOperator: "GreaterThanOrEqualToThreshold",
  TreatMissingData: "notBreaching",
};

describe("an alarm", () => {
  test("is raised if all periods of its window breach the threshold, whatever earlier periods did", () => {
    expect(stateAfter([0, 2, 2, 2], {})).toBe("ALARM");
    expect(stateAfter([2, 2, 2, 1], {})).toBe("OK");
  });

  test("is raised with the required number of breaching periods, anywhere in the window", () => {
    expect(stateAfter([2, 0, 2], { DatapointsToAlarm: 2 })).toBe("ALARM");
    expect(stateAfter([0, 0, 2], { DatapointsToAlarm: 2 })).toBe("OK");
  });

  test("treats missing data as configured", () => {
    expect(stateAfter([2, undefined, 2], {})).toBe("OK");
    expect(stateAfter([2, undefined, 2], { TreatMissingData: "breaching" })).toBe("ALARM");
    expect(stateAfter([], { TreatMissingData: "breaching" })).toBe("ALARM");
    expect(stateAfter([], { TreatMissingData: "missing" })).toBe("INSUFFICIENT_DATA");
  });

  test("has a window that slides by a minute, also for longer periods", () => {
    const hourly = { Period: 180, EvaluationPeriods: 1, Threshold: 4 };

    expect(stateAfter([0, 0, 2, 2], hourly)).toBe("ALARM");
    expect(stateAfter([2, 2, 0, 0], hourly)).toBe("OK");
  });

  test.each([
    ["Average", 1],
    ["Minimum", 0],
    ["Maximum", 3],
    ["SampleCount", 3],
    ["p50", 0],
    ["p99", 3],
  ])("computes %s of the values in a period", (statistic, value) => {
    const whole = { Period: 180, EvaluationPeriods: 1, Statistic: statistic };

    expect(stateAfter([0, 3, 0], { ...whole, Threshold: value })).toBe("ALARM");
    expect(stateAfter([0, 3, 0], { ...whole, Threshold: value + 0.1 })).toBe("OK");
  });

  test("uses only the metric with its dimensions", () => {
    expect(stateAfter([2, 2, 2], { Dimensions: [{ Name: "FunctionName", Value: "g" }] })).toBe("OK");
    expect(stateAfter([2, 2, 2], { Dimensions: [] })).toBe("OK");
  });

  test("evaluates a math expression on its metrics", () => {
    const { Namespace, MetricName, Dimensions } = plain;
    const queries = {
      Namespace: undefined,
      MetricName: undefined,
      Metrics: [
        { Id: "returned", Expression: "DIFF(FILL(errors, 0))" },
        {
          Id: "errors",
          ReturnData: false,
          MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Stat: "Maximum", Period: 60 },
        },
      ],
      DatapointsToAlarm: 1,
    };

    expect(stateAfter([undefined, undefined, 2], queries)).toBe("ALARM");
    expect(stateAfter([2, 2, 2, 2], queries)).toBe("OK");
  });

  test.each([
    [{ TreatMissingData: "ignore" }, "treats missing data as ignore is not emulated"],
    [{ ComparisonOperator: "LessThanLowerThreshold" }, "LessThanLowerThreshold"],
    [{ Metrics: [{ Id: "q", Expression: "SELECT SUM(Errors) FROM App" }] }, "not on a query"],
    [{ Statistic: undefined, ExtendedStatistic: "tm90" }, 'The statistic "tm90" is not emulated'],
  ])("with %j is refused, and the error names the unsupported property", (properties, message) => {
    expect(() => stateAfter([1], properties)).toThrow(message);
  });
});
