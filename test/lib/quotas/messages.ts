import { each, jsonLength, lengthOf, numberOf, numberOr, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons, type StackTemplate, type Uses } from "./quota.ts";

const queue = "AWS::SQS::Queue";
const queuePolicy = "AWS::SQS::QueuePolicy";
const schedule = "AWS::Scheduler::Schedule";

const standard = "Every queue is a standard queue.";
const ids = "Messages are ids, a few hundred bytes each.";

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: Readonly<Record<string, object>>;
  readonly Principal: string | Readonly<Record<string, unknown>>;
}

/** Measures the statements of each queue's policy. */
const eachPolicy = (
  measure: (statements: readonly Statement[]) => number,
): ((template: StackTemplate) => Uses) =>
  each(queuePolicy, ({ PolicyDocument }) => measure(PolicyDocument.Statement));

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

export const sqsMessages: QuotaPage = {
  title: 'Amazon SQS Developer Guide, "Amazon SQS message quotas"',
  services: ["AWS::SQS"],
  quotas: [
    { name: "Batched message ID", value: "80 characters", reason: "Ids in a batch are numbers." },
    { name: "Message attributes", value: 10, reason: "Messages have no attributes." },
    { name: "Message batch", value: 10, reason: "`webhook-queue.ts` splits longer lists." },
    { name: "Message content", value: "XML, JSON, and unformatted text", reason: "Messages are JSON." },
    { name: "Message group ID", value: "128 characters", reason: standard },
    {
      name: "Message retention",
      value: 1_209_600,
      bound: 1_209_600,
      count: each(queue, ({ MessageRetentionPeriod }) => numberOr(MessageRetentionPeriod, 345_600)),
    },
    { name: "Message throughput", value: "nearly unlimited", reason: standard },
    { name: "Message timer", value: "15 minutes", reason: "`postponed-work.ts` limits each delay." },
    { name: "Message size", value: "1,048,576 bytes", reason: ids },
    {
      name: "Message visibility timeout",
      value: 43_200,
      bound: 3_600,
      count: each(queue, ({ VisibilityTimeout }) => numberOr(VisibilityTimeout, 30)),
    },
    {
      name: "Policy information",
      value: "as the next page says",
      reason: "The page about policies has the same rows.",
    },
  ],
};

export const sqsQueues: QuotaPage = {
  title: 'Amazon SQS Developer Guide, "Amazon SQS standard queue quotas"',
  services: ["AWS::SQS"],
  quotas: [
    {
      name: "Delay queue",
      value: 900,
      bound: 900,
      count: each(queue, ({ DelaySeconds }) => numberOr(DelaySeconds, 0)),
    },
    { name: "Listed queues", value: 1_000, reason: "No code lists queues." },
    {
      name: "Long polling wait time",
      value: 20,
      bound: 20,
      count: each(queue, ({ ReceiveMessageWaitTimeSeconds }) => numberOr(ReceiveMessageWaitTimeSeconds, 0)),
    },
    { name: "Messages per queue (backlog)", value: "unlimited", reason: "SQS has no quota." },
    {
      name: "Messages per queue (in flight)",
      value: 120_000,
      bound: 20_000,
      // Lambda has at most one batch in flight for each concurrent execution.
      count: (template) =>
        Object.fromEntries(
          resourcesOf(template, "AWS::Lambda::EventSourceMapping")
            .filter(([, { Properties }]) => Properties.ScalingConfig !== undefined)
            .map(([id, { Properties }]) => [
              id,
              numberOr(Properties.BatchSize, 10) * Properties.ScalingConfig.MaximumConcurrency,
            ]),
        ),
    },
    { name: "Queue name", value: "80 characters", reason: "CloudFormation generates the names." },
    { name: "Queue tag", value: 50, bound: 10, count: each(queue, ({ Tags }) => lengthOf(Tags)) },
  ],
};

export const sqsPolicies: QuotaPage = {
  title: 'Amazon SQS Developer Guide, "Amazon SQS policy quotas"',
  services: ["AWS::SQS"],
  quotas: [
    {
      name: "Bytes",
      value: 8_192,
      bound: 4_000,
      count: each(queuePolicy, ({ PolicyDocument }) => jsonLength(PolicyDocument)),
    },
    {
      name: "Conditions",
      value: 10,
      bound: 8,
      count: eachPolicy((statements) =>
        sumOf(
          statements.flatMap(({ Condition = {} }) =>
            Object.values(Condition).map((one) => Object.keys(one).length),
          ),
        ),
      ),
    },
    {
      name: "Principals",
      value: 50,
      bound: 10,
      count: eachPolicy((statements) =>
        sumOf(statements.map(({ Principal }) => Object.values(Principal).flat().length)),
      ),
    },
    { name: "Statements", value: 20, bound: 10, count: eachPolicy((statements) => statements.length) },
    {
      name: "Actions per statement",
      value: 7,
      bound: 5,
      count: eachPolicy((statements) => Math.max(...statements.map(({ Action }) => [Action].flat().length))),
    },
  ],
};

export const sns: QuotaPage = {
  title: 'AWS General Reference, "Amazon SNS endpoints and quotas"',
  services: ["AWS::SNS"],
  quotas: [
    { name: "Topics", value: 100_000, bound: 1, count: numberOf("AWS::SNS::Topic") },
    { name: "Subscriptions", value: 12_500_000, bound: 1, count: numberOf("AWS::SNS::Subscription") },
    { name: "Pending subscriptions", value: 5_000, reason: "The stack has at most one subscription." },
    { name: "SMS: spend threshold and delivery rates", value: "3 rows", reason: reasons.unused },
    { name: "Delivery rate for email messages", value: "10 a second", reason: reasons.rate },
    { name: "Maximum number of messages in PublishBatchRequest", value: 10, reason: "Only AWS publishes." },
    {
      name: "Subscription filter policies",
      value: "200 per topic",
      reason: "The subscription has no filter.",
    },
    { name: "Message header", value: "16 KiB", reason: "Only AWS publishes." },
    { name: "Message size", value: "256 KiB", reason: "Only AWS publishes." },
    { name: "Amazon SNS API throttling", value: "41 rows", reason: reasons.rate },
  ],
};

export const eventBridge: QuotaPage = {
  title: 'Amazon EventBridge User Guide, "Amazon EventBridge quotas"',
  services: ["AWS::Events"],
  quotas: [
    { name: "Custom Event Bus quotas", value: "20 rows", reason: "Events go to the account's default bus." },
    { name: "Api destinations", value: 3_000, reason: reasons.unused },
    { name: "Connections", value: 3_000, reason: reasons.unused },
    { name: "Endpoints", value: 100, reason: reasons.unused },
    {
      name: "Event bus policy size",
      value: "10,240 characters",
      reason: "The stack does not change the policy.",
    },
    { name: "Event buses", value: 100, reason: "Events go to the account's default bus." },
    { name: "Event pattern size", value: "2,048 characters", reason: "The stack has no rules." },
    { name: "Number of rules", value: 300, bound: 0, count: numberOf("AWS::Events::Rule") },
    { name: "Targets per rule", value: 5, reason: "The stack has no rules." },
    {
      name: "PutEvents throttle limit in transactions per second",
      value: "400 to 10,000",
      reason: reasons.rate,
    },
    {
      name: "Invocations throttle limit in transactions per second",
      value: "750 to 18,750",
      reason: reasons.rate,
    },
    { name: "Other throttle limits", value: "5 rows", reason: reasons.rate },
    { name: "Rules containing wildcards", value: 30, reason: "The stack has no rules." },
    { name: "Schema discovery levels", value: 255, reason: reasons.unused },
    { name: "Connections (Private)", value: 20, reason: reasons.unused },
    { name: "EventBridge Schema Registry quotas", value: "5 rows", reason: reasons.unused },
    { name: "EventBridge Pipes quotas", value: "3 rows", reason: reasons.unused },
  ],
};

export const scheduler: QuotaPage = {
  title: 'EventBridge Scheduler User Guide, "Quotas for Amazon EventBridge Scheduler"',
  services: ["AWS::Scheduler"],
  quotas: [
    { name: "Requests of the API per second", value: "12 rows", reason: reasons.rate },
    {
      name: "Invocations throttle limit in transactions per second",
      value: "500 to 1,000",
      reason: reasons.rate,
    },
    { name: "Number of schedule groups", value: 500, reason: "Schedules are in the default group." },
    { name: "Number of schedules", value: 10_000_000, bound: 20, count: numberOf(schedule) },
    {
      name: "Input payload size limit",
      value: 262_144,
      bound: 1_000,
      count: each(schedule, ({ Target }) => jsonLength(Target.Input)),
    },
    { name: "Per-schedule operation rate limit", value: "10 a second", reason: reasons.rate },
  ],
};
