import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readChanges } from "./changed-files.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-changed-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const watched = ["local", "lib/settings.ts"];

function git(...words: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  execFileSync("git", [...who, ...words], { cwd: directory, stdio: "ignore" });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

function commit(path: string, text: string): void {
  write(path, text);
  git("add", ".");
  git("commit", "--quiet", "--message", "a change");
}

test("where git knows of nothing before, anything may have changed", () => {
  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });
  git("init", "--quiet");
  commit("local/cloud.ts", "one");

  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });
});

test("without an upstream branch the last commit counts, and what is not committed", () => {
  git("init", "--quiet");
  commit("local/cloud.ts", "one");
  commit("lib/settings.ts", "one");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });

  commit("docs/runbook.md", "one");
  write("lib/edge/edge.ts", "another module");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: false, since: "the commit before the last" });

  write("local/new.ts", "not added");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });
  rmSync(join(directory, "local/new.ts"));
  write("lib/settings.ts", "two");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });
});

test("of a branch all commits count that its upstream branch does not have", () => {
  git("init", "--quiet", "--initial-branch", "main");
  commit("local/cloud.ts", "one");
  git("checkout", "--quiet", "-b", "feature", "--track", "main");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: false, since: "main" });

  commit("local/cloud.ts", "two");
  commit("docs/runbook.md", "one");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });

  git("branch", "--force", "main", "feature");
  expect(readChanges(directory)(watched)).toEqual({ isPossible: false, since: "main" });
});

test("what has moved out of a folder has changed it", () => {
  git("init", "--quiet");
  commit("local/größe.ts", "one");
  mkdirSync(join(directory, "docs"));
  git("mv", "local/größe.ts", "docs/moved.ts");
  git("commit", "--quiet", "--message", "a move");

  expect(readChanges(directory)(watched)).toEqual({ isPossible: true });
});
