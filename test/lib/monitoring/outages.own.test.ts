// @module-tag nightly

import type { RawTemplate } from "@dropleaf/local-cloud/template-intrinsics";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type OutageLab, type Past, startOutageLab } from "./outage-lab.ts";

/** The longest time from the start of an outage to its first alarm. */
const minutesMax = 10;

/** Visits of existing and missing pages. */
const traffic = { visits: ["/", "/", "/docs", "/p/abcdefg/raw", "/wp-login.php"] };
/** Requests of bots for missing pages, without visits of people. */
const bots = { visits: ["/wp-login.php", "/.env", "/p/abcdefg/raw"] };

let healthy: OutageLab;
let past: Past;

beforeAll(async () => {
  healthy = await startOutageLab();
});
afterAll(() => healthy?.stop());

describe("a working service raises no alarm", () => {
  test("while it is idle", async () => {
    expect(await healthy.pass(20)).toEqual({});
  });

  test("while bots request missing pages", async () => {
    expect(await healthy.pass(20, bots)).toEqual({});
  });

  test("while people use it", async () => {
    expect(await healthy.pass(20, traffic)).toEqual({});
    past = healthy.past();
  });
});

describe("a message in the dead-letter queue raises an alarm", () => {
  test("once, and again for a later message, and the alarm ends while the message is still there", async () => {
    const queues = [...healthy.cloud.awsEndpoint.queues].filter(([name]) => name.includes("DeadLetters"));
    const [[, deadLetters] = []] = queues;

    deadLetters?.send({ body: "{}" });
    expect(await healthy.pass(minutesMax)).toEqual({ "dead-letters": 1 });
    await healthy.pass(15);
    expect(healthy.alarms()).toEqual([]);
    deadLetters?.send({ body: "{}" });

    expect(await healthy.pass(minutesMax)).toEqual({ "dead-letters": 1 });
  });
});

describe("an outage raises an alarm within ten minutes", () => {
  let lab: OutageLab | undefined;
  afterEach(() => lab?.stop());

  test.each<[outage: string, alarms: string[], options: Parameters<typeof startOutageLab>[0]]>([
    ["the edge sends the wrong key", ["edge-refusals", "reader-way"], { breakTemplate: sendWrongKey }],
    ["the service's name is missing in DNS", ["reader-way"], { breakTemplate: useDeadName }],
    [
      "API Gateway refuses all requests with 429",
      ["edge-refusals", "reader-way"],
      { account: { concurrentExecutions: 1_000, apiRequestsPerSecond: 0 } },
    ],
    [
      "Lambda has no executions left",
      ["edge-errors", "reader-way", "server-errors", "throttled"],
      { account: { concurrentExecutions: 0, apiRequestsPerSecond: 10_000 } },
    ],
    ["the edge function throws", ["edge-errors", "reader-way"], { breakTemplate: throwAtEdge }],
    [
      "every function fails",
      ["edge-errors", "reader-way", "server-errors"],
      { breakTemplate: breakFunctions },
    ],
  ])("%s: %j", async (_, alarms, options) => {
    lab = await startOutageLab(options, past);

    const fired = await lab.pass(2 * minutesMax, traffic);

    expect(Object.keys(fired).toSorted()).toEqual(alarms);
    expect(fired["reader-way"]).toBeLessThanOrEqual(minutesMax);
  });

  test("also while the service is idle", async () => {
    lab = await startOutageLab({ breakTemplate: sendWrongKey }, past);

    const { "reader-way": minutes } = await lab.pass(minutesMax);

    expect(minutes).toBeLessThanOrEqual(minutesMax);
  });

  test("API Gateway refuses most requests of a flood with 429: throttled", async () => {
    lab = await startOutageLab({ account: { concurrentExecutions: 1_000, apiRequestsPerSecond: 2 } }, past);

    const { throttled } = await lab.pass(minutesMax, { flood: 1_000 });

    expect(throttled).toBeLessThanOrEqual(minutesMax);
  });

  test("schedules do not run: reader-way, and no-due-work after an hour", async () => {
    lab = await startOutageLab({}, past);

    const fired = await lab.pass(62, { ...bots, hasSchedules: false });

    expect(Object.keys(fired).toSorted()).toEqual(["edge-refusals", "no-due-work", "reader-way"]);
    expect(fired["reader-way"]).toBeLessThanOrEqual(minutesMax);
    expect(fired["no-due-work"]).toBeGreaterThan(45);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Properties = any;

function propertiesOf({ Resources }: RawTemplate, type: string): Properties[] {
  return Object.values(Resources).flatMap(({ Type, Properties }) => (Type === type ? [Properties] : []));
}

/** Makes the edge send a wrong API key. */
function sendWrongKey(template: RawTemplate): void {
  for (const { DistributionConfig } of propertiesOf(template, "AWS::CloudFront::Distribution"))
    for (const { OriginCustomHeaders = [] } of DistributionConfig.Origins)
      for (const header of OriginCustomHeaders) header.HeaderValue = "wrong";
}

function useDeadName(template: RawTemplate): void {
  for (const { Handler, Environment } of propertiesOf(template, "AWS::Lambda::Function"))
    if (Handler === "index.checkReaderWay")
      Object.assign(Environment.Variables, {
        BASE_URL: "http://drops.invalid",
        BASE_DOMAIN: "drops.invalid",
      });
}

function throwAtEdge(template: RawTemplate): void {
  for (const edgeFunction of propertiesOf(template, "AWS::CloudFront::Function"))
    edgeFunction.FunctionCode = 'function handler() { throw new Error("broken"); }';
}

/** Breaks all functions except the one that checks the reader's path. */
function breakFunctions(template: RawTemplate): void {
  for (const lambda of propertiesOf(template, "AWS::Lambda::Function"))
    if (lambda.Handler !== "index.checkReaderWay" && lambda.Runtime.startsWith("nodejs"))
      lambda.Handler = "index.gone";
}
