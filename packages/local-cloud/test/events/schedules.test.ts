import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { startSchedules } from "../../src/events/schedules.ts";
import { resolveTemplate } from "../../src/template.ts";
import { lambdaResources } from "../fixture-stack.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Starts a schedule of a function and collects its invocations. The fake clock starts at midnight. */
function start(
  properties: object = {},
  { directory = newDirectory(), isGranted = true, nowMs = Date.UTC(2026, 10, 26) } = {},
) {
  vi.useFakeTimers({ now: nowMs });
  const template = resolveTemplate(
    {
      Resources: {
        ...lambdaResources("F"),
        Schedule: {
          Type: "AWS::Scheduler::Schedule",
          Properties: {
            ScheduleExpression: "rate(15 minutes)",
            FlexibleTimeWindow: { Mode: "OFF" },
            Target: {
              Arn: { "Fn::GetAtt": ["F", "Arn"] },
              RoleArn: "arn:aws:iam::000000000000:role/Scheduler",
              Input: '{"a":1}',
            },
            ...properties,
          },
        },
      },
    },
    directory,
  );
  const calls: unknown[][] = [];
  const schedules = startSchedules({
    template,
    awsEndpoint: {
      authorize: () => {
        if (!isGranted) throw new Error("no policy allows the action");
      },
    },
    invokeLater: (...call) => void calls.push(call),
    path: join(directory, "schedules.json"),
  });
  cleanUps.push(schedules.stop);
  return { calls, directory, stop: schedules.stop };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-schedules-"));
  cleanUps.push(() => rmSync(directory, { recursive: true }));
  return directory;
}

const minutes = (count: number) => count * 60_000;

test("a function is invoked with its input after each interval until the local cloud stops", async () => {
  const { calls, stop } = start();

  vi.advanceTimersByTime(minutes(14));
  const early = calls.length;
  vi.advanceTimersByTime(minutes(31));
  await stop();
  vi.advanceTimersByTime(minutes(60));

  expect(early).toBe(0);
  expect(calls).toEqual(Array(3).fill(["F", '{"a":1}', undefined]));
});

test("a schedule that becomes due while the local cloud is stopped runs once at the next start", async () => {
  const startMs = Date.UTC(2026, 10, 26);
  const { directory, stop } = start();
  await stop();

  const soon = start({}, { directory, nowMs: startMs + minutes(10) });
  vi.advanceTimersByTime(minutes(4));
  expect(soon.calls).toHaveLength(0);
  await soon.stop();
  const late = start({}, { directory, nowMs: startMs + minutes(8 * 1440) });
  vi.advanceTimersByTime(1);

  expect(late.calls).toHaveLength(1);
});

test("a clock that was set back, or a truncated file, delays a schedule by at most its interval", async () => {
  const { directory, stop } = start({}, { nowMs: Date.UTC(2027, 0, 1) });
  await stop();

  const back = start({}, { directory });
  vi.advanceTimersByTime(minutes(15));
  expect(back.calls).toHaveLength(1);
  await back.stop();
  writeFileSync(join(directory, "schedules.json"), '{"Sche');
  const again = start({}, { directory });
  vi.advanceTimersByTime(minutes(15));

  expect(again.calls).toHaveLength(1);
});

test("a disabled schedule invokes nothing", () => {
  const { calls } = start({ State: "DISABLED" });

  vi.advanceTimersByTime(minutes(60));

  expect(calls).toEqual([]);
});

test.each([
  [{ ScheduleExpression: "cron(0 * * * ? *)" }, "rate(15 minutes), not cron(0 * * * ? *)"],
  [{ FlexibleTimeWindow: { Mode: "FLEXIBLE" } }, "FlexibleTimeWindow of OFF, not FLEXIBLE"],
  [{ StartDate: "2026-12-01T00:00:00Z" }, "without StartDate and EndDate"],
  [
    { Target: { Arn: "arn:aws:sqs:us-east-1:000000000000:Q", RoleArn: "r" } },
    "functions of the template, not of arn:aws:sqs",
  ],
])("an unsupported schedule is refused at the start: %o", (properties, message) => {
  expect(() => start(properties)).toThrow(`Schedule: the local cloud emulates only schedules`);
  expect(() => start(properties)).toThrow(message);
});

test("a schedule whose role cannot invoke its function is refused at the start", () => {
  expect(() => start({}, { isGranted: false })).toThrow("no policy allows the action");
});
