import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";

/** Access to the project's source files, by path relative to the project's root. */
export const source = {
  exists: (path: string): boolean => existsSync(join(projectDirectory, path)),
  read: (path: string): string => readFileSync(join(projectDirectory, path), "utf8"),
  /** Lists files below a folder whose names end with the text `end`. The returned paths include the folder. */
  list: (folder: string, end: string): string[] =>
    readdirSync(join(projectDirectory, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  /**
   * Returns the number of the line after the last match, where another line of this kind can be added. Line numbers start at 1.
   *
   * @throws Error if no line matches, because the file's format has changed and the check is outdated
   */
  lineAfter(path: string, kind: RegExp): number {
    const lines = source.read(path).split("\n");
    const found = lines.findLastIndex((line) => kind.test(line));
    if (found < 0) throw new Error(`${path} has no line like ${kind}. Update scripts/check.`);
    return found + 2;
  },
} as const;
