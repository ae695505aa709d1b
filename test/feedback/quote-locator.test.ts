import { expect, test } from "vitest";
import { normalizeText } from "../../functions/core/normalize-text.ts";
import { normalizePage } from "../../functions/feedback/quote-locator.ts";

test.each([
  ["<h1>ΟΔΟΣ</h1><p>ΑΒΓ</p>", "Οδος"],
  ["<p>οδός</p>", "ΟΔΟΣ"],
  ["<p>Die lange Straße</p>", "DIE LANGE STRASSE"],
  ["<p>one</p><p>two</p>", "one\n\ntwo"],
  ["<p>1 &lt; 2 &amp; 3</p>", "1 < 2 & 3"],
  ["<p>&am<b>p;</b></p>", "&amp;"],
  ["<p>soft&shy;hyphen and&nbsp;space</p>", "softhyphen and space"],
  ["<svg><title>hidden</title><text>shown</text></svg>", "shown"],
  ["<script>write('later')</script>", "LATER"],
])("the text of %s contains the passage %j", (html, quote) => {
  expect(normalizePage(html)).toContain(normalizeText(quote));
});

test.each([
  ["<title>tab</title><p>page</p>", "tab"],
  ["<noscript>no scripts</noscript>", "no scripts"],
  ["<template><template>in it</template>and this</template>", "and this"],
  ["<style>p{color:red}</style>", "color"],
  ["<p title='hint'>text</p>", "hint"],
  ["<p>end</p><script>begin()</script>", "end begin"],
  ["<template>out</template><p>&amp;lt;</p>", "<"],
])("the text of %s does not contain the passage %j", (html, quote) => {
  expect(normalizePage(html)).not.toContain(normalizeText(quote));
});
