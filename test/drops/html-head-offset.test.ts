import { describe, expect, test } from "vitest";
import { findHtmlHeadOffset } from "../../functions/drops/page-content.ts";
import { addDefaultStyle, defaultStyle } from "../../functions/viewer/raw-response.ts";

function serve(html: string): string {
  const page = Buffer.from(html);
  const offset = findHtmlHeadOffset(page);
  const whole = addDefaultStyle([page], offset);
  // A page arrives in chunks that begin and end anywhere.
  const ofBytes = addDefaultStyle(
    Array.from(page, (_, index) => page.subarray(index, index + 1)),
    offset,
  );
  expect(ofBytes).toEqual(whole);
  return whole.toString();
}

describe("the default style is inserted at the start of the head, and every other byte is unchanged", () => {
  const style = defaultStyle;
  test.each([
    ["inside head", "<!doctype html><html><head>|<title>x</title></head>"],
    [
      "inside a head with attributes",
      '<!DOCTYPE html>\n<html lang="a>b">\n<head data-x=">">|<meta charset=utf-8>',
    ],
    ["after html when head is implied", "<!doctype html><html lang=en>|<title>x</title>"],
    ["after the doctype when html is implied", "<!doctype html>|<p>hello"],
    ["after a legacy doctype", '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://a/b">|<p>x'],
    ["after comments before the doctype", "<!-- <head> --><!doctype html><!-- <head> --><html><head>|x"],
    ["at the start without a doctype", "|<p>hello"],
    ["at the start of plain text", "|hello <head>"],
    ["before a leading body", "<!doctype html>|<body><head></head>"],
    ["in upper case", "<!DOCTYPE HTML><HTML><HEAD>|</HEAD>"],
    ["after a byte order mark", "\u{feff}<!doctype html><head>|"],
    ["after a byte order mark alone", "\u{feff}|"],
    ["with Cyrillic in attributes", '<!doctype html><html title="Привет, мир">\n<head>|<p>'],
    ["at the start of an empty page", "|"],
    ["at the start of an unfinished tag", "|<html"],
  ])("%s", (_, marked) => {
    const served = serve(marked.replace("|", ""));

    expect(served).toBe(marked.replace("|", style));
  });

  test("a doctype behind 20,000 spaces is still found", () => {
    const spaces = " ".repeat(20_000);

    expect(serve(`${spaces}<!doctype html><head>x`)).toBe(`${spaces}<!doctype html><head>${style}x`);
  });
});

test.each(["", "\n", "\n    "])(
  "a page that was downloaded, edited and published again has the style once, after %j",
  (space) => {
    const served = serve("<!doctype html><html><head><title>x</title></head>");
    const edited = served.replace(defaultStyle, space + defaultStyle).replace("Old", "New");

    expect(serve(edited)).toBe(edited);
    expect(serve(serve(edited))).toBe(edited);
  },
);

test.each([
  "<style>@layer dropleaf{img,video,canvas,svg,iframe,embed,object{max-width:100%}img,video{height:auto}body{overflow-wrap:break-word}pre{overflow-x:auto}}</style>",
  "<style>@layer dropleaf{img{max-width:100%}}</style>",
])("the style of an earlier release is replaced in a page published again: %s", (earlier) => {
  const again = `<!doctype html><html><head>\n${earlier}<title>x</title></head>`;

  expect(serve(again)).toBe(again.replace(earlier, defaultStyle));
});

test("the default style is small", () => {
  expect(Buffer.byteLength(defaultStyle)).toBeLessThanOrEqual(600);
});
