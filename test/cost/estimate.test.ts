import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workerIds } from "../../functions/workers.ts";
import type { MeasuredCall } from "../../scripts/bench/calls/measured-call.ts";
import { assumptions } from "../../scripts/cost/assumptions.ts";
import { costCases } from "../../scripts/cost/cases.ts";
import { renderCostPage } from "../../scripts/cost/cost-page.ts";
import { type CostLine, estimate, perCall, toLines } from "../../scripts/cost/estimate.ts";
import { alwaysFree, dollarsWithFreeTier } from "../../scripts/cost/free-tier.ts";
import { measureMemory, memoryFile } from "../../scripts/cost/function-memory.ts";
import { tagsOfMassDeletion } from "../../scripts/cost/invalidations.ts";
import { readMeasuredCalls } from "../../scripts/cost/measured-calls.ts";
import { costOf, prices } from "../../scripts/cost/prices.ts";
import { defaultTraffic, idleTraffic, parseCostRequest, type Traffic } from "../../scripts/cost/traffic.ts";
import { givenStack, onlyResource, resourcesOf } from "../lib/given-stack.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";

/** Every call alike: two round trips, a read unit, two write units, one PUT, three GETs. */
const alike = (operation: MeasuredCall["operation"], variant = ""): MeasuredCall => ({
  operation,
  variant,
  sequentialRoundTrips: 2,
  readUnits: 1,
  writeUnits: 2,
  s3Writes: 1,
  s3Reads: 3,
  queueMessages: 0,
  secretReads: 0,
  commands: [],
});

const cost = (changes: Partial<Traffic>) => estimate({ ...idleTraffic, ...changes }, alike);
const total = (lines: readonly CostLine[]) => lines.reduce((sum, { dollars }) => sum + dollars, 0);
const dollarsFor = (lines: readonly CostLine[], what: string) =>
  lines.find((line) => line.what === what)?.dollars ?? 0;

describe("an estimate", () => {
  test("prices what was measured of a call", () => {
    const lines = cost({ drops: 1_000_000 });

    expect(dollarsFor(lines, "API Gateway")).toBeCloseTo(3.5);
    expect(dollarsFor(lines, "Functions, calls")).toBeCloseTo(0.2);
    expect(dollarsFor(lines, "Table, reads")).toBeCloseTo(0.125);
    expect(dollarsFor(lines, "Table, writes")).toBeCloseTo(2 * 0.625);
    // It is published, and drawn.
    expect(dollarsFor(lines, "Events, bus")).toBeCloseTo(2);
    // A publication has its number by itself.
    expect(dollarsFor(lines, "Events, writes")).toBeCloseTo(0.625);
    expect(dollarsFor(lines, "Pages and files, writes")).toBeCloseTo(5);
    expect(dollarsFor(lines, "Pages, reads")).toBeCloseTo(3 * 0.4);
    // 6 ms, two round trips of 8 ms, a fiftieth of 400 ms: 30 ms of the gigabyte that the row asks for.
    expect(dollarsFor(lines, "Functions, time")).toBeCloseTo(1_000_000 * 0.03 * 0.0000133334);
  });

  test("has only what stands by where nobody comes", () => {
    expect(cost({}).map(({ what }) => what)).toEqual([
      "Secrets",
      "Alarms",
      "Queues, polls",
      "Due work, schedule",
      "Due work, calls",
      "Due work, time",
      "Due work, reads",
      "Reader's way, schedule",
      "Reader's way, edge",
      "Reader's way, edge function",
      "Reader's way, bucket",
      "Reader's way, API Gateway",
      "Reader's way, calls",
      "Reader's way, time",
      "Reader's way, reads",
      "Reader's way, logs",
    ]);
  });

  test("has requests on a reader's way for less than 7 cents", () => {
    expect(total(cost({}).filter(({ what }) => what.startsWith("Reader's way")))).toBeLessThan(0.07);
  });

  test("has the audit trail as it is when its first lines are as old as they get", () => {
    const lines = cost({ drops: 1_000_000, signIns: 500_000 });

    // Two million lines a month of 730 hours, for 400 days, of 330 bytes each.
    const gigabytes = (2_000_000 * (400 / (730 / 24)) * 330) / 1e9;
    expect(dollarsFor(lines, "Audit trail, kept")).toBeCloseTo(gigabytes * 0.45);
  });

  test("has the purge of what was deleted, and the schedule that looks for it", () => {
    const lines = cost({ deletions: 1_000_000 });

    // Those of the call, and the row of due work: written, found and removed.
    expect(dollarsFor(lines, "Trash, reads")).toBeCloseTo(2 * 0.125);
    expect(dollarsFor(lines, "Trash, writes")).toBeCloseTo(4 * 0.625);
    expect(total(cost({}).filter(({ what }) => what.startsWith("Due work")))).toBeLessThan(0.01);
  });

  test("has searches as they were measured, and two objects of the index for each change", () => {
    const lines = cost({ searches: 10_000, drops: 3_000 });

    expect(lines.find(({ what }) => what === "API Gateway")?.quantity).toBe(13_000);
    expect(lines.find(({ what }) => what === "Search index, writes")?.quantity).toBe(6_000);
    expect(cost({ searches: 10_000 }).some(({ what }) => what.startsWith("Search index"))).toBe(false);
  });

  test("has a folder as a drop with two objects more, and of a changed version two calls and two staged objects", () => {
    const [drops, folders] = [cost({ drops: 1_000 }), cost({ folders: 1_000 })];
    const [versions, changed] = [cost({ versions: 1_000 }), cost({ folderVersions: 1_000 })];
    const more = (one: readonly CostLine[], other: readonly CostLine[], what: string) =>
      (other.find((line) => line.what === what)?.quantity ?? 0) -
      (one.find((line) => line.what === what)?.quantity ?? 0);

    expect(more(drops, folders, "New objects, checks")).toBe(2_000);
    expect(more(drops, folders, "API Gateway")).toBe(0);
    expect(more(versions, changed, "New objects, checks")).toBe(4_000);
    expect(more(versions, changed, "API Gateway")).toBe(1_000);
    expect(more(versions, changed, "Folders, files sent")).toBe(1_000);
    expect(more(versions, changed, "Rendering, calls")).toBe(0);
  });

  test("adds the dashboard where there is one", () => {
    expect(total(cost({ dashboard: true })) - total(cost({}))).toBeCloseTo(3);
  });

  test("adds the calls of six functions every five minutes, and their traces, where they are kept warm", () => {
    const warm = cost({ keepWarm: true });
    const quantityOf = (what: string) => warm.find((line) => line.what === what)?.quantity;
    const calls = 6 * 12 * 730;

    expect(quantityOf("Kept warm, schedules")).toBe(calls);
    expect(quantityOf("Kept warm, calls")).toBe(calls);
    // A gigabyte each, and half of one for MCP, for 5 ms.
    expect(quantityOf("Kept warm, time")).toBeCloseTo((calls / 6) * 5.5 * 0.005);
    expect(dollarsFor(cost({ keepWarm: true, tracing: true }), "Kept warm, traces")).toBeCloseTo(0.263);
    expect(cost({}).filter(({ what }) => what.startsWith("Kept warm"))).toEqual([]);
  });

  test("has a browser for each version, and the worker that waits for it, unless pages are not rendered", () => {
    const lines = cost({ drops: 400, versions: 600 });
    const { picturesSeconds, reportSeconds, versionsPerReport } = assumptions;
    const seconds = 1_000 * (picturesSeconds + reportSeconds / versionsPerReport);

    expect(dollarsFor(lines, "Rendering, browser")).toBeCloseTo(seconds * 2 * 0.0000166667);
    expect(dollarsFor(lines, "Rendering, worker")).toBeCloseTo(seconds * 0.5 * 0.0000133334);
    const without = cost({ drops: 400, versions: 600, withoutRenders: true });
    expect(without.filter(({ what }) => what.startsWith("Rendering"))).toEqual([]);
    // Nothing stands by for it: its queue is in the table.
    expect(total(cost({}))).toBeCloseTo(total(cost({ withoutRenders: true })));
  });

  test("has a message and a call for each address that is told of an event, and a queue where there is any", () => {
    const traffic = { drops: 1_000_000, withoutRenders: true };
    const [none, two] = [cost(traffic), cost({ ...traffic, webhooks: 2 })];

    expect(none.filter(({ what }) => what.startsWith("Webhooks"))).toEqual([]);
    expect(dollarsFor(two, "Webhooks, calls")).toBeCloseTo(0.4);
    expect(dollarsFor(two, "Webhooks, messages")).toBeCloseTo(2 * 3 * 0.4);
    expect(total(cost({ webhooks: 1 })) - total(cost({}))).toBeCloseTo(0.26);
  });

  test("has the browser's memory", { tags: "slow" }, () => {
    const functions = Object.values(resourcesOf(givenStack({ renders: true }), "AWS::Lambda::Function"));
    const drawPage = functions.find(({ Properties }) => Properties.Handler === "index.drawPage");

    expect(drawPage?.Properties.MemorySize).toBe(assumptions.drawGigabytes * 1024);
  });

  test("grows evenly with what is published and read", () => {
    const idle = total(cost({ drops: 1e-9 }));
    const once = total(cost({ drops: 1_000, views: 10_000, uploads: 50 })) - idle;
    const twice = total(cost({ drops: 2_000, views: 20_000, uploads: 100 })) - idle;

    expect(twice).toBeCloseTo(2 * once);
  });

  test("counts what the edge answers by itself at the edge alone", () => {
    const missed = cost({ views: 100_000, cacheHits: 0 });
    const hit = cost({ views: 100_000, cacheHits: 1 });
    const file = cost({ folderReads: 100_000, cacheHits: 1 });

    expect(dollarsFor(hit, "API Gateway")).toBeCloseTo(dollarsFor(missed, "API Gateway") / 2);
    expect(dollarsFor(hit, "Edge, requests")).toBeCloseTo(dollarsFor(missed, "Edge, requests"));
    expect([dollarsFor(file, "API Gateway"), dollarsFor(file, "Edge, requests")]).toEqual([0, 0.1]);
  });

  test("has the requests of open tabs: every 2 s for two minutes, then every 15 s, through the edge to a function", () => {
    const lines = cost({ readingHours: 1_000 });
    // A quarter of the hours in glances; of the others three readings an hour, of 20 minutes each.
    const millions = (250 * 1_800 + 750 * 3 * (60 + 72)) / 1e6;

    expect(dollarsFor(lines, "API Gateway")).toBeCloseTo(millions * 3.5);
    expect(dollarsFor(lines, "Edge, requests")).toBeCloseTo(millions);
    expect(dollarsFor(lines, "Edge, traffic")).toBeCloseTo(millions * 0.085);
  });

  test("has what agents hold that wait for readers: a small function all the time, and a look a second", () => {
    const lines = cost({ waitingHours: 100 });

    expect(dollarsFor(lines, "Waiting, time")).toBeCloseTo((100 * 3_600 * 0.25 * 13.3334) / 1e6);
    expect(lines.find(({ what }) => what === "Waiting, reads")?.quantity).toBeGreaterThan(100 * 3_600);
    expect(total(lines) - total(cost({}))).toBeLessThan(100 * 0.014);
  });

  test("adds the firewall", () => {
    const idle = total(cost({}));

    expect(total(cost({ waf: true })) - idle).toBeCloseTo(7);
  });

  test("takes money for tags above the first thousand, of files and pages alike", () => {
    const tags = (changes: Partial<Traffic>) =>
      cost(changes).find(({ what }) => what === "Locks and deletions, tags")?.quantity ?? 0;
    const pages = { locks: 200, deletions: 300, versionDeletions: 100 };

    expect(tags({ locks: 500 })).toBe(0);
    expect(tags(pages)).toBe(2 * 600 - 1_000);
    expect(tags({ fileDeletions: 600 })).toBe(2 * 600 - 1_000);
    expect(dollarsFor(cost(pages), "Locks and deletions, tags")).toBeCloseTo(1);
  });

  test("stays in bounds where one owner deletes a million drops at once", () => {
    expect(costOf("invalidationTag", tagsOfMassDeletion(1_000_000, 100))).toBeLessThanOrEqual(100);
  });

  test("sends large files to the ingest origin, and small ones through the API", () => {
    const small = cost({ uploads: 1_000, uploadMegabytes: 1, ingest: "webfunction" });
    const large = cost({ uploads: 1_000, uploadMegabytes: 10, ingest: "webfunction" });

    expect([dollarsFor(small, "API Gateway") > 0, dollarsFor(small, "Ingest, requests") > 0]).toEqual([
      true,
      false,
    ]);
    expect([dollarsFor(large, "API Gateway") > 0, dollarsFor(large, "Ingest, requests") > 0]).toEqual([
      false,
      true,
    ]);
  });
});

test("large files go in steps where there is no ingest origin: two calls and a PUT of each", () => {
  const lines = cost({ uploads: 1_000, uploadMegabytes: 10, ingest: "none" });
  const quantityOf = (what: string) => lines.find((line) => line.what === what)?.quantity;

  expect(quantityOf("API Gateway")).toBe(2_000);
  expect(quantityOf("Files, sent in steps")).toBe(1_000);
});

describe("a bill with the free tier", () => {
  test("is nothing up to the allowances, and has the rest at its price", () => {
    const lines = toLines([
      ["functionCall", "Calls", 600_000],
      ["functionCall", "More calls", 1_400_000],
      ["alarmMetric", "Alarms", 11],
      ["apiCall", "API Gateway", 1_000_000],
    ]);

    // A million calls of two, one alarm of eleven, and the API without an allowance.
    expect(dollarsWithFreeTier(lines)).toBeCloseTo(0.2 + 0.1 + 3.5);
  });

  test("counts GB-seconds of both processors together", () => {
    const lines = toLines([
      ["functionGigabyteSecond", "Arm", 300_000],
      ["browserGigabyteSecond", "x86", 300_000],
    ]);

    expect(dollarsWithFreeTier(lines)).toBeCloseTo(200_000 * 0.0000166667);
  });
});

describe("hostile requests", () => {
  const dollars = costCases(alike).map(
    ({ what, stoppedBy, lines }) => [`${what}: ${stoppedBy}`, total(lines)] as const,
  );
  const of = (text: string) => dollars.find(([what]) => what.endsWith(text))?.[1] ?? Number.NaN;

  test("cost less with each bound: the quota, and the firewall", () => {
    const quota = of("the same: `requestsPerDayMax: 500000`");

    expect(of("requests: nobody")).toBeGreaterThan(4 * quota);
    expect(quota).toBeGreaterThan(of("`waf: true`"));
  });

  test("cost with the quota what CloudFront charges for all, and the others for half a million", () => {
    // A hundred million requests and functions at the edge, traffic, and the calls.
    const edge = 100 + 10 + ((500_000 * 8 + 99_500_000 * 1) / 1e6) * 0.085;
    const calls = total(toLines(perCall([{ operation: "view-drop", count: 500_000 }], alike)));

    expect(of("the same: `requestsPerDayMax: 500000`")).toBeCloseTo(edge + calls);
  });
});

describe("what is taken to be so", () => {
  // As it is deployed where nobody has chosen anything.
  const template = givenStack();

  for (const { cases, options } of quickAndSlow(
    ["none", "webfunction"] as const,
    (ingest) => ingest === "none",
  ))
    test.each(cases)("has the metrics that the alarms watch, with ingest %s", options, (ingest) => {
      const alarms = Object.values(resourcesOf(givenStack({ ingest }), "AWS::CloudWatch::Alarm"));
      const metrics = alarms.flatMap(({ Properties }) =>
        // Of a metric expression, the metrics that it is made of; a query is one where it finds one.
        (Properties.Metrics ?? [{ MetricStat: Properties }]).filter(
          (one: { MetricStat?: object; Expression?: string }) =>
            one.MetricStat ?? one.Expression?.startsWith("SELECT "),
        ),
      );

      expect(cost({ ingest }).find(({ what }) => what === "Alarms")?.quantity).toBe(metrics.length);
    });

  test("has the secrets and polled queues that the stack has, and no dashboard", () => {
    const mappings = Object.values(resourcesOf(template, "AWS::Lambda::EventSourceMapping"));
    const polled = mappings.filter(({ Properties }) => !Properties.StartingPosition);

    expect(Object.keys(resourcesOf(template, "AWS::SecretsManager::Secret"))).toHaveLength(
      assumptions.secrets,
    );
    expect(polled).toHaveLength(assumptions.queues);
    const withWebhooks = resourcesOf(
      givenStack({ webhooks: [{ url: "https://a.example/" }] }),
      "AWS::Lambda::EventSourceMapping",
    );
    expect(Object.keys(withWebhooks)).toHaveLength(mappings.length + assumptions.webhookQueues);
    expect(resourcesOf(template, "AWS::CloudWatch::Dashboard")).toEqual({});
  });

  test("has the janitor's batches", () => {
    const mappings = Object.values(resourcesOf(template, "AWS::Lambda::EventSourceMapping"));
    const [stream] = mappings.filter(({ Properties }) => Properties.StartingPosition);

    expect(stream?.Properties.BatchSize).toBe(assumptions.recordsPerBatch);
  });

  test("has the workers' memory", () => {
    const workers = Object.entries(resourcesOf(template, "AWS::Lambda::Function")).filter(([id]) =>
      id.startsWith("Workers"),
    );
    const millisecondsOfEach = assumptions.ownMs + 2 * assumptions.roundTripMs;
    const priced = cost({ views: 1_000 }).find(({ what }) => what === "Views, time")?.quantity ?? 0;

    // But for the one of webhooks.
    expect(workers).toHaveLength(workerIds.length - 1);
    // The check of the reader's way is priced by its own memory.
    for (const [, { Properties }] of workers.filter(([id]) => !id.startsWith("WorkersCheckReaderWay")))
      expect(Properties.MemorySize / 1024).toBeCloseTo(priced / millisecondsOfEach);
  });

  test("has the Web Function's memory as it comes", { tags: "slow" }, () => {
    const webFunction = resourcesOf(
      givenStack({ ingest: "webfunction" }),
      "AWS::Lambda::WebFunctionRevision",
    );

    expect(Object.values(webFunction)).toHaveLength(1);
    expect(JSON.stringify(webFunction)).not.toMatch(/memory/i);
    // AWS Lambda developer guide, "Web functions": 2 GB.
    expect(assumptions.ingestGigabytes).toBe(2);
  });

  test("has the firewall's rules", () => {
    const { Rules } = onlyResource(givenStack({ waf: true }), "AWS::WAFv2::WebACL").Properties;

    expect(Rules).toHaveLength(assumptions.firewallRules);
  });
});

describe("the command line", () => {
  test("takes numbers and choices, and the usual for the rest", () => {
    const { traffic } = parseCostRequest(["--views", "7", "--cache-hits=0.25", "--ingest", "none", "--waf"]);

    expect(traffic).toMatchObject({ views: 7, cacheHits: 0.25, ingest: "none", waf: true, drops: 1_000 });
  });

  test.each([
    [["--drops", "many"], '--drops is "many": write a number from 0 on.'],
    [["--drops", ""], '--drops is "": write a number from 0 on.'],
    [["--cache-hits", "50"], "--cache-hits is a share: write a number from 0 to 1."],
    [["--ingest", "ec2"], '--ingest is "ec2": write webfunction or none.'],
    [["--wiews", "3"], "Unknown option '--wiews'"],
  ])("refuses %j, with what to write", (args, message) => {
    expect(() => parseCostRequest(args)).toThrow(message);
  });
});

describe("docs/cost.md", () => {
  const path = join(import.meta.dirname, "../../docs/cost.md");
  const page = readFileSync(path, "utf8");

  /** Without the example and the cases, which move by cents whenever calls are measured again. */
  const withoutMeasured = (text: string) =>
    text.replace(/<!-- cost:(example|cases) -->[\s\S]*?<!-- \/cost:\1 -->/g, "");

  test("shows idle cost, invalidations and prices as they are: npm run cost -- --write", async () => {
    expect(withoutMeasured(await renderCostPage(readMeasuredCalls()))).toBe(withoutMeasured(page));
  });

  test("has cases that are right to a tenth: npm run cost -- --write", () => {
    const [table = ""] = /<!-- cost:cases -->[\s\S]*<!-- \/cost:cases -->/.exec(page) ?? [];
    const shown = [...table.matchAll(/\| +([0-9.]+) \| +([0-9.]+) \|$/gm)].map(([, all, paid]) => [
      all,
      paid,
    ]);
    const cases = costCases(readMeasuredCalls());

    expect(shown).toHaveLength(cases.length);
    for (const [index, { lines }] of cases.entries()) {
      expect(Number(shown[index]?.[0]) / total(lines)).toBeCloseTo(1, 1);
      expect(Number(shown[index]?.[1]) / dollarsWithFreeTier(lines)).toBeCloseTo(1, 1);
    }
  });

  test("has an example that is right to a tenth: npm run cost -- --write", () => {
    const [, shown] = /\| together +\| +\| +([0-9.]+) \|/.exec(page) ?? [];
    const now = total(estimate(defaultTraffic, readMeasuredCalls()));

    expect(Number(shown) / now).toBeGreaterThan(0.9);
    expect(Number(shown) / now).toBeLessThan(1.1);
  });

  test("has the memory of each function as data: npm run cost -- --write", () => {
    const written = readFileSync(join(import.meta.dirname, "../..", memoryFile), "utf8");

    expect(JSON.parse(written)).toEqual(measureMemory(readMeasuredCalls()));
  });

  test("has a description of each allowance of the free tier", () => {
    const text = page.replaceAll(/\s+/g, " ").replaceAll(/\*/g, "");
    for (const { quantity } of alwaysFree) {
      const words =
        quantity >= 1_000_000
          ? [`${quantity / 1e6} million`, "a million"]
          : [quantity.toLocaleString("en-US")];
      expect(
        words.some((word) => text.includes(word)),
        String(quantity),
      ).toBe(true);
    }
  });

  test("names the page of AWS for every price", () => {
    for (const { page, per } of Object.values(prices))
      expect([page, per]).toEqual([expect.stringMatching(/pricing/i), expect.any(String)]);
  });

  test("says what to do where a call was not measured", () => {
    expect(() => readMeasuredCalls()("publish-drop", "on a Sunday")).toThrow(
      /^docs\/measured\/calls\.json has no publish-drop measured as "on a Sunday".*npm run bench calls -- --write\.$/,
    );
  });
});
