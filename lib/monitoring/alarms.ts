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
import { type IFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Aws, Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { readerWayMinutes, slowResponsesMetric } from "../../functions/core/environment.ts";
import { indexAgeMetric } from "../../functions/search/search-document.ts";
import type { Queues } from "../lambda/queues.ts";
import { edgeRegion } from "../settings.ts";

/** Monitored resources. */
export interface AlarmTargets {
  readonly restApi: SpecRestApi;
  readonly distribution: Distribution;
  readonly table: Table;
  readonly queues: Queues;
  /** A function that reads the table's stream, like `dropTracker`. */
  readonly janitor: LambdaFunction;
  readonly dropTracker: LambdaFunction;
  /** The worker that writes the search index. */
  readonly indexDrops: LambdaFunction;
  /** A function that runs on a schedule, like `checkReaderWay`. */
  readonly doDueWork: LambdaFunction;
  readonly checkReaderWay: LambdaFunction;
  /** The function that runs the browser. @default - pages are not rendered */
  readonly drawPage?: IFunction | undefined;
  /** Name of the Web Function for large request bodies. @default - large bodies are refused */
  readonly ingestFunctionName: string | undefined;
}

export interface AlarmsProps extends AlarmTargets {
  readonly topic: ITopic;
}

const period = Duration.minutes(5);

/**
 * Evaluation window of the alarm on `check-reader-way`: the function's interval, plus three minutes until CloudWatch has the metric. While
 * the service works, every window contains a successful request. The alarm fires within ten minutes.
 */
const readerWayWindow = Duration.minutes(readerWayMinutes + 3);

/**
 * Alarms for faults that readers and agents notice. docs/runbook.md has a section for each alarm, under the alarm's name. Each metric costs
 * 10 cents a month; see docs/adr/0105-outage-alarms.md for the signals that share a metric.
 */
export class Alarms extends Construct {
  readonly all: Alarm[] = [];
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, { topic, ...targets }: AlarmsProps) {
    super(scope, id);
    this.#topic = topic;
    this.#watchResponses(targets);
    this.#watchReaderWay(targets);
    this.#watchThrottling(targets);
    this.#watchDueWork(targets);
    // An alarm can use only metrics of its own Region; see "Cross-account cross-Region", Amazon CloudWatch user guide.
    if (Stack.of(this).region === edgeRegion) this.#watchEdge(targets);
    this.#watchEvents(targets);
    this.#watchRenders(targets);
    this.#watchIngest(targets);
  }

  #watchResponses({ restApi }: AlarmTargets): void {
    this.#alarm(
      "server-errors",
      "5 % or more of the API's responses in 10 minutes were server errors (5xx)",
      {
        metric: restApi.metricServerError({ period, statistic: Stats.AVERAGE }),
        threshold: 0.05,
        // Two periods are evaluated, because with little traffic a single error is a large share of one period's responses.
        evaluationPeriods: 2,
      },
    );
    this.#alarm(
      "slow-answers",
      "Reading or publishing pages is slow: in 15 of the last 30 minutes, some requests took 3 seconds or more",
      {
        metric: new Metric({
          ...slowResponsesMetric,
          dimensionsMap: { Stack: Aws.STACK_NAME },
          period,
          statistic: Stats.SUM,
        }),
        threshold: 1,
        // Cold starts take about a second, so they do not count as slow. Even with few requests, slow responses in three periods are not a
        // coincidence.
        evaluationPeriods: 6,
        datapointsToAlarm: 3,
      },
    );
  }

  /**
   * Alarms if test requests for a reader's page fail. `check-reader-way` sends a request every few minutes, and fails unless it gets the
   * response of a working service. A working API responds to this request with a redirect. So if all of the API's responses are refusals,
   * the API also refuses the edge's requests.
   */
  #watchReaderWay({ restApi, checkReaderWay }: AlarmTargets): void {
    this.#alarm("reader-way", "For 8 minutes, no test request for a reader's page succeeded", {
      metric: filled(
        "1 if no test request succeeded",
        checkReaderWay.metricErrors({ period: readerWayWindow, statistic: Stats.MINIMUM }),
        1,
      ),
      threshold: 1,
      treatMissingData: TreatMissingData.BREACHING,
    });
    this.#alarm("edge-refusals", "For 8 minutes, the API refused every request (4xx), including the edge's", {
      metric: restApi.metricClientError({ period: readerWayWindow, statistic: Stats.AVERAGE }),
      threshold: 1,
    });
  }

  /**
   * Alarms on throttling. Lambda's metric covers all functions, because they share the account's concurrency. The API's metric covers all
   * 4xx responses, because no metric counts 429 separately. Bots that probe for missing pages stay below the threshold. Throttled requests
   * to the table count as server errors.
   */
  #watchThrottling({ restApi }: AlarmTargets): void {
    const sum = { period, statistic: Stats.SUM };
    this.#alarm(
      "throttled",
      "Twice in a row, Lambda refused 10 or more calls or the API refused 3,000 or more requests (4xx) in 5 minutes",
      {
        metric: new MathExpression({
          expression: "MAX([FILL(calls, 0) / 10, FILL(requests, 0) / 3000])",
          label: "Throttling: 1 means 10 refused calls or 3,000 refused requests",
          period,
          usingMetrics: {
            calls: LambdaFunction.metricAllThrottles(sum),
            requests: restApi.metricClientError(sum),
          },
        }),
        threshold: 1,
        evaluationPeriods: 2,
      },
    );
  }

  #watchDueWork({ doDueWork }: AlarmTargets): void {
    this.#alarm("no-due-work", "No scheduled job has started for an hour", {
      metric: filled(
        "Scheduled jobs started",
        doDueWork.metricInvocations({ period: Duration.hours(1), statistic: Stats.SUM }),
        0,
      ),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
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
    this.#alarm("stream-age", "Changes to the table are processed 15 minutes or more late", {
      metric: new MathExpression({
        // A metric without data counts as zero.
        expression: "MAX([FILL(janitor, 0), FILL(tracker, 0)])",
        label: "Age of the change being processed, ms",
        period,
        usingMetrics: { janitor: age(janitor), tracker: age(dropTracker) },
      }),
      threshold: Duration.minutes(15).toMilliseconds(),
    });
    this.#alarm("search-late", "Changes to pages have not reached the search index for 10 minutes or more", {
      metric: new Metric({
        ...indexAgeMetric,
        dimensionsMap: { FunctionName: indexDrops.functionName },
        period,
        statistic: Stats.MAXIMUM,
      }),
      threshold: Duration.minutes(10).toSeconds(),
    });
    this.#alarm("dead-letters", "A background job failed after all its retries", {
      metric: new MathExpression({
        // The metric is the change of the queue's size, so that a later dead letter raises the alarm again. NumberOfMessagesSent does not
        // count messages that SQS itself moves; see "Using dead-letter queues in Amazon SQS", Amazon SQS developer guide.
        expression: "DIFF(FILL(letters, 0))",
        label: "New dead letters",
        period,
        usingMetrics: {
          letters: queues.deadLetters.metricApproximateNumberOfMessagesVisible({
            period,
            // Messages that an operator views are invisible for half a minute, and must not count as new when they reappear.
            statistic: Stats.MAXIMUM,
          }),
        },
      }),
      threshold: 1,
      // More than one period is evaluated, because the metric is the difference from the previous period.
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
    });
  }

  /**
   * Alarms if the function that runs the browser fails. A single page that crashes the browser does not raise the alarm, because rendering
   * is tried only three times within an hour or two.
   */
  #watchRenders({ drawPage }: AlarmTargets): void {
    if (drawPage === undefined) return;
    this.#alarm(
      "no-render-succeeded",
      "In three of the last six hours, every call of the function draw-page failed",
      {
        metric: drawPage.metricErrors({ period: Duration.hours(1), statistic: Stats.MINIMUM }),
        threshold: 1,
        evaluationPeriods: 6,
        datapointsToAlarm: 3,
      },
    );
  }

  /**
   * Alarms on the ingest server. The alarm is a query, because an alarm on a metric must name all its dimensions, and these metrics have
   * more dimensions than the function's name. No documented metric counts throttled requests; the alarm `edge-errors` includes them.
   *
   * Sources: "Using CloudWatch metrics with Lambda Web Functions", AWS Lambda developer guide; "Create alarms on Metrics Insights queries",
   * Amazon CloudWatch user guide.
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
      // Missing data is not a fault, because the metric has no data without traffic.
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
 * Returns a metric of the distribution. The CDK construct's own metrics lack the Region and a required dimension; see "Getting metrics
 * using the CloudWatch API", "Values for all CloudFront metrics", Amazon CloudFront developer guide.
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

/** Replaces missing data of a metric with a value. */
function filled(label: string, metric: Metric, value: number): MathExpression {
  return new MathExpression({
    expression: `FILL(metric, ${value})`,
    label,
    period: metric.period,
    usingMetrics: { metric },
  });
}

/**
 * Returns the number of throttled reads and writes (ReadThrottleEvents, WriteThrottleEvents); see "DynamoDB Metrics and dimensions", Amazon
 * DynamoDB developer guide.
 */
export function throttlesOf(table: Table): MathExpression {
  const events = (name: string) => table.metric(name, { period, statistic: Stats.SUM });
  return new MathExpression({
    // Each metric has data only while events occur.
    expression: "FILL(reads, 0) + FILL(writes, 0)",
    label: "Refused reads and writes",
    period,
    usingMetrics: { reads: events("ReadThrottleEvents"), writes: events("WriteThrottleEvents") },
  });
}
