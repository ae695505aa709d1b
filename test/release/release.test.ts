import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serviceVersion } from "../../lib/service-version.ts";

const projectDirectory = resolve(import.meta.dirname, "../..");
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-release-"));
  mkdirSync(join(directory, "docs"));
  git("init", "--quiet");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  write("package.json", '{ "version": "1.10.0" }');
  write("package-lock.json", '{ "version": "1.10.0" }');
  write("server.json", '{ "version": "1.10.0" }');
  write(
    "CHANGELOG.md",
    "# Changelog\n\n## Unreleased\n\n## 1.10.0, 2026-11-22\n\n- Something new.\n\n## 1.9.0\n\n- Old.\n",
  );
  write("docs/upgrading.md", "# Upgrading\n\n## 1.10.0\n\nNothing to do.\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
  git("tag", "v1.9.0");
});
afterEach(() => rmSync(directory, { recursive: true }));

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: directory, encoding: "utf8" });
}

function write(path: string, text: string): void {
  writeFileSync(join(directory, path), text);
}

function release(...words: string[]) {
  const tsx = fileURLToPath(import.meta.resolve("tsx"));
  const command = ["--import", tsx, join(projectDirectory, "scripts/release.ts"), ...words];
  return spawnSync(process.execPath, command, { cwd: directory, encoding: "utf8" });
}

describe("a release", () => {
  test("is a tag on the commit, with what the CHANGELOG says of the version", () => {
    expect(release().stdout).toContain("git push origin v1.10.0");

    expect(git("tag", "--list", "--format=%(refname:short) %(contents)", "v1.10.0")).toContain(
      "v1.10.0 Dropleaf 1.10.0\n\n- Something new.",
    );
    expect(git("rev-parse", "v1.10.0^{commit}")).toBe(git("rev-parse", "HEAD"));
  });

  test("packs with --dry-run what the tag would publish, and neither tags nor publishes", {
    tags: "slow",
  }, () => {
    const { stdout } = release("--dry-run");

    expect(stdout).toContain("v1.10.0 can be tagged here. Its notes:\n\n- Something new.\n");
    for (const name of ["@dropleaf/local-cloud", "@dropleaf/stack", "dropleaf", "create-dropleaf"])
      expect(stdout).toContain(`\n${name}@${serviceVersion}: `);
    expect(stdout).toContain("\nnpm would publish all of them.\n");
    expect(git("tag")).toBe("v1.9.0\n");
  });

  test("is refused with all that is missing, and leaves no tag", () => {
    write("package.json", '{ "version": "1.8.0" }');
    write("notes.txt", "not committed");

    const { status, stderr } = release();

    expect(status).toBe(1);
    for (const said of [
      "package-lock.json has version 1.10.0, package.json 1.8.0: npm install --package-lock-only",
      "server.json has version 1.10.0: write 1.8.0, as in package.json.",
      "The working tree has changes: commit them, or put them away.",
      "?? notes.txt",
      'CHANGELOG.md has no section "## 1.8.0"',
      'docs/upgrading.md has no section "## 1.8.0"',
      "There is a later tag, v1.9.0: a release goes on from it.",
    ])
      expect(stderr).toContain(said);
    expect(git("tag")).toBe("v1.9.0\n");
  });

  test("is not made twice", () => {
    release();

    expect(release()).toMatchObject({
      status: 1,
      stderr: "There is a tag v1.10.0 already: the next release has another version.\n",
    });
  });
});

test("the CHANGELOG has what is not released yet on top, and then the versions, the latest first", () => {
  const changelog = readFileSync(join(projectDirectory, "CHANGELOG.md"), "utf8");
  const [first, ...versions] = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

  expect(first).toBe("Unreleased");
  for (const heading of versions) expect(heading).toMatch(/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d$/);
  const sorted = versions.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }));
  expect(versions).toEqual(sorted);
});

test("there is one version, which package.json has and its lock file repeats", () => {
  const versionIn = (file: string) => JSON.parse(readFileSync(join(projectDirectory, file), "utf8")).version;

  expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual([
    serviceVersion,
    serviceVersion,
  ]);
});
