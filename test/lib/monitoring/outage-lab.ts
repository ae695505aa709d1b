import { Readable } from "node:stream";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { TooManyRequestsError } from "@dropleaf/local-cloud/lambda/concurrency";
import { alarmsOf } from "@dropleaf/local-cloud/metrics/alarms";
import {
  createMetricStore,
  type MetricId,
  type MetricStore,
} from "@dropleaf/local-cloud/metrics/metric-store";
import { findResource, resourcesOfType } from "@dropleaf/local-cloud/template";
import { type RunningService, type ServiceOptions, startService } from "../../support/running-service.ts";

/** Simulated time of a lab. A minute ends as soon as its requests have responses. */
interface Time {
  nowMs: number;
}

/** A value that a service published. */
interface Point {
  readonly atMs: number;
  readonly metric: MetricId;
  readonly value: number;
}

/** Events of each simulated minute. */
export interface Minutes {
  /** Paths that visitors open every minute. @default - no visits */
  readonly visits?: readonly string[];
  /** Number of requests that a client sends one by one, without a network. @default 0 */
  readonly flood?: number;
  /** Runs the due schedules. @default true */
  readonly hasSchedules?: boolean;
}

/** A service on the local cloud, whose alarms are evaluated every simulated minute. */
export interface OutageLab {
  readonly cloud: LocalCloud;
  /** Returns the names of alarms in the state ALARM, without the stack's name. */
  alarms(): string[];
  /** Simulates this number of minutes and returns the minute in which each alarm first fired. */
  pass(minutes: number, happenings?: Minutes): Promise<Readonly<Record<string, number>>>;
  /** Returns the metrics recorded so far, from which another lab can continue. */
  past(): Past;
  stop(): Promise<void>;
}

/** Metrics of a service, and the time at which they end. */
export interface Past {
  readonly points: readonly Point[];
  readonly nowMs: number;
}

const minuteMs = 60_000;

/** Ten seconds after a full minute. */
const startMs = Date.UTC(2030, 0, 1) + 10_000;

/** Starts a service, which continues from the recorded metrics of another one if they are given. */
export async function startOutageLab(
  options: Pick<ServiceOptions, "account" | "breakTemplate"> = {},
  past: Past = { points: [], nowMs: startMs },
): Promise<OutageLab> {
  const time: Time = { nowMs: past.nowMs };
  const points: Point[] = [];
  const metrics = recordingStore(time, points);
  for (const { atMs, metric, value } of past.points) {
    time.nowMs = atMs;
    metrics.put(metric, value);
  }
  time.nowMs = past.nowMs;
  const service = await startService({
    fileSettings: { ingest: "none" },
    environmentsPerFunction: 1,
    metrics,
    ...options,
  });
  const { cloud } = service;
  const alarms = alarmsOf(cloud.template);
  const firing = () =>
    alarms
      .filter((alarm) => alarm.stateAt(time.nowMs, metrics) === "ALARM")
      .map(({ name }) => name.replace("Dropleaf-", ""))
      .toSorted();
  return {
    cloud,
    alarms: firing,
    async pass(minutes, { visits = [], flood = 0, hasSchedules = true } = {}) {
      const firstFired: Record<string, number> = {};
      for (let minute = 1; minute <= minutes; minute += 1) {
        if (hasSchedules) await runDueSchedules(cloud, time.nowMs);
        await Promise.all(visits.map((path) => visit(service, path)));
        for (let sent = 0; sent < flood; sent += 1) await request(cloud, "/docs");
        metrics.sampleGauges();
        time.nowMs += minuteMs;
        for (const name of firing()) firstFired[name] ??= minute;
      }
      return firstFired;
    },
    past: () => ({ points: [...points], nowMs: time.nowMs }),
    stop: service.stop,
  };
}

function recordingStore(time: Time, points: Point[]): MetricStore {
  const store = createMetricStore(() => time.nowMs);
  const put = (metric: MetricId, value: number) => {
    points.push({ atMs: time.nowMs, metric, value });
    store.put(metric, value);
  };
  return { ...store, put };
}

/** Invokes the functions that EventBridge Scheduler would invoke in this minute. */
async function runDueSchedules({ template, lambda }: LocalCloud, nowMs: number): Promise<void> {
  const minute = Math.floor((nowMs - startMs) / minuteMs);
  for (const { properties } of resourcesOfType(template, "AWS::Scheduler::Schedule")) {
    const [, interval] = /^rate\((\d+) minutes\)$/.exec(String(properties.ScheduleExpression)) ?? [];
    if (minute % Number(interval) !== 0) continue;
    const { Arn, Input } = properties.Target as { Arn: string; Input: string };
    const target = findResource(template, "AWS::Lambda::Function", Arn.split(":").at(-1));
    try {
      await lambda.invoke(target?.physicalId ?? "", Input);
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
    }
  }
}

async function request({ edge, address }: LocalCloud, path: string): Promise<void> {
  const headers = [["Host", new URL(address).host]] as const;
  const peer = { address: "127.0.0.1", port: 1 };
  await edge.handle({ method: "GET", path, query: undefined, headers, body: Readable.from([]), peer });
}

async function visit({ port }: RunningService, path: string): Promise<void> {
  const response = await fetch(`http://localhost:${port}${path}`, { redirect: "manual" });
  await response.arrayBuffer();
}
