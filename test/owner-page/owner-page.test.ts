import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { selectOwnerListing } from "../../functions/owner-page/owner-listing.ts";
import { renderOwnerPage } from "../../functions/owner-page/owner-page.tsx";
import { baseUrl, ownerProps, ownerUrl, publishedAtMs, someDrops, someFiles } from "../html/page-fixtures.ts";
import { findElements, parsePage } from "../html/parsed-page.ts";
import { plainDrops } from "./plain-drops.ts";

test("drops and files are listed in the given order, each as a link with its time", () => {
  const html = renderOwnerPage(ownerProps({ drops: someDrops(2), files: someFiles(1) }));

  expect(findElements(html, "a").map(({ attributes, text }) => [attributes.href, text])).toEqual([
    [`${ownerUrl}d/aB3dE00`, "Page 1 of the garden"],
    [`${ownerUrl}d/aB3dE01`, "Page 2 of the garden"],
    [`${ownerUrl}b/bB3dE00`, "photo 1.jpg"],
    [`${baseUrl}/`, "Dropleaf"],
    ["/feed", "Feed"],
  ]);
  expect(findElements(html, "time").map(({ attributes, text }) => [attributes.datetime, text])).toEqual([
    ["2025-05-03T14:05Z", "3 May 2025, 14:05 UTC"],
    ["2025-05-03T13:05Z", "3 May 2025, 13:05 UTC"],
    ["2025-05-03T14:05Z", "3 May 2025, 14:05 UTC"],
  ]);
  expect(findElements(html, "p")[0]?.text).toBe("2 pages · 1 file");
});

test("a locked drop's title is not on the page, even if it is passed in", () => {
  const html = renderOwnerPage(
    ownerProps({ drops: someDrops(1, { title: "The secret plan", locked: true }), files: [] }),
  );

  expect(html).not.toContain("The secret plan");
  expect(findElements(html, "a")[0]?.text).toBe("Locked page opens with a passcode");
});

test("a drop without an image shows its title instead, hidden from screen readers", () => {
  const html = renderOwnerPage(ownerProps({ drops: someDrops(1, { isPictured: true }), files: [] }));

  expect(findElements(html, "span")).toContainEqual(
    expect.objectContaining({
      attributes: { class: "thumbnail", "aria-hidden": "true" },
      text: "Page 1 of the garden",
    }),
  );
});

test("titles keep their own text direction", () => {
  const html = renderOwnerPage(ownerProps({ drops: someDrops(1, { title: "تقرير المبيعات" }) }));

  expect(findElements(html, "a")[0]).toMatchObject({ attributes: { dir: "auto" }, text: "تقرير المبيعات" });
});

test("an owner without entries has a message, and no search", () => {
  const html = renderOwnerPage(ownerProps({ drops: [], files: [] }));

  expect(findElements(html, "h2").map(({ text }) => text)).toEqual(["Nothing here yet"]);
  expect(findElements(html, "script")).toEqual([]);
  expect(findElements(html, "input")).toEqual([]);
});

test("pages of a long list link to the newer and the older one, and never past an end", () => {
  const hrefFor = (number: number) => `/?page=${number}`;
  const partLinks = (number: number) => {
    const html = renderOwnerPage(ownerProps({ page: { number, count: 3, hrefFor } }));
    return findElements(html, "a", "rel").map(({ attributes, text }) => [text, attributes.href]);
  };

  expect(partLinks(1)).toEqual([["Older", "/?page=2"]]);
  expect(partLinks(2)).toEqual([
    ["Newer", "/?page=1"],
    ["Older", "/?page=3"],
  ]);
  expect(partLinks(3)).toEqual([["Newer", "/?page=2"]]);
});

test("a page of a long list shows the size of the whole list", () => {
  const page = { number: 1, count: 2, hrefFor: (number: number) => `/?page=${number}` };

  const html = renderOwnerPage(ownerProps({ dropCount: 1_234, fileCount: 1, page }));

  expect(parsePage(html).some(({ text }) => text === "1,234 pages · 1 file")).toBe(true);
});

test("500 drops with plain titles are one page of less than 20 KB compressed", () => {
  const html = renderOwnerPage(ownerProps({ drops: plainDrops(500, ownerUrl, publishedAtMs), files: [] }));

  expect(gzipSync(html).byteLength).toBeLessThan(20_000);
  expect(
    brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).byteLength,
  ).toBeLessThan(20_000);
});

test.each([
  ["in 40 groups", (index: number) => `Project ${index % 40} of the year`],
  ["each in its own group", (index: number) => `Project number ${index * 7_919} of the department ${index}`],
])("a page of 500 drops %s has less than 20 KB compressed, and a heading for each group", (_, groupOf) => {
  const tagged = plainDrops(500, ownerUrl, publishedAtMs).map((drop, index) => ({
    ...drop,
    group: drop.locked ? undefined : groupOf(index),
    atMs: drop.updatedAtMs,
    nameBytes: Buffer.byteLength(drop.title ?? ""),
  }));
  const { shown } = selectOwnerListing(tagged, 1);
  const groups = new Set(shown.flatMap(({ group }) => group ?? []));

  const html = renderOwnerPage(ownerProps({ drops: shown, files: [] }));

  expect(findElements(html, "h2")).toHaveLength(groups.size);
  expect(gzipSync(html).byteLength).toBeLessThan(20_000);
});

test("drops without a group are listed without a heading, after the others", () => {
  const drops = [...someDrops(1, { group: "تقارير" }), ...someDrops(1)];

  const html = renderOwnerPage(ownerProps({ drops, files: [] }));

  expect(findElements(html, "h2")).toMatchObject([{ text: "تقارير", attributes: { dir: "auto" } }]);
  expect(findElements(html, "section")).toHaveLength(2);
});

test("the page has a report link only if the operator has set a contact", () => {
  const reportUrl = "https://example.com/report";
  const linksOf = (html: string) =>
    findElements(html, "a").map(({ attributes, text }) => [text, attributes.href]);

  expect(linksOf(renderOwnerPage(ownerProps({ reportUrl })))).toContainEqual(["Report this page", reportUrl]);
  expect(linksOf(renderOwnerPage(ownerProps())).flat()).not.toContain("Report this page");
});
