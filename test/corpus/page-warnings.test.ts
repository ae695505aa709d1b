import { join } from "node:path";
import { expect, test } from "vitest";
import { toMarkdownPage } from "../../functions/drops/markdown.ts";
import { Mistakes } from "../../functions/folders/page-check.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { checkPages, judgeWarnings, reportPages } from "../../scripts/corpus/page-warnings.ts";
import { collectOrdinaryPages } from "../secrets/ordinary-pages.ts";

const toByteText = (text: string) => Buffer.from(text).toString("latin1");

/** Warnings for a Markdown text or HTML page that is published alone. */
function warningsOf({ name, text }: { readonly name: string; readonly text: string }): readonly string[] {
  const isMarkdown = name.endsWith(".md");
  const mistakes = new Mistakes();
  mistakes.check({
    text: toByteText(isMarkdown ? toMarkdownPage(text, undefined) : text),
    source: isMarkdown ? toByteText(text) : undefined,
  });
  return mistakes.warnings();
}

test("hundreds of manuals and pages published alone get warnings only for missing pictures", () => {
  const pages = collectOrdinaryPages().filter(({ name }) => !name.endsWith(".txt"));

  const warned = pages.flatMap((page) => warningsOf(page).map((warning) => `${page.name}: ${warning}`));

  const addresses = warned.map(
    (line) => /: .*so it cannot load "([^"]+)" in line \d+/.exec(line)?.[1] ?? line,
  );
  expect(pages.length).toBeGreaterThan(400);
  expect(addresses.filter((address) => !/^[\w./-]+\.(?:gif|png|svg)$/.test(address))).toEqual([]);
  expect(addresses).toContain("docs/demo.gif");
});

test("pages in their own folder get no warning", () => {
  const directory = join(projectDirectory, "node_modules/playwright-core/lib/vite/traceViewer");

  const pages = checkPages({ name: "trace-viewer", directory });

  expect(pages.map(({ path }) => path).sort()).toEqual(["index.html", "snapshot.html", "uiMode.html"]);
  expect(judgeWarnings(pages).falseWarnings).toEqual([]);
});

test("an unjudged warning counts as false, and an unused judgement is reported", () => {
  const right = { path: "index.html", warnings: [`The folder has no file at "./favicon-16x16.png".`] };
  const wrong = { path: "other.html", warnings: ["The page ends inside a tag."] };
  const pages = [right, wrong, { path: "third.html", warnings: [] }].map((page) => ({
    artefact: "swagger-ui",
    ...page,
  }));

  expect(judgeWarnings(pages)).toEqual({
    falseWarnings: ["swagger-ui: other.html: The page ends inside a tag."],
    unusedJudgements: [],
  });
  expect(judgeWarnings(pages.slice(1)).unusedJudgements).toEqual([expect.stringContaining("swagger-ui")]);
  expect(reportPages(pages)).toEqual({
    summary: expect.stringContaining("2 of 3 pages have warnings, 1 have false warnings (33.33 %)"),
    data: { pages: { checked: 3, warned: 2, falselyWarned: 1 } },
  });
});
