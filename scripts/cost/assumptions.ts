import { auditDaysDefault } from "../../functions/core/environment.ts";

/** Figures that are assumed and not measured. */
export const assumptions = {
  /** One round trip from a function to DynamoDB or S3, and a function's own processor time. */
  roundTripMs: 8,
  ownMs: 6,
  /** One call in 50 is a cold start, which is billed. */
  callsPerColdStart: 50,
  coldStartMs: 400,
  /** A call of a `keepWarm` schedule. */
  keepWarmMs: 5,
  /** Cost of a request on the reader's way: edge, bucket and a warm function. With a domain, the edge answers a second one. */
  readerWayMs: 200,
  /** A browser's time for card and thumbnail of a version, with its start, and the memory of its function. */
  picturesSeconds: 3,
  drawGigabytes: 2,
  /** A browser's time for a report: four views, findings, another card and thumbnail. Owners ask for one version in ten. */
  reportSeconds: 8,
  versionsPerReport: 10,
  /** Objects: a card and a thumbnail; with a report, four views and the report as well. */
  picturesObjects: 2,
  reportObjects: 7,
  /** All objects of a report together. */
  reportMegabytes: 1,
  /** Objects of a folder: page, manifest and pack; a version that was sent by a manifest also has two that were staged. */
  folderObjects: 3,
  folderStagedObjects: 2,
  /** A compressed file of a folder. */
  folderFileKilobytes: 10,
  /** A Web Function has no setting for its memory. */
  ingestGigabytes: 2,
  /** Lambda's and the operation's log lines of one call. */
  logBytesPerCall: 600,
  /** A line of the audit trail with DynamoDB's 100 bytes for each item, and its days. */
  auditLineBytes: 330,
  auditDays: auditDaysDefault,
  /** A compressed viewer page. */
  viewerKilobytes: 8,
  /** The share of reading hours in tabs that are closed within two minutes; the others stay visible for 20 minutes. */
  glancesShare: 0.25,
  readingMinutes: 20,
  stateKilobytes: 1,
  /** Writing the newest segment of the search index, at the share of a processor that a worker has. */
  indexSeconds: 1.5,
  /** Send, receive and delete, in batches of one. */
  queueRequestsPerMessage: 3,
  /** Lambda polls an empty queue with five connections, every 20 s. */
  idlePollsPerQueue: (5 * 30 * 24 * 3_600) / 20,
  queues: 2,
  /** The queue that exists with webhooks, and an address's response time. */
  webhookQueues: 1,
  deliverySeconds: 0.5,
  secrets: 1,
  /** Functions that run all the time. Each reads the cookie key once in five minutes. */
  busyFunctions: 1,
  /** Eleven alarms: two of two metrics, nine of one. Cost alarms are free. */
  alarmMetrics: 13,
  /** A Web Function for ingest adds one alarm. */
  webFunctionAlarmMetrics: 1,
  firewallRules: 2,
  /** Hostile requests within a day, the addresses that they come from, and a refusal of API Gateway. */
  hostileRequests: 100_000_000,
  hostileAddresses: 10,
  refusalKilobytes: 1,
  /** Drops in one invalidation when an owner's drops are deleted at once. */
  recordsPerBatch: 100,
  /** The speed of clients that upload large bodies. */
  uploadMegabytesPerSecond: 5,
  /** Larger bodies go to the ingest origin. */
  apiMegabytesMax: 3.1,
  hoursPerMonth: 730,
} as const;
