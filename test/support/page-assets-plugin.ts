import { dirname } from "node:path";
import type { Plugin } from "vitest/config";
import { findPageAsset, makePageAsset } from "../../lib/page-assets.ts";

const prefix = "\0page-asset:";
/** Vite takes what ends with `.css` for a style of its own. */
const suffix = ".js";

/** Styles and scripts of pages in tests, to the byte as they are in the bundles. */
export function pageAssetsPlugin(): Plugin {
  return {
    name: "page-assets",
    enforce: "pre",
    resolveId(specifier, importer) {
      const file = importer && findPageAsset(specifier, dirname(importer));
      return file ? `${prefix}${file}${suffix}` : undefined;
    },
    async load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const { text, files } = await makePageAsset(id.slice(prefix.length, -suffix.length));
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(text)};`;
    },
  };
}
