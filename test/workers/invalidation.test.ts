import { describe, expect, test } from "vitest";
import { invalidationPaths, invalidationReference } from "../../functions/workers/invalidation.ts";
import type { TableChange } from "../../functions/workers/table-change.ts";

const gate = (slug: string): TableChange => ({ kind: "gate-changed", slug });
const version = (slug: string): TableChange => ({ kind: "version-removed", slug, objectKeys: [] });

describe("the edge forgets", () => {
  test("a drop once, whatever happened to it", () => {
    const drop: TableChange = { kind: "drop-removed", ownerId: "o", slug: "aaaaaaa" };

    expect(invalidationPaths([drop, gate("aaaaaaa"), version("aaaaaaa"), version("aaaaaaa")])).toEqual([
      "/p/aaaaaaa/*",
    ]);
  });

  test("a few drops one by one, and many all at once", () => {
    const slugs = ["aaaaaaa", "bbbbbbb", "ccccccc", "ddddddd"];

    expect(invalidationPaths(slugs.slice(0, 3).map(gate))).toEqual([
      "/p/aaaaaaa/*",
      "/p/bbbbbbb/*",
      "/p/ccccccc/*",
    ]);
    expect(invalidationPaths(slugs.map(version))).toEqual(["/p/*"]);
  });

  test("a file at the address that readers ask for, and at the one that it becomes", () => {
    const blob: TableChange = { kind: "blob-removed", id: "hijklmn", objectKey: "owner/hijklmn" };

    expect(invalidationPaths([blob, gate("aaaaaaa")])).toEqual([
      "/p/aaaaaaa/*",
      "/b/hijklmn",
      "/owner/hijklmn",
    ]);
  });

  test("nothing where nothing changed", () => {
    expect(invalidationPaths([])).toEqual([]);
  });
});

describe("the reference of an invalidation", () => {
  const reference = invalidationReference(["100", "101"], ["/p/aaaaaaa/*"]);

  test("is the same when a batch comes again", () => {
    expect(invalidationReference(["100", "101"], ["/p/aaaaaaa/*"])).toBe(reference);
  });

  test("differs for other records, and for other paths", () => {
    expect(invalidationReference(["100", "102"], ["/p/aaaaaaa/*"])).not.toBe(reference);
    expect(invalidationReference(["100", "101"], ["/p/*"])).not.toBe(reference);
  });
});
