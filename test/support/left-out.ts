import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { readChanges } from "./changed-files.ts";

const root = resolve(import.meta.dirname, "../..");
const thorough = "test/support/thorough.ts";

/** Tests of a part that has a folder of its own, which the short form has where that part has changed. */
interface Part {
  readonly tests: string;
  readonly called: string;
  /** The folders and files that the tests stand on, beside what they and these import. */
  readonly on: readonly string[];
}

const allParts: readonly Part[] = [
  {
    tests: "packages/local-cloud/test",
    called: "the local cloud's own tests",
    on: ["packages/local-cloud/src"],
  },
  { tests: "test/local", called: "the tests of npm start", on: ["local", "bin", "packages/local-cloud/src"] },
  { tests: "test/operator", called: "the tests of the operator's commands", on: ["scripts/operator"] },
  {
    tests: "test/renders",
    called: "the tests of how pages are drawn",
    on: ["functions/renders", "lib/lambda/renderer.ts", "lib/bundle/browser-files.ts"],
  },
  {
    tests: "test/workers",
    called: "the tests of what is done afterwards",
    on: ["functions/background", "functions/table-stream"],
  },
  {
    tests: "test/events",
    called: "the tests of events and webhooks",
    on: ["functions/background", "functions/events", "functions/table-stream"],
  },
  {
    tests: "test/browser/isolation",
    called: "what hostile pages try in a browser",
    on: ["functions", "lib/edge", "lib/settings/domain.ts"],
  },
  { tests: "test/browser/pages", called: "the tests of how every page looks", on: ["functions"] },
  { tests: "test/service-modes", called: "the tests of other settings", on: ["lib", "functions"] },
  {
    tests: "test/identity",
    called: "the tests of sign-in and readers",
    on: ["functions/identity", "functions/oauth"],
  },
  { tests: "test/oauth", called: "the tests of OAuth", on: ["functions/identity", "functions/oauth"] },
  { tests: "test/lib", called: "the tests of the template and of bundles", on: ["lib", "functions"] },
  { tests: "test/faults", called: "the tests of faults at calls to AWS", on: ["functions"] },
];

/** Files that every test depends on. */
const dependencies = ["package.json", "package-lock.json", "vitest.config.ts"];

/** The files that a run does not have, and how that is told when there are such that it might have had. */
export interface LeftOut {
  readonly files: string[];
  readonly telling?: string;
}

/**
 * Divides the tests between their two forms, by the variable `TESTS`:
 *
 * - `short`, as `npm test` says: every guarantee at least once. Without `*.long.test.ts`, and without the tests of a part, such as
 *   the local cloud, where nothing that they stand on has changed; or, by `TESTS_PARTS=later`, in any case: for who runs them whole afterwards.
 * - `long`, as `npm run test:slow` says first: what the short form leaves out or has a choice of, the parts apart.
 * - `parts`, as it says then: the tests of the parts, whole, since nobody knows whether the short form had them.
 * - `all`: all of it. Without a word all files too, with the choice of the short form, for who names a file or a project.
 *
 * @throws Error that says which words there are
 */
export function leftOutOf(tests = "", parts = process.env.TESTS_PARTS ?? ""): LeftOut {
  switch (tests) {
    case "":
    case "all":
      return { files: [] };
    case "long":
      return { files: testFiles().filter((file) => isOfPart(file) || (!isLong(file) && !hasChoice(file))) };
    case "parts":
      return { files: testFiles().filter((file) => !isOfPart(file)) };
    case "short": {
      if (!["", "later"].includes(parts))
        throw new Error(`TESTS_PARTS is ${JSON.stringify(parts)}: write later, or leave it away.`);
      if (parts === "later") return { files: testFiles().filter((file) => isLong(file) || isOfPart(file)) };
      const changeIn = readChanges(root);
      const unchanged = allParts.flatMap((part) => {
        const ground = [part.tests, ...part.on];
        const change = changeIn([...dependencies, ...ground, ...ground.flatMap(importsFrom)]);
        return change.isPossible
          ? []
          : [{ ...part, ...change, files: filesBelow(part.tests, /\.test\.ts$/) }];
      });
      const files = [...testFiles().filter(isLong), ...unchanged.flatMap((part) => part.files)];
      if (unchanged.length === 0) return { files };
      const telling = unchanged.map(
        ({ tests, called, since, files: { length } }) =>
          `Left out: ${called} (${length} files). Nothing that they stand on has changed since ${since}. To run them: npx vitest run ${tests}`,
      );
      return { files, telling: telling.join("\n") };
    }
    default:
      throw new Error(
        `TESTS is ${JSON.stringify(tests)}: write short, long, parts or all, or leave it away.`,
      );
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
const isOfPart = (file: string) => allParts.some(({ tests }) => file.startsWith(`${tests}/`));

function filesBelow(folder: string, name: RegExp): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files.filter((file) => name.test(file)).map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
}

const testFiles = () => ["test", "packages"].flatMap((folder) => filesBelow(folder, /\.test\.ts$/));

/** The files of the project that a file imports by itself. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const imported = text.matchAll(/^(?:import|export|\})[^"\n]*"(\.{1,2}\/[^"?]+)[^"\n]*"/gm);
  return [...imported].map(([, path = ""]) => relative(root, resolve(root, dirname(file), path)));
}

/** Imports of a file, or of a folder's code. */
const importsFrom = (path: string) =>
  (/\.tsx?$/.test(path) ? [path] : filesBelow(path, /\.tsx?$/)).flatMap(importsOf);

/** Recognizes tests that choose among variants, also through imports. */
function hasChoice(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !file.startsWith("test/")) return file === thorough;
  seen.add(file);
  return file === thorough || importsOf(file).some((imported) => hasChoice(imported, seen));
}
