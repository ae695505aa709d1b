import { spawnSync } from "node:child_process";

/** Whether something may have changed, and otherwise since when nothing has. */
export type Change = { readonly isPossible: true } | { readonly isPossible: false; readonly since: string };

/**
 * Whether files or folders have changed in the working tree, or in the commits that the upstream branch does not have: in the
 * last commit where there is no upstream. Where git cannot tell, they may have.
 */
export function findChange(directory: string, paths: readonly string[]): Change {
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", words, { cwd: directory, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const upstream = git("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}");
  const base = upstream === undefined ? git("rev-parse", "HEAD~1") : git("merge-base", "HEAD", "@{upstream}");
  if (base === undefined) return { isPossible: true };
  const changed = git("diff", "--name-only", base, "--", ...paths);
  const added = git("ls-files", "--others", "--exclude-standard", "--", ...paths);
  if (changed !== "" || added !== "") return { isPossible: true };
  return { isPossible: false, since: upstream ?? "the commit before the last" };
}
