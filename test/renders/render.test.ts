import { describe, expect, test } from "vitest";
import {
  isExpired,
  isVisiblePicture,
  pdfKey,
  pictureKey,
  renderObjectKeys,
  reportDays,
  reportKey,
} from "../../functions/renders/render.ts";
import { parseRenderRequest } from "../../functions/renders/render-queue.ts";
import { readObjectKey } from "../../functions/table-stream/orphans.ts";

const folder = "abcdefg/Render0000000001";
const png = { mediaType: "image/png" };

describe("an object of a render", () => {
  test.each([
    ["card", `cards/${folder}/card.png`],
    ["thumbnail", `cards/${folder}/thumbnail.png`],
    ["phone-light", `_reports/${folder}/phone-light.png`],
  ] as const)("has a key by its audience: %s", (name, key) => {
    expect(pictureKey(folder, { name, ...png })).toBe(key);
  });

  test("is recognized by the orphan check, and its key differs from every page key", () => {
    for (const key of [pictureKey(folder, { name: "card", ...png }), reportKey(folder), pdfKey(folder)]) {
      expect(readObjectKey("pages", key)).toEqual({ kind: "render", slug: "abcdefg" });
    }
    expect(readObjectKey("pages", "reports/Object0000000001.html")).toMatchObject({ kind: "page" });
    expect(readObjectKey("blobs", reportKey(folder)).kind).toBe("unknown");
  });

  test("is listed in its item", () => {
    const picture = { name: "card" as const, ...png, widthPx: 1, heightPx: 1, sizeBytes: 1 };

    expect(renderObjectKeys({ folder, pictures: [picture] })).toEqual([
      reportKey(folder),
      pictureKey(folder, picture),
    ]);
    expect(renderObjectKeys({ folder, pictures: [], extent: "pdf" })).toEqual([pdfKey(folder)]);
    expect(renderObjectKeys({ folder: undefined, pictures: [] })).toEqual([]);
  });
});

test("a report expires on the day on which the bucket deletes it", () => {
  const dayMs = 24 * 60 * 60 * 1000;

  expect(isExpired({ atMs: 0 }, reportDays * dayMs - 1)).toBe(false);
  expect(isExpired({ atMs: 0 }, reportDays * dayMs)).toBe(true);
});

test("pictures with restricted files are not shown for a drop that has become public", () => {
  const [open, closed] = [{ visibility: { kind: "unlisted" } }, { visibility: { kind: "members" } }] as const;

  expect(isVisiblePicture({ hasRestrictedFiles: true }, closed)).toBe(true);
  expect(isVisiblePicture({ hasRestrictedFiles: true }, open)).toBe(false);
  expect(isVisiblePicture({ hasRestrictedFiles: undefined }, open)).toBe(true);
});

test("a render request must name valid versions and a time", () => {
  const request = { atMs: 5, versions: [{ slug: "abcdefg", version: 3, isAsked: true }] };

  expect(parseRenderRequest(request)).toEqual(request);
  for (const versions of [undefined, "x", [{}], [{ slug: "abcdefg", version: 0, isAsked: true }]]) {
    expect(() => parseRenderRequest({ atMs: 5, versions })).toThrow();
  }
  expect(() => parseRenderRequest({ versions: request.versions })).toThrow();
});
