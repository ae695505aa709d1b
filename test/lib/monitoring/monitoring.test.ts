import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { logRequest } from "../../../functions/core/log.ts";
import { operationIds } from "../../../functions/routes.ts";
import { givenStack, onlyResource, resourcesOf, type TemplateResource } from "../given-stack.ts";

const everything = givenStack({
  alarmEmail: "operators@example.com",
  costAnomalyDollars: 20,
  monthlyBudgetDollars: 50,
  ingest: "webfunction",
});
const plain = givenStack();
const alarms = Object.values(resourcesOf(everything, "AWS::CloudWatch::Alarm"));
const topic = { Ref: Object.keys(resourcesOf(everything, "AWS::SNS::Topic"))[0] };

/** Names of all alarms without the prefix of the stack's name. */
const alarmNames = [
  ...alarms.map(({ Properties }) => Properties.AlarmName as string),
  onlyResource(everything, "AWS::CE::AnomalySubscription").Properties.SubscriptionName as string,
  onlyResource(everything, "AWS::Budgets::Budget").Properties.Budget.BudgetName as string,
].map((name) => name.replace(/^Dropleaf-/, ""));

interface MetricStat {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions: readonly { readonly Value: { readonly Ref: string } }[];
  };
  readonly Stat: string;
}

function alarmOf(name: string) {
  const found = alarms.find(({ Properties }) => Properties.AlarmName === `Dropleaf-${name}`);
  return found?.Properties;
}

function metricsOf(name: string): MetricStat[] {
  return alarmOf(name).Metrics.flatMap((one: { MetricStat?: MetricStat }) => one.MetricStat ?? []);
}

/** Returns the handlers of the functions that the metrics measure. */
function handlersOf(metrics: readonly MetricStat[], functions: Record<string, TemplateResource>): string[] {
  return metrics.map(({ Metric }) => functions[Metric.Dimensions[0]?.Value.Ref ?? ""]?.Properties.Handler);
}

describe("the alarms", () => {
  test("match the runbook's sections", () => {
    const runbook = readFileSync(join(import.meta.dirname, "../../../docs/runbook.md"), "utf8");
    const [, section = ""] = /^## Alarms\n([\s\S]*?)^## /m.exec(runbook) ?? [];
    const headings = [...section.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);

    expect(headings.toSorted()).toEqual(alarmNames.toSorted());
  });

  test("are exactly these fourteen", () => {
    expect(alarmNames.toSorted()).toEqual([
      "cost-anomaly",
      "dead-letters",
      "edge-errors",
      "edge-refusals",
      "ingest-errors",
      "monthly-budget",
      "no-due-work",
      "no-render-succeeded",
      "reader-way",
      "search-late",
      "server-errors",
      "slow-answers",
      "stream-age",
      "throttled",
    ]);
  });

  test.each(alarms)(
    "$Properties.AlarmName reports its start and its end, and names the runbook's section",
    ({ Properties }) => {
      const name = Properties.AlarmName.replace(/^Dropleaf-/, "");

      expect(Properties.AlarmActions).toEqual([topic]);
      expect(Properties.OKActions).toEqual([topic]);
      expect(Properties.AlarmDescription).toMatch(new RegExp(`docs/runbook.md, "${name}"\\.$`));
      // An idle service is healthy and has only the metrics of its schedules.
      const isOfSchedule = ["no-due-work", "reader-way"].includes(name);
      expect(Properties.TreatMissingData).toBe(isOfSchedule ? "breaching" : "notBreaching");
    },
  );

  test("of slow responses count three operations only, so that long polls raise none", () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.stubEnv("AWS_LAMBDA_FUNCTION_NAME", "Dropleaf_any");
    for (const operation of operationIds)
      for (const durationMs of [2_999, 3_000])
        logRequest({ operation, requestId: "r", status: 200, durationMs });
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    vi.unstubAllEnvs();
    const slow = lines.filter(({ _aws }) => _aws !== undefined);
    const [directive] = slow[0]._aws.CloudWatchMetrics;

    expect(slow.map(({ operation, durationMs }) => [operation, durationMs]).toSorted()).toEqual([
      ["publish-drop", 3_000],
      ["read-raw-page", 3_000],
      ["view-drop", 3_000],
    ]);
    expect(slow.map(({ Stack, SlowResponses }) => [Stack, SlowResponses])).toEqual(
      Array(3).fill(["Dropleaf", 1]),
    );
    expect(alarmOf("slow-answers")).toMatchObject({
      Namespace: directive.Namespace,
      MetricName: directive.Metrics[0].Name,
      Dimensions: [{ Name: directive.Dimensions[0][0], Value: { Ref: "AWS::StackName" } }],
      Statistic: "Sum",
      Threshold: 1,
      EvaluationPeriods: 6,
      DatapointsToAlarm: 3,
    });
    expect(JSON.stringify(alarms)).not.toMatch(/"Latency"|IntegrationLatency|"Duration"/);
  });

  test("of the stream cover each function that reads it", () => {
    const functions = resourcesOf(everything, "AWS::Lambda::Function");
    const mappings = Object.values(resourcesOf(everything, "AWS::Lambda::EventSourceMapping"));
    const readers = mappings
      .filter(({ Properties }) => Properties.StartingPosition !== undefined)
      .map(({ Properties }) => functions[Properties.FunctionName.Ref]?.Properties.Handler);

    expect(handlersOf(metricsOf("stream-age"), functions).toSorted()).toEqual(readers.toSorted());
    expect(readers).toHaveLength(2);
  });

  test("of renders are raised if all calls of the browser failed in three of six hours, and exist only with rendering", () => {
    const { Dimensions, ...alarm } = alarmOf("no-render-succeeded");

    // The minimum is 1 if all calls failed. All attempts for one page are within two hours.
    expect(alarm).toMatchObject({
      MetricName: "Errors",
      Statistic: "Minimum",
      Threshold: 1,
      Period: 3_600,
      EvaluationPeriods: 6,
      DatapointsToAlarm: 3,
    });
    expect(
      resourcesOf(everything, "AWS::Lambda::Function")[Dimensions[0].Value.Ref]?.Properties.Handler,
    ).toBe("index.drawPage");
    expect(JSON.stringify(givenStack({ renders: false }).toJSON())).not.toContain("no-render-succeeded");
  });

  test("cover the one dead-letter queue, which all queues and streams use", () => {
    const queues = resourcesOf(everything, "AWS::SQS::Queue");
    const redriven = Object.values(queues).flatMap(
      ({ Properties }) => Properties.RedrivePolicy?.deadLetterTargetArn["Fn::GetAtt"][0] ?? [],
    );
    const mappings = Object.values(resourcesOf(everything, "AWS::Lambda::EventSourceMapping"));
    const failed = mappings.flatMap(
      ({ Properties }) => Properties.DestinationConfig?.OnFailure.Destination["Fn::GetAtt"][0] ?? [],
    );
    const watched = alarms
      .flatMap(({ Properties }) => Properties.Metrics ?? [])
      .filter(({ MetricStat }) => MetricStat?.Metric.Namespace === "AWS/SQS")
      .map(({ MetricStat }) => MetricStat.Metric.Dimensions[0].Value["Fn::GetAtt"][0]);

    expect(redriven).toHaveLength(Object.keys(queues).length - 1);
    expect(failed).toHaveLength(2);
    expect(new Set([...redriven, ...failed])).toEqual(new Set(watched));
    expect(watched).toHaveLength(1);
  });

  test("of schedules use their functions' invocations, and the reader's path has a period of eight minutes", () => {
    const functions = resourcesOf(everything, "AWS::Lambda::Function");
    const names = ["reader-way", "no-due-work"];
    const { Period } = alarmOf("edge-refusals");

    expect(names.map((name) => handlersOf(metricsOf(name), functions))).toEqual([
      ["index.checkReaderWay"],
      ["index.doDueWork"],
    ]);
    // A request is sent every five minutes, and CloudWatch may receive its metric minutes later.
    expect(metricsOf("reader-way")).toEqual([expect.objectContaining({ Stat: "Minimum", Period: 480 })]);
    expect(metricsOf("no-due-work")).toEqual([expect.objectContaining({ Stat: "Sum", Period: 3_600 })]);
    expect(Period).toBe(480);
  });

  test("cover the Web Function if there is one", () => {
    const found = (template: typeof plain) =>
      Object.values(resourcesOf(template, "AWS::CloudWatch::Alarm")).filter(({ Properties }) =>
        String(Properties.AlarmName).endsWith("-ingest-errors"),
      );
    const { FunctionName } = onlyResource(everything, "AWS::Lambda::WebFunction").Properties;
    const [alarm] = found(everything);

    expect(alarm?.Properties.Metrics).toEqual([
      expect.objectContaining({
        Expression: `SELECT SUM(HTTPResponseStatusClass5XX) FROM "AWS/Lambda/Web" WHERE FunctionName = '${FunctionName}'`,
      }),
    ]);
    expect(found(givenStack({ ingest: "none" }))).toEqual([]);
  });

  test("and the dashboard use both dimensions of CloudFront's metrics", () => {
    // Amazon CloudFront developer guide, "Values for all CloudFront metrics".
    const ofDistribution = alarms.filter(({ Properties }) => Properties.Namespace === "AWS/CloudFront");
    const withDashboard = givenStack({ dashboard: true });
    const { DashboardBody } = onlyResource(withDashboard, "AWS::CloudWatch::Dashboard").Properties;
    const shown = JSON.stringify(DashboardBody).split("AWS/CloudFront").slice(1);

    expect(ofDistribution.length).toBeGreaterThan(0);
    for (const { Properties } of ofDistribution)
      expect(Properties.Dimensions).toContainEqual({ Name: "Region", Value: "Global" });
    expect(shown.length).toBeGreaterThan(0);
    for (const one of shown) expect(one.split("AWS/")[0]).toMatch(/Region\W+Global/);
  });

  test("count this API only, not the account's other APIs", () => {
    const { Name } = onlyResource(givenStack({ stackName: "Other" }), "AWS::ApiGateway::RestApi").Properties;
    const ofApi = alarms.filter(({ Properties }) => Properties.Namespace === "AWS/ApiGateway");

    expect(Name).toBe("Other");
    expect(ofApi.map(({ Properties }) => Properties.Dimensions)).toEqual(
      ofApi.map(() => [{ Name: "ApiName", Value: "Dropleaf" }]),
    );
    expect(ofApi.map(({ Properties }) => Properties.MetricName).toSorted()).toEqual(["4XXError", "5XXError"]);
    expect(metricsOf("throttled").map(({ Metric }) => Metric.Dimensions)).toEqual([
      // All functions of the account.
      undefined,
      [{ Name: "ApiName", Value: "Dropleaf" }],
    ]);
  });
});

describe("the alarms' topic", () => {
  test("sends e-mail to the address in the settings, or to no one without it", () => {
    expect(onlyResource(everything, "AWS::SNS::Subscription").Properties).toEqual({
      Protocol: "email",
      Endpoint: "operators@example.com",
      TopicArn: topic,
    });
    expect(resourcesOf(plain, "AWS::SNS::Subscription")).toEqual({});
  });

  test("accepts messages of this account's alarms only, over TLS", () => {
    const { PolicyDocument } = onlyResource(everything, "AWS::SNS::TopicPolicy").Properties;
    const allowed = PolicyDocument.Statement.filter((one: { Effect: string }) => one.Effect === "Allow");

    expect(allowed.map((one: { Principal: object }) => one.Principal)).toEqual([
      { Service: "cloudwatch.amazonaws.com" },
      { Service: "costalerts.amazonaws.com" },
      { Service: "budgets.amazonaws.com" },
    ]);
    for (const { Action, Condition } of allowed) {
      expect(Action).toBe("sns:Publish");
      expect(Condition).toEqual({ StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } });
    }
    expect(PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    );
  });
});

describe("the cost alarm", () => {
  test("covers resources with the stack's tag, from the set number of dollars", () => {
    const monitor = onlyResource(everything, "AWS::CE::AnomalyMonitor").Properties;
    const { ThresholdExpression, Frequency } = onlyResource(
      everything,
      "AWS::CE::AnomalySubscription",
    ).Properties;

    expect(JSON.parse(monitor.MonitorSpecification)).toEqual({
      Tags: { Key: "dropleaf:stack", Values: ["Dropleaf"] },
    });
    expect(JSON.parse(ThresholdExpression).Dimensions.Values).toEqual(["20"]);
    expect(Frequency).toBe("IMMEDIATE");
  });

  test("is off by default, because not every account can have it", () => {
    expect(resourcesOf(plain, "AWS::CE::AnomalyMonitor")).toEqual({});
  });
});

describe("the monthly budget", () => {
  test("covers resources with the stack's tag, and reports actual and forecast cost", () => {
    const { Budget, NotificationsWithSubscribers } = onlyResource(
      everything,
      "AWS::Budgets::Budget",
    ).Properties;

    expect(Budget).toMatchObject({
      BudgetType: "COST",
      TimeUnit: "MONTHLY",
      BudgetLimit: { Amount: 50, Unit: "USD" },
      CostFilters: { TagKeyValue: ["user:dropleaf:stack$Dropleaf"] },
    });
    expect(NotificationsWithSubscribers).toEqual(
      ["FORECASTED", "ACTUAL"].map((NotificationType) => ({
        Notification: expect.objectContaining({ NotificationType, Threshold: 100 }),
        Subscribers: [{ SubscriptionType: "SNS", Address: topic }],
      })),
    );
  });

  test("is off by default", () => {
    expect(resourcesOf(plain, "AWS::Budgets::Budget")).toEqual({});
  });
});

test("there is no dashboard by default, because it costs more than all other idle resources", () => {
  expect(resourcesOf(plain, "AWS::CloudWatch::Dashboard")).toEqual({});
});

test("the dashboard shows every alarm, and queries the log of every function", () => {
  const template = givenStack({ dashboard: true });
  const { DashboardBody, DashboardName } = onlyResource(template, "AWS::CloudWatch::Dashboard").Properties;
  const body = JSON.stringify(DashboardBody);

  expect(DashboardName).toBe("Dropleaf");
  for (const id of Object.keys(resourcesOf(template, "AWS::CloudWatch::Alarm"))) expect(body).toContain(id);
  const logGroups = Object.keys(resourcesOf(template, "AWS::Logs::LogGroup"));
  for (const id of logGroups) expect(body).toContain(id);
  // Amazon CloudWatch Logs user guide, "CloudWatch Logs Insights": log groups in a query.
  expect(logGroups.length).toBeLessThanOrEqual(50);
});
