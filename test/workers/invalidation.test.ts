import { describe, expect, test } from "vitest";
import { invalidationOf, mergeInvalidations } from "../../functions/background/invalidate.ts";

describe("the reference of an invalidation", () => {
  const paths = ["/p/aaaaaaa/raw"];
  const { reference } = invalidationOf(paths, ["100", "101"]);

  test("is the same when a batch comes again", () => {
    expect(invalidationOf(paths, ["100", "101"]).reference).toBe(reference);
  });

  test("differs for other records, and for other paths", () => {
    expect(invalidationOf(paths, ["100", "102"]).reference).not.toBe(reference);
    expect(invalidationOf(["/p/bbbbbbb/raw"], ["100", "101"]).reference).not.toBe(reference);
  });
});

describe("invalidations that wait", () => {
  const first = { paths: ["/p/aaaaaaa/raw"], reference: "a" };
  const second = { paths: ["/p/bbbbbbb/raw"], reference: "b" };

  test("become one, with every path once", () => {
    const merged = mergeInvalidations([first, second, { ...first, reference: "c" }]);

    expect(merged.paths).toEqual(["/p/aaaaaaa/raw", "/p/bbbbbbb/raw"]);
  });

  test("keep their reference where it is one, and else have the same in any order", () => {
    expect(mergeInvalidations([first, first])).toEqual(first);
    expect(mergeInvalidations([second, first]).reference).toBe(
      mergeInvalidations([first, second, first]).reference,
    );
    expect(["a", "b"]).not.toContain(mergeInvalidations([first, second]).reference);
  });
});
