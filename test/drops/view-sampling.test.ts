import { describe, expect, test } from "vitest";
import type { ViewSampling } from "../../functions/drops/drop.ts";
import { changedSampling, sampleView } from "../../functions/drops/view-counts.ts";

const nowMs = 1_800_000_000_000;

describe("a drop", () => {
  test.each([
    [19.9, undefined],
    [20, 1],
    [200, 1],
    [399, 1],
    [400, 2],
    [1_000, 3],
    [10_000, 6],
    [1_000_000, 9],
  ])("with %d views a second has the level %j", (viewsPerSecond, level) => {
    expect(changedSampling(undefined, viewsPerSecond, nowMs)?.level).toBe(level);
  });

  test("keeps its level while it is busy, and loses it after a time without views", () => {
    const current = { level: 6, untilMs: nowMs + 15_000 };

    expect(changedSampling(current, 50, nowMs)).toBeUndefined();
    expect(changedSampling(current, 50, nowMs + 6_000)).toEqual({ level: 6, untilMs: nowMs + 26_000 });
    expect(changedSampling(current, 19, nowMs + 6_000)).toBeUndefined();
    expect(changedSampling(current, 20_000, nowMs)).toEqual({ level: 7, untilMs: nowMs + 20_000 });
    expect(changedSampling(current, 50, nowMs + 15_000)?.level).toBe(1);
  });
});

describe("a view", () => {
  const sampling = { level: 3, untilMs: nowMs + 20_000 };

  test("counts as one and is not cached if the drop is not busy", () => {
    for (const level of [undefined, 0, 9]) {
      expect(sampleView(undefined, level, nowMs)).toEqual({ views: 1, edgeSeconds: 0 });
      expect(sampleView(sampling, level, nowMs + 20_000)).toEqual({ views: 1, edgeSeconds: 0 });
    }
    expect(sampleView(sampling, undefined, nowMs)).toEqual({ views: 1, edgeSeconds: 0 });
  });

  test("below the level of a busy drop is not counted, and is cached for at most two seconds, until the level ends", () => {
    for (const level of [0, 1, 2]) {
      expect(sampleView(sampling, level, nowMs)).toEqual({ views: 0, edgeSeconds: 2 });
      expect(sampleView(sampling, level, nowMs + 18_500)).toEqual({ views: 0, edgeSeconds: 1 });
      expect(sampleView(sampling, level, nowMs + 19_500)).toEqual({ views: 0, edgeSeconds: 0 });
    }
  });

  test("at or above the level counts for all views that it represents, and is not cached", () => {
    for (const level of [3, 4, 9])
      expect(sampleView(sampling, level, nowMs)).toEqual({ views: 8, edgeSeconds: 0 });
  });
});

describe.each([
  [10, 1],
  [30, 4],
  [200, 13],
  [1_000, 13],
  [10_000, 13],
])("%d views a second at %d edge locations", (viewsPerSecond, locations) => {
  const seconds = 180;
  const load = simulate(viewsPerSecond, locations, seconds);

  test("are all counted, within 5 %", () => {
    expect(load.views).toBeGreaterThan(viewsPerSecond * seconds * 0.9);
    expect(Math.abs(load.counted - load.views)).toBeLessThanOrEqual(0.05 * load.views);
    if (viewsPerSecond < 20) expect([load.counted, load.cached]).toEqual([load.views, 0]);
    else expect(load.cached).toBeGreaterThan(load.views / 8);
  });

  test("cause at most as many requests to the function as API Gateway allows, after ten seconds", () => {
    expect(load.requestsPerSecond).toBeLessThan(Math.min(viewsPerSecond + 1, 400));
  });
});

/** Simulates a load on caching edge locations. The rate of counted views is measured every few seconds, two seconds late. */
function simulate(viewsPerSecond: number, locations: number, seconds: number) {
  const random = numbersOf(7);
  const cachedUntil = new Map<string, number>();
  const arriving: { readonly atMs: number; readonly views: number }[] = [];
  let sampling: ViewSampling | undefined;
  let [views, cached, counted, late, measuredAtMs, measuredViews] = [0, 0, 0, 0, 0, 0];
  for (let atMs = 0; atMs < seconds * 1000; atMs += (-Math.log(1 - random()) / viewsPerSecond) * 1000) {
    for (let first = arriving[0]; first !== undefined && first.atMs + 2_000 <= atMs; first = arriving[0]) {
      counted += first.views;
      arriving.shift();
    }
    if (atMs - measuredAtMs >= 3_000) {
      const rate = ((counted - measuredViews) / (atMs - measuredAtMs)) * 1000;
      sampling = changedSampling(sampling, rate, atMs) ?? sampling;
      [measuredAtMs, measuredViews] = [atMs, counted];
    }
    views++;
    const level = Math.min(9, Math.floor(-Math.log2(random())));
    const key = `${Math.floor(random() * locations)} ${level}`;
    if ((cachedUntil.get(key) ?? 0) > atMs) {
      cached++;
      continue;
    }
    if (atMs > 10_000) late++;
    const sampled = sampleView(sampling, level, atMs);
    if (sampled.edgeSeconds > 0) cachedUntil.set(key, atMs + sampled.edgeSeconds * 1000);
    if (sampled.views > 0) arriving.push({ atMs, views: sampled.views });
  }
  for (const one of arriving) counted += one.views;
  return { views, cached, counted, requestsPerSecond: late / (seconds - 10) };
}

/** Seeded random numbers from 0 to below 1: mulberry32. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
