import { spawnSync } from "node:child_process";

/** Possible change, or the time since when nothing changed. */
export type Change = { readonly isPossible: true } | { readonly isPossible: false; readonly since: string };

/**
 * Looks once at what has changed in the working tree, or in the commits that the upstream branch does not have: in the last
 * commit where there is no upstream. Gives whether files or folders are among it; where git cannot tell, they may be.
 */
export function readChanges(directory: string): (paths: readonly string[]) => Change {
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync("git", words, { cwd: directory, encoding: "utf8" });
    return status === 0 ? stdout.trim() : undefined;
  };
  const upstream = git("rev-parse", "--abbrev-ref", "--symbolic-full-name", "@{upstream}");
  const base = upstream === undefined ? git("rev-parse", "HEAD~1") : git("merge-base", "HEAD", "@{upstream}");
  // What has moved has left its old place, too.
  const changed = base && git("diff", "--name-only", "--no-renames", "--relative", "-z", base);
  const added = git("ls-files", "--others", "--exclude-standard", "-z");
  if (changed === undefined || added === undefined) return () => ({ isPossible: true });
  const files = [...changed.split("\0"), ...added.split("\0")];
  const isBelow = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));
  return (paths) =>
    paths.some(isBelow)
      ? { isPossible: true }
      : { isPossible: false, since: upstream ?? "the commit before the last" };
}
