import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { readFolder, zipFolder } from "../src/folder.ts";

const root = mkdtempSync(join(tmpdir(), "dropleaf-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Creates a folder with these files. */
function givenFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(root, "site-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const pathsOf = async (folder: string) => (await readFolder(folder)).map(({ path }) => path);

test("a folder is read without files of the operating system, of Git and of this program", async () => {
  const folder = givenFolder({
    "index.html": "x",
    "b/c.js": "x",
    "a.css": "x",
    "u\u0308ber.html": "x",
    ".DS_Store": "x",
    "b/Thumbs.db": "x",
    "b/Desktop.ini": "x",
    "b/._c.js": "x",
    "._index.html": "x",
    "Icon\r": "x",
    ".AppleDouble/index.html": "x",
    ".git/config": "x",
    "__MACOSX/._index.html": "x",
    ".dropleaf.json": "{}",
    ".nojekyll": "",
  });

  expect(await pathsOf(folder)).toEqual([".nojekyll", "a.css", "b/c.js", "index.html", "\u00fcber.html"]);
});

test("a symbolic link is refused with its path, so that nothing outside the folder is published", async () => {
  const folder = givenFolder({ "index.html": "x", "a/b.js": "x" });
  symlinkSync("/etc", join(folder, "a/link"));

  await expect(readFolder(folder)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("a/link is a symbolic link"),
  });
});

test.each([
  ["one page at its top level", { "report.html": "x", "404.html": "x", "docs/index.html": "x" }],
  ["one index.html in a subfolder", { "README.md": "x", "dist/index.html": "x", "dist/a.html": "x" }],
])("a folder without index.html is read if it has %s as its entry page", async (_, files) => {
  expect(await pathsOf(givenFolder(files))).toEqual(Object.keys(files).sort());
});

test("a folder without a clear entry page is refused with a list of its pages", async () => {
  const folder = givenFolder({ "README.md": "x", "a/index.html": "x", "b/index.html": "x" });

  await expect(readFolder(folder)).rejects.toThrow(
    `but a/index.html, b/index.html. To publish the folder of one of these pages, run: dropleaf publish`,
  );
  await expect(readFolder(givenFolder({ "b.html": "x", "a.html": "x" }))).rejects.toThrow(
    "but a.html, b.html",
  );
  await expect(readFolder(givenFolder({ "a.js": "x" }))).rejects.toThrow("has no index.html");
  await expect(readFolder(givenFolder({}))).rejects.toThrow("has no index.html");
});

test("a folder of more than 2,000 files or 25 MiB is refused", { tags: "slow" }, async () => {
  const files = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`${index}.js`, ""]));
  const large = { "index.html": "x", "a.bin": Buffer.alloc(26_214_399) };

  await expect(readFolder(givenFolder({ ...files, "index.html": "x" }))).rejects.toThrow("than 2000 files");
  expect(await pathsOf(givenFolder(large))).toHaveLength(2);
  await expect(readFolder(givenFolder({ ...large, "b.bin": "x" }))).rejects.toThrow(
    "26214400 bytes is exceeded at index.html.",
  );
});

test("an archive contains the files, and is the same for the same files", async () => {
  const folder = givenFolder({ "index.html": "x".repeat(500), "a/b.png": "picture" });
  const files = await readFolder(folder);

  const zip = zipFolder(files);

  expect(zip.byteLength).toBeLessThan(500);
  expect(Buffer.from(zipFolder(await readFolder(folder)))).toEqual(Buffer.from(zip));
  expect(
    Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  ).toEqual([
    ["a/b.png", "picture"],
    ["index.html", "x".repeat(500)],
  ]);
});

test("very compressible files are stored uncompressed, because the service would refuse the archive as a zip bomb", () => {
  const files = [{ path: "index.html", bytes: Buffer.alloc(2_000_000) }];

  expect(zipFolder(files).byteLength).toBeGreaterThan(2_000_000);
});
