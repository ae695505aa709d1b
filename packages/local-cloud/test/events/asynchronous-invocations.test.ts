import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startAsynchronousInvocations } from "../../src/events/asynchronous-invocations.ts";
import { TooManyRequestsError } from "../../src/lambda/concurrency.ts";
import { resolveTemplate } from "../../src/template.ts";
import { lambdaResources } from "../fixture-stack.ts";

const queueArn = "arn:aws:sqs:us-east-1:000000000000:Failures";
const pauses = { afterErrors: [20, 40], afterThrottles: { first: 5, most: 20 } } as const;
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Answer = "done" | "error" | "throttled";

/** Starts invocations of a function with these outcomes, the last one repeated. `sent` has the messages to its destination. */
function start(answers: Answer[], { directory = newDirectory(), isGranted = true, properties = {} } = {}) {
  const calls: { readonly event: string; readonly tenantId: string | undefined; readonly atMs: number }[] =
    [];
  const sent: { readonly [name: string]: unknown }[] = [];
  const template = resolveTemplate(
    {
      Resources: {
        ...lambdaResources("F"),
        Config: {
          Type: "AWS::Lambda::EventInvokeConfig",
          Properties: {
            FunctionName: { Ref: "F" },
            Qualifier: "$LATEST",
            DestinationConfig: { OnFailure: { Destination: queueArn } },
            ...properties,
          },
        },
      },
    },
    directory,
  );
  const queue = { send: ({ body }: { body: string }) => void sent.push(JSON.parse(body)) };
  const asynchronous = startAsynchronousInvocations({
    template,
    lambda: {
      async invoke(_, event, tenantId) {
        calls.push({ event, tenantId, atMs: performance.now() });
        const answer = answers[Math.min(calls.length, answers.length) - 1];
        if (answer === "throttled") throw new TooManyRequestsError();
        const payload = answer === "error" ? '{"errorType":"Error"}' : "null";
        return { payload, isFunctionError: answer === "error", requestId: `request-${calls.length}` };
      },
    },
    awsEndpoint: {
      queues: new Map([["Failures", queue as never]]),
      authorize: () => {
        if (!isGranted) throw new Error("no policy allows the action");
      },
    },
    path: join(directory, "events.sqlite"),
    log: () => undefined,
    delays: pauses,
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await asynchronous.stop();
    isStopped = true;
  };
  cleanUps.push(stop);
  return { asynchronous, calls, sent, stop };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-asynchronous-"));
  cleanUps.push(() => rmSync(directory, { recursive: true }));
  return directory;
}

test("an event invokes its function once, with its tenant", async () => {
  const { asynchronous, calls, sent } = start(["done"]);

  asynchronous.invokeLater("F", '{"a":1}', "owner");

  await expect.poll(() => calls).toMatchObject([{ event: '{"a":1}', tenantId: "owner" }]);
  await new Promise((done) => setTimeout(done, 100));
  expect([calls.length, sent]).toEqual([1, []]);
});

test("a failed event is retried twice, with increasing pauses, and then sent to the destination", async () => {
  const { asynchronous, calls, sent } = start(["error"]);

  asynchronous.invokeLater("F", '{"a":1}', undefined);

  await expect
    .poll(() => sent)
    .toMatchObject([
      {
        version: "1.0",
        requestContext: { condition: "RetriesExhausted", approximateInvokeCount: 3, requestId: "request-3" },
        requestPayload: { a: 1 },
        responseContext: { statusCode: 200, functionError: "Unhandled" },
        responsePayload: { errorType: "Error" },
      },
    ]);
  const [first = 0, second = 0, third = 0] = calls.map(({ atMs }) => atMs);
  expect(calls).toHaveLength(3);
  expect(second - first).toBeGreaterThanOrEqual(19);
  expect(third - second).toBeGreaterThanOrEqual(39);
});

test("a throttled invocation does not count as an attempt", async () => {
  const { asynchronous, calls, sent } = start([
    "throttled",
    "throttled",
    "throttled",
    "throttled",
    "error",
    "done",
  ]);

  asynchronous.invokeLater("F", "{}", undefined);

  await expect.poll(() => calls.length).toBe(6);
  await new Promise((done) => setTimeout(done, 100));
  expect([calls.length, sent]).toEqual([6, []]);
});

test("events are retried at most as often and as long as the template says", async () => {
  const once = start(["error"], { properties: { MaximumRetryAttempts: 0 } });
  const young = start(["throttled"], { properties: { MaximumEventAgeInSeconds: 0 } });

  once.asynchronous.invokeLater("F", "{}", undefined);
  young.asynchronous.invokeLater("F", "{}", undefined);

  await expect.poll(() => once.sent).toMatchObject([{ requestContext: { approximateInvokeCount: 1 } }]);
  await expect.poll(() => young.sent).toMatchObject([{ requestContext: { condition: "EventAgeExceeded" } }]);
});

test("events that are pending when the local cloud stops are processed after its next start", async () => {
  const directory = newDirectory();
  const before = start(["throttled"], { directory });
  before.asynchronous.invokeLater("F", '{"a":1}', undefined);
  await expect.poll(() => before.calls.length).toBeGreaterThan(0);
  await before.stop();

  const after = start(["done"], { directory });

  await expect.poll(() => after.calls).toMatchObject([{ event: '{"a":1}' }]);
});

test("a destination that the function's role cannot write to is refused at the start", () => {
  expect(() => start(["done"], { isGranted: false })).toThrow("no policy allows the action");
});
