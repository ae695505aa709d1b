import { expect, test } from "vitest";
import { visitorConcurrencySum } from "../../lib/lambda/visitor-concurrency.ts";
import { givenStack, onlyResource, resourcesOf } from "./given-stack.ts";

/** Concurrent executions of an account: AWS Lambda developer guide, "Lambda quotas". */
const accountConcurrency = 1_000;

function reservedOf(template: ReturnType<typeof givenStack>) {
  const functions = Object.entries(resourcesOf(template, "AWS::Lambda::Function"));
  return functions.flatMap(
    ([
      id,
      {
        Properties: { ReservedConcurrentExecutions: reserved },
      },
    ]) => (reserved === undefined ? [] : [[id.replace(/Function[0-9A-F]{8}$/, ""), reserved]]),
  );
}

test("each method's throttle leaves concurrent executions for the others during a flood", () => {
  const template = givenStack({ concurrentExecutions: accountConcurrency });
  const { MethodSettings } = onlyResource(template, "AWS::ApiGateway::Stage").Properties;

  expect(MethodSettings).toEqual([
    expect.objectContaining({
      HttpMethod: "*",
      ResourcePath: "/*",
      ThrottlingRateLimit: 1_000,
      ThrottlingBurstLimit: 400,
    }),
  ]);
  expect(MethodSettings[0].ThrottlingBurstLimit).toBeLessThan(accountConcurrency / 2);
});

test("no concurrency is reserved in an account with 10 concurrent executions", () => {
  expect(reservedOf(givenStack())).toEqual([]);
});

test("functions for visitors reserve the concurrency that the operator sets, and other functions reserve none", () => {
  const reserved = reservedOf(givenStack({ visitorConcurrencyMax: 300 })).sort();

  expect(reserved).toEqual([
    ["OperationsCloseGate", 13],
    ["OperationsReadAnswerResults", 13],
    ["OperationsReadContext", 13],
    ["OperationsReadDropState", 13],
    ["OperationsReadFolderFile", 50],
    ["OperationsReadOembed", 13],
    ["OperationsReadPdf", 5],
    ["OperationsReadRawPage", 300],
    ["OperationsReturnToGate", 13],
    ["OperationsSendAnswer", 13],
    ["OperationsSendFeedback", 13],
    ["OperationsServeDocuments", 13],
    ["OperationsShowComparison", 13],
    ["OperationsShowEmbeddedFile", 13],
    ["OperationsShowFeedback", 13],
    ["OperationsShowFile", 13],
    ["OperationsShowHomePage", 13],
    ["OperationsShowNotFound", 13],
    ["OperationsShowOwnerFeed", 13],
    ["OperationsShowOwnerPage", 13],
    ["OperationsUnlockDrop", 13],
    ["OperationsViewDrop", 300],
  ]);
  const sum = reserved.reduce((total, [, count]) => total + Number(count), 0);
  expect(visitorConcurrencySum(300)).toBe(sum);
  expect(sum + 100).toBeLessThan(accountConcurrency);
});

test("every function for visitors has a concurrency of at least one, however low the setting", () => {
  const reserved = reservedOf(givenStack({ visitorConcurrencyMax: 1 }));

  expect(reserved.map(([, count]) => count)).toEqual(Array(22).fill(1));
});

test("each function that reads a queue has at most five executions", () => {
  const mappings = Object.values(resourcesOf(givenStack(), "AWS::Lambda::EventSourceMapping"));
  const fromQueues = mappings.filter(({ Properties }) => Properties.StartingPosition === undefined);

  expect(fromQueues).toHaveLength(2);
  for (const { Properties } of fromQueues) {
    expect(Properties.ScalingConfig.MaximumConcurrency).toBeLessThanOrEqual(5);
  }
});

/** Returns, for each log group, the functions that write it. */
function writersOf(template: ReturnType<typeof givenStack>): string[][] {
  const byGroup = new Map<string, string[]>();
  for (const [id, { Properties }] of Object.entries(resourcesOf(template, "AWS::Lambda::Function"))) {
    const { Ref: group } = Properties.LoggingConfig.LogGroup;
    byGroup.set(group, [...(byGroup.get(group) ?? []), id]);
  }
  return [...byGroup.values()];
}

test("operations, workers, rendering and the ingest copy have one log group each", () => {
  const kinds = writersOf(givenStack()).map((ids) => [...new Set(ids.map((id) => id.slice(0, 7)))]);

  expect(kinds.toSorted()).toEqual([["CustomS"], ["Operati"], ["Rendere"], ["Workers"]]);
});

test("every log group belongs to the stack and keeps its logs for 30 days", () => {
  const template = givenStack();

  for (const { Properties } of Object.values(resourcesOf(template, "AWS::Logs::LogGroup"))) {
    expect(Properties.RetentionInDays).toBe(30);
  }
  for (const { Properties } of Object.values(resourcesOf(template, "AWS::Lambda::Function"))) {
    expect(Properties.LoggingConfig.LogGroup).toHaveProperty("Ref");
  }
});
