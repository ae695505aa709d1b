import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { routeOf } from "../functions/routes.ts";
import type { FunctionFile } from "./function-source.ts";

/** Script and style of the reference page, for the function that serves them. */
export function referenceAssets(): FunctionFile[] {
  const { script, style } = findAssets();
  return [script, style].map(({ name, path }) => ({ name: `${name}.br`, compressedFrom: path }));
}

/** Where they are, for the function that serves the page. */
export function referenceAssetUrls(): FunctionFile {
  const { script, style } = findAssets();
  const urls = { scriptUrl: urlOf(script), styleUrl: urlOf(style) };
  return { name: "reference-assets.json", text: JSON.stringify(urls) };
}

/** Swagger UI as its package ships it: docs/adr/0010-reference-by-swagger-ui.md. */
function findAssets() {
  const require = createRequire(import.meta.url);
  return {
    script: findAsset(require.resolve("swagger-ui-dist/swagger-ui-bundle.js")),
    style: findAsset(require.resolve("swagger-ui-dist/swagger-ui.css")),
  };
}

interface Asset {
  /** Changes with what the file holds, so that browsers may keep it for good. */
  readonly name: string;
  readonly path: string;
}

function findAsset(path: string): Asset {
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
  return { name: `reference.${hash}${extname(path)}`, path };
}

function urlOf({ name }: Asset): string {
  return routeOf("read-reference-asset").path.replace("{asset}", name);
}
