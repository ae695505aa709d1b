import { describe, expect, test } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import { renderMarkdown, toMarkdownPage } from "../../functions/drops/markdown.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";

const render = (markdown: string) => renderMarkdown(markdown).html.trim();

describe("GitHub Flavored Markdown", () => {
  test.each([
    ["strikethrough", "~~gone~~", "<p><s>gone</s></p>"],
    [
      "an address as a link",
      "https://a.example/b.",
      '<p><a href="https://a.example/b">https://a.example/b</a>.</p>',
    ],
    [
      "a host's name with www",
      "www.example.com",
      '<p><a href="http://www.example.com">www.example.com</a></p>',
    ],
    ["an e-mail address", "a@example.com", '<p><a href="mailto:a@example.com">a@example.com</a></p>'],
    ["a file name as text", "See README.md", "<p>See README.md</p>"],
    ["code", "```js\n<b>\n```", '<pre><code class="language-js">&lt;b&gt;\n</code></pre>'],
    ["no inline footnotes", "a^[b]", "<p>a^[b]</p>"],
  ])("supports %s", (_, markdown, html) => {
    expect(render(markdown)).toBe(html);
  });

  test("supports tables, which scroll on their own", () => {
    const html = render("| a | b |\n| - | -: |\n| 1 | 2 |");

    expect(html).toContain('<div class="table"><table>');
    expect(html).toContain('<td style="text-align:right">2</td>');
  });

  test("supports task lists, nested and with paragraphs, and leaves other brackets unchanged", () => {
    const html = render("- [x] done\n  - [ ] open\n- [y] neither\n- [ ]none\n\n[x] no list");

    expect(html.match(/<input[^>]*>/g)).toEqual([
      '<input type="checkbox" disabled="" checked="">',
      '<input type="checkbox" disabled="">',
    ]);
    for (const kept of ["[y] neither", "[ ]none", "<p>[x] no list</p>"]) expect(html).toContain(kept);
  });

  test("supports footnotes, with links in both directions", () => {
    const html = render("a[^n]\n\n[^n]: the note");

    expect(html).toContain('<a href="#fn1" id="fnref1">');
    expect(html).toMatch(/<li id="fn1"[^>]*><p>the note <a href="#fnref1"/);
  });

  test("gives headings unique ids", () => {
    const ids = [
      ...render(
        "# Über `code`, **so**!\n\n## Twice\n\n## Twice\n\n# !\n\n# Twice 1\n\n# constructor",
      ).matchAll(/<h\d(?: id="([^"]*)")?>/g),
    ];

    expect(ids.map(([, id]) => id)).toEqual([
      "über-code-so",
      "twice",
      "twice-1",
      undefined,
      "twice-1-1",
      "constructor",
    ]);
  });
});

describe("in a rendered page", () => {
  test("raw HTML is removed, and the text around it stays", () => {
    const html = render(
      "a <b onclick=x>bold</b> <script>alert(1)</script>\n\n<iframe src=x></iframe>\n\nend",
    );

    expect(html).toBe("<p>a bold alert(1)</p>\n<p>end</p>");
  });

  test.each([
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java&#10;script:alert(1))",
    "[a](&#1;javascript:alert(1))",
    "[a](<\tjavascript:alert(1)>)",
    "[a](data:text/html,x)",
    "[a](data:image/png;base64,AA)",
    "[a](vbscript:x)",
    "[a](file:///etc/passwd)",
    "[a](blob:https://a.example/1)",
    "[a](about:blank)",
    "[a][r]\n\n[r]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "![a](javascript:alert(1))",
    "![a](data:image/svg+xml,<svg/>)",
    "[![a](javascript:x)](javascript:y)",
    "a[^1]\n\n[^1]: [b](javascript:alert(1))",
    "| [a](javascript:x) |\n| - |",
  ])("%j does not become a link or image that leaves the page", (markdown) => {
    const attributes = [...render(markdown).matchAll(/\s(?:href|src)="([^"]*)"/g)];

    // Remaining links stay on the page's own origin.
    const origins = attributes.map(([, value = ""]) => new URL(value, "https://page.invalid/").origin);
    expect(origins.filter((origin) => origin !== "https://page.invalid")).toEqual([]);
  });

  test.each([
    ['[a](https://a.example/?q=1&r=2 "t")', 'href="https://a.example/?q=1&amp;r=2"'],
    ["[a](#b)", 'href="#b"'],
    ["[a](../b?c)", 'href="../b?c"'],
    ["[a](mailto:a@b.example)", 'href="mailto:a@b.example"'],
    ["![a](https://a.example/i.png)", 'src="https://a.example/i.png"'],
    ["![a](data:image/png;base64,AA==)", 'src="data:image/png;base64,AA=="'],
  ])("%j keeps its target", (markdown, attribute) => {
    expect(render(markdown)).toContain(attribute);
  });
});

describe("a page of Markdown", () => {
  test("is complete and self-contained: title, style, and a policy without scripts", () => {
    const page = toMarkdownPage("intro\n\n## A *first* <b>&</b> `heading`\n\n# Second", undefined);

    expect(page).toMatch(/^<!doctype html>\n/);
    expect(page).toContain("<title>A first &amp; heading</title>");
    expect(page).toContain(`content="default-src 'none'; img-src`);
    expect(page).not.toMatch(/<script|<link|url\(|@import/);
  });

  test("has the given title as text", () => {
    expect(toMarkdownPage("# One", "</title><script>x</script>")).toContain(
      "<title>&lt;/title&gt;&lt;script&gt;x&lt;/script&gt;</title>",
    );
  });

  test("is empty if the Markdown has no content", () => {
    expect(toMarkdownPage(" \n\t\n", "Title")).toBe("");
  });

  test("above the size limit is refused, with both sizes", () => {
    const bytes = limits.markdownBytesMax + 1;

    const error = thrownBy(() => toMarkdownPage("x".repeat(bytes), undefined));

    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).toBody().error).toMatchObject({
      code: "html_too_large",
      details: { bytes, bytes_max: limits.markdownBytesMax },
    });
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const most: number = limits.markdownBytesMax;
const fill = (unit: string, bytes = most) => unit.repeat(Math.floor(bytes / unit.length));

const hostile: readonly (readonly [name: string, markdown: string])[] = [
  ["quotations in each other", fill("> ")],
  ["opening brackets", fill("[")],
  ["opening and closing brackets", fill("[", most / 4) + fill("](b)", most / 2)],
  ["unclosed links", fill("[a](")],
  ["unclosed emphasis", fill("*a _b ")],
  [
    "columns of a table without cells",
    `${fill("|a", most / 3)}\n${fill("|-", most / 3)}\n${fill("|\n", most / 4)}`,
  ],
  ["footnotes of footnotes", Array.from({ length: most / 32 }, (_, i) => `[^${i}]: [^${i + 1}]`).join("\n")],
  ["references to references", fill("[a][")],
  ["nested lists", Array.from({ length: 1_400 }, (_, i) => `${" ".repeat(i)}- a`).join("\n")],
  ["unfinished addresses", fill("http://")],
  ["unclosed code", Array.from({ length: 1_400 }, (_, i) => `e${"`".repeat(i)}`).join("")],
];

/** A sample that is rendered, and samples that exceed the time limit; they run with the slow tests. */
const chosenNames = [
  "quotations in each other",
  "columns of a table without cells",
  "references to references",
];

describe("hostile Markdown of the maximum size", () => {
  for (const { cases, options } of slowAndNightly(hostile, ([name]) => chosenNames.includes(name)))
    test.each(cases)("%s: is rendered or refused within the time limit", options, (_, markdown) => {
      const startedAt = performance.now();

      const thrown = thrownBy(() => toMarkdownPage(markdown, undefined));

      expect(thrown === undefined || (thrown instanceof ApiError && thrown.code === "invalid_arg")).toBe(
        true,
      );
      // The time limit, and the time to stop and clean up on a busy machine.
      expect(performance.now() - startedAt).toBeLessThan(8_000);
    });
});
