import { describe, expect, test } from "vitest";
import { mergeInvalidations } from "../../functions/background/invalidate.ts";
import { invalidationsOf, itemsPerInvalidationMax } from "../../functions/background/invalidation.ts";

describe("the reference of an invalidation", () => {
  const items = ["#drop:aa"];
  const referencesOf = (...given: Parameters<typeof invalidationsOf>) =>
    invalidationsOf(...given).map(({ reference }) => reference);
  const references = referencesOf(items, ["100", "101"]);

  test("is the same when a batch is retried", () => {
    expect(referencesOf(items, ["100", "101"])).toEqual(references);
  });

  test("differs for other records and other items", () => {
    expect(referencesOf(items, ["100", "102"])).not.toEqual(references);
    expect(referencesOf(["#drop:bb"], ["100", "101"])).not.toEqual(references);
  });

  test("differs for each part of a split invalidation", () => {
    const many = Array.from({ length: 2 * itemsPerInvalidationMax + 1 }, (_, index) => `#drop:${index}`);

    const parts = invalidationsOf([...many, ...many], ["100"]);

    expect(parts.flatMap((one) => one.items)).toEqual(many);
    expect(Math.max(...parts.map((one) => one.items.length))).toBe(itemsPerInvalidationMax);
    expect(new Set(parts.map(({ reference }) => reference)).size).toBe(3);
  });
});

describe("waiting invalidations", () => {
  const first = { items: ["#drop:aa"], reference: "a" };
  const second = { items: ["#drop:bb"], reference: "b" };

  test("are merged into one, with every tag once", () => {
    const merged = mergeInvalidations([first, second, { ...first, reference: "c" }]);

    expect(merged.map(({ items }) => items)).toEqual([["#drop:aa", "#drop:bb"]]);
  });

  test("keep the reference of a single one, and share a new one in any order", () => {
    expect(mergeInvalidations([first, first])).toEqual([first]);
    expect(mergeInvalidations([second, first])).toEqual(mergeInvalidations([first, second, first]));
    expect(["a", "b"]).not.toContain(mergeInvalidations([first, second])[0]?.reference);
  });
});
