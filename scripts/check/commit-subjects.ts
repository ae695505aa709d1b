import { execFileSync } from "node:child_process";
import { problemOfSubject } from "./commit-subject.ts";

// Part of `npm run check`. Checks the subjects of commits since the last release that contains this check. Without git, checks nothing.

const ownFile = "scripts/check/commit-subject.ts";

/** Runs git. Returns the printed lines, or an empty list if git, the repository or the object is missing. */
function git(...args: readonly string[]): string[] {
  try {
    const output = execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}

const [release] = git("describe", "--tags", "--abbrev=0", "--match", "v*");
const hasCheck = release !== undefined && git("cat-file", "-t", `${release}:${ownFile}`).length > 0;
const [start] = hasCheck ? [release] : git("log", "--diff-filter=A", "--format=%H", "--", ownFile);
const commits = start === undefined ? [] : git("log", "--no-merges", "--format=%h %s", `${start}..HEAD`);
const problems = commits.flatMap((commit) => {
  const [hash = "", ...words] = commit.split(" ");
  const problem = problemOfSubject(words.join(" "));
  return problem === undefined ? [] : [`The subject of commit ${hash} ${problem}.`];
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
