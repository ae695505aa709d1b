import { resolve } from "node:path";
import { build, type Message, type Plugin } from "esbuild";
import { projectDirectory } from "../project-directory.ts";

/** A style sheet or script that is inlined in a page. */
export interface PageAsset {
  readonly text: string;
  /** Absolute paths of the source files. */
  readonly files: readonly string[];
}

/** Options of a page's style or script. */
interface PageAssetOptions {
  /** Minifies the asset. @default true */
  readonly isMinified?: boolean | undefined;
  /** esbuild plugins. @default - no plugins */
  readonly plugins?: Plugin[];
  /** Values that replace global expressions in packages. @default - none */
  readonly define?: Record<string, string>;
}

/** Matches the import of a style sheet, or of a page's script as text. Without `?text`, a script is imported as code. */
const assetImport = /^\.{1,2}\/.*(?:\.css|\.client\.ts\?text)$/;
const textQuery = "?text";

/** Browsers of spring 2023, the first versions with all features that the styles require (`color-mix`). Newer features are optional. */
const browsers = ["chrome111", "edge111", "firefox113", "ios16.4", "safari16.4"];

/** Returns the file of an imported style sheet or script, or undefined for other imports. */
export function findPageAsset(specifier: string, importingDirectory: string): string | undefined {
  if (!assetImport.test(specifier)) return undefined;
  return resolve(importingDirectory, specifier.replace(textQuery, ""));
}

/**
 * Bundles a file and its imports for a page's `<style>` or `<script>`. A script runs immediately and defines no global names.
 *
 * @throws Error with the position, if the file is missing or has an error
 */
export async function makePageAsset(
  file: string,
  { isMinified = true, plugins = [], define = {} }: PageAssetOptions = {},
): Promise<PageAsset> {
  const { outputFiles, metafile, warnings } = await build({
    entryPoints: [file],
    absWorkingDir: projectDirectory,
    outdir: "out",
    bundle: true,
    platform: "browser",
    format: "iife",
    target: browsers,
    // All supported browsers support Unicode property escapes, except for writing systems that were added to Unicode later.
    supported: { "regexp-unicode-property-escapes": true },
    minify: isMinified,
    legalComments: "none",
    plugins,
    define,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  // Warnings count as errors, because esbuild only warns about invalid CSS, which browsers would ignore.
  if (warnings.length > 0) throw new Error(warnings.map(describe).join("\n"));
  return {
    text: outputFiles[0]?.text.trim() ?? "",
    files: Object.keys(metafile.inputs).map((path) => resolve(projectDirectory, path)),
  };
}

function describe({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column}: ${text}` : text;
}

/** esbuild plugin that inlines pages' styles and scripts into bundles as text. Calls `onMade` with the source files of each asset. */
export function pageAssets(
  options: PageAssetOptions,
  onMade: (asset: string, files: readonly string[]) => void,
): Plugin {
  return {
    name: "page-assets",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: assetImport }, ({ path, resolveDir }) => {
        const file = findPageAsset(path, resolveDir);
        return file === undefined
          ? undefined
          : { path: file, suffix: path.endsWith(".css") ? "" : textQuery };
      });
      onLoad({ filter: /\.css$|\.client\.ts$/ }, async ({ path, suffix }) => {
        if (!path.endsWith(".css") && suffix !== textQuery) return undefined;
        const { text, files } = await makePageAsset(path, options);
        onMade(path, files);
        return { contents: text, loader: "text" };
      });
    },
  };
}
