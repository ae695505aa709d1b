/**
 * Bundles the program and its libraries into `dist` or the given folder. Each command is a separate file, which is loaded when the command
 * runs.
 */
import { chmod, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const outdir = resolve(process.argv[2] ?? join(import.meta.dirname, "dist"));
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { dropleaf: join(import.meta.dirname, "src/dropleaf.ts") },
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  // The CommonJS build of jsonc-parser loads files by names that a bundler cannot resolve.
  mainFields: ["module", "main"],
  target: "node20",
  external: ["@napi-rs/keyring"],
  legalComments: "linked",
  // Defines names that CommonJS libraries in the bundle use.
  banner: {
    js: 'import { createRequire as dropleafRequire } from "node:module"; const require = dropleafRequire(import.meta.url), __filename = import.meta.url;',
  },
});
await chmod(join(outdir, "dropleaf.mjs"), 0o755);
