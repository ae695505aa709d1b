import { expect, test } from "vitest";
import { sizeOf } from "../../functions/search/index-size.ts";
import { describeIndexSize } from "../../scripts/operator/upkeep/reindex.ts";

const segment = (entries: number) => ({ key: "_search/s", entries, bytes: entries * 10_680, level: 2 });

test("an operator reads the size of the search index over all its segments", () => {
  expect(describeIndexSize(sizeOf({ segments: [segment(1_000), segment(256)] }))).toEqual([
    "Search index: 1,256 entries, 13 MB.",
  ]);
});

test.each([
  [39_999, false],
  [40_000, true],
])("an index of %i entries warns of the limit: %s", (entries, isNearBound) => {
  const lines = describeIndexSize(sizeOf({ segments: [segment(entries - 256), segment(256)] }));

  expect(lines.includes("Search gets slow above 50,000 drops; see docs/adr/0101-full-text-search.md.")).toBe(
    isNearBound,
  );
});

test("a missing index causes no warning", () => {
  expect(describeIndexSize(sizeOf({ segments: [] }))).toEqual(["Search index: 0 entries, 0 MB."]);
});
