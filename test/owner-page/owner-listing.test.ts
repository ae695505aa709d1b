import { describe, expect, test } from "vitest";
import {
  type OwnerListingEntry,
  ownerListingPagesMax,
  selectOwnerListing,
} from "../../functions/owner-page/owner-listing.ts";

describe("an owner's listing", () => {
  test("of 500 entries is one page, and one more creates a second", () => {
    const listing = entries(500);
    const oldest = { atMs: -1, nameBytes: 9 };

    expect(selectOwnerListing(listing, 1)).toMatchObject({ pageCount: 1, shown: { length: 500 } });
    expect(selectOwnerListing([...listing, oldest], 2)).toEqual({ pageCount: 2, shown: [oldest] });
  });

  test("is ordered by age over all pages", () => {
    // The table returns entries in no order of time.
    const listing = entries(600).map((entry, index) => ({ ...entry, atMs: (index * 7_919) % 600 }));

    const [first, second] = [selectOwnerListing(listing, 1), selectOwnerListing(listing, 2)];

    expect([first.shown.length, second.shown.length]).toEqual([500, 100]);
    const ages = [...first.shown, ...second.shown].map(({ atMs }) => atMs);
    expect(ages).toEqual(Array.from({ length: 600 }, (_, index) => 599 - index));
  });

  test("with long names has more pages of fewer bytes, and loses no entry", () => {
    const listing = entries(500, 200);
    const { pageCount } = selectOwnerListing(listing, 1);

    const pages = Array.from(
      { length: pageCount },
      (_, index) => selectOwnerListing(listing, index + 1).shown,
    );

    expect(pageCount).toBeGreaterThan(5);
    expect(new Set(pages.flat()).size).toBe(500);
    for (const page of pages) expect(page.length * 200).toBeLessThanOrEqual(18_000);
  });

  test("does not count the bytes of names that it does not show", () => {
    expect(selectOwnerListing(entries(500, 0), 1).pageCount).toBe(1);
  });

  test("counts a heading once on each page", () => {
    const grouped = entries(500, 20).map((entry, index) => ({
      ...entry,
      group: `${index % 2} ${"x".repeat(100)}`,
    }));
    const single = entries(500, 20).map((entry, index) => ({
      ...entry,
      group: `${index} ${"x".repeat(100)}`,
    }));

    expect(selectOwnerListing(grouped, 1).pageCount).toBe(1);
    expect(selectOwnerListing(single, 1).pageCount).toBe(4);
  });

  test("without entries is one empty page, and shows nothing after its last page", () => {
    expect(selectOwnerListing([], 1)).toEqual({ shown: [], pageCount: 1 });
    expect(selectOwnerListing(entries(1), 2)).toEqual({ shown: [], pageCount: 1 });
  });

  test("has no more pages than its count of entries allows, however long the names are", () => {
    for (const count of [0, 1, 22, 23, 500, 10_500]) {
      const longest = selectOwnerListing(entries(count, 800), 1).pageCount;
      expect(longest).toBe(ownerListingPagesMax(count));
      const headed = entries(count, 800).map((entry, index) => ({
        ...entry,
        group: String(index).padEnd(1_024, "x"),
      }));
      expect(selectOwnerListing(headed, 1).pageCount).toBeLessThanOrEqual(ownerListingPagesMax(count, true));
    }
  });
});

function entries(count: number, nameBytes = 9): OwnerListingEntry[] {
  return Array.from({ length: count }, (_, index) => ({ atMs: index, nameBytes }));
}
