import { afterEach, describe, expect, it } from "vitest";
import { allow, type EventStackOptions, runEventStack, writeEventStack } from "./running-events.ts";

const arnOf = (name: string) => ({ "Fn::GetAtt": [name, "Arn"] });
const grants = allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], arnOf("Jobs"));

let cleanUp: (() => Promise<void>) | undefined;
afterEach(() => cleanUp?.());

/** A stack whose function takes from the queue `Jobs`, with the dead-letter queue `Dead` after three receives. */
async function start({
  mapping = {},
  queue = {},
  ...options
}: Partial<EventStackOptions> & { mapping?: object; queue?: object }) {
  const written = writeEventStack({
    statements: [grants],
    resources: {
      Jobs: {
        Type: "AWS::SQS::Queue",
        Properties: {
          VisibilityTimeout: 1,
          RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 2 },
          ...queue,
        },
      },
      Dead: { Type: "AWS::SQS::Queue" },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: { EventSourceArn: arnOf("Jobs"), FunctionName: { Ref: "F" }, ...mapping },
      },
    },
    ...options,
  });
  cleanUp = async () => written.remove();
  let running = await runEventStack(written);
  cleanUp = async () => {
    await running.stop();
    written.remove();
  };
  async function restart() {
    await running.stop();
    running = await runEventStack(written);
    return running;
  }
  const send = (...bodies: string[]) => bodies.map((body) => running.queue("Jobs").send({ body }));
  const bodies = () => running.invocations().map(({ records }) => records.map(({ body }) => body));
  return { ...running, restart, send, bodies };
}

describe("messages (Lambda developer guide, Using Lambda with Amazon SQS)", () => {
  it("reach the function in the documented event, and are deleted when it took them", async () => {
    const { send, invocations, queue } = await start({});

    const [messageId] = send("hello");

    await expect.poll(() => invocations().length).toBe(1);
    expect(invocations()[0]?.records).toEqual([
      {
        messageId,
        receiptHandle: expect.any(String),
        body: "hello",
        attributes: {
          SenderId: expect.any(String),
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          ApproximateReceiveCount: "1",
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        },
        messageAttributes: {},
        md5OfBody: "5d41402abc4b2a76b9719d911017c592",
        eventSource: "aws:sqs",
        eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:Jobs",
        awsRegion: "us-east-1",
      },
    ]);
    await expect.poll(() => queue("Jobs").counts().inFlight).toBe(0);
  });

  it("arrive at once without a batch window", async () => {
    const { send, invocations } = await start({});
    send("warm");
    await expect.poll(() => invocations().length).toBe(1);

    const sentAtMs = Date.now();
    send("now");

    await expect.poll(() => invocations().length).toBe(2);
    expect((invocations()[1]?.atMs ?? 0) - sentAtMs).toBeLessThan(200);
  });

  it("are gathered for the batch window, or until the batch is full", async () => {
    const { send, bodies, invocations } = await start({
      mapping: { BatchSize: 3, MaximumBatchingWindowInSeconds: 1 },
    });

    const firstAtMs = Date.now();
    send("a", "b", "c");
    await expect.poll(() => bodies().length).toBe(1);
    const secondAtMs = Date.now();
    send("d");
    await expect.poll(() => bodies().length, { timeout: 3_000 }).toBe(2);

    expect(bodies()).toEqual([["a", "b", "c"], ["d"]]);
    const [full, late] = invocations();
    expect((full?.atMs ?? 0) - firstAtMs).toBeLessThan(900);
    expect((late?.atMs ?? 0) - secondAtMs).toBeGreaterThan(900);
  });

  it("that the function names as failed come again alone, and then go to the dead-letter queue", async () => {
    const { send, bodies, queue, logLines } = await start({
      mapping: { FunctionResponseTypes: ["ReportBatchItemFailures"], MaximumBatchingWindowInSeconds: 1 },
      decide: `(records) => ({
        batchItemFailures: records.filter(({ body }) => body === "bad").map(({ messageId }) => ({ itemIdentifier: messageId })),
      })`,
    });

    send("good", "bad", "fine");

    await expect.poll(() => queue("Dead").counts().visible, { timeout: 8_000 }).toBe(1);
    expect(bodies()).toEqual([["good", "bad", "fine"], ["bad"]]);
    expect(queue("Jobs").counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    const log = logLines.join("\n");
    expect(log).toContain("[F] 1 message of Jobs failed, attempt 1 of 2 as the function says; again in 1 s");
    expect(log).toContain(
      "[F] 1 message of Jobs failed, attempt 2 of 2 as the function says; to Dead in 1 s",
    );
  }, 15_000);

  it("all come again when the function throws, or names what is not in the batch", async () => {
    const { send, bodies, logLines } = await start({
      mapping: { FunctionResponseTypes: ["ReportBatchItemFailures"] },
      queue: { RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 5 } },
      decide: `(records, attempt) => {
        if (attempt === 1) throw new TypeError("not\\nyet");
        return attempt === 2 ? { batchItemFailures: [{ itemIdentifier: "" }] } : null;
      }`,
    });

    send("stubborn");

    await expect.poll(() => bodies().length, { timeout: 8_000 }).toBe(3);
    const log = logLines.join("\n");
    expect(log).toContain("[F] 1 message of Jobs failed, attempt 1 of 5: TypeError: not yet; again in 1 s");
    expect(log).toContain(
      'attempt 2 of 5: batchItemFailures names what is not in the batch: ""; again in 1 s',
    );
  }, 15_000);

  it("are all deleted without ReportBatchItemFailures, whatever the function answers", async () => {
    const { send, invocations, queue } = await start({
      decide: "(records) => ({ batchItemFailures: [{ itemIdentifier: records[0].messageId }] })",
    });

    send("taken");

    await expect.poll(() => invocations().length).toBe(1);
    await expect.poll(() => queue("Jobs").counts().inFlight).toBe(0);
  });

  it("run beside each other, at most as many batches as MaximumConcurrency", async () => {
    const { send, invocations, queue } = await start({
      mapping: { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } },
      queue: { VisibilityTimeout: 30 },
      decide: "() => new Promise((resolve) => setTimeout(resolve, 300))",
    });

    send("1", "2", "3", "4");

    await expect
      .poll(() => queue("Jobs").counts(), { timeout: 5_000 })
      .toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    const [first, second, third] = invocations().map(({ atMs }) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeLessThan(250);
    expect((third ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(290);
  }, 10_000);
});

it("stopping waits for the function that runs, and what it took is deleted", async () => {
  const { send, restart, invocations } = await start({
    decide: "() => new Promise((resolve) => setTimeout(resolve, 400))",
  });
  send("last");
  await expect.poll(() => invocations().length).toBe(1);

  const restarted = await restart();

  expect(restarted.queue("Jobs").counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

describe("a mapping is refused at the start", () => {
  it.each([
    [
      "whose role may not read the queue",
      { statements: [allow("sqs:ReceiveMessage", arnOf("Jobs"))] },
      /Mapping: Lambda would refuse this mapping.*sqs:DeleteMessage/,
    ],
    [
      "with a property that is not emulated",
      { mapping: { FilterCriteria: { Filters: [] } } },
      /Mapping: the local cloud does not emulate FilterCriteria/,
    ],
    ["with a large batch and no window", { mapping: { BatchSize: 11 } }, /Mapping: a BatchSize of 11 needs/],
  ])("%s", async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});

describe("messages for which no execution is free (Lambda developer guide, Backoff strategy for failed invocations)", () => {
  const decide =
    '(records) => new Promise((done) => setTimeout(done, records[0].messageId === "occupied" ? 2_000 : 0, null))';
  const taken = (bodies: readonly unknown[][]) => bodies.flat().filter((body) => body !== undefined);

  it("are tried again before they are visible to others, and reach the function once", async () => {
    const options = { decide, concurrentExecutions: 1, queue: { VisibilityTimeout: 30 } };
    const { send, bodies, occupy, queue, invocations } = await start(options);
    const occupied = occupy();
    await expect.poll(() => invocations().length, { timeout: 5_000 }).toBe(1);

    send("patient");

    await occupied;
    await expect.poll(() => taken(bodies()), { timeout: 10_000 }).toEqual(["patient"]);
    expect(queue("Dead").receive({ countMax: 1 })).toEqual([]);
  }, 20_000);

  it("come back to the queue when they are visible again, and are taken then", async () => {
    const { send, bodies, occupy, invocations } = await start({
      decide,
      concurrentExecutions: 1,
      // Each time counts as a delivery.
      queue: { RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 10 } },
    });
    const occupied = occupy();
    await expect.poll(() => invocations().length, { timeout: 5_000 }).toBe(1);

    send("given back");

    await occupied;
    await expect.poll(() => taken(bodies()), { timeout: 10_000 }).toEqual(["given back"]);
  }, 20_000);
});
