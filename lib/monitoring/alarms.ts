import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import type { Distribution } from "aws-cdk-lib/aws-cloudfront";
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { IFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { indexAgeMetric } from "../../functions/search/search-document.ts";
import type { Queues } from "../lambda/queues.ts";
import { edgeRegion } from "../settings.ts";

/** Functions whose duration has an alarm. Functions with long polls have none, since 25 seconds are normal for them. */
export interface AwaitedFunctions {
  readonly viewDrop: IFunction;
  readonly readRawPage: IFunction;
  readonly publishDrop: IFunction;
}

/** Monitored resources. */
export interface AlarmTargets {
  readonly restApi: SpecRestApi;
  readonly distribution: Distribution;
  readonly table: Table;
  readonly queues: Queues;
  readonly awaitedFunctions: AwaitedFunctions;
  /** The readers of the table's stream. */
  readonly janitor: LambdaFunction;
  readonly dropTracker: LambdaFunction;
  /** The worker that writes the search index. */
  readonly indexDrops: LambdaFunction;
  /** The function with the browser. @default - pages are not rendered */
  readonly drawPage?: IFunction | undefined;
  /** The name of the Web Function that takes large bodies. @default - there is none */
  readonly ingestFunctionName: string | undefined;
}

export interface AlarmsProps extends AlarmTargets {
  readonly topic: ITopic;
}

const period = Duration.minutes(5);

/**
 * Alarms for faults that readers and agents notice, each with a section of its name in docs/runbook.md. Causes have no alarms: throttling
 * shows as server errors, and failing CloudFront Functions show as errors of the edge.
 */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, { topic, ...targets }: AlarmsProps) {
    super(scope, id);
    this.#topic = topic;
    this.#watchResponses(targets);
    // An alarm sees the metrics of its own region only; Amazon CloudWatch user guide, "Cross-account cross-Region".
    if (Stack.of(this).region === edgeRegion) this.#watchEdge(targets);
    this.#watchEvents(targets);
    this.#watchRenders(targets);
    this.#watchIngest(targets);
  }

  #watchResponses({ restApi, awaitedFunctions }: AlarmTargets): void {
    this.#alarm("server-errors", "The API responded with 5 or more server errors (5xx) in 5 minutes", {
      metric: restApi.metricServerError({ period, statistic: Stats.SUM }),
      threshold: 5,
    });
    this.#alarm(
      "slow-answers",
      "Pages or publications are slow: in 15 of the last 30 minutes, 1 % of them took 3 seconds or more",
      {
        metric: largestOf("Slowest of viewer, raw page and publication", {
          view: awaitedFunctions.viewDrop.metricDuration(p99),
          raw: awaitedFunctions.readRawPage.metricDuration(p99),
          publish: awaitedFunctions.publishDrop.metricDuration(p99),
        }),
        threshold: 3_000,
        // A cold start takes about a second. Slow requests in three periods are no accident, even with few requests.
        evaluationPeriods: 6,
        datapointsToAlarm: 3,
      },
    );
  }

  #watchEdge({ distribution }: AlarmTargets): void {
    this.#alarm(
      "edge-errors",
      "Readers get errors: 5 % or more of CloudFront's responses in 15 minutes were 5xx",
      {
        metric: edgeMetric(distribution, "5xxErrorRate", { period, statistic: Stats.AVERAGE }),
        threshold: 5,
        evaluationPeriods: 3,
      },
    );
  }

  #watchEvents({ queues, janitor, dropTracker, indexDrops }: AlarmTargets): void {
    const age = (reader: LambdaFunction) =>
      reader.metric("IteratorAge", { period, statistic: Stats.MAXIMUM });
    this.#alarm("stream-age", "Work after changes of the table is 15 minutes or more late", {
      metric: largestOf("Age of what the slower reader works on", {
        janitor: age(janitor),
        tracker: age(dropTracker),
      }),
      threshold: Duration.minutes(15).toMilliseconds(),
    });
    this.#alarm("search-late", "Changes of pages have waited 10 minutes or more for the search index", {
      metric: new Metric({
        ...indexAgeMetric,
        dimensionsMap: { FunctionName: indexDrops.functionName },
        period,
        statistic: Stats.MAXIMUM,
      }),
      threshold: Duration.minutes(10).toSeconds(),
    });
    this.#alarm("dead-letters", "A background job failed after all its retries", {
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 1,
    });
  }

  /** A single page that crashes the browser raises no alarm. Five calls without a success do. */
  #watchRenders({ drawPage }: AlarmTargets): void {
    if (drawPage === undefined) return;
    const hourly = { period: Duration.hours(1), statistic: Stats.SUM };
    this.#alarm(
      "no-render-succeeded",
      "No page was rendered in an hour: every call of the function draw-page failed",
      {
        metric: new MathExpression({
          expression: "IF(calls >= 5 AND errors >= calls, 1, 0)",
          label: "1 if five or more calls all failed",
          period: hourly.period,
          usingMetrics: { calls: drawPage.metricInvocations(hourly), errors: drawPage.metricErrors(hourly) },
        }),
        threshold: 1,
      },
    );
  }

  /**
   * The alarm queries, since an alarm on one metric must name all its dimensions, and these metrics have more than the
   * function's name. AWS Lambda developer guide, "Using CloudWatch metrics with Lambda Web Functions"; Amazon CloudWatch
   * user guide, "Create alarms on Metrics Insights queries". Throttled requests are in no documented metric; edge-errors
   * counts them.
   */
  #watchIngest({ ingestFunctionName: name }: AlarmTargets): void {
    if (name === undefined) return;
    this.#alarm(
      "ingest-errors",
      "5 or more uploads of large bodies failed with server errors (5xx) in 5 minutes",
      {
        metric: new MathExpression({
          expression: `SELECT SUM(HTTPResponseStatusClass5XX) FROM "AWS/Lambda/Web" WHERE FunctionName = '${name}'`,
          label: "Server errors of the Web Function",
          period,
        }),
        threshold: 5,
      },
    );
  }

  #alarm(
    name: string,
    meaning: string,
    props: { metric: IMetric; threshold: number } & Partial<AlarmProps>,
  ): void {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `${meaning}. What to do: docs/runbook.md, "${name}".`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      // No traffic, no metric.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
    });
    const action = new SnsAction(this.#topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.all.push(alarm);
  }
}

/**
 * A metric of the distribution. The metrics of the CDK construct lack the region and a required dimension. Amazon
 * CloudFront developer guide, "Getting metrics using the CloudWatch API", "Values for all CloudFront metrics".
 */
export function edgeMetric(
  { distributionId }: Distribution,
  metricName: string,
  options: MetricOptions,
): Metric {
  const dimensionsMap = { DistributionId: distributionId, Region: "Global" };
  return new Metric({
    namespace: "AWS/CloudFront",
    metricName,
    dimensionsMap,
    region: edgeRegion,
    ...options,
  });
}

const p99: MetricOptions = { period, statistic: Stats.percentile(99) };

/** The largest of these metrics; those without data count as zero. */
function largestOf(label: string, usingMetrics: Record<string, IMetric>): MathExpression {
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: `MAX([${filled.join(", ")}])`, label, period, usingMetrics });
}

/** Amazon DynamoDB developer guide, "DynamoDB Metrics and dimensions": ReadThrottleEvents, WriteThrottleEvents. */
export function throttlesOf(table: Table): MathExpression {
  const events = (name: string) => table.metric(name, { period, statistic: Stats.SUM });
  return new MathExpression({
    // CloudWatch has each metric only while events occur.
    expression: "FILL(reads, 0) + FILL(writes, 0)",
    label: "Refused reads and writes",
    period,
    usingMetrics: { reads: events("ReadThrottleEvents"), writes: events("WriteThrottleEvents") },
  });
}
