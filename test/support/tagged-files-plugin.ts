import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { projectDirectory } from "../../lib/project-directory.ts";

/** Recognizes files whose tests a run excludes, by the tag filter in the run's script in package.json. */
export const isLeftOut: Readonly<Record<string, (file: string) => boolean>> = {
  "!slow and !nightly": (file) => hasModuleTag(file, "slow") || hasModuleTag(file, "nightly"),
  "!nightly": (file) => hasModuleTag(file, "nightly"),
  nightly: (file) => !mentionsNightly(file),
};

/**
 * Excludes files without a selected test. Vitest would load each of them, some in their own process, to find no
 * tests.
 */
export function taggedFilesPlugin(): Plugin {
  return {
    name: "tagged-files",
    configureVitest({ vitest, project }) {
      const filters = vitest.config.tagsFilter ?? [];
      const isUnneeded = filters.length === 1 ? isLeftOut[filters[0] ?? ""] : undefined;
      if (isUnneeded === undefined) return;
      const { include, exclude } = project.config;
      const files = globSync(include, { cwd: projectDirectory, exclude });
      // A new list: projects share the one of the configuration.
      project.config.exclude = [
        ...exclude,
        ...files.filter((file) => isUnneeded(resolve(projectDirectory, file))),
      ];
    },
  };
}

function hasModuleTag(file: string, tag: string): boolean {
  return readFileSync(file, "utf8").split("\n").includes(`// @module-tag ${tag}`);
}

/** Results by file. During the search, files in an import cycle count as untagged. */
const known = new Map<string, boolean>();

/** Finds the tag in a file, or in a test module that it imports and that may define its tests. */
function mentionsNightly(file: string): boolean {
  const found = known.get(file);
  if (found !== undefined) return found;
  known.set(file, false);
  const text = readFileSync(file, "utf8");
  const imported = [...text.matchAll(/(?:from|import\() ?"(\.[^"]+\.tsx?)"/g)]
    .map(([, specifier = ""]) => resolve(file, "..", specifier))
    .filter((path) => path.includes("/test/") && existsSync(path));
  const mentions = /"nightly"|@module-tag nightly/.test(text) || imported.some(mentionsNightly);
  known.set(file, mentions);
  return mentions;
}
