import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import { compileProject, writeLocalCloud } from "./compiled-packages.ts";
import type { Manifest } from "./manifest.ts";
import { writeRenderer } from "./renderer-package.ts";
import { writeStack } from "./stack-package.ts";

/** A packed package, as `npm pack --json` describes it. */
export interface PackedPackage {
  /** Name and version of the package, such as `dropleaf@1.2.3`. */
  readonly id: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

/** Fields of package.json that only the repository needs. */
const ownFields = ["private", "workspaces", "scripts", "devDependencies", "overrides", "knip", "files"];

const run = promisify(execFile);

/**
 * Writes each published package as a folder and as a `.tgz` file. All packages get the version of the root package.
 *
 * @throws Error if a package cannot be built
 */
export async function packPackages(directory: string): Promise<PackedPackage[]> {
  await rm(directory, { recursive: true, force: true });
  const compiled = join(directory, "compiled");
  await compileProject(compiled);
  const folders = await Promise.all([
    stagePackage("packages/local-cloud", directory, (target, own) => writeLocalCloud(target, own, compiled)),
    stagePackage("packages/renderer", directory, writeRenderer),
    stagePackage(".", directory, (target, root) => writeStack(target, root, compiled)),
    stagePackage("packages/cli", directory, writeBuilt),
    stagePackage("packages/create", directory, writeBuilt),
  ]);
  await rm(compiled, { recursive: true });
  const { stdout } = await run("npm", ["pack", "--json", ...folders], { cwd: directory });
  return JSON.parse(stdout);
}

/** Publishes packed packages to npm's registry, dependencies first. */
export async function publishPackages(
  packed: readonly Pick<PackedPackage, "filename">[],
  directory: string,
  environment: NodeJS.ProcessEnv,
  words: readonly string[] = [],
): Promise<void> {
  const options = { cwd: directory, env: environment };
  for (const { filename } of packed)
    await run("npm", ["publish", `./${filename}`, "--access", "public", ...words], options);
}

/**
 * Writes a package's folder, including README and license.
 *
 * @param write function that writes the other files, and returns changed fields for package.json
 */
async function stagePackage(
  path: string,
  directory: string,
  write: (target: string, manifest: Manifest, source: string) => Promise<Partial<Manifest>>,
): Promise<string> {
  const source = join(projectDirectory, path);
  const manifest = await readManifest(source);
  const target = join(directory, basename(manifest.name));
  await mkdir(target, { recursive: true });
  await cp(join(source, "README.md"), join(target, "README.md"));
  await cp(join(projectDirectory, "LICENSE"), join(target, "LICENSE"));
  const { version } = await readManifest(projectDirectory);
  const changed = { ...(await write(target, manifest, source)), version, repository: repository() };
  const fields = { ...manifest, ...changed };
  const published = Object.fromEntries(Object.entries(fields).filter(([name]) => !ownFields.includes(name)));
  await writeFile(join(target, "package.json"), JSON.stringify(published, undefined, 2));
  return `./${basename(target)}`;
}

async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
}

/** Returns the publishing workflow's repository, which npm verifies; see "Generating provenance statements", npm documentation. */
function repository() {
  const name = process.env.GITHUB_REPOSITORY;
  return name === undefined ? undefined : { type: "git", url: `git+https://github.com/${name}.git` };
}

/** Runs the build script of a package that bundles its own code. */
async function writeBuilt(target: string, _: Manifest, source: string): Promise<Partial<Manifest>> {
  await run(process.execPath, [join(source, "build.ts"), join(target, "dist")]);
  return {};
}
