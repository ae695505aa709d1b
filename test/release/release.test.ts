import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { projectDirectory } from "../../lib/project-directory.ts";
import { serviceVersion } from "../../lib/service-version.ts";
import { type GivenRelease, givenRelease } from "./given-release.ts";

let given: GivenRelease;
beforeEach(() => {
  given = givenRelease();
});
afterEach(() => given.remove());

describe("a release", () => {
  test("creates a tag on the commit, with the CHANGELOG's section for the version", { tags: "slow" }, () => {
    expect(given.release().stdout).toContain("git push origin v1.10.0");

    expect(given.git("tag", "--list", "--format=%(refname:short) %(contents)", "v1.10.0")).toContain(
      "v1.10.0 Dropleaf 1.10.0\n\n- Something new.",
    );
    expect(given.git("rev-parse", "v1.10.0^{commit}")).toBe(given.git("rev-parse", "HEAD"));
  });

  test("is refused with a list of everything that is missing, and creates no tag", { tags: "slow" }, () => {
    given.write("package.json", '{ "version": "1.8.0" }');
    given.write("notes.txt", "not committed");

    const { status, stderr } = given.release();

    expect(status).toBe(1);
    for (const said of [
      "package-lock.json has version 1.10.0, but package.json has 1.8.0. Run npm install --package-lock-only.",
      "server.json has version 1.10.0. Set it to 1.8.0, as in package.json.",
      "The working tree has changes. Commit or stash them.",
      "?? notes.txt",
      'CHANGELOG.md has no section "## 1.8.0"',
      'docs/upgrading.md has no section "## 1.8.0"',
      "There is a later tag, v1.9.0. Release from a commit that includes it.",
    ])
      expect(stderr).toContain(said);
    expect(given.git("tag")).toBe("v1.9.0\n");
  });

  test("cannot be made twice", { tags: "slow" }, () => {
    given.release();

    expect(given.release()).toMatchObject({
      status: 1,
      stderr: "The tag v1.10.0 already exists. Choose another version.\n",
    });
  });
});

test("the CHANGELOG begins with unreleased changes, and lists the versions from newest to oldest", () => {
  const changelog = readFileSync(join(projectDirectory, "CHANGELOG.md"), "utf8");
  const [first, ...versions] = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);

  expect(first).toBe("Unreleased");
  for (const heading of versions) expect(heading).toMatch(/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d$/);
  const sorted = versions.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }));
  expect(versions).toEqual(sorted);
});

test("package.json and its lock file have the service's version", () => {
  const versionIn = (file: string) => JSON.parse(readFileSync(join(projectDirectory, file), "utf8")).version;

  expect([versionIn("package.json"), versionIn("package-lock.json")]).toEqual([
    serviceVersion,
    serviceVersion,
  ]);
});
