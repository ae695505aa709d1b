import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scimActions, scimNameTaken } from "../../functions/table/audit.ts";

const root = join(import.meta.dirname, "../..");
const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md", "packages/*/*.md"], {
  cwd: root,
}).sort();
const decisions = documents.filter((path) => path.startsWith("docs/adr/"));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test.each([
  ["README.md", 110],
  ["CONTRIBUTING.md", 220],
  ["AGENTS.md", 40],
])("%s has at most %i lines", (path, linesMax) => {
  expect(read(path).trimEnd().split("\n").length).toBeLessThanOrEqual(linesMax);
});

test("all documents but the changelog have at most 45,000 words", () => {
  const words = countWords(
    documents
      .filter((path) => path !== "CHANGELOG.md")
      .map(read)
      .join("\n"),
  );

  expect(words).toBeLessThanOrEqual(45_000);
});

test("there are at most 50 decisions of at most 250 words", () => {
  const long = decisions
    .map((path) => ({ path, words: countWords(read(path)) }))
    .filter(({ words }) => words > 250);

  expect(decisions.length).toBeGreaterThan(30);
  expect(decisions.length).toBeLessThanOrEqual(50);
  expect(long).toEqual([]);
});

test("the table of the audit trail lists each action of a directory", () => {
  const acts = [...scimActions, scimNameTaken];

  expect(acts.filter((act) => !read("docs/security.md").includes(`\`${act}\``))).toEqual([]);
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

test("each section of a document that code or a message names exists", () => {
  const sources = globSync(["bin/**/*.ts", "functions/**/*.{ts,tsx}", "lib/**/*.ts", "scripts/**/*.ts"], {
    cwd: root,
  });
  const named = sources.flatMap((source) => {
    // A comment or a message may break the line between document and section.
    const text = read(source).replace(/\s+(\* )?/g, " ");
    const before = text.matchAll(
      /\b(?<document>(?:docs\/)?[\w-]+\.md)[,:]? (?:says more: )?"(?<heading>[^"$]+)"/g,
    );
    const after = text.matchAll(/"(?<heading>[^"$]+)" in (?<document>docs\/[\w-]+\.md)/g);
    return [...before, ...after].map(({ groups: { document = "", heading = "" } = {} }) => ({
      source,
      document,
      heading,
    }));
  });

  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(
    ({ document, heading }) =>
      !existsSync(join(root, document)) || !headingsOf(read(document)).includes(heading),
  );
  expect(missing).toEqual([]);
});

test("each decision that code or a document names exists, with a unique number", () => {
  const folders = "{action,bin,docs,functions,lib,local,packages,scripts,test}";
  const sources = globSync(["*.{md,ts}", `${folders}/**/*.{md,ts,tsx,css}`], {
    cwd: root,
    exclude: (path) => /node_modules|(^|\/)dist$/.test(path),
  });
  const named = sources.flatMap((source) =>
    [...read(source).matchAll(/docs\/adr\/[0-9]{4}[\w.-]*\w/g)].map(([decision]) => ({ source, decision })),
  );
  const numbers = decisions.map((path) => path.slice("docs/adr/".length, "docs/adr/0001".length));

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ decision }) => !decisions.includes(decision))).toEqual([]);
  expect(numbers).toEqual([...new Set(numbers)]);
});

/** Counts words, without the bars and rules of tables. */
function countWords(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

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
