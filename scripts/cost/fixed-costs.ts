import {
  dueWorkMinutes,
  keepWarmMinutesDefault,
  readerWayMinutes,
} from "../../functions/core/environment.ts";
import { memoryMegabytesDefault, memoryMegabytesOf } from "../../functions/http/route.ts";
import { routeOf } from "../../functions/routes.ts";
import { dueShards } from "../../functions/table/keys.ts";
import { workerOf } from "../../functions/workers.ts";
import { keptWarmOperations } from "../../lib/lambda/keep-warm.ts";
import { assumptions } from "./assumptions.ts";
import type { Part } from "./prices.ts";
import type { Traffic } from "./traffic.ts";

/** Lists the calls of the `keepWarm` schedules, with Lambda's own log lines, and traces if tracing is on. */
export function keepWarm(traffic: Traffic): Part[] {
  if (!traffic.keepWarm) return [];
  const callsOfEach = (60 / keepWarmMinutesDefault) * assumptions.hoursPerMonth;
  const calls = callsOfEach * keptWarmOperations.length;
  const gigabytes = keptWarmOperations.reduce(
    (total, id) => total + memoryMegabytesOf(routeOf(id)) / 1024,
    0,
  );
  return [
    ["scheduledCall", "Kept warm, schedules", calls],
    ["functionCall", "Kept warm, calls", calls],
    ["functionGigabyteSecond", "Kept warm, time", callsOfEach * (assumptions.keepWarmMs / 1000) * gigabytes],
    ["logGigabyte", "Kept warm, logs", (calls * assumptions.logBytesPerCall) / 1e9],
    ["trace", "Kept warm, traces", traffic.tracing ? calls : 0],
  ];
}

/** Lists the scheduled requests that check the way of a reader, each with the call that it makes. */
function readerWay(): Part[] {
  const runs = (60 / readerWayMinutes) * assumptions.hoursPerMonth;
  const { memoryMegabytes = memoryMegabytesDefault } = workerOf("check-reader-way");
  const megabyteMs =
    assumptions.readerWayMs * memoryMegabytes +
    (assumptions.ownMs + assumptions.roundTripMs) * memoryMegabytesOf(routeOf("show-embedded-file"));
  return [
    ["scheduledCall", "Reader's way, schedule", runs],
    ["edgeRequest", "Reader's way, edge", runs],
    ["edgeFunctionCall", "Reader's way, edge function", runs],
    ["objectRead", "Reader's way, bucket", runs],
    ["apiCall", "Reader's way, API Gateway", runs],
    ["functionCall", "Reader's way, calls", 2 * runs],
    ["functionGigabyteSecond", "Reader's way, time", (runs * megabyteMs) / 1_024_000],
    ["tableRead", "Reader's way, reads", runs],
    ["logGigabyte", "Reader's way, logs", (2 * runs * assumptions.logBytesPerCall) / 1e9],
  ];
}

/** Lists the costs that do not depend on traffic. */
export function fixedCosts({ storedGigabytes, waf, tracing, dashboard, ...traffic }: Traffic): Part[] {
  const alarmMetrics =
    assumptions.alarmMetrics + (traffic.ingest === "webfunction" ? assumptions.webFunctionAlarmMetrics : 0);
  const webhookQueues = traffic.webhooks > 0 ? assumptions.webhookQueues : 0;
  const polls = assumptions.idlePollsPerQueue * (assumptions.queues + webhookQueues);
  const dueRuns = (60 / dueWorkMinutes) * assumptions.hoursPerMonth;
  const isUsed = traffic.views + traffic.drops + traffic.reads > 0;
  return [
    ["secret", "Secrets", assumptions.secrets],
    [
      "tableRead",
      "Key of cookies, reads",
      isUsed ? assumptions.busyFunctions * 12 * assumptions.hoursPerMonth : 0,
    ],
    ["alarmMetric", "Alarms", alarmMetrics],
    ["dashboard", "Dashboard", dashboard ? 1 : 0],
    ["queueRequest", "Queues, polls", polls],
    ["scheduledCall", "Due work, schedule", dueRuns],
    ["functionCall", "Due work, calls", dueRuns],
    [
      "functionGigabyteSecond",
      "Due work, time",
      dueRuns *
        (dueShards * assumptions.roundTripMs + assumptions.ownMs) *
        (memoryMegabytesDefault / 1_024_000),
    ],
    ["tableRead", "Due work, reads", dueRuns * dueShards],
    ...readerWay(),
    ["objectGigabyte", "Pages and files, stored", storedGigabytes],
    ["firewall", "Firewall", waf ? 1 : 0],
    ["firewallRule", "Firewall, rules", waf ? assumptions.firewallRules : 0],
    ["trace", "Traces", tracing ? traffic.views + traffic.reads + traffic.drops + traffic.versions : 0],
  ];
}
