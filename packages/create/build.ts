/** Bundles the program into `dist`, or the folder of the first argument, with its libraries. */
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
