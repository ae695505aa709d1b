import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openMessageStore } from "../../src/aws/sqs/message-store.ts";
import { openQueues } from "../../src/aws/sqs/queue.ts";
import type { QueueSettings } from "../../src/aws/sqs/queue-settings.ts";
import { measureQueues } from "../../src/local-cloud.ts";
import { putEmbeddedMetrics } from "../../src/metrics/embedded-metrics.ts";
import { createMetricStore, type MetricId } from "../../src/metrics/metric-store.ts";

const store = () => createMetricStore(() => 0);
const valuesOf = (metrics: ReturnType<typeof store>, metric: MetricId) => metrics.values(metric, 0, 1);

// Amazon SQS developer guide, "Available CloudWatch metrics for Amazon SQS".
test("the visible messages of a dead-letter queue include sent and moved ones", async () => {
  const messages = openMessageStore(":memory:");
  onTestFinished(() => messages.close());
  const settings = (name: string, redrive?: QueueSettings["redrive"]): QueueSettings => ({
    name,
    arn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
    delaySeconds: 0,
    visibilityTimeoutSeconds: 0,
    retentionSeconds: 3_600,
    receiveWaitSeconds: 0,
    messageBytesMax: 1_000,
    redrive,
  });
  const queues = openQueues(
    [settings("work", { deadLetterQueueName: "dead", receivesMax: 1 }), settings("dead")],
    messages,
    () => {},
  );
  const metrics = store();
  measureQueues(queues, metrics);

  queues.get("work")?.send({ body: "moved" });
  queues.get("dead")?.send({ body: "sent" });
  metrics.sampleGauges();
  for (let count = 0; count < 2; count += 1) {
    queues.get("work")?.receive({ countMax: 1 });
    await sleep(2);
  }
  metrics.sampleGauges();

  const visible = { namespace: "AWS/SQS", name: "ApproximateNumberOfMessagesVisible" };
  expect(valuesOf(metrics, { ...visible, dimensions: { QueueName: "dead" } })).toEqual([1, 2]);
  expect(valuesOf(metrics, { ...visible, dimensions: { QueueName: "work" } })).toEqual([1, 0]);
});

// Amazon CloudWatch user guide, "Specification: Embedded metric format".
test("a function's log entry publishes the metrics that it describes, and other entries publish none", () => {
  const metrics = store();
  const directive = { Namespace: "App", Dimensions: [["Stack"], []], Metrics: [{ Name: "Slow" }] };
  const line = { Slow: 3, Stack: "s", _aws: { Timestamp: 0, CloudWatchMetrics: [directive] } };

  for (const text of ["plain text", 'not JSON: "_aws"', '{"_aws":{}}']) putEmbeddedMetrics(text, metrics);
  putEmbeddedMetrics(JSON.stringify({ Slow: 4, Stack: "s" }), metrics);
  putEmbeddedMetrics(JSON.stringify(line), metrics);

  expect(valuesOf(metrics, { namespace: "App", name: "Slow", dimensions: { Stack: "s" } })).toEqual([3]);
  expect(valuesOf(metrics, { namespace: "App", name: "Slow", dimensions: {} })).toEqual([3]);
});
