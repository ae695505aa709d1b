import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workerIds } from "../../functions/workers.ts";
import type { MeasuredCall } from "../../scripts/bench/calls.ts";
import {
  assumptions,
  callUnits,
  defaultTraffic,
  dollarsOf,
  dollarsWithFreeTier,
  estimate,
  idleTraffic,
  prices,
  readMeasuredCalls,
  type Traffic,
} from "../../scripts/cost/estimate.ts";
import { costCases, parseCostRequest, renderCostPage, renderEstimate } from "../../scripts/cost/report.ts";
import { givenStack, onlyResource, resourcesOf } from "../lib/given-stack.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";

/** Returns the same measurements for every call: two round trips, a read unit, two write units, one PUT, three GETs. */
const alike = (operation: MeasuredCall["operation"], variant = ""): MeasuredCall => ({
  operation,
  variant,
  sequentialRoundTrips: 2,
  readUnits: 1,
  writeUnits: 2,
  s3Writes: 1,
  s3Reads: 3,
  commands: [],
});

const cost = (changes: Partial<Traffic>) => estimate({ ...idleTraffic, ...changes }, alike);
const total = (changes: Partial<Traffic>) => dollarsOf(cost(changes));
/** Returns the quantities that traffic adds to those of an idle service. */
const added = (changes: Partial<Traffic>) => {
  const idle = cost({});
  const entries = Object.entries(cost(changes)) as [keyof typeof prices, number][];
  return Object.fromEntries(entries.map(([name, quantity]) => [name, quantity - (idle[name] ?? 0)]));
};

describe("an estimate", () => {
  test("prices the measurements of a call", () => {
    const call = callUnits(alike("publish-drop"));

    // 6 ms, two round trips of 8 ms, and a fiftieth of 400 ms are 30 ms of the gigabyte in the operation's row.
    expect(call).toMatchObject({ apiCall: 1, tableRead: 1, tableWrite: 2, objectWrite: 1, objectRead: 3 });
    expect(call.functionGigabyteSecond).toBeCloseTo(0.03);
    expect(dollarsOf({ apiCall: 1_000_000, tableWrite: 2_000_000, objectRead: 3_000 })).toBeCloseTo(
      3.5 + 2 * 0.625 + 3 * 0.0004,
    );
  });

  test("of an idle service is between 2 and 2.5 dollars", () => {
    expect(total({})).toBeGreaterThan(2);
    expect(total({})).toBeLessThan(2.5);
  });

  test("has an event for a publication, and another for its rendering", () => {
    expect(added({ drops: 1_000 }).busEvent).toBe(2_000);
    expect(added({ drops: 1_000, withoutRenders: true }).busEvent).toBe(1_000);
  });

  test("has the audit trail at its full size, after 400 days", () => {
    const { tableGigabyte } = added({ drops: 1_000_000, signIns: 500_000 });

    // Two million entries of 330 bytes in a month of 730 hours, for 400 days.
    expect(tableGigabyte).toBeCloseTo((2_000_000 * (400 / (730 / 24)) * 330) / 1e9);
  });

  test("has a call for each search, and two index objects for each change", () => {
    expect(added({ searches: 10_000, drops: 3_000 }).apiCall).toBeCloseTo(13_000);
    // One object of the call, and two of the index.
    expect(added({ drops: 3_000, withoutRenders: true }).objectWrite).toBeCloseTo(3 * 3_000);
  });

  test("adds the dashboard and the firewall if they are on", () => {
    expect(total({ dashboard: true }) - total({})).toBeCloseTo(3);
    expect(total({ waf: true }) - total({})).toBeCloseTo(7);
  });

  test("adds the calls of six functions every five minutes if they are kept warm", () => {
    const calls = 6 * 12 * 730;
    const { scheduledCall, functionCall, functionGigabyteSecond } = added({ keepWarm: true });

    expect([scheduledCall, functionCall]).toEqual([calls, calls]);
    // A gigabyte for each function, and half a gigabyte for MCP, for 5 ms.
    expect(functionGigabyteSecond).toBeCloseTo((calls / 6) * 5.5 * 0.005);
  });

  test("has a browser run for each version if pages are rendered", () => {
    // 3 s for the pictures, and a tenth of 8 s for a report.
    expect(added({ drops: 400, versions: 600 }).browserGigabyteSecond).toBeCloseTo(1_000 * 3.8 * 2);
    expect(added({ drops: 400, withoutRenders: true }).browserGigabyteSecond).toBeUndefined();
    expect(total({})).toBeCloseTo(total({ withoutRenders: true }));
  });

  test("has the browser function's memory", { tags: "slow" }, () => {
    const functions = Object.values(resourcesOf(givenStack({ renders: true }), "AWS::Lambda::Function"));
    const drawPage = functions.find(({ Properties }) => Properties.Handler === "index.drawPage");

    expect(drawPage?.Properties.MemorySize).toBe(assumptions.drawGigabytes * 1024);
  });

  test("grows linearly with publications and reads", () => {
    const idle = total({ drops: 1e-9 });
    const once = total({ drops: 1_000, views: 10_000, uploads: 50 }) - idle;
    const twice = total({ drops: 2_000, views: 20_000, uploads: 100 }) - idle;

    expect(twice).toBeCloseTo(2 * once);
  });

  test("counts responses from the edge's cache at the edge only", () => {
    const missed = added({ views: 100_000, cacheHits: 0 });
    const hit = added({ views: 100_000, cacheHits: 1 });

    expect(hit.apiCall).toBeCloseTo((missed.apiCall ?? 0) / 2);
    expect(hit.edgeRequest).toBeCloseTo(missed.edgeRequest ?? 0);
  });

  test("has the requests of open tabs: every 2 s for two minutes, then every 7 s, through the edge to a function", () => {
    const { apiCall, edgeRequest, edgeGigabyte } = added({ readingHours: 1_000 });
    // A quarter of the hours are glances. The others have three readings of 20 minutes each.
    const requests = 250 * 1_800 + 750 * 3 * (60 + (18 * 60) / 7);

    expect(apiCall).toBeCloseTo(requests);
    expect(edgeRequest).toBeCloseTo(requests);
    expect(edgeGigabyte).toBeCloseTo(requests / 1e6);
  });

  test("has an answer's call, event and audit entry, and eight reads of the counts by its reader", () => {
    const { apiCall, busEvent, tableGigabyte } = added({ answers: 200 });

    expect(apiCall).toBeCloseTo(9 * 200);
    expect(busEvent).toBe(200);
    expect(tableGigabyte).toBeCloseTo((200 * (400 / (730 / 24)) * 330) / 1e9);
  });

  test("charges for invalidation tags above the first thousand", () => {
    expect(added({ locks: 500 }).invalidationTag).toBeUndefined();
    expect(added({ locks: 300, deletions: 300 }).invalidationTag).toBe(2 * 600 - 1_000);
  });
});

describe("a bill with the free tier", () => {
  test("is zero up to the allowances, and charges the rest at its price", () => {
    const units = { functionCall: 2_000_000, alarmMetric: 11, apiCall: 1_000_000 };

    // One of two million calls, one of eleven alarms, and all API calls are charged.
    expect(dollarsWithFreeTier(units)).toBeCloseTo(0.2 + 0.1 + 3.5);
  });

  test("counts GB-seconds of both architectures together", () => {
    const units = { functionGigabyteSecond: 300_000, browserGigabyteSecond: 300_000 };

    expect(dollarsWithFreeTier(units)).toBeCloseTo(200_000 * 0.0000166667);
  });
});

describe("hostile requests", () => {
  const dollars = costCases(alike).map(
    ([what, stoppedBy, units]) => [`${what}: ${stoppedBy}`, dollarsOf(units)] as const,
  );
  const of = (text: string) => dollars.find(([what]) => what.endsWith(text))?.[1] ?? Number.NaN;

  test("cost less with each limit: the quota, and the firewall", () => {
    const quota = of("the same: `requestsPerDayMax: 500000`");

    expect(of("requests: no setting")).toBeGreaterThan(4 * quota);
    expect(quota).toBeGreaterThan(of("`waf: true`"));
  });

  test("above the quota cost only CloudFront's price", () => {
    // A hundred million requests and edge functions, and the traffic. The calls follow.
    const edge = 100 + 10 + ((500_000 * 8 + 99_500_000 * 1) / 1e6) * 0.085;
    const calls = 500_000 * dollarsOf(callUnits(alike("view-drop")));

    expect(of("the same: `requestsPerDayMax: 500000`")).toBeCloseTo(edge + calls);
  });
});

describe("the estimate's assumptions", () => {
  // The default deployment.
  const template = givenStack();

  for (const { cases, options } of quickAndSlow(
    ["none", "webfunction"] as const,
    (ingest) => ingest === "none",
  ))
    test.each(cases)("have the metrics that the alarms watch, with ingest %s", options, (ingest) => {
      const alarms = Object.values(resourcesOf(givenStack({ ingest }), "AWS::CloudWatch::Alarm"));
      const metrics = alarms.flatMap(({ Properties }) =>
        // A math expression counts with its metrics, and a query as one metric.
        (Properties.Metrics ?? [{ MetricStat: Properties }]).filter(
          (one: { MetricStat?: object; Expression?: string }) =>
            one.MetricStat ?? one.Expression?.startsWith("SELECT "),
        ),
      );

      expect(cost({ ingest }).alarmMetric).toBe(metrics.length);
    });

  test("have the secrets and polled queues of the stack, and no dashboard", () => {
    const mappings = Object.values(resourcesOf(template, "AWS::Lambda::EventSourceMapping"));
    const polled = mappings.filter(({ Properties }) => !Properties.StartingPosition);

    expect(Object.keys(resourcesOf(template, "AWS::SecretsManager::Secret"))).toHaveLength(
      assumptions.secrets,
    );
    expect(polled).toHaveLength(assumptions.queues);
    expect(resourcesOf(template, "AWS::CloudWatch::Dashboard")).toEqual({});
  });

  test("have the workers' memory", () => {
    const workers = Object.entries(resourcesOf(template, "AWS::Lambda::Function")).filter(([id]) =>
      id.startsWith("Workers"),
    );
    const views = estimate({ ...idleTraffic, views: 1_000, cacheHits: 1 }, alike);
    const calls = 1_000 * (callUnits(alike("view-drop")).functionGigabyteSecond ?? 0);
    const counting = (views.functionGigabyteSecond ?? 0) - (cost({}).functionGigabyteSecond ?? 0) - calls;

    // The template has no workers for webhooks and administrators.
    expect(workers).toHaveLength(workerIds.length - 2);
    for (const [, { Properties }] of workers.filter(([id]) => !id.startsWith("WorkersCheckReaderWay")))
      expect(Properties.MemorySize / 1024).toBeCloseTo(
        counting / (assumptions.ownMs + 2 * assumptions.roundTripMs),
      );
  });

  test("have the firewall's rules", () => {
    const { Rules } = onlyResource(givenStack({ waf: true }), "AWS::WAFv2::WebACL").Properties;

    expect(Rules).toHaveLength(assumptions.firewallRules);
  });
});

describe("the command line", () => {
  test("accepts numbers and choices, with defaults for the rest", () => {
    const { traffic } = parseCostRequest(["--views", "7", "--cache-hits=0.25", "--ingest", "none", "--waf"]);

    expect(traffic).toMatchObject({ views: 7, cacheHits: 0.25, ingest: "none", waf: true, drops: 1_000 });
  });

  test.each([
    [["--drops", "many"], '--drops is "many": use 0 or a larger number.'],
    [["--drops", ""], '--drops is "": use 0 or a larger number.'],
    [["--cache-hits", "50"], "--cache-hits is a share: use a number from 0 to 1."],
    [["--ingest", "ec2"], '--ingest is "ec2": use webfunction or none.'],
    [["--wiews", "3"], "Unknown option '--wiews'"],
  ])("refuses %j with the right usage", (args, message) => {
    expect(() => parseCostRequest(args)).toThrow(message);
  });
});

test("a bill has a row for each price, and a row with the sum", () => {
  const rows = renderEstimate({ apiCall: 2_000_000, secret: 1 }).split("\n").slice(2);

  expect(rows.map((row) => row.replaceAll(/ +/g, " "))).toEqual([
    "| 2,000,000 | 3.5 per million API Gateway calls | 7.00 |",
    "| 1 | 0.4 per secret | 0.40 |",
    "| | together | 7.40 |",
  ]);
});

describe("docs/cost.md", () => {
  const path = join(import.meta.dirname, "../../docs/cost.md");
  const page = readFileSync(path, "utf8");

  /** Removes the example and the cases, which change by cents with each measurement of calls. */
  const withoutMeasured = (text: string) =>
    text.replace(/<!-- cost:(example|cases) -->[\s\S]*?<!-- \/cost:\1 -->/g, "");

  test("is current, apart from measured costs: npm run cost -- --write", () => {
    expect(withoutMeasured(renderCostPage(readMeasuredCalls()))).toBe(withoutMeasured(page));
  });

  test("has cases that are correct to a tenth: npm run cost -- --write", () => {
    const [table = ""] = /<!-- cost:cases -->[\s\S]*<!-- \/cost:cases -->/.exec(page) ?? [];
    const shown = [...table.matchAll(/\| +([0-9.]+) \| +([0-9.]+) \|$/gm)].map(([, all, paid]) => [
      all,
      paid,
    ]);
    const cases = costCases(readMeasuredCalls());

    expect(shown).toHaveLength(cases.length);
    for (const [index, [, , units]] of cases.entries()) {
      expect(Number(shown[index]?.[0]) / dollarsOf(units)).toBeCloseTo(1, 1);
      expect(Number(shown[index]?.[1]) / dollarsWithFreeTier(units)).toBeCloseTo(1, 1);
    }
  });

  test("has an example that is correct to a tenth: npm run cost -- --write", () => {
    const [, shown] = /\| together +\| +([0-9.]+) \|/.exec(page) ?? [];
    const now = dollarsOf(estimate(defaultTraffic, readMeasuredCalls()));

    expect(Number(shown) / now).toBeGreaterThan(0.9);
    expect(Number(shown) / now).toBeLessThan(1.1);
  });

  test("mentions each allowance of the free tier", () => {
    const text = page.replaceAll(/\s+/g, " ").replaceAll(/\*/g, "");
    for (const [, , , , quantity] of Object.values(prices)) {
      if (quantity === 0) continue;
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

  test("has a pricing page of AWS for every price", () => {
    for (const [, , per, title] of Object.values(prices))
      expect([title, per]).toEqual([expect.stringMatching(/pricing/i), expect.any(String)]);
  });

  test("is not written if a call was not measured, and the error says what to do", () => {
    expect(() => readMeasuredCalls()("publish-drop", "on a Sunday")).toThrow(
      /^docs\/measured\/calls\.json has no call publish-drop "on a Sunday"\. Run npm run bench calls -- --write\.$/,
    );
  });
});
