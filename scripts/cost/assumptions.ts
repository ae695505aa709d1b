import { auditDaysDefault } from "../../functions/http/environment.ts";

/** What is not measured, and is taken to be so. */
export const assumptions = {
  /** One round trip from a function to DynamoDB or S3, and what a function does by itself. */
  roundTripMs: 8,
  ownMs: 6,
  /** One call in so many meets a cold start, which is charged. */
  callsPerColdStart: 50,
  coldStartMs: 400,
  /** What a function does that is kept warm, without a request. */
  keepWarmMs: 5,
  /** How long a browser takes for what links and lists show of a version, its start among it, and its function's memory. */
  picturesSeconds: 3,
  drawGigabytes: 2,
  /** The same for what its owner asks for: all views and a report, with another card and thumbnail. One version in so many. */
  reportSeconds: 8,
  versionsPerReport: 10,
  /** A card and a thumbnail; with them four views and the report. */
  picturesObjects: 2,
  reportObjects: 7,
  /** Of all of a report's, as long as they are kept. */
  reportMegabytes: 1,
  /** Of a Web Function, which has no setting for it. */
  ingestGigabytes: 2,
  /** What Lambda and the operation write to the log of one call. */
  logBytesPerCall: 600,
  /** A line of the audit trail, with the 100 bytes that DynamoDB adds to each item, and how long it is kept. */
  auditLineBytes: 330,
  auditDays: auditDaysDefault,
  /** A viewer page as it is sent. */
  viewerKilobytes: 8,
  /** The share of the reading hours in tabs that are closed within two minutes; the others are seen for so long at a time. */
  glancesShare: 0.25,
  readingMinutes: 20,
  stateKilobytes: 1,
  /** Send, receive, delete: a batch of one, where there is little traffic. */
  queueRequestsPerMessage: 3,
  /** Lambda asks each of the queues with five connections, every 20 s, when there is nothing in them. */
  idlePollsPerQueue: (5 * 30 * 24 * 3_600) / 20,
  queues: 2,
  /** Where addresses are told of events, and how long one takes to say that it has taken it. */
  webhookQueues: 1,
  deliverySeconds: 0.5,
  secrets: 1,
  /** Each running function reads the key of cookies once in five minutes: so many of them all the time. */
  busyFunctions: 1,
  /** Six alarms: of three metrics, of two, of two, and three of one. Alarms of the cost are free. */
  alarmMetrics: 10,
  /** With ingest as a Web Function there is one alarm more. */
  webFunctionAlarmMetrics: 1,
  firewallRules: 2,
  /** Deleted all at once, so many drops meet in one invalidation. */
  recordsPerBatch: 100,
  /** Where large bodies come from. */
  uploadMegabytesPerSecond: 5,
  /** What is larger goes to the ingest origin. */
  apiMegabytesMax: 3.1,
  hoursPerMonth: 730,
} as const;
