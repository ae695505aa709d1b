import { expect, test } from "vitest";
import { findMovedVersions, placeholderNote } from "../src/archive/moved-versions.ts";
import { withoutServedStyle } from "../src/archive/source-account.ts";

const versions = [1, 3, 4].map((version) => ({
  version,
  created_at: version * 100,
  page: `versions/${version}.html`,
}));
const present = (version: number, original_date?: number, note?: string) => ({
  ...{ version, size_bytes: 1, has_context: false, created_at: 1_000_000 + version },
  ...(original_date === undefined ? {} : { original_date }),
  ...(note === undefined ? {} : { note }),
});

test.each([
  ["no version", [], [1, 3, 4], { 1: 1, 3: 2, 4: 3 }, false],
  ["the placeholder", [present(1, undefined, placeholderNote)], [1, 3, 4], { 1: 2, 3: 3, 4: 4 }, false],
  ["the first version", [present(1, 100)], [3, 4], { 1: 1, 3: 2, 4: 3 }, false],
  ["all versions", [present(1, 100), present(2, 300), present(3, 400)], [], { 1: 1, 3: 2, 4: 3 }, false],
  ["the last version after a deletion", [present(3, 400)], [], { 4: 3 }, false],
  ["another version of the owner", [present(1, 100), present(2)], [3, 4], { 1: 1, 3: 3, 4: 4 }, true],
] as const)(
  "with %s in the target drop, only the missing versions are published",
  (_, found, pending, numbers, isContinued) => {
    const moved = findMovedVersions({ versions }, found);

    expect(moved.pending.map(({ version }) => version)).toEqual(pending);
    expect(Object.fromEntries(moved.numbers)).toEqual(numbers);
    expect(moved.isContinued).toBe(isContinued);
  },
);

test("two versions with the same date are distinguished", () => {
  const twins = [1, 2].map((version) => ({ version, created_at: 5, page: "" }));

  expect(findMovedVersions({ versions: twins }, [present(1, 5)]).pending).toEqual([twins[1]]);
});

test.each([
  ["<p>A</p>", "<p>A</p>"],
  ["<style>@layer x{}</style><p>A</p>", "<p>A</p>"],
  ['<head><style id="own">b{}</style></head>ä', '<head><style id="own">b{}</style></head>ä'],
  [
    "<head><style>@layer safety{img{max-width:100%}}</style>\n<style>b{}</style></head>ä",
    "<head><style>b{}</style></head>ä",
  ],
])("without the service's own style, %s is the page %s", (served, page) => {
  expect(withoutServedStyle(Buffer.from(served), Buffer.byteLength(page))?.toString()).toBe(page);
});

test("a response with other content is not taken for the published page", () => {
  expect(withoutServedStyle(Buffer.from("<p>Please sign in</p>"), 8)).toBeUndefined();
});
