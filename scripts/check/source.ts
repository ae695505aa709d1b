import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";

/** The project's sources as they are read by whoever looks for a line. */
export const source = {
  exists: (path: string): boolean => existsSync(join(projectDirectory, path)),
  read: (path: string): string => readFileSync(join(projectDirectory, path), "utf8"),
  /** The files of a folder whose name ends so, with the folder's path. */
  list: (folder: string, end: string): string[] =>
    readdirSync(join(projectDirectory, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(end))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  /**
   * The number of the line after the last one that the expression finds, counted from 1: where to write the next of its
   * kind.
   *
   * @throws Error where no line is like that: the file has changed its form, and the check must follow
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
