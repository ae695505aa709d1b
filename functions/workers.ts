import type { Grants } from "./table/grants.ts";

/** A function that clients cannot call. It is invoked by the table's stream, a queue, a schedule, or another function. */
interface Worker {
  /** Description in one line, for people. */
  readonly summary: string;
  /** The function's grants, separately for items that need different permissions. */
  readonly grants: readonly Grants[];
  /** @default - `memoryMegabytesDefault` */
  readonly memoryMegabytes?: number;
  /** Setting without which a stack does not have this worker. @default - every stack has the worker */
  readonly onlyWith?: "administrators";
}

const janitorGrants = [
  { table: { actions: ["BatchWriteItem", "DeleteItem", "GetItem", "Query"], items: ["SLUG"] } },
  { table: { actions: ["BatchWriteItem", "Query"], items: ["READS"] } },
  { audit: true, settings: ["keepVersions"] },
  { table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["USER"] } },
  { table: { actions: ["GetItem"], items: ["NS"] } },
  { table: { actions: ["UpdateItem"], items: ["LIMIT"] } },
  { pages: ["DeleteObject"], blobs: ["DeleteObject", "GetObject", "PutObject"] },
  { queues: ["followUps"], functions: ["renderPage"], distribution: ["CreateInvalidation"] },
] as const satisfies readonly Grants[];

const trackerGrants = [
  { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
  { table: { actions: ["BatchGetItem"], items: ["USER"] } },
  { table: { actions: ["BatchWriteItem"], items: ["DUE", "LIBRARY"] } },
  { table: { actions: ["UpdateItem"], items: ["INDEX"] } },
  { table: { actions: ["GetItem", "UpdateItem"], items: ["EVENT"] } },
  { queues: ["followUps", "webhooks"], functions: ["indexDrops"], events: true, settings: ["webhooks"] },
] as const satisfies readonly Grants[];

/** The workers by id. A worker's id is also the file name of its handler. */
const workers = {
  janitor: {
    summary:
      "Removes the data of deleted drops, versions and files, moves files whose readers changed, and invalidates the edge's cache",
    grants: janitorGrants,
  },
  "track-drops": {
    summary: "Updates the library's index, sends events about drops, and queues drops for the search index",
    grants: trackerGrants,
  },
  "count-views": {
    summary: "Adds views to the drops' view counts",
    grants: [
      { table: { actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "UpdateItem"], items: ["USER"] } },
      // While a drop has many views, its pointer in the table contains their sampling level.
      { table: { actions: ["GetItem", "UpdateItem"], items: ["SLUG"] } },
    ],
  },
  "follow-up": {
    summary: "Retries postponed work, and removes objects that no table row refers to",
    // Retries failed table changes, with the permissions of both workers that process the table's stream.
    grants: [...janitorGrants, ...trackerGrants],
  },
  "index-drops": {
    summary: "Updates the search index from the pages that have changed",
    grants: [
      { table: { actions: ["BatchGetItem", "GetItem"], items: ["SLUG", "USER"] } },
      // BatchWriteItem is needed to remove entries that earlier releases left in the indexing queue.
      { table: { actions: ["BatchWriteItem", "DeleteItem", "Query", "UpdateItem"], items: ["INDEX"] } },
      { table: { actions: ["UpdateItem"], items: ["LIMIT"] } },
      { pages: ["GetObject"], searchIndex: ["DeleteObject", "GetObject", "PutObject"] },
    ],
  },
  "do-due-work": {
    summary: "Runs scheduled tasks for drops and files, such as moving expired drops to the trash",
    grants: [
      { table: { actions: ["BatchWriteItem", "Query"], items: ["DUE"] } },
      // Needed to move expired drops to the trash, to purge drops from the trash, and to delete expired files.
      {
        table: { actions: ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"], items: ["USER"] },
        audit: true,
        settings: ["trashDays"],
      },
      { table: { actions: ["Query"], items: ["SLUG"] } },
      { table: { actions: ["GetItem", "UpdateItem"], items: ["EVENT"] } },
      { queues: ["followUps", "webhooks"], events: true, settings: ["webhooks"] },
    ],
  },
  "deliver-webhook": {
    summary: "Sends events to the webhooks in the settings",
    grants: [
      { queues: ["webhooks"], settings: ["webhooks"] },
      { table: { actions: ["GetItem", "UpdateItem"], items: ["WEBHOOK"] } },
    ],
  },
  "render-page": {
    summary: "Renders versions as their readers see them, and stores pictures and reports",
    grants: [
      { table: { actions: ["ConditionCheckItem", "GetItem", "PutItem"], items: ["SLUG"] } },
      { table: { actions: ["BatchGetItem", "GetItem"], items: ["USER"] } },
      { table: { actions: ["GetItem"], items: ["NS"] } },
      { table: { actions: ["UpdateItem"], items: ["LIMIT"] } },
      { table: { actions: ["BatchWriteItem", "Query", "UpdateItem"], items: ["RENDERS"] } },
      { pages: ["GetObject"], blobs: ["GetObject"] },
      { cards: ["DeleteObject", "PutObject"], reports: ["DeleteObject", "PutObject"] },
      { functions: ["drawPage"] },
    ],
  },
  administer: {
    summary: "Carries out long actions of administrators: suspensions and takedowns",
    onlyWith: "administrators",
    grants: [
      {
        table: {
          actions: ["BatchGetItem", "BatchWriteItem", "ConditionCheckItem", "DeleteItem", "GetItem", "Query"],
          items: ["NS", "SLUG", "USER"],
        },
        audit: true,
      },
      { table: { actions: ["UpdateItem"], items: ["IDP", "NS", "SLUG", "TOKEN", "USER"] } },
      { table: { actions: ["GetItem"], items: ["IDP"] } },
      { table: { actions: ["BatchWriteItem", "Query"], items: ["READS"] } },
      { objectVersions: true, distribution: ["CreateInvalidation"] },
    ],
  },
  "check-reader-way": {
    summary: "Sends test requests as a reader would, so that an alarm fires when readers get no response",
    grants: [],
    memoryMegabytes: 256,
  },
} as const satisfies Record<string, Worker>;

/** The id of a worker. */
export type WorkerId = keyof typeof workers;

/** The ids of all workers, in the order of `workers`. */
export const workerIds = /* @__PURE__ */ Object.keys(workers) as WorkerId[];

/** Returns the definition of a worker, with its optional properties. */
export function workerOf(id: WorkerId): Worker {
  return workers[id];
}
