import { expect, test, vi } from "vitest";
import { reportLateIndex } from "../../functions/search/index-drops.ts";
import { givenStack, resourcesOf } from "../lib/given-stack.ts";

const nowMs = 1_796_000_000_000;

/** Returns the log entries for an oldest change of this age. */
function told(ageSeconds: number) {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  reportLateIndex(nowMs - ageSeconds * 1000, nowMs);
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  write.mockRestore();
  return lines;
}

test("changes indexed within a minute are not reported", () => {
  expect(told(59)).toEqual([]);
});

test("the age of the oldest late change is a metric, which the alarm search-late watches", () => {
  vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "Dropleaf-IndexDrops");
  const [line] = told(700);
  const [directive] = line._aws.CloudWatchMetrics;
  const [alarm] = Object.values(resourcesOf(givenStack(), "AWS::CloudWatch::Alarm")).filter(
    ({ Properties }) => Properties.AlarmName === "Dropleaf-search-late",
  );

  // Amazon CloudWatch user guide, "Specification: Embedded metric format": names refer to members of the entry.
  expect(line._aws.Timestamp).toBe(nowMs);
  expect(directive.Metrics.map(({ Name }: { Name: string }) => line[Name])).toEqual([700]);
  expect(directive.Dimensions.flat().map((name: string) => line[name])).toEqual(["Dropleaf-IndexDrops"]);
  expect(alarm?.Properties).toMatchObject({
    Namespace: directive.Namespace,
    MetricName: directive.Metrics[0].Name,
    Dimensions: [{ Name: "FunctionName", Value: { Ref: expect.stringContaining("IndexDrops") } }],
    Statistic: "Maximum",
    Threshold: 600,
    Period: 300,
  });
});
