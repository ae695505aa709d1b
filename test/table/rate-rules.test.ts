import { expect, test } from "vitest";
import { evaluateRate, type RateRule } from "../../functions/table/rate-rules.ts";

const rule: RateRule = { name: "minute", lengthMs: 60_000, usesMax: 60, code: "rate_limited" };

test("a new or expired window starts again", () => {
  expect(evaluateRate(rule, { startedAtMs: undefined, count: undefined }, 0)).toEqual({ kind: "expired" });
  expect(evaluateRate(rule, { startedAtMs: 1_000, count: 60 }, 61_000)).toEqual({ kind: "expired" });
});

test("an open window allows uses up to its limit", () => {
  expect(evaluateRate(rule, { startedAtMs: 1_000, count: 59 }, 60_999)).toEqual({ kind: "open" });
});

test("a full window states the seconds until its end, at least one", () => {
  expect(evaluateRate(rule, { startedAtMs: 1_000, count: 60 }, 1_000)).toEqual({
    kind: "full",
    retryAfterSeconds: 60,
  });
  expect(evaluateRate(rule, { startedAtMs: 1_000, count: 60 }, 60_999)).toEqual({
    kind: "full",
    retryAfterSeconds: 1,
  });
});
