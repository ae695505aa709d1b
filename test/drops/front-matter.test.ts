import { expect, test } from "vitest";
import { readFrontMatter } from "../../functions/drops/front-matter.ts";
import { newPageBody, nextPageBody } from "../../functions/drops/html-body.ts";
import { longMs } from "../support/patience.ts";

const block = (...lines: readonly string[]) => `---\n${lines.join("\n")}\n---\n# Heading\n`;

test("a front matter block describes the page, and is not part of its text", () => {
  const read = readFrontMatter(
    block(
      "title: 'Quarterly: report'",
      "description: >",
      "  Two",
      "  lines",
      "tags: [q3, finance]",
      "x: {y: 1}",
    ),
  );

  expect(read).toEqual({
    body: "# Heading\n",
    texts: { title: ["Quarterly: report"], description: ["Two lines"] },
    tags: { "metadata.tags": ["q3, finance"] },
    warnings: [],
  });
});

test.each([
  [
    "a number and a date as written",
    block("title: 1.10", "description: 2026-01-02"),
    { title: ["1.10"], description: ["2026-01-02"] },
  ],
  ["empty values as absent", block("title:", "description: ~"), {}],
  [
    "Windows line ends, a byte order mark and closing dots",
    "\ufeff---\r\ntitle: A\r\n...\r\nText",
    { title: ["A"] },
  ],
  ["a key that every object inherits", block("__proto__: {title: B}", "title: A"), { title: ["A"] }],
])("front matter is parsed with %s", (_what, markdown, texts) => {
  expect(readFrontMatter(markdown)).toMatchObject({ texts, warnings: [] });
});

test.each([
  ["tags: a, b", { "metadata.tags": ["a, b"] }],
  ["tags: {team: data, kind: report}", { "metadata.team": ["data"], "metadata.kind": ["report"] }],
  ["tags: []", {}],
  ["tags:", {}],
])("the front matter %s becomes metadata", (line, tags) => {
  expect(readFrontMatter(block(line))).toMatchObject({ tags, warnings: [] });
});

test.each([
  ["---\n\n# Heading\n"],
  ["---\nA line\n---\n"],
  ["---\n- a\n- b\n---\n"],
  ["---\n---\n"],
  [" ---\ntitle: A\n---\n"],
  ["# Heading\n---\ntitle: A\n---\n"],
  [`---\ntitle: ${"a".repeat(20_000)}\n---\n`],
])("%j has no front matter", (markdown) => {
  expect(readFrontMatter(markdown)).toBeUndefined();
});

test.each([
  [block("title: a: b")],
  [block("title: [")],
  [block("title: A", "title: B")],
  [block(`title: ${"[".repeat(5_000)}`)],
  [block("a0: &a0 [x, x]", ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`))],
])("an invalid front matter block stays text, with a warning", { timeout: longMs }, (markdown) => {
  const read = readFrontMatter(markdown);

  expect(read).toMatchObject({ body: markdown, texts: {}, tags: {} });
  expect(read?.warnings[0]).toContain("The YAML block at the start is invalid");
});

test("invalid fields are ignored with a warning, and a long title is truncated", () => {
  const read = readFrontMatter(
    block(`title: ${"a".repeat(300)}`, `description: ${"b".repeat(501)}`, "tags: {Wrong Key: x}"),
  );

  expect(read?.texts).toEqual({ title: ["a".repeat(200)] });
  expect(read?.tags).toEqual({});
  expect(read?.warnings).toEqual([
    expect.stringContaining("The description in the YAML block was not used"),
    expect.stringContaining("The tags in the YAML block were not used"),
  ]);
});

test("the request's fields take precedence over front matter, and a new version keeps its drop's tags", async () => {
  const source = block("title: A", "description: B", "tags: [c]");

  const plain = await newPageBody.renderMarkdown(source, {});
  const told = await newPageBody.renderMarkdown(source, { title: ["X"], "metadata.k": ["v"] });
  const next = await nextPageBody.renderMarkdown(source, {});

  expect(plain).toMatchObject({
    source,
    query: { title: ["A"], description: ["B"], "metadata.tags": ["c"] },
  });
  expect(plain.html).toContain("<title>A</title>");
  expect(plain.html).not.toContain("description: B");
  expect(told.query).toEqual({ title: ["X"], description: ["B"], "metadata.k": ["v"] });
  expect(next.query).toEqual({ title: ["A"], description: ["B"] });
});
