import { join } from "node:path";
import { rendererFiles } from "@dropleaf/renderer/files";
import { projectDirectory } from "../project-directory.ts";

/**
 * Returns the files that are deployed with the function `draw-page`: the packed browser, fonts, and Playwright. Playwright is not bundled,
 * because it finds its files relative to its code. Of Playwright's 12 MB, only the files that are used are included.
 */
export function browserFiles(): readonly { readonly name: string; readonly file: string }[] {
  return [
    ...rendererFiles(),
    ...playwrightFiles.map((name) => ({
      name: `node_modules/playwright-core/${name}`,
      file: join(projectDirectory, "node_modules/playwright-core", name),
    })),
  ];
}

const playwrightFiles = [
  "LICENSE",
  "NOTICE",
  "browsers.json",
  "index.js",
  "index.mjs",
  "package.json",
  "lib/bootstrap.js",
  "lib/coreBundle.js",
  "lib/package.js",
  "lib/serverRegistry.js",
  "lib/utilsBundle.js",
];
