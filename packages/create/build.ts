/** Bundles the program and its libraries into `dist`, or into the folder in the first argument. */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const outfile = join(process.argv[2] ?? join(import.meta.dirname, "dist"), "create-dropleaf.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "src/create-dropleaf.ts")],
  outfile,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node20",
  legalComments: "linked",
});
await chmod(outfile, 0o755);
