import type { Queue } from "../aws/sqs/queue.ts";
import type { MetricSink } from "./metric-store.ts";

/** Registers the length of each queue. Amazon SQS developer guide, "Available CloudWatch metrics for Amazon SQS". */
export function measureQueues(queues: ReadonlyMap<string, Queue>, metrics: MetricSink): void {
  for (const [QueueName, queue] of queues) {
    const metric = {
      namespace: "AWS/SQS",
      name: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName },
    };
    metrics.gauge(metric, () => queue.counts().visible);
  }
}
