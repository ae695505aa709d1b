// @module-tag slow

import { DeleteItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, describe, expect, it } from "vitest";
import { loadTemplate } from "../../src/template.ts";
import { runEndpoint } from "../aws/running-endpoint.ts";
import { allow, type EventStackOptions, runEventStack, writeEventStack } from "./running-events.ts";

const table = {
  Type: "AWS::DynamoDB::Table",
  Properties: {
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  },
};
const streamArn = { "Fn::GetAtt": ["Table", "StreamArn"] };
const deadArn = { "Fn::GetAtt": ["Dead", "Arn"] };
const grants = [
  allow(["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], streamArn),
  allow("dynamodb:ListStreams", "*"),
  allow("sqs:SendMessage", deadArn),
];

/** Each test has its own stack. The tests run concurrently, because most of them wait for a timeout. */
const cleanUps: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())));

/** Starts a stack whose function gets the changes of `Table`, with `Dead` as the destination of discarded records. */
async function start({
  mapping = {},
  existing = [],
  ...options
}: Partial<EventStackOptions> & { mapping?: object; existing?: readonly string[] } = {}) {
  const written = writeEventStack({
    statements: grants,
    resources: {
      Table: table,
      Dead: { Type: "AWS::SQS::Queue" },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: {
          EventSourceArn: streamArn,
          FunctionName: { Ref: "F" },
          StartingPosition: "TRIM_HORIZON",
          DestinationConfig: { OnFailure: { Destination: deadArn } },
          ...mapping,
        },
      },
    },
    ...options,
  });
  let cleanUp = async () => written.remove();
  cleanUps.push(() => cleanUp());
  await putWithoutEvents(written, existing);
  let running = await runEventStack(written);
  cleanUp = async () => {
    await running.stop();
    written.remove();
  };
  const put = async (pk: string, attributes: Record<string, { S: string }> = {}) => {
    await running
      .dynamoDb()
      .send(new PutItemCommand({ TableName: "Table", Item: { pk: { S: pk }, ...attributes } }));
  };
  const remove = async (pk: string) => {
    await running.dynamoDb().send(new DeleteItemCommand({ TableName: "Table", Key: { pk: { S: pk } } }));
  };
  /** Returns the keys of each invocation's records. */
  const seen = () =>
    running.invocations().map(({ records }) => records.map(({ dynamodb }) => dynamodb?.Keys.pk.S));
  const discarded = () =>
    running
      .queue("Dead")
      .receive({ countMax: 10 })
      .map(({ body }) => JSON.parse(body));
  async function restart(whileStopped: readonly string[] = []) {
    await running.stop();
    await putWithoutEvents(written, whileStopped);
    running = await runEventStack(written);
  }
  return { running: () => running, put, remove, seen, discarded, restart };
}

/** Writes items while no mapping reads the stream. */
async function putWithoutEvents(
  { assetsDirectory, dataDirectory }: ReturnType<typeof writeEventStack>,
  pks: readonly string[],
): Promise<void> {
  if (pks.length === 0) return;
  const { endpoint, dynamoDb } = await runEndpoint(loadTemplate(assetsDirectory), dataDirectory);
  for (const pk of pks) {
    await dynamoDb().send(new PutItemCommand({ TableName: "Table", Item: { pk: { S: pk } } }));
  }
  await endpoint.stop();
}

describe.concurrent("changes (Lambda developer guide, Using AWS Lambda with Amazon DynamoDB)", () => {
  it("invoke the function with the documented event, soon after the write", async ({ expect }) => {
    const { put, running, seen } = await start();
    await put("first");
    await expect.poll(() => seen().length).toBe(1);

    await put("a", { note: { S: "new" } });

    await expect.poll(() => seen().length).toBe(2);
    const [, invocation] = running().invocations();
    const delayMs = async () => {
      const writtenAtMs = Date.now();
      const before = seen().length;
      await put(`item ${before}`);
      await expect.poll(() => seen().length).toBe(before + 1);
      return (running().invocations().at(-1)?.atMs ?? 0) - writtenAtMs;
    };
    await expect.poll(delayMs).toBeLessThan(300);
    expect(invocation?.records).toEqual([
      {
        eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventName: "INSERT",
        eventVersion: "1.1",
        eventSource: "aws:dynamodb",
        awsRegion: "us-east-1",
        eventSourceARN: "arn:aws:dynamodb:us-east-1:000000000000:table/Table/stream/local",
        dynamodb: {
          ApproximateCreationDateTime: expect.any(Number),
          Keys: { pk: { S: "a" } },
          NewImage: { pk: { S: "a" }, note: { S: "new" } },
          SequenceNumber: expect.any(String),
          SizeBytes: expect.any(Number),
          StreamViewType: "NEW_AND_OLD_IMAGES",
        },
      },
    ]);
  });

  it("are delivered only if they match the filter, and not for writes that change nothing", async ({
    expect,
  }) => {
    const pattern = {
      eventName: ["REMOVE", "MODIFY"],
      dynamodb: { OldImage: { pk: { S: [{ prefix: "kept#" }] } } },
    };
    const { put, remove, seen, running } = await start({
      mapping: { FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] } },
    });

    await put("other#1");
    await remove("other#1");
    await put("kept#1", { note: { S: "same" } });
    await put("kept#1", { note: { S: "same" } });
    await remove("kept#1");

    await expect.poll(() => seen().flat()).toEqual(["kept#1"]);
    expect(running().invocations()[0]?.records[0]?.eventName).toBe("REMOVE");
  });

  it("are delivered in order, in batches of the batch size that are collected for the window", {
    tags: "nightly",
  }, async ({ expect }) => {
    const { put, seen, running } = await start({
      mapping: { BatchSize: 2, MaximumBatchingWindowInSeconds: 4 },
    });

    for (const pk of ["1", "2", "3", "4"]) await put(pk);
    await expect.poll(() => seen().flat().length).toBe(4);
    const lastAtMs = Date.now();
    await put("5");

    await expect.poll(() => seen().flat().length).toBe(5);
    expect(seen()).toEqual([["1", "2"], ["3", "4"], ["5"]]);
    expect((running().invocations().at(-1)?.atMs ?? 0) - lastAtMs).toBeGreaterThan(3_900);
  });

  it("from before the mapping are skipped with LATEST, but not those made while the local cloud is stopped", async ({
    expect,
  }) => {
    const { put, seen, restart } = await start({
      mapping: { StartingPosition: "LATEST" },
      existing: ["before"],
    });

    await restart(["while stopped"]);
    await put("after");

    await expect.poll(() => seen().flat()).toEqual(["while stopped", "after"]);
  });
});

describe.concurrent("a failing function (Lambda developer guide, Retain discarded records for a DynamoDB event source)", () => {
  it("gets the same batch again while later changes wait", async ({ expect }) => {
    const { put, seen, running } = await start({
      decide: '(records, attempt) => { if (attempt < 3) throw new Error("not yet"); }',
    });

    await put("a");
    await expect.poll(() => seen().length).toBeGreaterThan(0);
    await put("b");

    await expect.poll(() => seen().flat().includes("b")).toBe(true);
    expect(seen().slice(0, 3)).toEqual([["a"], ["a"], ["a"]]);
    expect(running().logLines.join("\n")).toContain(
      "[F] 1 change from 1 on failed, attempt 1: Error: not yet; again in 0.2 s",
    );
  });

  it("has a bad record isolated by bisecting, and sent to the destination after the retries", async ({
    expect,
  }) => {
    const { seen, discarded, running } = await start({
      existing: ["1", "2", "bad", "4"],
      mapping: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1 },
      decide: `(records) => { if (records.some(({ dynamodb }) => dynamodb.Keys.pk.S === "bad")) throw new Error("bad one"); }`,
    });

    await expect
      .poll(
        () =>
          seen()
            .flat()
            .filter((pk) => pk === "4").length,
      )
      .toBe(3);
    expect(seen()).toEqual([["1", "2", "bad", "4"], ["1", "2"], ["bad", "4"], ["bad"], ["bad"], ["4"]]);
    expect(discarded()).toEqual([
      {
        requestContext: {
          requestId: expect.any(String),
          functionArn: "arn:aws:lambda:us-east-1:000000000000:function:F",
          condition: "RetryAttemptsExhausted",
          approximateInvokeCount: 2,
        },
        responseContext: { statusCode: 200, executedVersion: "$LATEST", functionError: "Unhandled" },
        version: "1.0",
        timestamp: expect.any(String),
        DDBStreamBatchInfo: {
          shardId: expect.any(String),
          startSequenceNumber: "3",
          endSequenceNumber: "3",
          approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          approximateArrivalOfLastRecord: expect.any(String),
          batchSize: 1,
          streamArn: "arn:aws:dynamodb:us-east-1:000000000000:table/Table/stream/local",
        },
      },
    ]);
    const log = running().logLines.join("\n");
    expect(log).toContain("4 changes from 1 on failed, attempt 1 of 2: Error: bad one; split in two");
    expect(log).toContain(
      "attempt 2 of 2: Error: bad one; discarded and reported to Dead (RetryAttemptsExhausted)",
    );
  });

  it("that reports the first failed record gets the batch again from this record on", async ({ expect }) => {
    const { seen } = await start({
      existing: ["1", "2", "3", "4"],
      mapping: { FunctionResponseTypes: ["ReportBatchItemFailures"] },
      decide: `(records, attempt) => {
        const failed = attempt === 1 ? records.filter(({ dynamodb }) => ["2", "3"].includes(dynamodb.Keys.pk.S)) : [];
        return { batchItemFailures: failed.map(({ dynamodb }) => ({ itemIdentifier: dynamodb.SequenceNumber })).reverse() };
      }`,
    });

    await expect.poll(() => seen().length).toBe(3);
    expect(seen()).toEqual([
      ["1", "2", "3", "4"],
      ["2", "3", "4"],
      ["2", "3", "4"],
    ]);
  });

  it("is not retried for records above the maximum age", { tags: "nightly" }, async ({ expect }) => {
    const { put, seen, discarded } = await start({
      mapping: { MaximumRecordAgeInSeconds: 4 },
      decide: `(records) => { if (records[0].dynamodb.Keys.pk.S === "old") throw new Error("never"); }`,
    });
    // The function is already initialized when the record's age begins.
    await put("first");
    await expect.poll(() => seen().length).toBe(1);

    await put("old");

    await expect
      .poll(() => discarded())
      .toMatchObject([
        { requestContext: { condition: "RecordAgeExceeded" }, DDBStreamBatchInfo: { batchSize: 1 } },
      ]);
    expect(seen().flat()).toContain("old");
  });
});

describe.concurrent("a restart", () => {
  it("continues after the last success without repeating a batch", async ({ expect }) => {
    const { put, seen, restart } = await start({ mapping: { BatchSize: 1 } });
    await put("done");
    await expect.poll(() => seen().length).toBe(1);

    await restart();
    await put("next");

    await expect.poll(() => seen()).toEqual([["done"], ["next"]]);
  });

  it("repeats a batch that has not succeeded", async ({ expect }) => {
    const { put, seen, restart } = await start({
      decide: '(records, attempt) => { throw new Error("attempt " + attempt); }',
    });
    await put("undone");
    await expect.poll(() => seen().length).toBeGreaterThan(0);

    await restart();
    const before = seen().length;

    await expect.poll(() => seen().length).toBeGreaterThan(before);
    expect(new Set(seen().flat())).toEqual(new Set(["undone"]));
  });
});

describe.concurrent("refused at the start: a mapping", () => {
  it.each([
    [
      "whose role lacks permissions for the stream",
      { statements: grants.slice(1) },
      /Mapping: Lambda would refuse this mapping.*dynamodb:DescribeStream/,
    ],
    [
      "whose role cannot write to the destination",
      { statements: grants.slice(0, 2) },
      /Mapping: Lambda would refuse this mapping.*sqs:SendMessage/,
    ],
    [
      "with an unknown comparison",
      { mapping: { FilterCriteria: { Filters: [{ Pattern: '{"eventName":[{"cidr":"x"}]}' }] } } },
      /Mapping\.FilterCriteria\.Filters\[0\]\.eventName: the comparison/,
    ],
    [
      "with a filter on a field that no record has",
      { mapping: { FilterCriteria: { Filters: [{ Pattern: '{"NewImage":{"pk":["x"]}}' }] } } },
      /a stream record has no NewImage/,
    ],
    [
      "with an unsupported property",
      { mapping: { TumblingWindowInSeconds: 5 } },
      /does not emulate TumblingWindowInSeconds/,
    ],
    [
      "with an unsupported starting position",
      { mapping: { StartingPosition: "AT_TIMESTAMP" } },
      /StartingPosition of a table's stream must be LATEST or TRIM_HORIZON/,
    ],
  ])("%s", async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});

describe.concurrent("throttled changes (CreateEventSourceMapping, MaximumRetryAttempts)", () => {
  it("wait without using up a retry", async ({ expect }) => {
    const { put, discarded, running } = await start({
      mapping: { MaximumRetryAttempts: 0, BisectBatchOnFunctionError: true },
      decide:
        '(records) => new Promise((done) => setTimeout(done, records[0].eventID === "occupied" ? 2_000 : 0, null))',
      concurrentExecutions: 1,
    });
    const occupied = running().occupy();
    await expect.poll(() => running().invocations().length).toBe(1);

    await put("patient");

    await occupied;
    const keys = () =>
      running()
        .invocations()
        .flatMap(({ records }) => records.map((record) => record.dynamodb?.Keys.pk.S));
    await expect.poll(keys).toEqual([undefined, "patient"]);
    expect(discarded()).toEqual([]);
  });
});
