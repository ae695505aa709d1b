import { expect, test } from "vitest";
import { findTitle } from "../../functions/drops/html-body.ts";

test.each([
  ["<title>Plain</title>", "Plain"],
  ["<!doctype html><html><head><meta charset=utf-8><TITLE lang=en>In\n  capitals </TITLE>", "In capitals"],
  ["<title>Cut &amp; dried &#x1F343; &eacute;&lt;b&gt;</title>", "Cut & dried 🍃 é<b>"],
  ["<title><b>No</b> tags in a title</title>", "<b>No</b> tags in a title"],
  [
    `<script>${"x".repeat(100_000)}"<title>not this</title>"</script><title>After a long script</title>`,
    "After a long script",
  ],
  ["<!-- <title>hidden</title> --><title>Shown</title>", "Shown"],
  ["<title>First</title><title>Second</title>", "First"],
  ["<title>Never closed", "Never closed"],
  [`<title>${"🍃".repeat(300)}</title>`, "🍃".repeat(200)],
  ["<title> \n </title>", undefined],
  ["<h1>No title</h1>", undefined],
  ["<body><svg><title>Of a drawing</title></svg>", undefined],
  ["<svg><title>Of a drawing</title></svg>", undefined],
  ["", undefined],
])("the title of %j is %j", (html, title) => {
  expect(findTitle(html)).toBe(title);
});
