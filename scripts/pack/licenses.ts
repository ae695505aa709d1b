import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Metafile } from "esbuild";
import { projectDirectory } from "../../lib/project-directory.ts";

/** Lists the source files of bundles. */
export function bundledFiles(...metafiles: readonly Metafile[]): readonly string[] {
  return metafiles.flatMap(({ inputs }) => Object.keys(inputs));
}

/** Writes the licenses of the packages that contain these files. */
export async function writeLicenses(file: string, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  const texts = [...folders].sort().map(async (folder) => {
    const directory = resolve(projectDirectory, folder);
    const { name, version, license } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
    const names = (await readdir(directory)).filter((one) => /^(licen[cs]e|notice)/i.test(one));
    const parts = await Promise.all(names.map((one) => readFile(join(directory, one), "utf8")));
    return [`${name} ${version}: ${license}`, ...parts].join("\n\n");
  });
  await writeFile(file, (await Promise.all(texts)).join(`\n\n${"-".repeat(80)}\n\n`));
}
