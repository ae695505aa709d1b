import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type GraphWidgetProps,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Duration, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import type { Storage } from "../storage.ts";
import { type Alarms, type AlarmTargets, edgeMetric, throttlesOf } from "./alarms.ts";

export interface DashboardProps extends AlarmTargets {
  readonly alarms: Alarms;
  readonly storage: Storage;
}

const width = 12; // Half of a dashboard's 24 columns.

/** A CloudWatch dashboard that is named after the stack. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const dashboard = new CloudWatchDashboard(this, "Dashboard", {
      dashboardName: Stack.of(this).stackName,
      defaultInterval: Duration.days(1),
    });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: "Alarms", alarms: props.alarms.all, width: 24, height: 3 }),
    );
    dashboard.addWidgets(requests(props), durations(props));
    dashboard.addWidgets(
      this.#logTable("Operations", operationsQuery),
      this.#logTable("Refusals and faults", refusalsQuery),
    );
    dashboard.addWidgets(tableUse(props), functionUse());
    dashboard.addWidgets(events(props), stored(props));
  }

  /** Adds a table that queries the logs of all functions. Each view of the table is a paid query. */
  #logTable(title: string, queryLines: string[]): LogQueryWidget {
    const all = Stack.of(this).node.findAll();
    const logGroups = all.filter((construct) => construct instanceof LogGroup);
    return new LogQueryWidget({
      title,
      queryLines,
      logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
      view: LogQueryVisualizationType.TABLE,
      width,
      height: 8,
    });
  }
}

const operationsQuery = [
  "filter ispresent(status)",
  "stats count(*) as requests, pct(durationMs, 50) as p50, pct(durationMs, 99) as p99, sum(status >= 500) as failed by operation",
  "sort requests desc",
];

const refusalsQuery = [
  "filter ispresent(code) or ispresent(fault)",
  "stats count(*) as lines by operation, status, code, fault",
  "sort lines desc",
];

function graph(title: string, props: GraphWidgetProps): GraphWidget {
  return new GraphWidget({ title, width, height: 6, period: Duration.minutes(5), liveData: true, ...props });
}

function requests({ restApi, distribution }: DashboardProps): GraphWidget {
  return graph("Requests", {
    left: [
      edgeMetric(distribution, "Requests", { statistic: Stats.SUM, label: "At the edge" }),
      restApi.metricCount({ statistic: Stats.SUM, label: "At the API" }),
    ],
    right: [
      restApi.metricClientError({ statistic: Stats.SUM, label: "Refused by the API (4xx)" }),
      restApi.metricServerError({ statistic: Stats.SUM, label: "Failed in the API (5xx)" }),
    ],
  });
}

function durations({ restApi, distribution }: DashboardProps): GraphWidget {
  return graph("Response times, and failures at the edge", {
    left: [50, 99].map((percent) =>
      restApi.metricLatency({ statistic: Stats.percentile(percent), label: `API, p${percent}, ms` }),
    ),
    right: [
      edgeMetric(distribution, "5xxErrorRate", {
        statistic: Stats.AVERAGE,
        label: "Failed at the edge, %",
      }),
    ],
  });
}

function tableUse({ table }: DashboardProps): GraphWidget {
  return graph("Table", {
    left: [
      table.metricConsumedReadCapacityUnits({ label: "Read units" }),
      table.metricConsumedWriteCapacityUnits({ label: "Write units" }),
    ],
    right: [throttlesOf(table)],
  });
}

function functionUse(): GraphWidget {
  const ofAccount = (metricName: string, statistic: string, label: string) =>
    new Metric({ namespace: "AWS/Lambda", metricName, statistic, label });
  return graph("All functions in the account", {
    left: [ofAccount("ConcurrentExecutions", Stats.MAXIMUM, "Concurrent executions")],
    right: [
      ofAccount("Throttles", Stats.SUM, "Throttled calls"),
      ofAccount("Errors", Stats.SUM, "Failed calls"),
    ],
  });
}

function events({ queues, janitor, dropTracker }: DashboardProps): GraphWidget {
  const waiting = (queue: Queue, label: string) =>
    queue.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, label });
  const age = (worker: LambdaFunction, label: string) =>
    worker.metric("IteratorAge", { statistic: Stats.MAXIMUM, label });
  return graph("Events", {
    left: [
      waiting(queues.views, "Views"),
      ...(queues.webhooks ? [waiting(queues.webhooks, "Webhooks")] : []),
      waiting(queues.deadLetters, "Dead letters"),
    ],
    right: [age(janitor, "Janitor's delay, ms"), age(dropTracker, "Drop tracker's delay, ms")],
  });
}

function stored({ storage }: DashboardProps): GraphWidget {
  const bytesOf = ({ bucketName }: Bucket, label: string) =>
    new Metric({
      namespace: "AWS/S3",
      metricName: "BucketSizeBytes",
      dimensionsMap: { BucketName: bucketName, StorageType: "StandardStorage" },
      statistic: Stats.AVERAGE,
      // The period is long, because S3 reports the metric once a day.
      period: Duration.days(1),
      label,
    });
  return graph("Stored bytes", {
    left: [bytesOf(storage.pages, "Pages"), bytesOf(storage.blobs, "Files")],
    period: Duration.days(1),
  });
}
