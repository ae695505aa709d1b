import { readFileSync, writeFileSync } from "node:fs";
import type { AwsEndpoint } from "../aws/aws-endpoint.ts";
import { findResource, type Resource, resourcesOfType, type Template } from "../template.ts";
import type { AsynchronousInvocations } from "./asynchronous-invocations.ts";

interface ScheduleOptions {
  readonly template: Template;
  readonly awsEndpoint: Pick<AwsEndpoint, "authorize">;
  readonly invokeLater: AsynchronousInvocations["invokeLater"];
  /** JSON file that keeps the time of each schedule's last invocation across restarts. */
  readonly path: string;
}

/** Maximum duration of a Node.js timer. */
const timerMsMax = 2 ** 31 - 1;

/**
 * Invokes functions at the rates of the template's schedules. A new schedule waits for one interval. A schedule that was due
 * while the local cloud was stopped is invoked once at the next start.
 *
 * Source: EventBridge Scheduler user guide, "Rate-based schedules".
 *
 * @throws Error on a schedule that is not emulated, or whose role may not invoke its function
 */
export function startSchedules(options: ScheduleOptions): { stop(): Promise<void> } {
  const { template, invokeLater, path } = options;
  const schedules = resourcesOfType(template, "AWS::Scheduler::Schedule")
    .filter(({ properties }) => properties.State !== "DISABLED")
    .map((resource) => parseSchedule(resource, options));
  const lastAtMs = readTimes(path);
  const timers = new Map<string, NodeJS.Timeout>();

  const setTimer = (schedule: Schedule) => {
    const { name, everyMs } = schedule;
    const restMs = Math.max(0, (lastAtMs[name] ?? 0) + everyMs - Date.now());
    const timer = setTimeout(() => run(schedule), Math.min(restMs, timerMsMax));
    timers.set(name, timer.unref());
  };
  const run = (schedule: Schedule) => {
    const { name, everyMs, functionName, input } = schedule;
    if (Date.now() >= (lastAtMs[name] ?? 0) + everyMs) {
      saveTime(name);
      invokeLater(functionName, input, undefined);
    }
    setTimer(schedule);
  };
  const saveTime = (name: string) => {
    lastAtMs[name] = Date.now();
    writeFileSync(path, JSON.stringify(lastAtMs));
  };

  for (const schedule of schedules) {
    const last = lastAtMs[schedule.name];
    // A stored time is in the future if the clock was set back meanwhile.
    if (last === undefined || last > Date.now()) saveTime(schedule.name);
    setTimer(schedule);
  }
  return {
    async stop() {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  readonly functionName: string;
  /** Event for the function, as JSON. */
  readonly input: string;
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function parseSchedule(
  { logicalId, properties }: Resource,
  { template, awsEndpoint }: ScheduleOptions,
): Schedule {
  const { ScheduleExpression, FlexibleTimeWindow, Target, StartDate, EndDate } = properties;
  const { Arn, RoleArn, Input = "{}" } = Target as { Arn: string; RoleArn: string; Input?: string };
  const refuse = (what: string): never => {
    throw new Error(`${logicalId}: the local cloud emulates only ${what}`);
  };
  const expression = String(ScheduleExpression);
  const [, value, unit] = /^rate\(([1-9]\d*) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit === undefined) return refuse(`schedules such as rate(15 minutes), not ${expression}`);
  if (StartDate !== undefined || EndDate !== undefined)
    return refuse("schedules without StartDate and EndDate");
  const { Mode } = FlexibleTimeWindow as { Mode?: string };
  if (Mode !== "OFF") return refuse(`schedules with a FlexibleTimeWindow of OFF, not ${Mode}`);
  const target = findResource(template, "AWS::Lambda::Function", Arn.split(":").at(-1));
  if (target === undefined) return refuse(`schedules of functions of the template, not of ${Arn}`);
  awsEndpoint.authorize(RoleArn, { action: "lambda:InvokeFunction", resourceArn: Arn });
  return {
    name: logicalId,
    everyMs: Number(value) * unitMs[unit as keyof typeof unitMs],
    functionName: target.physicalId,
    input: Input,
  };
}

function readTimes(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // The file is missing, or was truncated when the machine crashed, so every schedule starts again.
    return {};
  }
}
