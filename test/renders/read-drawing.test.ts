import { describe, expect, test } from "vitest";
import { readDrawing } from "../../functions/renders/read-drawing.ts";
import { type Drawing, pictureBytesMax, reportLimits } from "../../functions/renders/report.ts";

const view = {
  name: "phone-light" as const,
  loadMs: 12.5,
  console: [{ kind: "error" as const, text: "Oh" }],
  requests: [{ url: "https://example.com/a.js", kind: "script", why: "outside" as const }],
  attempts: [{ kind: "dialog" as const, count: 2 }],
  overflow: { pixels: 20, elements: [{ selector: "table", pixels: 20 }] },
  accessibility: [
    { rule: "image-alt", impact: "critical" as const, help: "Say it", count: 1, selectors: ["img"] },
  ],
};
const card = { mediaType: "image/png" as const, widthPx: 1200, heightPx: 630, bytes: "AAAA" };
const drawing: Drawing = {
  report: { views: [view], stopped: "time", weight: { pageBytes: 1, fileBytes: 2, requests: 3 } },
  pictures: { card },
  milliseconds: 4_000,
};

const withView = (changes: object) => ({
  ...drawing,
  report: { ...drawing.report, views: [{ ...view, ...changes }] },
});

describe("the browser function's response", () => {
  test("is accepted unchanged if it is valid", () => {
    expect(readDrawing(drawing)).toEqual(drawing);
  });

  test("is truncated if a page has made it long", () => {
    const { entriesMax, textCharactersMax } = reportLimits;
    const console = Array.from({ length: entriesMax + 5 }, () => ({
      kind: "error",
      text: "x".repeat(5_000),
    }));

    const read = readDrawing(withView({ console }))?.report.views[0]?.console;

    expect(read).toHaveLength(entriesMax);
    expect(read?.[0]?.text).toHaveLength(textCharactersMax);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["a text", "drawn"],
    ["a picture with an unknown name", { ...drawing, pictures: { "../../abcdefg/page": card } }],
    ["a picture of another type", { ...drawing, pictures: { card: { ...card, mediaType: "text/html" } } }],
    [
      "a picture whose type contains a path",
      { ...drawing, pictures: { card: { ...card, mediaType: "image/../x" } } },
    ],
    [
      "a picture that is too large",
      {
        ...drawing,
        pictures: { card: { ...card, bytes: "A".repeat(Math.ceil((pictureBytesMax.card * 4) / 3) + 8) } },
      },
    ],
    ["an unknown view", withView({ name: "watch" })],
    ["too many views", { ...drawing, report: { ...drawing.report, views: Array(5).fill(view) } }],
    ["a text in place of a number", withView({ loadMs: "soon" })],
  ])("is refused if it is %s", (_, answer) => {
    expect(readDrawing(answer)).toBeUndefined();
  });
});
