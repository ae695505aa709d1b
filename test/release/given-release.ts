import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { projectDirectory } from "../../lib/project-directory.ts";

/** A repository whose version 1.10.0 can be tagged. */
export interface GivenRelease {
  git(...words: string[]): string;
  write(path: string, text: string): void;
  /** Runs `npm run release` in the repository. */
  release(...words: string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  remove(): void;
}

/** Creates a repository with a release in a temporary folder. */
export function givenRelease(): GivenRelease {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-release-"));
  const git = (...words: string[]) => execFileSync("git", words, { cwd: directory, encoding: "utf8" });
  const write = (path: string, text: string) => writeFileSync(join(directory, path), text);
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
  return {
    git,
    write,
    release(...words) {
      const tsx = fileURLToPath(import.meta.resolve("tsx"));
      const command = ["--import", tsx, join(projectDirectory, "scripts/release.ts"), ...words];
      return spawnSync(process.execPath, command, { cwd: directory, encoding: "utf8" });
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
