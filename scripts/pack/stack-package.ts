import { chmod, cp, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { bundledCommit } from "../../lib/bundle/bundled-commit.ts";
import { functionSources, ingestSource } from "../../lib/bundle/function-source.ts";
import { packedEdgeFile, packedValue } from "../../lib/bundle/packed-functions.ts";
import { pageAssets } from "../../lib/bundle/page-assets.ts";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { measuredCallsFile } from "../cost/estimate.ts";
import { writeDeclarations } from "./compiled-packages.ts";
import { bundledFiles, writeLicenses } from "./licenses.ts";
import type { Manifest } from "./manifest.ts";

/** Modules of the checkout that read source files, and their replacements in the package, which has no source files. */
const replacements: Readonly<Record<string, string>> = {
  "lib/bundle/bundle.ts": "lib/bundle/packed-functions.ts",
  "lib/bundle/bundle-cache.ts": "lib/bundle/packed-functions.ts",
  "lib/bundle/fault-map.ts": "lib/bundle/packed-functions.ts",
  "lib/bundle/function-files.ts": "lib/bundle/packed-functions.ts",
  "lib/bundle/browser-files.ts": "lib/bundle/packed-functions.ts",
  "lib/edge/bundle-edge-function.ts": "lib/bundle/packed-functions.ts",
  "local/deferred-bundles.ts": "local/packed-bundles.ts",
};

/** Packages that the CDK app must install itself, because the app may have only one copy of each. */
const peers = ["aws-cdk-lib", "constructs"];

/** Dependencies of the package. `aws-cdk` provides the command `cdk`. */
const installed = ["@dropleaf/local-cloud", "aws-cdk"];

/** Writes the root package: its commands and the construct in `dist`, and the functions' code, except that of `draw-page`, in `functions`. */
export async function writeStack(
  target: string,
  manifest: Manifest,
  compiled: string,
): Promise<Partial<Manifest>> {
  const commit = await bundledCommit();
  const sources = [...functionSources, ingestSource];
  const functions = await bundleFunctions(sources, join(target, "functions"), { commit });
  await writeEdgeFunctions(target);
  const commands = await bundleCommands(join(target, "dist"));
  await writeDeclarations("lib/dropleaf.ts", join(target, "types"), compiled);
  await cp(join(projectDirectory, measuredCallsFile), join(target, measuredCallsFile));
  await writeLicenses(join(target, "THIRD-PARTY-LICENSES.txt"), bundledFiles(functions.metafile, commands));
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };
  const pick = (names: readonly string[], range: string) =>
    Object.fromEntries(names.map((name) => [name, `${range}${versions[name]}`]));
  return {
    bin: { "dropleaf-stack": "dist/dropleaf-stack.mjs" },
    exports: { types: "./types/lib/dropleaf.d.ts", default: "./dist/dropleaf.mjs" },
    dependencies: pick(installed, ""),
    // Packages that Dropleaf imports, but that are not installed with it. They are listed because some package managers hide unlisted
    // packages.
    peerDependencies: { ...pick(peers, "^"), "@dropleaf/renderer": "*" },
    peerDependenciesMeta: { "@dropleaf/renderer": { optional: true } },
  };
}

async function writeEdgeFunctions(target: string): Promise<void> {
  await mkdir(join(target, "functions/edge"));
  for await (const file of glob("functions/edge/*.ts", { cwd: projectDirectory })) {
    const source = await readFile(join(projectDirectory, file), "utf8");
    const names = [...source.matchAll(/^declare const (\w+): string;$/gm)].map(([, name = ""]) => name);
    const values = Object.fromEntries(names.map((name) => [name, packedValue(name)]));
    await writeFile(join(target, packedEdgeFile(file)), bundleEdgeFunction(file, values));
  }
}

async function bundleCommands(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: { "dropleaf-stack": "bin/stack.ts", dropleaf: "lib/dropleaf.ts" },
    absWorkingDir: projectDirectory,
    outdir,
    outExtension: { ".js": ".mjs" },
    plugins: [replacing, pageAssets({}, () => {})],
    external: [...peers, ...installed],
    bundle: true,
    splitting: true,
    minify: true,
    // The local identity provider stores tokens by class name, and minification would change class names.
    keepNames: true,
    format: "esm",
    platform: "node",
    // Older versions of Node must be able to run this code, so that it can print the message about the required version.
    target: "node20",
    loader: { ".png": "binary" },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    // CommonJS packages in the bundle need `require`, `__filename` and `__dirname`.
    banner: {
      js: 'import { createRequire as dropleafRequire } from "node:module"; const require = dropleafRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;',
    },
  });
  await chmod(join(outdir, "dropleaf-stack.mjs"), 0o755);
  return metafile;
}

const replacing: Plugin = {
  name: "replacing",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
      const replacement = replacements[relative(projectDirectory, resolve(resolveDir, path))];
      return replacement === undefined ? undefined : { path: join(projectDirectory, replacement) };
    });
  },
};
