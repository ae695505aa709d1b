import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FunctionFile } from "./function-source.ts";

const packages = resolve(import.meta.dirname, "../node_modules");

/**
 * What the function with the browser has beside its code: the browser, packed, and what drives it. Playwright looks for
 * its own files from where its code lies, so it stays as it is; of its 12 MB these are what runs.
 */
export function browserFiles(): readonly FunctionFile[] {
  const browser = readdirSync(join(packages, "@sparticuz/chromium/bin"));
  return [
    ...browser.map((name) => ({
      name: `bin/${name}`,
      file: join(packages, "@sparticuz/chromium/bin", name),
    })),
    ...playwrightFiles.map((name) => ({
      name: `node_modules/playwright-core/${name}`,
      file: join(packages, "playwright-core", name),
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
