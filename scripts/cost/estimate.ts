import { limits } from "../../functions/core/limits.ts";
import { memoryMegabytesDefault, memoryMegabytesOf } from "../../functions/http/route.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { activeForMs, activeIntervalMs, idleIntervalMs } from "../../functions/viewer/drop-state.ts";
import { assumptions } from "./assumptions.ts";
import { fixedCosts, keepWarm } from "./fixed-costs.ts";
import { freeTags, invalidatedTags } from "./invalidations.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import { costOf, type Part, type PriceName } from "./prices.ts";
import type { Traffic } from "./traffic.ts";

/** A quantity of something that has a price. */
export interface CostLine {
  readonly price: PriceName;
  /** The purpose of the line, such as `Views, messages`. */
  readonly what: string;
  readonly quantity: number;
  readonly dollars: number;
}

/** A number of calls of an operation. */
interface Calls {
  readonly operation: OperationId;
  readonly variant?: string;
  readonly count: number;
}

/** Estimates a month of this traffic, line by line. docs/cost.md has the formula. */
export function estimate(given: Traffic, find: FindMeasuredCall): CostLine[] {
  const calls = callsOf(given);
  // Beside the calls that publish it and its objects, a folder is a drop like others.
  const traffic = {
    ...given,
    drops: given.drops + given.folders,
    versions: given.versions + given.folderVersions,
  };
  return toLines([
    ...perCall(calls, find),
    ...perView(traffic),
    ...perWait(traffic),
    ...perObject(traffic),
    ...perChange(traffic),
    ...perPurge(traffic, find),
    ...perIndexed(traffic),
    ...perSearchable(traffic),
    ...perEvent(traffic),
    ...perWebhook(traffic),
    ...perAct(traffic),
    ...perRender(traffic),
    ...edge(
      traffic,
      calls.reduce((total, { count }) => total + count, 0),
    ),
    ...ingest(traffic),
    ...keepWarm(traffic),
    ...fixedCosts(traffic),
  ]);
}

/** Prices the parts of a bill, and leaves out those without a quantity. */
export function toLines(parts: readonly Part[]): CostLine[] {
  return parts
    .filter(([, , quantity]) => quantity > 0)
    .map(([price, what, quantity]) => ({ price, what, quantity, dollars: costOf(price, quantity) }));
}

/** Lists the calls that reach API Gateway and a function. */
function callsOf(traffic: Traffic): Calls[] {
  const { drops, versions, views, cacheHits, reads, searches, signIns } = traffic;
  const { folders, folderVersions, folderReads } = traffic;
  const { locks, deletions, versionDeletions, fileDeletions } = traffic;
  return [
    { operation: "publish-drop", count: drops },
    { operation: "publish-version", count: versions },
    { operation: "publish-drop", variant: "a folder of 100 files", count: folders },
    { operation: "start-folder", variant: "a folder of 100 files, one changed", count: folderVersions },
    { operation: "publish-folder", variant: "a folder of 100 files, one changed", count: folderVersions },
    { operation: "read-folder-file", count: folderReads * (1 - cacheHits) },
    { operation: "view-drop", count: views },
    { operation: "read-raw-page", variant: "pinned", count: views * (1 - cacheHits) },
    { operation: "read-drop-state", count: stateRequests(traffic) },
    { operation: "get-drop", count: reads / 2 },
    { operation: "list-drops", variant: "200 of 500 drops", count: reads / 2 },
    { operation: "search-drops", variant: "20 of 300 drops", count: searches },
    ...uploadCalls(traffic),
    { operation: "set-passcode", variant: "lock", count: locks },
    { operation: "delete-drop", count: deletions },
    { operation: "delete-version", variant: "an older one", count: versionDeletions },
    { operation: "delete-blob", count: fileDeletions },
    { operation: "start-sign-in", count: signIns },
    { operation: "show-verify-page", count: signIns },
    { operation: "authorize-sign-in", count: signIns },
    { operation: "complete-sign-in", variant: "known account", count: signIns },
    { operation: "poll-sign-in", variant: "pending", count: 10 * signIns },
    { operation: "poll-sign-in", variant: "verified: gives the token", count: signIns },
  ];
}

/** A small file is one call. A large file goes to the ingest origin or, without one, takes two calls around its upload to S3. */
function uploadCalls(traffic: Traffic): Calls[] {
  const { uploads } = traffic;
  if (!isLarge(traffic)) return [{ operation: "upload-blob", variant: "1 KB", count: uploads }];
  if (isIngested(traffic)) return [];
  return [
    { operation: "start-upload", count: uploads },
    { operation: "complete-upload", count: uploads },
  ];
}

/** Lists what calls cost behind the edge, as they were measured. */
export function perCall(all: readonly Calls[], find: FindMeasuredCall): Part[] {
  const measured = all.map(({ operation, variant, count }) => ({ count, call: find(operation, variant) }));
  const total = (of: (call: ReturnType<FindMeasuredCall>) => number) =>
    measured.reduce((sum, { count, call }) => sum + count * of(call), 0);
  const calls = total(() => 1);
  const coldMs = assumptions.coldStartMs / assumptions.callsPerColdStart;
  const gigabyteSeconds = total(
    ({ operation, sequentialRoundTrips }) =>
      ((assumptions.ownMs + sequentialRoundTrips * assumptions.roundTripMs + coldMs) / 1000) *
      (memoryMegabytesOf(routeOf(operation)) / 1024),
  );
  return [
    ["apiCall", "API Gateway", calls],
    ["functionCall", "Functions, calls", calls],
    ["functionGigabyteSecond", "Functions, time", gigabyteSeconds],
    ["tableRead", "Table, reads", total(({ readUnits }) => readUnits)],
    ["tableWrite", "Table, writes", total(({ writeUnits }) => writeUnits)],
    ["objectWrite", "Pages and files, writes", total(({ s3Writes }) => s3Writes)],
    ["objectRead", "Pages, reads", total(({ s3Reads }) => s3Reads)],
    ["logGigabyte", "Logs", (calls * assumptions.logBytesPerCall) / 1e9],
  ];
}

/** A counted view is a message, a call, and a read and a write of the drop's count. */
function perView({ views }: Traffic): Part[] {
  return [
    ["queueRequest", "Views, messages", views * assumptions.queueRequestsPerMessage],
    ["functionCall", "Views, counting", views],
    ["functionGigabyteSecond", "Views, time", workerGigabyteSeconds(views)],
    ["tableRead", "Views, reads", views],
    ["tableWrite", "Views, writes", views],
  ];
}

/** A waiting agent holds a function that reads the table once a second. Each new call authenticates, reads, and takes a place among the waiting. */
function perWait({ waitingHours }: Traffic): Part[] {
  const seconds = waitingHours * 3_600;
  const calls = seconds / limits.feedbackWaitSecondsMax;
  const gigabytes = memoryMegabytesOf(routeOf("list-feedback")) / 1024;
  return [
    ["apiCall", "Waiting, API Gateway", calls],
    ["functionCall", "Waiting, calls", calls],
    ["functionGigabyteSecond", "Waiting, time", seconds * gigabytes],
    ["tableRead", "Waiting, reads", seconds + 3 * calls],
    ["tableWrite", "Waiting, writes", 3 * calls],
    ["logGigabyte", "Waiting, logs", (calls * assumptions.logBytesPerCall) / 1e9],
  ];
}

/** Each version is rendered once, and some again for their owners, while the worker waits. Versions that are soon replaced are not deducted. */
function perRender({ drops, versions, withoutRenders }: Traffic): Part[] {
  if (withoutRenders) return [];
  const { picturesSeconds, reportSeconds, versionsPerReport, drawGigabytes } = assumptions;
  const { picturesObjects, reportObjects, reportMegabytes } = assumptions;
  const published = drops + versions;
  const reports = published / versionsPerReport;
  const count = published + reports;
  const seconds = published * picturesSeconds + reports * reportSeconds;
  const objects = published * picturesObjects + reports * reportObjects;
  return [
    ["browserGigabyteSecond", "Rendering, browser", seconds * drawGigabytes],
    ["functionGigabyteSecond", "Rendering, worker", seconds * (memoryMegabytesDefault / 1024)],
    ["functionCall", "Rendering, calls", 2 * count],
    ["objectWrite", "Rendering, pictures", objects],
    ["queueRequest", "Rendering, messages", objects * assumptions.queueRequestsPerMessage],
    // Reads: version, row, pointer, drop, the page's files, polls of the queue. Writes: the row's transaction, the account's daily
    // quota, the queue and its lease.
    ["tableRead", "Rendering, reads", 7 * count],
    ["tableWrite", "Rendering, writes", 10 * count],
    // Reports are deleted after a month; cards and thumbnails are small.
    ["objectGigabyte", "Rendering, kept", (reports * reportMegabytes) / 1e3],
  ];
}

/** The orphan check takes a message for each object, and a read of its row. A changed file of a folder is sent to Amazon S3 itself. */
function perObject({ drops, versions, folders, folderVersions, uploads }: Traffic): Part[] {
  const { folderObjects, folderStagedObjects } = assumptions;
  const ofFolders = (folders + folderVersions) * (folderObjects - 1) + folderVersions * folderStagedObjects;
  const objects = drops + versions + uploads + ofFolders;
  return [
    ["objectWrite", "Folders, files sent", folderVersions],
    ["queueRequest", "New objects, messages", objects * assumptions.queueRequestsPerMessage],
    ["functionCall", "New objects, checks", objects],
    ["functionGigabyteSecond", "New objects, time", workerGigabyteSeconds(objects)],
    ["tableRead", "New objects, reads", 2 * objects],
  ];
}

/** A lock or deletion takes the janitor's work, a message for the second invalidation, and the invalidations. */
function perChange(traffic: Traffic): Part[] {
  const changes = traffic.locks + traffic.deletions + traffic.versionDeletions + traffic.fileDeletions;
  return [
    ["functionCall", "Locks and deletions, work", 2 * changes],
    ["functionGigabyteSecond", "Locks and deletions, time", workerGigabyteSeconds(2 * changes)],
    ["queueRequest", "Locks and deletions, messages", changes * assumptions.queueRequestsPerMessage],
    ["invalidationTag", "Locks and deletions, tags", Math.max(0, invalidatedTags(traffic) - freeTags)],
  ];
}

/** A deleted drop lies in the trash. Its purge is planned, and does later what the measured call does. */
function perPurge({ deletions }: Traffic, find: FindMeasuredCall): Part[] {
  const { readUnits, writeUnits } = find("purge-drop");
  // The row of due work is written, found and removed.
  return [
    ["tableRead", "Trash, reads", deletions * (readUnits + 1)],
    ["tableWrite", "Trash, writes", deletions * (writeUnits + 2)],
  ];
}

/** The library's index reads each change of a drop, and keeps one entry for each drop. A drop for named people would have more. */
function perIndexed({ drops, versions, locks, deletions }: Traffic): Part[] {
  const [changes, entries] = [drops + versions + locks + deletions, drops + deletions];
  return [
    ["functionCall", "Library, work", changes],
    ["functionGigabyteSecond", "Library, time", workerGigabyteSeconds(changes)],
    ["tableRead", "Library, reads", entries],
    ["tableWrite", "Library, entries", entries],
  ];
}

/**
 * The search index takes a task for each change of a drop, writes its newest segment and its manifest, and checks both later: three runs of
 * three writes of a task and two of a lease. Changes of the same seconds are written together, which is not deducted.
 */
function perSearchable({ drops, versions, locks, deletions }: Traffic): Part[] {
  const changes = drops + versions + locks + deletions;
  const gigabytes = memoryMegabytesDefault / 1024;
  return [
    ["queueRequest", "Search index, messages", 2 * changes * assumptions.queueRequestsPerMessage],
    ["functionCall", "Search index, work", 3 * changes],
    ["functionGigabyteSecond", "Search index, time", changes * assumptions.indexSeconds * gigabytes],
    ["tableRead", "Search index, reads", 11 * changes],
    ["tableWrite", "Search index, queue and lease", 15 * changes],
    ["objectWrite", "Search index, writes", 2 * changes],
    // The manifest, the newest segment, the page, and its Markdown or context.
    ["objectRead", "Search index, pages", 4 * changes],
  ];
}

/** An event takes a number, which is read and written, except for a publication, whose number is 1. */
function perEvent(traffic: Traffic): Part[] {
  const renders = rendersOf(traffic);
  const events = eventsOf(traffic);
  return [
    // Other events are sent by the call that updates the library.
    ["functionCall", "Events, work", renders],
    ["functionGigabyteSecond", "Events, time", workerGigabyteSeconds(events)],
    ["tableRead", "Events, reads", events - traffic.drops],
    ["tableWrite", "Events, writes", events - traffic.drops],
    ["busEvent", "Events, bus", events],
  ];
}

function rendersOf({ drops, versions, withoutRenders }: Traffic): number {
  return withoutRenders ? 0 : drops + versions;
}

function eventsOf(traffic: Traffic): number {
  const { drops, versions, locks, deletions } = traffic;
  return drops + versions + locks + deletions + rendersOf(traffic);
}

/** Each address gets each event, and accepts it at the first attempt; the function waits for the response. */
function perWebhook(traffic: Traffic): Part[] {
  const deliveries = eventsOf(traffic) * traffic.webhooks;
  const { queueRequestsPerMessage, deliverySeconds } = assumptions;
  return [
    ["queueRequest", "Webhooks, messages", deliveries * queueRequestsPerMessage],
    ["functionCall", "Webhooks, calls", deliveries],
    [
      "functionGigabyteSecond",
      "Webhooks, time",
      deliveries * deliverySeconds * (memoryMegabytesDefault / 1024),
    ],
    ["tableRead", "Webhooks, reads", deliveries],
  ];
}

/** Each act is a line of the audit trail. The estimate is for the time when the oldest lines expire. */
function perAct(traffic: Traffic): Part[] {
  const { drops, versions, uploads, signIns } = traffic;
  const { locks, deletions, versionDeletions, fileDeletions } = traffic;
  const stepped = isLarge(traffic) && !isIngested(traffic) ? uploads : 0;
  // A sign-in is two lines: the person's return from the provider, and the token.
  const acts =
    drops + versions + uploads + stepped + 2 * signIns + locks + deletions + versionDeletions + fileDeletions;
  const months = assumptions.auditDays / (assumptions.hoursPerMonth / 24);
  const gigabytes = (acts * months * assumptions.auditLineBytes) / 1e9;
  return [["tableGigabyte", "Audit trail, kept", gigabytes]];
}

/** Counts the requests of open tabs for their drop's state, at the viewer's intervals. */
function stateRequests({ readingHours }: Pick<Traffic, "readingHours">): number {
  const { glancesShare, readingMinutes } = assumptions;
  const readingMs = readingMinutes * 60_000;
  const perReading = activeForMs / activeIntervalMs + (readingMs - activeForMs) / idleIntervalMs;
  const perHourOfReading = perReading * (60 / readingMinutes);
  const perHourOfGlances = 3_600_000 / activeIntervalMs;
  return readingHours * (glancesShare * perHourOfGlances + (1 - glancesShare) * perHourOfReading);
}

/** A worker's call makes two round trips, in a function with the default memory. */
function workerGigabyteSeconds(calls: number): number {
  const seconds = (assumptions.ownMs + 2 * assumptions.roundTripMs) / 1000;
  return calls * seconds * (memoryMegabytesDefault / 1024);
}

function edge(traffic: Traffic, calls: number): Part[] {
  const { views, cacheHits, uploads, uploadMegabytes, pageKilobytes, downloadsPerUpload, waf } = traffic;
  const { folderReads } = traffic;
  const states = stateRequests(traffic);
  const downloads = uploads * downloadsPerUpload;
  const requests = calls + (views + folderReads) * cacheHits + downloads;
  const kilobytes =
    views * (assumptions.viewerKilobytes + pageKilobytes) +
    folderReads * assumptions.folderFileKilobytes +
    states * assumptions.stateKilobytes;
  const gigabytes = kilobytes / 1e6 + (downloads * uploadMegabytes) / 1e3;
  return [
    ["edgeRequest", "Edge, requests", requests],
    ["edgeFunctionCall", "Edge, functions", requests + downloads],
    ["edgeGigabyte", "Edge, traffic", gigabytes],
    ["firewallRequest", "Firewall, requests", waf ? requests : 0],
  ];
}

function ingest(traffic: Traffic): Part[] {
  const { uploads, uploadMegabytes, ingest: kind } = traffic;
  if (kind === "none") return [["objectWrite", "Files, sent in steps", isLarge(traffic) ? uploads : 0]];
  if (!isIngested(traffic)) return [];
  const seconds = (uploads * uploadMegabytes) / assumptions.uploadMegabytesPerSecond;
  return [
    ["functionCall", "Ingest, requests", uploads],
    ["functionGigabyteSecond", "Ingest, time", seconds * assumptions.ingestGigabytes],
  ];
}

function isIngested(traffic: Traffic): boolean {
  return traffic.ingest !== "none" && isLarge(traffic);
}

function isLarge({ uploadMegabytes }: Traffic): boolean {
  return uploadMegabytes > assumptions.apiMegabytesMax;
}
