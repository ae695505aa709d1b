import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";
import { projectDirectory } from "../project-directory.ts";
import { buildLineOf, mapFileOf } from "./build-id.ts";
import type { FunctionFile } from "./function-files.ts";
import type { FunctionSource } from "./function-source.ts";
import { pageAssets } from "./page-assets.ts";

/** Bundled functions, ready to become Lambda assets. Each function has a folder with `index.mjs` and the function's files. */
export interface FunctionBundles {
  /** Folder that contains an asset folder for each function, named by the function's id. */
  readonly directory: string;
  /** Contents of each bundle and why they are included; see "Metafile", esbuild documentation. */
  readonly metafile: Metafile;
  /** Source files of each bundle, by function id. Paths are relative to the root of the project. */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
}

/** Options for bundling. */
export interface BundleOptions {
  /** Commit of the code, for log entries. @default - unknown */
  readonly commit?: string | undefined;
  /** Does not minify the code, and adds a source map for debuggers. @default false */
  readonly isForDebugger?: boolean | undefined;
  /** Writes source maps, which takes a third of the bundling time. @default isForDebugger */
  readonly hasMaps?: boolean | undefined;
}

/** esbuild namespaces of generated modules, which have no file. */
const entryNamespace = "entry";
const builtinNamespace = "builtin";

/**
 * Bundles functions with all their imports, including the AWS SDK, into `<outputDirectory>/<id>/index.mjs`. Source maps, if requested, are
 * written to `<outputDirectory>-maps/`, so that they are neither uploaded nor part of an asset's hash. `findOrMakeMap` can create the map
 * of one bundle later. The last line of a bundle sets its build id; see docs/adr/0029-build-ids-and-source-maps.md.
 *
 * @throws Error if a function's file is missing, or does not export the handler that the stack names
 */
export async function bundleFunctions(
  sources: readonly FunctionSource[],
  outputDirectory: string,
  given: BundleOptions = {},
): Promise<FunctionBundles> {
  const options = { hasMaps: given.isForDebugger, ...given };
  const absent = sources.find(({ file }) => !existsSync(resolve(projectDirectory, file)));
  if (absent !== undefined)
    throw new Error(
      `${absent.file} is missing: add the handler of the operation "${absent.id}", or change \`servedBy\` in the operation's definition.`,
    );
  const assetFiles = new Map<string, readonly string[]>();
  const assets = pageAssets({ isMinified: options.isForDebugger !== true }, (asset, files) => {
    assetFiles.set(asset, files);
  });
  const result = await build({
    entryPoints: sources.map(({ id }) => ({ in: `${entryNamespace}:${id}`, out: join(id, "index") })),
    plugins: [entriesOf(sources), builtins, assets],
    absWorkingDir: projectDirectory,
    outdir: resolve(outputDirectory),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    external: sources.flatMap(({ packagesBeside = [] }) => packagesBeside),
    platform: "node",
    target: "node24",
    format: "esm",
    // Prefers a package's ES modules, because CommonJS cannot be tree-shaken.
    mainFields: ["module", "main"],
    alias: {
      "@aws-sdk/credential-provider-node": "./lib/bundle/own-credentials.ts",
      "entities/decode": "./lib/bundle/without-entities.ts",
      "@modelcontextprotocol/server/_shims": "./lib/bundle/without-schema-validator.ts",
    },
    minify: options.isForDebugger !== true,
    sourcemap: options.hasMaps ? "external" : false,
    sourcesContent: false,
    legalComments: "none",
    loader: { ".png": "binary" },
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  for (const source of sources) requireExport(source, outputDirectory, result.metafile);
  const outputs = new Map(result.outputFiles.map((file) => [file.path, file]));
  await Promise.all(sources.map(({ id }) => writeBundle(id, outputs, outputDirectory, options)));
  const filesOf = findingFiles(assetFiles);
  const inputs = new Map(
    await Promise.all(
      sources.map(async ({ id, files }) => {
        const directory = resolve(outputDirectory, id);
        const written = await Promise.all(
          (files?.() ?? []).map((file) => writeFunctionFile(file, directory)),
        );
        const own = new Set([...inputsOf(id, result.metafile, filesOf), ...written.flat()]);
        return [id, [...own]] as const;
      }),
    ),
  );
  return { directory: resolve(outputDirectory), metafile: withFilesOnly(result.metafile), inputs };
}

/**
 * Generates the entry file for Lambda, which imports the function's file and then waits until the function is initialized. Waiting inside
 * the function's file would delay the modules that load later.
 */
function entriesOf(sources: readonly FunctionSource[]): Plugin {
  const pathOf = (file: string) => JSON.stringify(resolve(projectDirectory, file));
  const contents = new Map(
    sources.map(({ id, file }) => [
      id,
      `export * from ${pathOf(file)};\nimport { started } from ${pathOf("functions/core/start-up.ts")};\nawait started();\n`,
    ]),
  );
  return {
    name: entryNamespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${entryNamespace}:`) }, ({ path }) => ({
        path: path.slice(entryNamespace.length + 1),
        namespace: entryNamespace,
      }));
      onLoad({ filter: /.*/, namespace: entryNamespace }, ({ path }) => ({
        contents: contents.get(path),
        resolveDir: projectDirectory,
      }));
    },
  };
}

/**
 * Loads Node's built-in modules with `process.getBuiltinModule`. An `import` would read all exports of a module, and some exports load
 * whole libraries. For example, `WebSocket` of `node:http` loads undici, which takes a third of a function's load time.
 */
const builtins: Plugin = {
  name: builtinNamespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: builtinNamespace, sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: builtinNamespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

function isFile(path: string): boolean {
  return ![entryNamespace, builtinNamespace].some((namespace) => path.startsWith(`${namespace}:`));
}

/** Removes the generated modules from a metafile's inputs. */
function withFilesOnly(metafile: Metafile): Metafile {
  const inputs = Object.entries(metafile.inputs).filter(([path]) => isFile(path));
  return { ...metafile, inputs: Object.fromEntries(inputs) };
}

/** Returns every file that a function's code imports, including imports that are not in the bundle and imports of page scripts. */
function inputsOf(
  id: string,
  { inputs }: Metafile,
  filesOf: (input: string) => readonly string[],
): readonly string[] {
  const reached = new Set([`${entryNamespace}:${id}`]);
  // The loop also visits paths that it adds to the set. The loop skips packages that are deployed as files, because they are not inputs.
  for (const path of reached)
    for (const { path: imported } of inputs[path]?.imports ?? [])
      if (imported in inputs) reached.add(imported);
  return [...new Set([...reached].flatMap(filesOf))];
}

/**
 * Returns a function that finds the files of an input by its name in the metafile. Each input is looked up once, because most inputs are in
 * every bundle.
 */
function findingFiles(
  assetFiles: ReadonlyMap<string, readonly string[]>,
): (input: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const find = (input: string) => {
    if (!isFile(input)) return [];
    const file = input.replace(/\?.*/, "");
    const ofAsset = assetFiles.get(resolve(projectDirectory, file)) ?? [];
    return [file, ...ofAsset.map((one) => relative(projectDirectory, one))].map(toProjectPath);
  };
  return (input) => {
    const files = known.get(input) ?? find(input);
    known.set(input, files);
    return files;
  };
}

/** Returns the path relative to the root of the project, with slashes. Treats files of linked packages as files of the project. */
function toProjectPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.\.\/).*?(?=node_modules\/)/, "");
}

function requireExport(
  { id, file, exportName }: FunctionSource,
  outputDirectory: string,
  metafile: Metafile,
): void {
  const output = relative(projectDirectory, resolve(outputDirectory, id, "index.mjs")).replaceAll("\\", "/");
  const exports = metafile.outputs[output]?.exports ?? [];
  if (exports.includes(exportName)) return;
  const found = exports.length > 0 ? exports.join(", ") : "nothing";
  throw new Error(
    `${file} exports ${found}: export a handler named ${exportName} for the operation "${id}".`,
  );
}

async function writeBundle(
  id: string,
  outputs: ReadonlyMap<string, OutputFile>,
  outputDirectory: string,
  { commit, isForDebugger = false, hasMaps = false }: BundleOptions,
): Promise<void> {
  const path = resolve(outputDirectory, id, "index.mjs");
  const code = outputs.get(path)?.contents ?? new Uint8Array();
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const mapFile = mapFileOf(outputDirectory, hash);
  const build = commit === undefined ? hash : `${hash}@${commit}`;
  const link = isForDebugger ? `//# sourceMappingURL=${pathToFileURL(mapFile)}\n` : "";
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, Buffer.concat([code, Buffer.from(`${buildLineOf(build)}${link}`)]));
  if (!hasMaps) return;
  await mkdir(dirname(mapFile), { recursive: true });
  await writeFile(mapFile, placedMap(outputs.get(`${path}.map`)?.text ?? "", dirname(path), isForDebugger));
}

/**
 * Rewrites the sources of a source map, which esbuild names relative to the bundle's folder. A debugger gets file URLs, so that it can open
 * the sources. Otherwise paths are relative to the root of the project.
 */
function placedMap(map: string, directory: string, isForDebugger: boolean): string {
  const parsed = JSON.parse(map) as { readonly sources: readonly string[] };
  const sources = parsed.sources.map((source) => {
    const file = resolve(directory, source);
    return isForDebugger ? pathToFileURL(file).href : toProjectPath(relative(projectDirectory, file));
  });
  return JSON.stringify({ ...parsed, sources });
}

/**
 * Writes a function's file. Large files of packages are hard-linked if possible, because they never change.
 *
 * @returns the source files of a bundled page, relative to the root of the project
 */
export async function writeFunctionFile(file: FunctionFile, directory: string): Promise<readonly string[]> {
  const path = join(directory, file.name);
  await mkdir(dirname(path), { recursive: true });
  if ("file" in file) {
    await link(file.file, path).catch(() => copyFile(file.file, path));
    return [];
  }
  const { text, files } = "make" in file ? await file.make() : { text: file.text, files: [] };
  await writeFile(path, text);
  return files.map((one) => toProjectPath(relative(projectDirectory, one)));
}
