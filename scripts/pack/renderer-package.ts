import { join } from "node:path";
import { browserFiles } from "../../lib/bundle/browser-files.ts";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { bundledCommit } from "../../lib/bundle/bundled-commit.ts";
import { drawPageSource } from "../../lib/bundle/function-source.ts";
import { bundledFiles, writeLicenses } from "./licenses.ts";
import type { Manifest } from "./manifest.ts";

/** Writes the renderer package: the code of the function that renders pages, and the files of dependencies that this function uses. */
export async function writeRenderer(target: string): Promise<Partial<Manifest>> {
  const { metafile } = await bundleFunctions([drawPageSource], target, { commit: await bundledCommit() });
  const files = browserFiles().map(({ file }) => file);
  await writeLicenses(join(target, "THIRD-PARTY-LICENSES.txt"), [...bundledFiles(metafile), ...files]);
  return { exports: { "./package.json": "./package.json" }, dependencies: {} };
}
