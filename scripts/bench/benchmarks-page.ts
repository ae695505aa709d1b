import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";

const projectDirectory = resolve(import.meta.dirname, "../..");
const pageFile = "docs/benchmarks.md";

/**
 * Puts a section's text into docs/benchmarks.md, between the two comments that name it.
 *
 * @throws Error when the page has no place for the section
 */
export async function writeSection(name: string, text: string): Promise<void> {
  const path = resolve(projectDirectory, pageFile);
  const page = await readFile(path, "utf8");
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [beginAt, endAt] = [page.indexOf(begin), page.indexOf(end)];
  if (beginAt < 0 || endAt < beginAt) {
    throw new Error(
      `${pageFile} has no place for the section ${name}: write ${begin} and ${end} into it, a line each.`,
    );
  }
  await writeFile(path, `${page.slice(0, beginAt)}${begin}\n\n${text}\n\n${page.slice(endAt)}`);
}

/** Writes figures that other programs read, as JSON that the project's check passes; the path is relative to the root of the project. */
export async function writeDataFile(path: string, data: unknown): Promise<void> {
  const file = resolve(projectDirectory, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(data, undefined, 2));
  await promisify(execFile)(resolve(projectDirectory, "node_modules/.bin/biome"), [
    "format",
    "--write",
    file,
  ]);
}
