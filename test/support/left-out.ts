import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { findChange } from "./changed-files.ts";

const root = resolve(import.meta.dirname, "../..");
const thorough = "test/support/thorough.ts";

/** What the local cloud's own tests stand on, beside what these import. */
const localCloud = ["local", "test/local", "bin", "package.json", "package-lock.json", "vitest.config.ts"];

/** The files that a run does not have, and how that is told when there are such that it might have had. */
export interface LeftOut {
  readonly files: string[];
  readonly telling?: string;
}

/**
 * Divides the tests between their two forms, by the variable `TESTS`:
 *
 * - `short`, as `npm test` says: every guarantee at least once. Without `*.long.test.ts`, and without the local cloud's own
 *   tests where nothing that they stand on has changed.
 * - `long`, as `npm run test:thorough` says: what the short form leaves out or has a choice of.
 * - `all`: both. Without a word all files too, with the choice of the short form, for who names a file or a project.
 *
 * @throws Error that says which words there are
 */
export function leftOutOf(tests = ""): LeftOut {
  switch (tests) {
    case "":
    case "all":
      return { files: [] };
    case "long":
      return {
        files: testFiles().filter((file) => !isLong(file) && !isOfLocalCloud(file) && !hasChoice(file)),
      };
    case "short": {
      const long = testFiles().filter(isLong);
      const local = testFiles().filter(isOfLocalCloud);
      const change = findChange(root, [...localCloud, ...importsFrom("local"), ...importsFrom("test/local")]);
      if (change.isPossible) return { files: long };
      const telling = `Left out: the local cloud's own tests (${local.length} files). Nothing that they stand on has changed since ${change.since}. To run them: npx vitest run test/local`;
      return { files: [...long, ...local], telling };
    }
    default:
      throw new Error(`TESTS is ${JSON.stringify(tests)}: write short, long or all, or leave it away.`);
  }
}

/** Says at the end of a run what it has left out. */
export function leftOutPlugin({ telling }: LeftOut): Plugin {
  return {
    name: "left-out",
    configureVitest({ vitest, project }) {
      const [first] = vitest.projects;
      if (telling !== undefined && project === first)
        vitest.onClose(() => vitest.logger.log(`\n${telling}\n`));
    },
  };
}

const isLong = (file: string) => file.endsWith(".long.test.ts");
const isOfLocalCloud = (file: string) => file.startsWith("test/local/");

function filesBelow(folder: string, end: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(end)).map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

const testFiles = () => filesBelow("test", ".test.ts");

/** The modules of the project that a file imports by itself. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const imported = text.matchAll(/^(?:import|export|\})[^"\n]*"(\.{1,2}\/[^"]+\.tsx?)"/gm);
  return [...imported].map(([, path = ""]) => relative(root, resolve(root, dirname(file), path)));
}

const importsFrom = (folder: string) => filesBelow(folder, ".ts").flatMap(importsOf);

/** Whether a test has a choice to make, itself or by what it imports of the tests. */
function hasChoice(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !file.startsWith("test/")) return file === thorough;
  seen.add(file);
  return file === thorough || importsOf(file).some((imported) => hasChoice(imported, seen));
}
