import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as environment from "../../functions/core/environment.ts";
import { memoryMegabytesDefault, memoryMegabytesOf } from "../../functions/http/route.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { dueShards } from "../../functions/table/keys.ts";
import { activeForMs, activeIntervalMs, idleIntervalMs } from "../../functions/viewer/drop-state.ts";
import { keptWarmOperations } from "../../lib/lambda/keep-warm.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { MeasuredCall } from "../bench/calls.ts";

const million = 1_000_000;

/**
 * AWS on-demand list prices of the first tier in us-east-1, without free tier, discounts and tax. Each entry has the price in dollars, the
 * number of units at this price, the unit, the source page on aws.amazon.com, and the number of free units each month; see "AWS Free Tier",
 * filter "Always free". Recorded by hand in mid-2025. Prices of calls and secrets were checked on 2026-09-20.
 */
export const prices = {
  apiCall: [3.5, million, "million API Gateway calls", "API Gateway Pricing", 0],
  functionCall: [0.2, million, "million function calls", "Lambda Pricing", million],
  functionGigabyteSecond: [0.0000133334, 1, "GB-second of functions (Arm)", "Lambda Pricing", 400_000],
  browserGigabyteSecond: [0.0000166667, 1, "GB-second of the browser (x86)", "Lambda Pricing", 0],
  tableRead: [0.125, million, "million read units of the table", "DynamoDB Pricing", 0],
  tableWrite: [0.625, million, "million write units of the table", "DynamoDB Pricing", 0],
  tableGigabyte: [0.45, 1, "GB in the table, with recovery 0.20", "DynamoDB Pricing", 25],
  objectWrite: [0.005, 1_000, "thousand PUT to S3", "S3 pricing", 0],
  objectRead: [0.0004, 1_000, "thousand GET from S3", "S3 pricing", 0],
  objectGigabyte: [0.023, 1, "GB in S3", "S3 pricing", 0],
  queueRequest: [0.4, million, "million requests to queues", "SQS pricing", million],
  scheduledCall: [1, million, "million calls of schedules", "EventBridge Pricing", 14 * million],
  busEvent: [1, million, "million events of up to 64 KB", "EventBridge Pricing", 0],
  secret: [0.4, 1, "secret", "Secrets Manager Pricing", 0],
  edgeRequest: [0.01, 10_000, "10,000 requests at the edge", "CloudFront Pricing", 10 * million],
  edgeGigabyte: [0.085, 1, "GB from the edge (North America, Europe)", "CloudFront Pricing", 1_000],
  edgeFunctionCall: [0.1, million, "million edge functions", "CloudFront Pricing", 2 * million],
  invalidationTag: [0.005, 1, "invalidated tag beyond the free tier", "CloudFront Pricing", 0],
  logGigabyte: [0.53, 1, "GB of logs, with a month of storage 0.03", "CloudWatch Pricing", 5],
  alarmMetric: [0.1, 1, "alarm metric", "CloudWatch Pricing", 10],
  dashboard: [3, 1, "dashboard", "CloudWatch Pricing", 3],
  firewall: [5, 1, "firewall", "WAF Pricing", 0],
  firewallRule: [1, 1, "firewall rule", "WAF Pricing", 0],
  firewallRequest: [0.6, million, "million requests to the firewall", "WAF Pricing", 0],
} as const;

type PriceName = keyof typeof prices;

/** Quantities of billed units, by the names of their prices. */
export type Units = Partial<Record<PriceName, number>>;

/** Computes the cost of the quantities in dollars. */
export function dollarsOf(units: Units): number {
  const dollars = entriesOf(units).map(([name, quantity]) => (quantity / prices[name][1]) * prices[name][0]);
  return dollars.reduce((sum, one) => sum + one, 0);
}

/** Computes the cost in dollars if the account's whole free tier is available. Functions and browser share the free GB-seconds. */
export function dollarsWithFreeTier(units: Units): number {
  const freeSeconds = prices.functionGigabyteSecond[4] - (units.functionGigabyteSecond ?? 0);
  const charged = entriesOf(units).map(([name, quantity]) => {
    const free = name === "browserGigabyteSecond" ? Math.max(0, freeSeconds) : prices[name][4];
    return [name, Math.max(0, quantity - free)];
  });
  return dollarsOf(Object.fromEntries(charged));
}

const entriesOf = (units: Units) => Object.entries(units) as [PriceName, number][];

/** Adds up quantities, after multiplying each part by its count. */
export function sumOf(parts: readonly (readonly [count: number, each: Units])[]): Units {
  const sum: Units = {};
  for (const [count, each] of parts)
    for (const [name, quantity] of entriesOf(each))
      if (count * quantity > 0) sum[name] = (sum[name] ?? 0) + count * quantity;
  return sum;
}

/** Assumptions of the estimate, which were not measured. The setting `ingest` adds one more alarm metric. */
export const assumptions = {
  roundTripMs: 8,
  ownMs: 6,
  drawGigabytes: 2,
  viewerKilobytes: 8,
  /** Monthly requests that poll an empty queue. Lambda polls with five connections, every 20 s. */
  idlePollsPerQueue: (5 * 30 * 24 * 3_600) / 20,
  queues: 2,
  secrets: 1,
  alarmMetrics: 13,
  firewallRules: 2,
  hoursPerMonth: 730,
} as const;

/**
 * Monthly traffic of a team of about thirty people whose agents publish every day, and the settings that affect the cost. Half of the reads
 * get a drop, and half list drops. Open tabs poll for changes during reading hours. The edge's cache serves the share `cacheHits` of page
 * views. Each upload is downloaded 20 times.
 */
export const defaultTraffic = {
  drops: 1_000,
  versions: 2_000,
  views: 50_000,
  readingHours: 800,
  cacheHits: 0.5,
  reads: 20_000,
  searches: 1_000,
  uploads: 200,
  signIns: 50,
  locks: 50,
  answers: 200,
  deletions: 270,
  storedGigabytes: 10,
  pageKilobytes: 60,
  uploadMegabytes: 2,
  ingest: "webfunction" as "webfunction" | "none",
  waf: false,
  dashboard: false,
  withoutRenders: false,
  keepWarm: false,
};
export type Traffic = Readonly<typeof defaultTraffic>;

/** Number of times that a poll's page reads the counts for each answer: every 15 seconds, for two minutes. */
const countReadsPerAnswer = 8;

/** Traffic of an idle service without stored data. Sizes and shares are the defaults. */
export const idleTraffic: Traffic = {
  ...defaultTraffic,
  ...{ drops: 0, versions: 0, views: 0, readingHours: 0, reads: 0, searches: 0, uploads: 0, signIns: 0 },
  ...{ locks: 0, answers: 0, deletions: 0, storedGigabytes: 0 },
};

/** Finds the measurement of a call by `npm run bench calls`. Without a variant, the most common kind of call is used. */
export type FindMeasuredCall = (operation: OperationId, variant?: string) => MeasuredCall;

export const measuredCallsFile = "docs/measured/calls.json";

/** Reads the measured calls from the benchmark's file. */
export function readMeasuredCalls(): FindMeasuredCall {
  const calls = JSON.parse(readFileSync(join(projectDirectory, measuredCallsFile), "utf8")) as MeasuredCall[];
  return (operation, variant = "") => {
    const found = calls.find((call) => call.operation === operation && call.variant === variant);
    if (found) return found;
    throw new Error(
      `${measuredCallsFile} has no call ${operation} "${variant}". Run npm run bench calls -- --write.`,
    );
  };
}

/**
 * Computes the billed units of a measured call, including those of 600 bytes of logs. One call in 50 is a cold start, with 400 ms of billed
 * time.
 */
export function callUnits(call: MeasuredCall): Units {
  const ms = assumptions.ownMs + call.sequentialRoundTrips * assumptions.roundTripMs + 400 / 50;
  return {
    apiCall: 1,
    functionCall: 1,
    functionGigabyteSecond: (ms / 1000) * gigabytesOf(call.operation),
    tableRead: call.readUnits,
    tableWrite: call.writeUnits,
    objectWrite: call.s3Writes,
    objectRead: call.s3Reads,
    logGigabyte: logGigabytes,
  };
}

const logGigabytes = 600 / 1e9;
const workerGigabytes = memoryMegabytesDefault / 1024;
const gigabytesOf = (operation: OperationId) => memoryMegabytesOf(routeOf(operation)) / 1024;

/** Estimates the billed units of a month with this traffic. docs/cost.md contains the formula. */
export function estimate(traffic: Traffic, find: FindMeasuredCall): Units {
  const calls = callsOf(traffic);
  const requests = calls.reduce((sum, [count]) => sum + count, 0);
  return sumOf([
    ...calls.map(([count, operation, variant]) => [count, callUnits(find(operation, variant))] as const),
    ...workOf(traffic, requests, find),
    ...fixedCosts(traffic, find),
  ]);
}

/** Lists the calls that reach API Gateway and a function. */
function callsOf(traffic: Traffic): (readonly [count: number, operation: OperationId, variant?: string])[] {
  const { views, cacheHits, reads, signIns } = traffic;
  return [
    [traffic.drops, "publish-drop"],
    [traffic.versions, "publish-version"],
    [views, "view-drop"],
    [views * (1 - cacheHits), "read-raw-page", "pinned"],
    [stateRequests(traffic), "read-drop-state"],
    [reads / 2, "get-drop"],
    [reads / 2, "list-drops", "200 of 500 drops"],
    [traffic.searches, "search-drops", "20 of 300 drops"],
    [traffic.uploads, "upload-blob", "1 KB"],
    [traffic.locks, "set-passcode", "lock"],
    [traffic.answers, "send-answer"],
    [traffic.answers * countReadsPerAnswer, "read-answer-results", "200 answers"],
    [traffic.deletions, "delete-drop"],
    ...(["start-sign-in", "show-verify-page", "authorize-sign-in"] as const).map(
      (id) => [signIns, id] as const,
    ),
    [signIns, "complete-sign-in", "known account"],
    [10 * signIns, "poll-sign-in", "pending"],
    [signIns, "poll-sign-in", "verified: returns the token"],
  ];
}

/**
 * Counts the requests of open tabs. A quarter of the reading hours is spent in tabs that are closed within two minutes. The rest is spent
 * in tabs that stay open for 20 minutes.
 */
function stateRequests({ readingHours }: Traffic): number {
  const perReading = activeForMs / activeIntervalMs + (20 * 60_000 - activeForMs) / idleIntervalMs;
  return readingHours * (0.25 * (3_600_000 / activeIntervalMs) + 0.75 * 3 * perReading);
}

/** Billed units of one queue message: a worker's call with two round trips, and the requests to send, receive and delete the message. */
const work: Units = {
  functionCall: 1,
  functionGigabyteSecond: ((assumptions.ownMs + 2 * assumptions.roundTripMs) / 1000) * workerGigabytes,
  queueRequest: 3,
};

/** Lists the work that does not come from calls: edge, table stream, queues and browser. */
function workOf(traffic: Traffic, calls: number, find: FindMeasuredCall): [number, Units][] {
  const { drops, versions, uploads, locks, answers, deletions } = traffic;
  const published = drops + versions;
  const rendered = traffic.withoutRenders ? 0 : published;
  const changed = published + locks + deletions;
  const downloads = 20 * uploads;
  const requests = calls + traffic.views * traffic.cacheHits + downloads;
  const auditEntries = published + uploads + 2 * traffic.signIns + locks + answers + deletions;
  const auditMonths = environment.auditDaysDefault / (assumptions.hoursPerMonth / 24);
  const { readUnits, writeUnits } = find("purge-drop");
  return [
    // Each counted view costs one message, and one read and one write of the drop's view count.
    [traffic.views, { ...work, tableRead: 1, tableWrite: 1 }],
    // Each object costs an orphan check. Each change costs an update of the library's index and of the search index.
    [published + uploads, { ...work, tableRead: 2 }],
    [2 * (locks + deletions), { ...work, queueRequest: 1.5 }],
    // Each tag is invalidated immediately, and again a minute later. The first thousand invalidations of a month are free.
    [1, { invalidationTag: Math.max(0, 2 * (locks + deletions) - 1_000) }],
    // Purging a deleted drop also writes, finds and removes the item that schedules the purge.
    [deletions, { tableRead: readUnits + 1, tableWrite: writeUnits + 2 }],
    [changed, { ...work, queueRequest: 0 }],
    [drops + deletions, { tableRead: 1, tableWrite: 1 }],
    [changed, { functionCall: 3, functionGigabyteSecond: 1.5 * workerGigabytes, queueRequest: 6 }],
    [changed, { tableRead: 11, tableWrite: 15, objectWrite: 2, objectRead: 4 }],
    // Numbering an event costs a read and a write. A publication costs neither, because its number is always 1.
    [changed + rendered, { busEvent: 1, functionGigabyteSecond: work.functionGigabyteSecond ?? 0 }],
    [changed + rendered - drops, { tableRead: 1, tableWrite: 1 }],
    // The stream delivers each answer to two workers. Each answer causes a numbered event.
    [answers, { functionCall: 2, functionGigabyteSecond: workerGigabytes, busEvent: 1 }],
    [answers, { tableRead: 1, tableWrite: 1 }],
    // Rendering the card and the thumbnail takes 3 s. One version in ten also has a report, which takes 8 s to render, has a size of one
    // megabyte, and is deleted after a month.
    [rendered, { browserGigabyteSecond: 3.8 * assumptions.drawGigabytes, functionCall: 3.2 }],
    [rendered, { functionGigabyteSecond: 3.8 * workerGigabytes, objectWrite: 2.7, queueRequest: 8.1 }],
    [rendered, { tableRead: 7.7, tableWrite: 11, objectGigabyte: 0.1 / 1e3 }],
    [requests, { edgeRequest: 1, edgeFunctionCall: 1, firewallRequest: traffic.waf ? 1 : 0 }],
    [downloads, { edgeFunctionCall: 1, edgeGigabyte: traffic.uploadMegabytes / 1e3 }],
    [traffic.views, { edgeGigabyte: (assumptions.viewerKilobytes + traffic.pageKilobytes) / 1e6 }],
    [stateRequests(traffic), { edgeGigabyte: 1 / 1e6 }],
    // An audit entry has a size of 330 bytes.
    [auditEntries * auditMonths, { tableGigabyte: 330 / 1e9 }],
  ];
}

/** Lists costs that do not depend on traffic: alarms, queues, schedules, and scheduled checks that pages are reachable for readers. */
function fixedCosts(traffic: Traffic, find: FindMeasuredCall): [number, Units][] {
  const perMonth = (minutes: number) => (60 / minutes) * assumptions.hoursPerMonth;
  const dueSeconds = (dueShards * assumptions.roundTripMs + assumptions.ownMs) / 1000;
  const kept = traffic.keepWarm ? keptWarmOperations : [];
  const used = traffic.views + traffic.drops + traffic.reads;
  const schedule = { scheduledCall: 1, functionCall: 1 };
  const time = (seconds: number) => ({ functionGigabyteSecond: seconds * workerGigabytes });
  const keptCalls = perMonth(environment.keepWarmMinutesDefault);
  const readerWay = perMonth(environment.readerWayMinutes);
  return [
    [1, { secret: assumptions.secrets, dashboard: traffic.dashboard ? 1 : 0 }],
    [1, { alarmMetric: assumptions.alarmMetrics + (traffic.ingest === "webfunction" ? 1 : 0) }],
    [assumptions.queues, { queueRequest: assumptions.idlePollsPerQueue }],
    [traffic.storedGigabytes, { objectGigabyte: 1 }],
    [traffic.waf ? 1 : 0, { firewall: 1, firewallRule: assumptions.firewallRules }],
    // Each busy function reads the cookie key every five minutes.
    [used > 0 ? perMonth(5) : 0, { tableRead: 1 }],
    [perMonth(environment.dueWorkMinutes), { ...schedule, ...time(dueSeconds), tableRead: dueShards }],
    [readerWay, { ...schedule, ...time(0.2), edgeRequest: 1, edgeFunctionCall: 1, objectRead: 1 }],
    [readerWay, callUnits(find("show-embedded-file"))],
    [kept.length * keptCalls, { ...schedule, logGigabyte: logGigabytes }],
    ...kept.map((id): [number, Units] => [0.005 * keptCalls, { functionGigabyteSecond: gigabytesOf(id) }]),
  ];
}
