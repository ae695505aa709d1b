import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { findPageAsset, makePageAsset } from "../../lib/bundle/page-assets.ts";

const prefix = "\0page-asset:";
/** Avoids the ending `.css`, which Vite treats as its own style sheets. */
const suffix = ".js";

const picturePrefix = "\0picture:";

/** Provides the pages' styles, scripts and pictures to tests, byte for byte as in the bundles. */
export function pageAssetsPlugin(): Plugin {
  return {
    name: "page-assets",
    enforce: "pre",
    resolveId(specifier, importer) {
      if (importer && specifier.endsWith(".png"))
        return `${picturePrefix}${resolve(dirname(importer), specifier)}${suffix}`;
      const file = importer && findPageAsset(specifier, dirname(importer));
      return file ? `${prefix}${file}${suffix}` : undefined;
    },
    async load(id) {
      if (id.startsWith(picturePrefix)) {
        const picture = await readFile(id.slice(picturePrefix.length, -suffix.length), "base64");
        return `export default Buffer.from("${picture}", "base64");`;
      }
      if (!id.startsWith(prefix)) return undefined;
      const { text, files } = await makePageAsset(id.slice(prefix.length, -suffix.length));
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(text)};`;
    },
  };
}
