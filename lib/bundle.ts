import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build, type Metafile, type OutputFile, type Plugin } from "esbuild";
import type { FunctionFile, FunctionSource } from "./function-source.ts";

/** Functions ready to become Lambda assets: a folder each, with `index.mjs`, the function's files and nothing else. */
export interface FunctionBundles {
  /** Holds the asset folder of each function, by its id. */
  readonly directory: string;
  /** What is in each bundle, and why; esbuild's documentation, "Metafile". */
  readonly metafile: Metafile;
}

const projectDirectory = resolve(import.meta.dirname, "..");

/** Before the names of what is made here and is in no file. */
const entryNamespace = "entry";
const builtinNamespace = "builtin";

/**
 * Bundles functions with everything they import, the AWS SDK too, into `<outputDirectory>/<id>/index.mjs`. Source maps
 * go to `<outputDirectory>-maps/`, so that they are neither uploaded nor part of an asset's hash.
 *
 * @throws Error when a function's file is missing or does not export the handler that the stack names
 */
export async function bundleFunctions(
  sources: readonly FunctionSource[],
  outputDirectory: string,
): Promise<FunctionBundles> {
  for (const source of sources) requireFile(source);
  const result = await build({
    entryPoints: sources.map(({ id }) => ({ in: `${entryNamespace}:${id}`, out: join(id, "index") })),
    plugins: [entriesOf(sources), builtins],
    absWorkingDir: projectDirectory,
    outdir: resolve(outputDirectory),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    // CommonJS cannot be shaken: take a package's ES modules where it has them.
    mainFields: ["module", "main"],
    alias: {
      "entities/decode": "./lib/without-entities.ts",
      ajv: "./lib/without-ajv.ts",
      "ajv-formats": "./lib/without-ajv.ts",
    },
    minify: true,
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  for (const source of sources) requireExport(source, outputDirectory, result.metafile);
  await Promise.all(result.outputFiles.map((file) => writeOutput(file, resolve(outputDirectory))));
  await Promise.all(
    sources.flatMap(({ id, files }) =>
      (files?.() ?? []).map((file) => writeFunctionFile(file, resolve(outputDirectory, id))),
    ),
  );
  return { directory: resolve(outputDirectory), metafile: withFilesOnly(result.metafile) };
}

/**
 * What Lambda loads: the function's own file, and then the end of what that began for its first request. Waiting inside
 * of the file would hold up the modules behind it, one after the other.
 */
function entriesOf(sources: readonly FunctionSource[]): Plugin {
  const pathOf = (file: string) => JSON.stringify(resolve(projectDirectory, file));
  const contents = new Map(
    sources.map(({ id, file }) => [
      id,
      `export * from ${pathOf(file)};\nimport { started } from ${pathOf("functions/store/start-up.ts")};\nawait started();\n`,
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
 * Node's own modules, as CommonJS takes them. An `import` of one reads all of its exports at once, of which some load
 * whole libraries: `WebSocket` of `node:http` is undici, a third of the time that a function took to load. It also loads
 * what only code needs that is never run.
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

/** Without the inputs that are in no file. */
function withFilesOnly(metafile: Metafile): Metafile {
  const isFile = (path: string) =>
    ![entryNamespace, builtinNamespace].some((namespace) => path.startsWith(`${namespace}:`));
  const inputs = Object.entries(metafile.inputs).filter(([path]) => isFile(path));
  return { ...metafile, inputs: Object.fromEntries(inputs) };
}

function requireFile({ id, file }: FunctionSource): void {
  if (existsSync(resolve(projectDirectory, file))) return;
  throw new Error(
    `${file} is missing: the operation "${id}" needs its handler there, or another \`servedBy\` in its row.`,
  );
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
  throw new Error(`${file} exports ${found}: the operation "${id}" needs a handler named ${exportName}.`);
}

async function writeOutput(file: OutputFile, outputDirectory: string): Promise<void> {
  const isMap = file.path.endsWith(".map");
  const path = isMap ? join(`${outputDirectory}-maps`, relative(outputDirectory, file.path)) : file.path;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file.contents);
}

async function writeFunctionFile(file: FunctionFile, directory: string): Promise<void> {
  const content = "text" in file ? file.text : await compress(await readFile(file.compressedFrom));
  await writeFile(join(directory, file.name), content);
}

/** At level 11 Swagger UI takes three seconds, and is 8 percent smaller than at 9, where it takes a tenth of one. */
function compress(bytes: Uint8Array): Promise<Uint8Array> {
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
