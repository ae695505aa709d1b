// @module-tag slow

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allow, type EventStackOptions, runEventStack, writeEventStack } from "./running-events.ts";

const arnOf = (name: string) => ({ "Fn::GetAtt": [name, "Arn"] });
const grants = allow(["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"], arnOf("Jobs"));

/** Each test has its own stack. The tests run concurrently, because most of them wait for a timeout. */
const cleanUps: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())));

/** Visibility timeout of messages that are to be received again. */
const comeAgain = { VisibilityTimeout: 3 };

/** Starts a stack whose function processes the queue `Jobs`, with the dead-letter queue `Dead` after two receives. */
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
          // Longer than a function takes on a busy machine, so that messages are not received twice.
          VisibilityTimeout: 30,
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
  let cleanUp = async () => written.remove();
  cleanUps.push(() => cleanUp());
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

describe.concurrent("messages (Lambda developer guide, Using Lambda with Amazon SQS)", () => {
  it("invoke the function with the documented event, and are deleted when it succeeds", async ({
    expect,
  }) => {
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

  it("are delivered immediately without a batch window", async ({ expect }) => {
    const { send, invocations } = await start({});
    send("warm");
    await expect.poll(() => invocations().length).toBe(1);

    const delayMs = async () => {
      const sentAtMs = Date.now();
      const before = invocations().length;
      send("now");
      await expect.poll(() => invocations().length).toBe(before + 1);
      return (invocations().at(-1)?.atMs ?? 0) - sentAtMs;
    };

    // This is less than the shortest window.
    await expect.poll(delayMs).toBeLessThan(200);
  });

  it("are collected until the batch window ends or the batch is full", async ({ expect }) => {
    const windowMs = 3_000;
    const { send, bodies, invocations } = await start({
      mapping: { BatchSize: 3, MaximumBatchingWindowInSeconds: windowMs / 1_000 },
    });
    const delayMs = async (...sent: string[]) => {
      const sentAtMs = Date.now();
      const before = bodies().length;
      send(...sent);
      await expect.poll(() => bodies().length).toBe(before + 1);
      expect(bodies().at(-1)).toEqual(sent);
      return (invocations().at(-1)?.atMs ?? 0) - sentAtMs;
    };

    await expect.poll(() => delayMs("a", "b", "c")).toBeLessThan(windowMs - 100);
    expect(await delayMs("d")).toBeGreaterThan(windowMs - 100);
  });

  it("that are reported as failed are retried alone, and then moved to the dead-letter queue", {
    tags: "nightly",
  }, async ({ expect }) => {
    const { send, bodies, queue, logLines } = await start({
      mapping: { FunctionResponseTypes: ["ReportBatchItemFailures"], MaximumBatchingWindowInSeconds: 1 },
      queue: comeAgain,
      decide: `(records) => ({
        batchItemFailures: records.filter(({ body }) => body === "bad").map(({ messageId }) => ({ itemIdentifier: messageId })),
      })`,
    });

    send("good", "bad", "fine");

    await expect.poll(() => queue("Dead").counts().visible).toBe(1);
    expect(bodies()).toEqual([["good", "bad", "fine"], ["bad"]]);
    expect(queue("Jobs").counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    const log = logLines.join("\n");
    expect(log).toContain(
      "[F] 1 message of Jobs failed, attempt 1 of 2: reported by the function; again in 3 s",
    );
    expect(log).toContain(
      "[F] 1 message of Jobs failed, attempt 2 of 2: reported by the function; to Dead in 3 s",
    );
  });

  it("are all retried if the function throws, or reports an id outside the batch", {
    tags: "nightly",
  }, async ({ expect }) => {
    const { send, bodies, logLines } = await start({
      mapping: { FunctionResponseTypes: ["ReportBatchItemFailures"] },
      queue: { ...comeAgain, RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 5 } },
      decide: `(records, attempt) => {
        if (attempt === 1) throw new TypeError("not\\nyet");
        return attempt === 2 ? { batchItemFailures: [{ itemIdentifier: "" }] } : null;
      }`,
    });

    send("stubborn");

    await expect.poll(() => bodies().length).toBe(3);
    const log = logLines.join("\n");
    expect(log).toContain("[F] 1 message of Jobs failed, attempt 1 of 5: TypeError: not yet; again in 3 s");
    expect(log).toContain(
      'attempt 2 of 5: batchItemFailures names records that are not in the batch: ""; again in 3 s',
    );
  });

  it("are all deleted without ReportBatchItemFailures, whatever the function returns", async ({ expect }) => {
    const { send, invocations, queue } = await start({
      decide: "(records) => ({ batchItemFailures: [{ itemIdentifier: records[0].messageId }] })",
    });

    send("taken");

    await expect.poll(() => invocations().length).toBe(1);
    await expect.poll(() => queue("Jobs").counts().inFlight).toBe(0);
  });

  it("are processed concurrently in at most MaximumConcurrency batches", async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "dropleaf-batches-"));
    const started = JSON.stringify(join(folder, "started"));
    // The first two batches end after both have started, so they must run concurrently.
    const { send, invocations, queue } = await start({
      mapping: { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } },
      decide: `async () => {
        const { readFileSync } = await import("node:fs");
        appendFileSync(${started}, "+");
        while (readFileSync(${started}).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
        await new Promise((resolve) => setTimeout(resolve, 300));
      }`,
    });

    send("1", "2", "3", "4");

    await expect.poll(() => queue("Jobs").counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    const [, second, third] = invocations().map(({ atMs }) => atMs);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(290);
    rmSync(folder, { recursive: true });
  });
});

it("a stop waits for the running function, whose messages are deleted", async () => {
  const { send, restart, invocations } = await start({
    decide: "() => new Promise((resolve) => setTimeout(resolve, 400))",
  });
  send("last");
  await expect.poll(() => invocations().length).toBe(1);

  const restarted = await restart();

  expect(restarted.queue("Jobs").counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

describe.concurrent("refused at the start: a mapping", () => {
  it.each([
    [
      "whose role lacks permissions for the queue",
      { statements: [allow("sqs:ReceiveMessage", arnOf("Jobs"))] },
      /Mapping: Lambda would refuse this mapping.*sqs:DeleteMessage/,
    ],
    [
      "with an unsupported property",
      { mapping: { FilterCriteria: { Filters: [] } } },
      /Mapping: the local cloud does not emulate FilterCriteria/,
    ],
    [
      "whose queue has a shorter visibility timeout than the function's timeout",
      { queue: { VisibilityTimeout: 2 } },
      /Mapping: Lambda would refuse this mapping.*visibility timeout: 2 seconds is less than Function timeout: 3 seconds/,
    ],
    ["with a large batch and no window", { mapping: { BatchSize: 11 } }, /Mapping: a BatchSize of 11 needs/],
  ])("%s", async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});

describe.concurrent("throttled messages (Lambda developer guide, Backoff strategy for failed invocations)", () => {
  const decide =
    '(records) => new Promise((done) => setTimeout(done, records[0].messageId === "occupied" ? 2_800 : 0, null))';
  const taken = (bodies: readonly unknown[][]) => bodies.flat().filter((body) => body !== undefined);

  it("are retried within the visibility timeout, and processed once", {
    tags: "nightly",
  }, async ({ expect }) => {
    const options = { decide, concurrentExecutions: 1 };
    const { send, bodies, occupy, queue, invocations } = await start(options);
    const occupied = occupy();
    await expect.poll(() => invocations().length).toBe(1);

    send("patient");

    await occupied;
    await expect.poll(() => taken(bodies())).toEqual(["patient"]);
    expect(queue("Dead").receive({ countMax: 1 })).toEqual([]);
  });

  it("return to the queue after the visibility timeout, and are received again", async ({ expect }) => {
    const { send, bodies, occupy, invocations } = await start({
      decide,
      concurrentExecutions: 1,
      // The retries within the visibility timeout end while the execution is in use. Each receive counts as a delivery.
      queue: { ...comeAgain, RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 10 } },
    });
    const occupied = occupy();
    await expect.poll(() => invocations().length).toBe(1);

    send("given back");

    await occupied;
    await expect.poll(() => taken(bodies())).toEqual(["given back"]);
  });
});
