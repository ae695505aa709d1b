import { describe, expect, test } from "vitest";
import type { Blob } from "../../functions/domain/blob.ts";
import type { Drop, Gate } from "../../functions/domain/drop.ts";
import { selectShelf } from "../../functions/domain/owner-shelf.ts";

describe("an owner's shelf", () => {
  test("of 500 drops is one page, and one more makes a second", () => {
    const shelf = { drops: drops(500), blobs: [] };

    expect(selectShelf(shelf, 1)).toMatchObject({ pageCount: 1, drops: { length: 500 } });
    expect(selectShelf({ ...shelf, blobs: [blob(0)] }, 2)).toMatchObject({ pageCount: 2, blobs: [blob(0)] });
  });

  test("goes from page to page by age, drops and files together", () => {
    const shelf = { drops: drops(400), blobs: Array.from({ length: 200 }, (_, index) => blob(index)) };

    const [first, second] = [selectShelf(shelf, 1), selectShelf(shelf, 2)];

    expect((first?.drops.length ?? 0) + (first?.blobs.length ?? 0)).toBe(500);
    const oldestOfFirst = Math.min(...agesOf(first));
    expect(Math.max(...agesOf(second))).toBeLessThanOrEqual(oldestOfFirst);
    expect((second?.drops.length ?? 0) + (second?.blobs.length ?? 0)).toBe(100);
  });

  test("with long titles has more pages of fewer bytes, and loses none", () => {
    const shelf = {
      drops: drops(500, "a title of some length, 200 bytes ".repeat(6).slice(0, 200)),
      blobs: [],
    };
    const { pageCount } = selectShelf(shelf, 1) ?? { pageCount: 0 };

    const pages = Array.from({ length: pageCount }, (_, index) => selectShelf(shelf, index + 1)?.drops ?? []);

    expect(pageCount).toBeGreaterThan(5);
    expect(new Set(pages.flat().map(({ slug }) => slug)).size).toBe(500);
    for (const page of pages) expect(page.length * 200).toBeLessThanOrEqual(18_000);
  });

  test("counts no title that it does not show", () => {
    const gate: Gate = { kind: "locked", epoch: 1, passcodeHash: "a hash" };

    const shelf = { drops: drops(500, "x".repeat(200), gate), blobs: [] };

    expect(selectShelf(shelf, 1)?.pageCount).toBe(1);
  });

  test("without anything is one empty page, and there is no page before the first or after the last", () => {
    const shelf = { drops: [], blobs: [] };

    expect(selectShelf(shelf, 1)).toEqual({ drops: [], blobs: [], pageCount: 1 });
    expect(selectShelf(shelf, 0)).toBeUndefined();
    expect(selectShelf(shelf, 2)).toBeUndefined();
  });
});

function drops(count: number, title = "A title", gate: Gate = { kind: "open", epoch: 0 }): Drop[] {
  return Array.from({ length: count }, (_, index) => ({
    slug: `slug${index}`,
    ownerId: "owner",
    namespace: "ada",
    title,
    description: null,
    metadata: new Map(),
    latest: { version: 1, pageKey: "key", hasContext: false },
    nextVersion: 2,
    revision: 1,
    versionCount: 1,
    gate,
    viewCount: 0,
    createdAtMs: index,
    updatedAtMs: 1_000 + index,
  }));
}

function blob(createdAtMs: number): Blob {
  return {
    id: `blob${createdAtMs}`,
    ownerId: "owner",
    namespace: "ada",
    filename: "photo.jpg",
    contentType: "image/jpeg",
    sizeBytes: 1,
    objectKey: "key",
    createdAtMs,
  };
}

function agesOf(page: ReturnType<typeof selectShelf>): number[] {
  return [
    ...(page?.drops.map(({ updatedAtMs }) => updatedAtMs) ?? []),
    ...(page?.blobs.map(({ createdAtMs }) => createdAtMs) ?? []),
  ];
}
