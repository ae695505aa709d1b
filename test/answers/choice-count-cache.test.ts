import { expect, test } from "vitest";
import { ChoiceCountCache } from "../../functions/answers/choice-count-cache.ts";

const counts = new Map([["day", new Map([["Tuesday", 1]])]]);

/** A count function that records how often it was called. */
function counting() {
  let times = 0;
  return {
    count: async () => {
      times += 1;
      return counts;
    },
    times: () => times,
  };
}

test("the counts of an unchanged form are counted once", async () => {
  const [kept, { count, times }] = [new ChoiceCountCache(), counting()];

  for (let second = 0; second < 600; second += 15)
    expect(await kept.find("vote", { state: "1", total: 5_000, nowMs: second * 1_000 }, count)).toBe(counts);

  expect(times()).toBe(1);
});

test("a changed form with few answers is counted immediately", async () => {
  const [kept, { count, times }] = [new ChoiceCountCache(), counting()];

  for (const state of ["1", "2", "3"]) await kept.find("vote", { state, total: 200, nowMs: 0 }, count);

  expect(times()).toBe(3);
});

test("a full form that keeps changing is counted once in 150 seconds", async () => {
  const [kept, { count, times }] = [new ChoiceCountCache(), counting()];

  for (let second = 0; second < 600; second += 1)
    await kept.find("vote", { state: String(second), total: 5_000, nowMs: second * 1_000 }, count);

  expect(times()).toBe(4);
});

test("counts are cached for at most an hour, and for at most a hundred forms", async () => {
  const [kept, { count, times }] = [new ChoiceCountCache(), counting()];
  const find = (form: string, nowMs: number) => kept.find(form, { state: "1", total: 1, nowMs }, count);

  await find("vote", 0);
  await find("vote", 60 * 60 * 1_000);
  for (let index = 0; index < 100; index += 1) await find(`form ${index}`, 60 * 60 * 1_000);
  await find("vote", 60 * 60 * 1_000 + 1);

  expect(times()).toBe(103);
});
