import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { projectDirectory } from "../project-directory.ts";
import { makePageAsset, type PageAsset } from "./page-assets.ts";

/** Builds the app `ui://dropleaf/page`: a single HTML document with inlined style and scripts. */
export async function makePageApp(): Promise<PageAsset> {
  const assets = await Promise.all(
    [
      "functions/mcp/app/page-app.css",
      "functions/mcp/app/page-app.client.tsx",
      "functions/viewer/frame/stand-ins.client.ts",
      "functions/mcp/app/framed-in-app.client.ts",
    ].map((file) => makePageAsset(join(projectDirectory, file), { plugins: [slimAppsLibrary] })),
  );
  const [style, script, standIns, framed] = assets.map(({ text }) => text);
  const parts = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dropleaf</title>`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>`,
    // Browsers do not run these scripts in the template. The app copies the scripts to the beginning of each page that it shows.
    `<body><template id="frame-scripts"><script>${standIns}</script><script>${framed}</script></template>`,
    `<main id="app"></main><script>${script}</script></body></html>`,
  ];
  return { text: parts.join(""), files: [import.meta.filename, ...assets.flatMap(({ files }) => files)] };
}

/**
 * Removes unused imports of the MCP Apps library, which reduces 664 KB to 243 KB. The library imports all of zod with 50 languages. It also
 * imports OAuth and a validator from the MCP client, because the client's package does not declare its modules free of side effects.
 */
const slimAppsLibrary: Plugin = {
  name: "slim-apps-library",
  setup({ onResolve, onLoad, resolve }) {
    const isResolved = Symbol("resolved");
    onResolve({ filter: /^@modelcontextprotocol\/client$|^\.\/.*\.mjs$/ }, async ({ path, ...from }) => {
      const { pluginData, kind, resolveDir, importer } = from;
      if (pluginData === isResolved) return undefined;
      const found = await resolve(path, { kind, resolveDir, importer, pluginData: isResolved });
      return found.path.includes("@modelcontextprotocol")
        ? { path: found.path, sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /ext-apps[\\/]dist[\\/]src[\\/]app\.js$/ }, async ({ path }) => {
      const code = await readFile(path, "utf8");
      return { contents: code.replace(/import\{z as (\w+)\}from"zod\/v4"/g, 'import*as $1 from"zod/v4"') };
    });
  },
};
