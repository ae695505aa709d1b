import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { entryPath, type FolderFile } from "../../functions/folders/folder.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { type Artefact, sourceOf } from "./artefact.ts";

const run = promisify(execFile);

/** Folder of builds and packages, which git ignores. */
const corpusDirectory = join(projectDirectory, ".corpus");
const readyDirectory = join(corpusDirectory, ".ready");
const samplesDirectory = join(projectDirectory, "scripts/corpus/samples");

/** Dependencies are installed in the latest versions that were published before this date, so that all runs install the same versions. */
const packagesBefore = "2026-11-28";
const buildMsMax = 6 * 60 * 1000;
const outputBytesMax = 2 ** 26;

/** An artefact with the folder of its build. */
export interface BuiltArtefact extends Artefact {
  readonly directory: string;
}

/** Finds programs that the artefact requires and that are missing on this machine. */
export function missingPrograms({ programs = [] }: Artefact): string[] {
  const path = (process.env.PATH ?? "").split(delimiter);
  return programs.filter((program) => !path.some((folder) => existsSync(join(folder, program))));
}

/** Downloads the `ready` packages of all artefacts with one command. */
export async function downloadReady(artefacts: readonly Artefact[]): Promise<void> {
  const wanted = artefacts.flatMap(({ ready }) =>
    Object.entries(ready).map(([name, version]) => `${name}@${version}`),
  );
  const missing = [...new Set(wanted)].filter((spec) => !existsSync(join(readyDirectory, spec)));
  if (missing.length === 0) return;
  await mkdir(readyDirectory, { recursive: true });
  const output = await runLine(`npm pack --json ${missing.join(" ")}`, readyDirectory);
  const packed: { readonly id: string; readonly filename: string }[] = Object.values(JSON.parse(output));
  for (const { id, filename } of packed) {
    const folder = join(readyDirectory, `${id}.part`);
    await mkdir(folder, { recursive: true });
    await run("tar", ["-xzf", join(readyDirectory, filename), "-C", folder, "--strip-components=1"]);
    await rename(folder, join(readyDirectory, id));
    await rm(join(readyDirectory, filename));
  }
}

/**
 * Builds an artefact, unless its definition and samples are unchanged since the last build.
 *
 * @throws Error with the last output of the failed command
 */
export async function buildArtefact(artefact: Artefact): Promise<BuiltArtefact> {
  const folder = join(corpusDirectory, artefact.name);
  const directory = join(folder, artefact.output ?? "out");
  const stamp = join(folder, ".built");
  const inputs = inputsOf(artefact);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === inputs) return { ...artefact, directory };
  await rm(stamp, { force: true });
  for (const entry of existsSync(folder) ? readdirSync(folder) : [])
    if (!/^(node_modules|package.*\.json)$/.test(entry)) await rm(join(folder, entry), { recursive: true });
  await mkdir(folder, { recursive: true });
  if (artefact.packages) await install(folder, artefact.packages);
  await writeInputs(artefact, folder);
  for (const line of artefact.run ?? []) await runLine(line, folder);
  const { entry = entryPath } = artefact;
  if (!existsSync(join(directory, entry))) throw new Error(`The build wrote no ${join(directory, entry)}`);
  await writeFile(stamp, inputs);
  return { ...artefact, directory };
}

/** Lists the files of a built artefact for publication. */
export function filesOf({ directory }: Pick<BuiltArtefact, "directory">): FolderFile[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(directory, path)).isFile())
    .map((path) => ({ path, bytes: readFileSync(join(directory, path)) }));
}

async function writeInputs(artefact: Artefact, folder: string): Promise<void> {
  for (const sample of artefact.samples ?? [])
    await cp(join(samplesDirectory, sample), folder, { recursive: true });
  for (const [path, text] of Object.entries(artefact.files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const [path, from] of Object.entries(artefact.copies))
    await cp(join(readyDirectory, from), join(folder, "out", path), { recursive: true });
}

/** Installs packages into a separate folder, without their install scripts. */
async function install(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const manifest = { name: `corpus-${basename(folder)}`, private: true, dependencies };
  const text = JSON.stringify(manifest, undefined, 2);
  const installed = join(folder, "node_modules/.corpus.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === text) return;
  await writeFile(join(folder, "package.json"), text);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", "--prefer-offline"];
  await runLine(["npm install", ...flags, `--before ${packagesBefore}`].join(" "), folder);
  await writeFile(installed, text);
}

/** Runs a shell command. Returns its output. */
async function runLine(line: string, folder: string): Promise<string> {
  // Removes the environment variables by which tools detect a test run.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV$|NODE_OPTIONS$|npm_)/.test(name),
  );
  const paths = [join(folder, "node_modules/.bin"), dirname(process.execPath), process.env.PATH];
  const env = { ...Object.fromEntries(own), PATH: paths.join(delimiter), CI: "true", NO_COLOR: "1" };
  try {
    const options = { cwd: folder, env, timeout: buildMsMax, maxBuffer: outputBytesMax };
    return (await run("/bin/sh", ["-c", line], options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${line}\n${`${stdout}\n${stderr}`.trim().slice(-1_000)}`);
  }
}

/** Computes a digest of all inputs of a build. */
function inputsOf(artefact: Artefact): string {
  const { click: _click, inner: _inner, isLight: _light, ...built } = artefact;
  const hash = createHash("sha256").update(JSON.stringify([sourceOf(artefact), packagesBefore, built]));
  for (const sample of artefact.samples ?? []) {
    const folder = join(samplesDirectory, sample);
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (statSync(join(folder, path)).isFile()) hash.update(path).update(readFileSync(join(folder, path)));
  }
  return hash.digest("hex");
}
