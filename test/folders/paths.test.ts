import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { entryWarnings, requireEntry } from "../../functions/folders/entry.ts";
import { checkPaths, isIgnoredPath } from "../../functions/folders/paths.ts";
import { refusalOf } from "../support/folder-refusal.ts";

const refuse = (...paths: readonly string[]) => refusalOf(() => checkPaths(["index.html", ...paths]));

test("the paths of a site are kept unchanged", () => {
  const paths = [
    "index.html",
    "404.html",
    "assets/app-B3x.js",
    "a..b/..c.css",
    "...",
    ".well-known/security.txt",
    "100%.html",
    "%20.html",
    "@/x.js",
    "@scope/x.js",
    "@3d/model.glb",
    "über uns/日本語 🍃.html",
    "c/d:e",
  ];

  expect(checkPaths(paths)).toEqual(paths);
});

test("paths are stored in NFC", () => {
  expect(checkPaths(["index.html", "U\u0308ber.html"])).toEqual(["index.html", "\u00dcber.html"]);
});

test.each([
  ["../index.html", "."],
  ["a/../../b", "."],
  ["a/..", "."],
  ["./a", "."],
  ["a/./b", "."],
  ["/etc/passwd", "absolute"],
  ["//host/share", "absolute"],
  ["C:/a.html", "drive"],
  ["c:a.html", "drive"],
  ["a\\b.html", "backslash"],
  ["..\\a.html", "backslash"],
  ["a\u0000.html", "control"],
  ["a\nb.html", "control"],
  ["a\u0085b.html", "control"],
  ["a\u2028b.html", "control"],
  ["%2e%2e/a.html", "encoded"],
  ["a/%2E./b", "encoded"],
  ["a%2Fb", "encoded"],
  ["a%5cb", "encoded"],
  ["a%252fb", "encoded"],
  ["a%25252Eb", "encoded"],
  ["a%00.html", "encoded"],
  ["a//b", "without a name"],
  ["a/", "without a name"],
  ["", "not a path"],
  ["a\ud800.html", "well-formed"],
  ["@3", "versions"],
  ["@3/a.html", "versions"],
  ["@3-framed/a.html", "versions"],
  ["@12-framed", "versions"],
  ["@k", "versions"],
  ["@kAbC/a.html", "versions"],
])("the path %j is refused with its name and a reason", async (path, reason) => {
  const refusal = await refuse(path);

  expect(refusal).toMatchObject({ code: "invalid_arg", details: { path: path.toWellFormed() } });
  expect(refusal.message).toContain(reason);
  expect(refusal.message).toContain(JSON.stringify(path.toWellFormed()));
});

test("a path has at most 200 characters", async () => {
  const longest = "🍃".repeat(limits.folderPathCharactersMax);

  expect(checkPaths(["index.html", longest])).toContain(longest);
  expect((await refuse(`${longest}a`)).details).toMatchObject({ characters: 201, characters_max: 200 });
});

test("a refusal quotes at most 100 characters of a path", async () => {
  const { message, details } = await refuse(`../${"a".repeat(100_000)}`);

  expect(message.length).toBeLessThan(300);
  expect(String(details.path)).toHaveLength(100);
});

test.each([
  ["a.html", "A.html", "case"],
  ["über.html", "ÜBER.HTML", "case"],
  ["straße", "STRASSE", "case"],
  ["ς.html", "σ.html", "case"],
  ["ﬁ.html", "FI.html", "case"],
  ["\u00fcber.html", "u\u0308ber.html", "Unicode form"],
  ["\u212bngström", "\u00e5ngström", "case"],
  ["a.html", "a.html", "twice"],
])("%j is refused together with %j", async (one, other, reason) => {
  const refusal = await refuse(one, other);

  expect(refusal.details.path).toBe(other);
  expect(refusal.message).toContain(reason);
});

test.each([
  [["a", "a/b"], "a"],
  [["a/b/c", "a/b"], "a/b"],
  [["A", "a/b"], "A"],
  [["index.html/a"], "index.html"],
  [["u\u0308", "\u00fc/b"], "u\u0308"],
])("a file at %j that is also a folder of another file is refused", async (paths, path) => {
  const refusal = await refuse(...paths);

  expect(refusal.message).toContain("also the folder of");
  expect(refusal.details.path).toBe(path);
});

test("a folder has at most 2,000 files", async () => {
  const paths = Array.from({ length: limits.folderFilesMax }, (_, index) => `${index}.js`);

  expect(checkPaths(["index.html", ...paths.slice(1)])).toHaveLength(2_000);
  expect((await refuse(...paths)).details).toEqual({ files: 2_001, files_max: 2_000 });
});

test.each([
  [["index.html", "report.html"], "index.html"],
  [["report.html", "a.css"], "report.html"],
  [["Index.html", "b.js"], "Index.html"],
  [["index.htm"], "index.htm"],
  [["404.html", "report.html"], "report.html"],
  [["README.md", "dist/index.html"], "dist/index.html"],
  [["README.md", "a/b/index.html", "a/c.html"], "a/b/index.html"],
  [["report.html", "a/index.html"], "report.html"],
])("the entry page of the folder %j is %s", (paths, entry) => {
  expect(requireEntry(paths)).toBe(entry);
  expect(entryWarnings(entry)).toHaveLength(entry === "index.html" ? 0 : 1);
});

test.each([
  [[], "The folder is empty"],
  [["a", "b", "c", "d", "e", "f", "g"], `"e" and 2 more`],
  [
    ["a.html", "b.html", "c/index.html"],
    `It has "a.html", "b.html". Rename the page that readers open first to index.html at the top`,
  ],
  [
    ["a/index.html", "b/c/index.html", "d.js"],
    `It has "a/index.html", "b/c/index.html". Rename the page that readers open first to index.html at the top`,
  ],
  [["a/page.html", "b.js"], "Rename the page that readers open first to index.html."],
])("a folder without an obvious entry page, %j, is refused with its files", async (paths, words) => {
  const refusal = await refusalOf(() => requireEntry(paths));

  expect(refusal).toMatchObject({
    code: "invalid_arg",
    details: { path: "index.html", files: paths.length },
  });
  expect(refusal.message).toContain(words);
});

test.each([
  [".DS_Store", true],
  ["a/.DS_Store", true],
  ["Thumbs.db", true],
  ["__MACOSX/._index.html", true],
  [".git/config", true],
  ["a/.git/HEAD", true],
  ["._index.html", true],
  ["a/._b.png", true],
  [".AppleDouble/a", true],
  ["Icon\r", true],
  ["a/thumbs.db", true],
  ["a/Desktop.ini", true],
  [".svn/entries", true],
  [".hg/store/a", true],
  ["_._a", false],
  ["Icon", false],
  ["a/.githooks/b", false],
  [".gitignore", false],
  ["a/__MACOSX/b", false],
  ["DS_Store", false],
  [".nojekyll", false],
])("the path %s is skipped: %s", (path, isIgnored) => {
  expect(isIgnoredPath(path)).toBe(isIgnored);
});

test("an accepted path stays inside the folder under every way to resolve it", () => {
  const piece = fc.constantFrom(
    "..",
    ".",
    "/",
    "\\",
    "%2e",
    "%2F",
    "%25",
    "a",
    "é",
    "C:",
    "\u0000",
    "@3",
    "~",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = pieces.join("");
      let accepted: readonly string[];
      try {
        accepted = checkPaths(["index.html", path]);
      } catch {
        return;
      }
      const base = "https://host/p/aB3dE5f/raw/";
      for (const read of [path, decodeURI(encodeURI(path)), path.replaceAll("%25", "%")]) {
        const { pathname } = new URL(base + read);
        expect(pathname.startsWith("/p/aB3dE5f/raw/")).toBe(true);
      }
      expect(accepted).toHaveLength(2);
    }),
    { numRuns: 2_000 },
  );
});
