import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RootedFolder } from "../src/rooted-folder.ts";

let parent: string;
let folder: RootedFolder;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "dropleaf-rooted-"));
  mkdirSync(join(parent, "root/inside"), { recursive: true });
  writeFileSync(join(parent, "secret.txt"), "secret");
  folder = new RootedFolder(join(parent, "root"));
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Reads, checks, writes and removes a path. */
const uses = (path: string) => [
  folder.read(path),
  folder.has(path),
  folder.write(path, "x"),
  folder.remove(path),
];

async function expectRefused(path: string): Promise<void> {
  for (const use of await Promise.allSettled(uses(path)))
    expect(String("reason" in use && use.reason), path).toContain("is not a valid path in");
}

test.each([
  "../secret.txt",
  "inside/../../secret.txt",
  "inside/./a",
  "/etc/passwd",
  "inside//a",
  "inside/",
  "",
  ".",
  "..",
  ". . /a",
  "... /a",
  "..\\secret.txt",
  "C:\\secret.txt",
  "c:secret.txt",
  "a.txt:stream",
  "\\\\server\\share",
  "con",
  "inside/NUL.txt",
  "com1.json",
  "lpt¹",
  "trailing.",
  "trailing ",
  "a\0.txt",
  "a\nb",
  "a\u202eb",
  "a*b",
  "a".repeat(256),
])("the path %j is refused for reading, checking, writing and removing", async (path) => {
  await expectRefused(path);
  expect(readdirSync(parent)).toEqual(["root", "secret.txt"]);
  expect(readdirSync(join(parent, "root"), { recursive: true })).toEqual(["inside"]);
});

test("a path through a symbolic link to a folder or a file is refused, even if the target is missing", async () => {
  symlinkSync(parent, join(parent, "root/out"));
  symlinkSync("../secret.txt", join(parent, "root/file"));
  symlinkSync("../missing.txt", join(parent, "root/dangling"));
  symlinkSync("../missing", join(parent, "root/dangling-folder"));

  for (const path of ["out/secret.txt", "out/new.txt", "file", "dangling", "dangling-folder/a"])
    await expectRefused(path);
  expect(existsSync(join(parent, "missing.txt"))).toBe(false);
});

test("the folder itself can be a symbolic link", async () => {
  symlinkSync(join(parent, "root"), join(parent, "link"));
  const linked = new RootedFolder(join(parent, "link"));

  expect(await linked.write("inside/a.txt", "a")).toBe(true);
  expect(await folder.read("inside/a.txt")).toEqual(Buffer.from("a"));
});

test("a file is written with its missing folders, and is not overwritten", async () => {
  const fresh = new RootedFolder(join(parent, "fresh"));

  expect(await fresh.write("deep/er/名前 é.txt", "a")).toBe(true);
  expect(await fresh.write("deep/er/名前 é.txt", "a")).toBe(false);
  expect([await fresh.has("deep/er/名前 é.txt", 1), await fresh.has("deep/er/名前 é.txt", 2)]).toEqual([
    true,
    false,
  ]);
  expect(await fresh.read("deep/other")).toBeUndefined();
});

test("a path that names an existing file on a case-insensitive or normalizing file system is refused", async () => {
  await folder.write("inside/Straße.txt", "first");
  await folder.write("inside/\u00e9.txt", "first");

  for (const path of ["inside/STRASSE.txt", "INSIDE/straße.txt", "inside/e\u0301.txt"])
    await expect(folder.write(path, "second"), path).rejects.toThrow("is not a valid path");
});
