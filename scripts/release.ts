/**
 * `npm run release` tags the checked-out commit with the version in package.json, or explains why it cannot. With `--dry-run`, it creates
 * no tag, and packs the packages like the workflow that a tag starts.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean" } } });
const version = versionOf("package.json");
const tag = `v${version}`;
const notes = sectionOf(readFileSync("CHANGELOG.md", "utf8"), version);
const problems = findProblems();

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
} else if (values["dry-run"]) {
  console.log(`${tag} can be tagged here. Its notes:\n\n${notes}`);
  const pack = join(import.meta.dirname, "pack/pack.ts");
  execFileSync(process.execPath, ["--import", "tsx", pack, "--publish", "--dry-run"], {
    cwd: join(import.meta.dirname, ".."),
    stdio: "inherit",
  });
} else {
  git("tag", "--annotate", tag, "--message", `Dropleaf ${version}\n\n${notes}`, "--cleanup=verbatim");
  console.log(`Tagged ${tag}. To publish it, run: git push origin ${tag}`);
}

function versionOf(file: string): string {
  return JSON.parse(readFileSync(file, "utf8")).version;
}

function findProblems(): string[] {
  const [lockVersion, serverVersion] = ["package-lock.json", "server.json"].map(versionOf);
  const changes = git("status", "--porcelain");
  const upgrading = readFileSync("docs/upgrading.md", "utf8");
  const later = git("tag", "--list", "v*")
    .split("\n")
    .filter((one) => /^v\d+\.\d+\.\d+$/.test(one) && isLater(one.slice(1), version));
  const found = [
    !/^\d+\.\d+\.\d+$/.test(version) &&
      `The version in package.json is "${version}". Use three numbers, such as 1.2.3.`,
    lockVersion !== version &&
      `package-lock.json has version ${lockVersion}, but package.json has ${version}. Run npm install --package-lock-only.`,
    serverVersion !== version &&
      `server.json has version ${serverVersion}. Set it to ${version}, as in package.json.`,
    changes !== "" && `The working tree has changes. Commit or stash them.\n${changes}`,
    notes === undefined &&
      `CHANGELOG.md has no section "## ${version}". Rename the section "Unreleased" to this version, with the date.`,
    notes === "" && `The section "## ${version}" of CHANGELOG.md is empty.`,
    sectionOf(upgrading, version) === undefined &&
      `docs/upgrading.md has no section "## ${version}". Describe the steps before and after the upgrade, or say that none are needed.`,
    git("tag", "--list", tag) !== "" && `The tag ${tag} already exists. Choose another version.`,
    ...later.map((one) => `There is a later tag, ${one}. Release from a commit that includes it.`),
  ];
  return found.filter((problem) => problem !== false);
}

/** Finds the section below the heading `## <version>`, with or without a date. Returns undefined if the heading is missing. */
function sectionOf(text: string, wanted: string): string | undefined {
  const [, ...sections] = text.split(/^## /m);
  const found = sections.find((one) => one.split(/[\s,]/, 1)[0] === wanted);
  return found?.slice(found.indexOf("\n")).trim();
}

function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, "en", { numeric: true }) > 0;
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8" }).trim();
}
