import { expect, test } from "vitest";
import { delaySeconds, mayRetry, retryPauseSeconds } from "../../functions/background/postponed-work.ts";

/** Times of all attempts of work that always fails, in seconds since the first one. */
function timesOf(firstPauseSeconds: number): number[] {
  const times = [0];
  for (;;) {
    const last = times.at(-1) ?? 0;
    const next = last + retryPauseSeconds(times.length, firstPauseSeconds);
    if (!mayRetry(0, next * 1000)) return times;
    times.push(next);
  }
}

test("pauses grow from seconds to hours, for a day", () => {
  const times = timesOf(5);
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));

  expect(pauses.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(pauses.at(-1)).toBe(4 * 3_600);
  expect(times.at(-1)).toBeLessThanOrEqual(24 * 3_600);
  expect(times.at(-1)).toBeGreaterThan(20 * 3_600);
  expect(times.length).toBeLessThan(25);
});

test("a receiver that is down for ten minutes gets everything less than twelve minutes later", () => {
  const back = timesOf(5).find((time) => time >= 600);

  expect(back).toBeLessThan(1_300);
});

test("a queue's delay is at most its maximum, and zero for due work", () => {
  expect(delaySeconds(3_600_000, 0)).toBe(900);
  expect(delaySeconds(4_500, 0)).toBe(5);
  expect(delaySeconds(0, 4_500)).toBe(0);
});
