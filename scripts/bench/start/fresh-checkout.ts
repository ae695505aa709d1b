import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";

const projectDirectory = resolve(import.meta.dirname, "../../..");

/** What a checkout does not have: it is made by installing, running or synthesizing. */
const madeLater = new Set(["node_modules", ".git", ".dropleaf", "cdk.out", "dist"]);

/** The packages of the project itself, which npm links to. */
const workspaceScope = "@dropleaf";

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
    if (![".cache", workspaceScope].includes(name))
      await symlink(join(packages, name), join(directory, "node_modules", name));
  }
  await mkdir(join(directory, "node_modules", workspaceScope));
  for (const name of await readdir(join(projectDirectory, "packages"))) {
    await symlink(join(directory, "packages", name), join(directory, "node_modules", workspaceScope, name));
  }
}
