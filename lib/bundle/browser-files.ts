import { join } from "node:path";
import { rendererFiles } from "@dropleaf/renderer/files";
import { projectDirectory } from "../project-directory.ts";

/**
 * Files beside the code of the drawing function: the packed browser, fonts, and Playwright, which finds its files relative to its
 * code and so is not bundled. These are the used ones of its 12 MB.
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
