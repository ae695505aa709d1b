import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";

const projectDirectory = resolve(import.meta.dirname, "../../..");

/** What a checkout does not have: it is made by installing, running or synthesizing. */
const madeLater = new Set(["node_modules", ".git", ".dropleaf", "cdk.out", "dist"]);

/**
 * Copies the project into a folder as it is right after `npm ci`: every package, linked to the one that is installed
 * here, and nothing that earlier runs have left, such as `node_modules/.cache`.
 */
export async function createFreshCheckout(directory: string): Promise<void> {
  for (const name of await readdir(projectDirectory)) {
    if (!madeLater.has(name))
      await cp(join(projectDirectory, name), join(directory, name), { recursive: true });
  }
  const packages = join(projectDirectory, "node_modules");
  await mkdir(join(directory, "node_modules"));
  for (const name of await readdir(packages)) {
    if (name !== ".cache") await symlink(join(packages, name), join(directory, "node_modules", name));
  }
}
