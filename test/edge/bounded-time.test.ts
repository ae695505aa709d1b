import { describe, expect, test } from "vitest";
import { longMs } from "../support/patience.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import {
  hostileRequests,
  hostileResponses,
  type Named,
  ordinaryRequests,
  ordinaryResponses,
} from "./hostile-requests.ts";
import { artifacts, eventOf, njsVersion, requestOf, runInNjs, type Sample } from "./njs.ts";

/** A hostile request may take at most this many times as long as an ordinary one. */
const factorMax = 30;

/** CloudFront gives a function about a millisecond, on unknown machines. */
const alwaysEnoughMs = 1;

/** A process of njs frees no memory before its end, so each process runs only some of the events. */
const eventsPerProcess = 150;

/** A busy machine makes a run slower and never faster, so events that were too slow are measured again. */
const attemptsMax = 8;

const runs = 10;

/** Measures in njs the milliseconds that the handler takes for each event, and on average for an ordinary event. */
async function measure(
  code: string,
  ordinary: Named,
  samples: readonly Sample[],
): Promise<{ ordinaryMs: number; takenMs: readonly number[] }> {
  const textsOf = (given: readonly Sample[]) =>
    JSON.stringify(given.map((one) => JSON.stringify(eventOf(one))));
  const lines = await runInNjs(
    code,
    `
;function time(events) {
  console.time("t");
  for (var i = 0; i < events.length; i++) handler(events[i]);
  console.timeEnd("t");
}
function parse(text) { return prepare(JSON.parse(text)); }
var ordinary = ${textsOf(ordinary.map(([, sample]) => sample))};
for (var run = 0; run < ${runs}; run++) time(ordinary.map(parse));
${textsOf(samples)}.forEach(function (text) { time([parse(text)]); });`,
  );
  const all = lines.map((line) => Number(/^t: ([\d.]+)ms$/.exec(line)?.[1]));
  if (all.length !== runs + samples.length || all.some(Number.isNaN)) throw new Error(lines.join("\n"));
  return {
    ordinaryMs: Math.min(...all.slice(0, runs)) / ordinary.length,
    takenMs: all.slice(runs),
  };
}

/** Returns the hostile events that take too long in every measurement, with their shortest time. */
async function tooSlow(code: string, ordinary: Named, hostile: Named): Promise<string[]> {
  const least = new Map<string, number>();
  let ordinaryMs = Infinity;
  const boundMs = () => Math.max(alwaysEnoughMs, factorMax * ordinaryMs);
  const isSlow = ([what]: Named[number]) => !((least.get(what) ?? Number.NaN) <= boundMs());
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const slow = hostile.filter(isSlow);
    for (let from = 0; from < slow.length; from += eventsPerProcess) {
      const some = slow.slice(from, from + eventsPerProcess);
      const measured = await measure(
        code,
        ordinary,
        some.map(([, sample]) => sample),
      );
      ordinaryMs = Math.min(ordinaryMs, measured.ordinaryMs);
      for (const [index, [what]] of some.entries()) {
        least.set(what, Math.min(least.get(what) ?? Infinity, measured.takenMs[index] ?? Infinity));
      }
    }
  }
  return hostile
    .filter(isSlow)
    .map(
      ([what]) => `${what}: ${least.get(what)?.toFixed(2)} ms, of which ${boundMs().toFixed(2)} are allowed`,
    );
}

const ordinaryIcons: Named = ["GET", "HEAD", "POST", "PUT", "OPTIONS"].map((method) => [
  method,
  requestOf("drops.example.com", { method, uri: "/favicon.ico" }),
]);

describe.skipIf(njsVersion === undefined)("a request made to slow down an edge function", () => {
  const all = artifacts();

  for (const { cases, options } of slowAndNightly(
    [
      ["viewer-request", ordinaryRequests, hostileRequests],
      ["blob-response", ordinaryResponses, hostileResponses],
      ["show-icon", ordinaryIcons, hostileRequests],
    ] as const,
    ([name]) => name === "blob-response",
  ))
    test.each(cases)(
      "takes %s at most a millisecond, or thirty times as long as an ordinary request",
      { ...options, timeout: longMs },
      async (name, ordinary, hostile) => {
        expect(new Set(hostile.map(([what]) => what)).size).toBe(hostile.length);
        expect(all[name].length).toBeGreaterThan(0);
        for (const code of all[name]) expect(await tooSlow(code, ordinary, hostile)).toEqual([]);
      },
    );

  test("is detected by this measurement if a function spends time on each character", async () => {
    const code = `function handler(event) {
      return (event.request.rawQueryString() || "").split("&").filter(function (pair) { return /^v(=.*)?$/.test(pair); });
    }`;

    expect(await tooSlow(code, ordinaryRequests, hostileRequests.slice(0, 10))).not.toEqual([]);
  });
});
