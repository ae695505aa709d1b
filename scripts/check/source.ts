import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";

/** The sources of the project, by paths from its root. */
export const source = {
  exists: (path: string): boolean => existsSync(join(projectDirectory, path)),
  read: (path: string): string => readFileSync(join(projectDirectory, path), "utf8"),
  /** Files below a folder whose names end with this text, with the folder's path. */
  list: (folder: string, end: string): string[] =>
    readdirSync(join(projectDirectory, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  /**
   * Number of the line after the last one that matches, counted from 1: the place for the next line of its kind.
   *
   * @throws Error if no line matches, because the file's form has changed and the check is outdated
   */
  lineAfter(path: string, kind: RegExp): number {
    const found = source
      .read(path)
      .split("\n")
      .findLastIndex((line) => kind.test(line));
    if (found < 0) throw new Error(`${path} has no line like ${kind}: mend scripts/check.`);
    return found + 2;
  },
} as const;
