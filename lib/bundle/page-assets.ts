import { resolve } from "node:path";
import { build, type Message, type Plugin } from "esbuild";
import { projectDirectory } from "../project-directory.ts";

/** A style or a script that is inlined in a page. */
export interface PageAsset {
  readonly text: string;
  /** The files that it is made from, as absolute paths. */
  readonly files: readonly string[];
}

/** Options of a page's style or script. */
interface PageAssetOptions {
  /** Minifies the asset. @default true */
  readonly isMinified?: boolean | undefined;
  /** @default - no plugins */
  readonly plugins?: Plugin[];
  /** Values of expressions that packages read from their surroundings. @default - none */
  readonly define?: Record<string, string>;
}

/** Import of a style, or of a page's script as text. Without `?text` a script would be imported as code. */
const assetImport = /^\.{1,2}\/.*(?:\.css|\.client\.ts\?text)$/;
const textQuery = "?text";

/** Browsers of spring 2023, the first with all features that our styles require (`color-mix`). Newer features are optional. */
const browsers = ["chrome111", "edge111", "firefox113", "ios16.4", "safari16.4"];

/** The file of a style or script that code in a folder imports; undefined for every other import. */
export function findPageAsset(specifier: string, importingDirectory: string): string | undefined {
  if (!assetImport.test(specifier)) return undefined;
  return resolve(importingDirectory, specifier.replace(textQuery, ""));
}

/**
 * Bundles a file and its imports for a page's `<style>` or `<script>`. A script runs at once and leaves no global names.
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
    // They support it, except the names of scripts that Unicode has added since.
    supported: { "regexp-unicode-property-escapes": true },
    minify: isMinified,
    legalComments: "none",
    plugins,
    define,
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  // esbuild only warns of CSS that it cannot parse and passes it on, and browsers ignore it.
  if (warnings.length > 0) throw new Error(warnings.map(describe).join("\n"));
  return {
    text: outputFiles[0]?.text.trim() ?? "",
    files: Object.keys(metafile.inputs).map((path) => resolve(projectDirectory, path)),
  };
}

function describe({ text, location }: Message): string {
  return location ? `${location.file}:${location.line}:${location.column}: ${text}` : text;
}

/** Inlines styles and scripts of pages into bundles as text. `onMade` receives the files of each. */
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
