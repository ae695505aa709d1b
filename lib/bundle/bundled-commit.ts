import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { projectDirectory } from "../project-directory.ts";

/** Files and folders from which the bundles are built. The location of the checkout does not change the bundles. */
export const bundledPaths: readonly string[] = [
  "functions",
  "lib/bundle/browser-files.ts",
  "lib/bundle/build-id.ts",
  "lib/bundle/bundle.ts",
  "lib/bundle/function-source.ts",
  "lib/bundle/own-credentials.ts",
  "lib/bundle/page-assets.ts",
  "lib/bundle/without-schema-validator.ts",
  "lib/bundle/without-entities.ts",
  "lib/project-directory.ts",
  "packages/renderer",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/**
 * Returns the last commit that changed an input of the bundles, so that a commit that only changes docs does not change the functions. The
 * suffix `+changes` marks a working tree with changes. Returns undefined without a repository.
 */
export async function bundledCommit(directory = projectDirectory): Promise<string | undefined> {
  const git = async (...words: string[]) =>
    (await promisify(execFile)("git", words, { cwd: directory })).stdout.trim();
  try {
    const commit = await git("log", "-1", "--format=%H", "--", ...bundledPaths);
    if (commit === "") return undefined;
    const changes = await git("status", "--porcelain", "--", ...bundledPaths);
    return `${commit.slice(0, 12)}${changes === "" ? "" : "+changes"}`;
  } catch {
    return undefined;
  }
}
