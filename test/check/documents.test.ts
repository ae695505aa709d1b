import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/*/*.md"], {
  cwd: root,
}).sort();
const read = (path: string) => readFileSync(join(root, path), "utf8");

test.each([
  ["README.md", 110],
  ["CONTRIBUTING.md", 220],
  ["AGENTS.md", 40],
])("%s has at most %i lines", (path, linesMax) => {
  expect(read(path).trimEnd().split("\n").length).toBeLessThanOrEqual(linesMax);
});

test("all documents but the changelog have at most 63,000 words", () => {
  const words = documents
    .filter((path) => path !== "CHANGELOG.md")
    .map(read)
    .join("\n")
    // Tables have bars and rules that are no words.
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

  expect(words.length).toBeLessThanOrEqual(63_000);
});

test.each(documents)("the links of %s lead to files and headings that exist", (document) => {
  const links = [...withoutCode(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);

  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? document : join(dirname(document), decodeURI(path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
  });

  expect(broken).toEqual([]);
});

test("the sections of documents that code and its messages name exist", () => {
  const sources = globSync(["bin/**/*.ts", "functions/**/*.{ts,tsx}", "lib/**/*.ts", "scripts/**/*.ts"], {
    cwd: root,
  });
  const named = sources.flatMap((source) =>
    // A comment or a message may break the line between document and section.
    [
      ...read(source)
        .replace(/\s+(\* )?/g, " ")
        .matchAll(/\b((?:docs\/)?[\w-]+\.md)[,:]? (?:says more: )?"([^"$]+)"/g),
    ].map(([, document = "", heading = ""]) => ({ source, document, heading })),
  );

  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(
    ({ document, heading }) =>
      !existsSync(join(root, document)) || !headingsOf(read(document)).includes(heading),
  );
  expect(missing).toEqual([]);
});

function withoutCode(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, "").replace(/`[^`\n]*`/g, "");
}

/** Lists the anchors that GitHub gives to headings. */
function anchorsOf(markdown: string): string[] {
  return headingsOf(markdown).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function headingsOf(markdown: string): string[] {
  const headings = markdown.replace(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) => heading);
}
