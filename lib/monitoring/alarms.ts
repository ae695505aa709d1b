import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import type { Distribution, Function as EdgeFunction } from "aws-cdk-lib/aws-cloudfront";
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
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Queues } from "../lambda/queues.ts";
import { edgeRegion } from "../settings.ts";

/** The CloudFront Functions. */
export interface EdgeFunctions {
  readonly viewerRequest: EdgeFunction;
  readonly blobResponse: EdgeFunction;
  readonly showIcon: EdgeFunction;
}

/** What is watched. */
export interface AlarmTargets {
  readonly restApi: SpecRestApi;
  readonly distribution: Distribution;
  readonly edgeFunctions: EdgeFunctions;
  readonly table: Table;
  readonly queues: Queues;
  readonly janitor: LambdaFunction;
  /** The name of the Web Function that takes large bodies. @default - there is none */
  readonly ingestFunctionName: string | undefined;
}

export interface AlarmsProps extends AlarmTargets {
  readonly topic: ITopic;
}

const period = Duration.minutes(5);

/**
 * The alarms, each with a section of its name in docs/runbook.md. Few and about the whole service: what only one
 * function does wrong shows in the API's errors, and its log says which.
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
    this.#watchThrottles(targets);
    this.#watchEvents(targets);
    this.#watchIngest(targets);
  }

  #watchResponses({ restApi }: AlarmTargets): void {
    this.#alarm("server-errors", "5 or more responses of the API in 5 minutes were server errors", {
      metric: restApi.metricServerError({ period, statistic: Stats.SUM }),
      threshold: 5,
    });
    this.#alarm(
      "slow-answers",
      "For 15 minutes, one in a hundred responses of the API took 3 seconds or more",
      {
        metric: restApi.metricLatency({ period, statistic: Stats.percentile(99) }),
        threshold: 3_000,
        evaluationPeriods: 3,
        // One cold start among a few requests says nothing.
        evaluateLowSampleCountPercentile: "ignore",
      },
    );
  }

  #watchEdge({ distribution, edgeFunctions }: AlarmTargets): void {
    this.#alarm("edge-errors", "For 15 minutes, 5 % or more of all answers were server errors", {
      metric: edgeMetric(distribution, "5xxErrorRate", { period, statistic: Stats.AVERAGE }),
      threshold: 5,
      evaluationPeriods: 3,
    });
    this.#alarm("edge-function-errors", "CloudFront could not run one of its functions, and answered 503", {
      metric: executionErrorsOf(edgeFunctions),
      threshold: 1,
    });
  }

  #watchThrottles({ table }: AlarmTargets): void {
    this.#alarm("function-throttles", "5 or more calls of functions in 5 minutes were refused by Lambda", {
      // Of the whole account, which shares one limit.
      metric: new Metric({
        namespace: "AWS/Lambda",
        metricName: "Throttles",
        period,
        statistic: Stats.SUM,
      }),
      threshold: 5,
    });
    this.#alarm("table-throttles", "5 or more reads and writes in 5 minutes were refused by DynamoDB", {
      metric: throttlesOf(table),
      threshold: 5,
    });
  }

  #watchEvents({ queues, janitor }: AlarmTargets): void {
    this.#alarm("stream-age", "The janitor is 15 minutes or more behind the table's stream", {
      metric: janitor.metric("IteratorAge", { period, statistic: Stats.MAXIMUM }),
      threshold: Duration.minutes(15).toMilliseconds(),
    });
    this.#alarm("dead-letters", "A worker has given something up", {
      metric: queues.deadLetters.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: Stats.MAXIMUM,
      }),
      threshold: 1,
    });
  }

  /**
   * A query: the metrics are sparse and carry more dimensions than the function's name, and an alarm of one metric has to
   * name them all. AWS Lambda developer guide, "Using CloudWatch metrics with Lambda Web Functions"; Amazon CloudWatch
   * user guide, "Create alarms on Metrics Insights queries". What the function refuses for want of room is in no metric
   * that is documented by name; the edge answers it to the viewer, and edge-errors counts it.
   */
  #watchIngest({ ingestFunctionName: name }: AlarmTargets): void {
    if (name === undefined) return;
    this.#alarm("ingest-errors", "5 or more answers about large bodies in 5 minutes were server errors", {
      metric: new MathExpression({
        expression: `SELECT SUM(HTTPResponseStatusClass5XX) FROM "AWS/Lambda/Web" WHERE FunctionName = '${name}'`,
        label: "Server errors of the Web Function",
        period,
      }),
      threshold: 5,
    });
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
 * A metric of the distribution. The construct's own leave out the dimension without which there are no such data, and
 * name no region. Amazon CloudFront developer guide, "Getting metrics using the CloudWatch API", "Values for all
 * CloudFront metrics".
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

/**
 * CloudFront developer guide, "Metrics for CloudFront Functions": FunctionExecutionErrors, which has no sum over functions.
 * Its page "Types of metrics for CloudFront" names the dimensions.
 */
function executionErrorsOf({ viewerRequest, blobResponse, showIcon }: EdgeFunctions): MathExpression {
  const errors = ({ functionName }: EdgeFunction) =>
    new Metric({
      namespace: "AWS/CloudFront",
      metricName: "FunctionExecutionErrors",
      dimensionsMap: { FunctionName: functionName, Region: "Global" },
      region: edgeRegion,
      period,
      statistic: Stats.SUM,
    });
  return new MathExpression({
    // Files may be read by nobody while pages are.
    expression: "FILL(requests, 0) + FILL(files, 0) + FILL(icons, 0)",
    label: "Runs that failed",
    period,
    usingMetrics: { requests: errors(viewerRequest), files: errors(blobResponse), icons: errors(showIcon) },
  });
}

/** Amazon DynamoDB developer guide, "DynamoDB Metrics and dimensions": ReadThrottleEvents, WriteThrottleEvents. */
export function throttlesOf(table: Table): MathExpression {
  const events = (name: string) => table.metric(name, { period, statistic: Stats.SUM });
  return new MathExpression({
    // Each is reported only when there are any.
    expression: "FILL(reads, 0) + FILL(writes, 0)",
    label: "Refused reads and writes",
    period,
    usingMetrics: { reads: events("ReadThrottleEvents"), writes: events("WriteThrottleEvents") },
  });
}
