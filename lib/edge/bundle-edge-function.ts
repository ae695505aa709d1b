import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { type BuildFailure, type BuildOptions, type BuildResult, buildSync } from "esbuild";
import { projectDirectory } from "../project-directory.ts";
import { type EdgeFault, edgeLanguageFaults } from "./edge-language.ts";

/** Maximum size of a CloudFront Function; see "Quotas on CloudFront Functions", CloudFront developer guide. */
const codeBytesMax = 10_240;

/**
 * The only import that the runtime allows: its own module, in the first line; see "Helper methods for origin modification", CloudFront
 * developer guide.
 */
const ownImport = 'import cf from "cloudfront";\n';

type Place = Omit<EdgeFault, "message">;

/**
 * Bundles a CloudFront Function: a script that declares `handler`. Replaces names that the source declares without a value with the given
 * values. The path is relative to the root of the project.
 *
 * Checks the deployed code for unsupported syntax, because the bundler only removes types and does not convert newer syntax.
 *
 * @throws Error with positions in the source, if the code uses an undocumented feature of the runtime, has an export, imports a module
 * other than CloudFront's, or is too large
 */
export function bundleEdgeFunction(file: string, values: Readonly<Record<string, string>>): string {
  const source = readFileSync(resolve(projectDirectory, file), "utf8");
  const header = source.includes(ownImport) ? ownImport : "";
  const { text, map } = build(file, source.replace(ownImport, "\n"), values);
  const code = header + text;
  const lines = edgeLanguageFaults(code).map((fault) => {
    const place = placeInSource(file, map, header === "" ? fault : { ...fault, line: fault.line - 1 });
    return `${place}: ${fault.message}`;
  });
  if (lines.length > 0) {
    throw new Error(
      `CloudFront does not support this code, and would respond to every request with 503 (developer guide, "JavaScript runtime 2.0 features for CloudFront Functions"):\n${lines.join("\n")}`,
    );
  }
  const bytes = Buffer.byteLength(code);
  if (bytes > codeBytesMax)
    throw new Error(`${file} has ${bytes} bytes; CloudFront accepts at most ${codeBytesMax}.`);
  return code;
}

function build(
  file: string,
  source: string,
  values: Readonly<Record<string, string>>,
): { text: string; map: SourceMap } {
  const path = resolve(projectDirectory, file);
  const options = {
    stdin: { contents: source, loader: "ts", sourcefile: path, resolveDir: dirname(path) },
    define: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)])),
    // The code is neither bundled nor wrapped: in a plain script, `handler` keeps its name in the scope where CloudFront looks for it.
    bundle: false,
    minifyIdentifiers: true,
    // The syntax is not lowered, so that unsupported syntax is refused at its position in the source.
    target: "esnext",
    // Object properties are written in full, because esbuild would otherwise shorten `{a: a}` to `{a}`, which the runtime's documentation
    // does not list.
    supported: { "object-extensions": false },
    charset: "utf8",
    minifyWhitespace: true,
    sourcemap: "external",
    outfile: "edge-function.js",
    write: false,
    logLevel: "silent",
  } satisfies BuildOptions;
  const { outputFiles } = transpile(file, options);
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { text: textOf(".js").trimEnd(), map: new SourceMap(JSON.parse(textOf(".map"))) };
}

function transpile(file: string, options: BuildOptions & { write: false }): BuildResult<{ write: false }> {
  try {
    return buildSync(options);
  } catch (error) {
    const { errors } = error as BuildFailure;
    if (errors === undefined) throw error;
    const lines = errors.map(({ text, location }) =>
      location === null
        ? text
        : `${pathOf(file)}:${location.line}:${location.column + 1}: ${text}${adviceFor(text)}`,
    );
    throw new Error(lines.join("\n"));
  }
}

/** Returns advice for shorthand methods and computed properties, which esbuild cannot expand. Returns an empty string for other faults. */
function adviceFor(text: string): string {
  return text.includes("object literal extensions")
    ? ": write `{ name: function () {} }`, and `object[name] = value` after it"
    : "";
}

/**
 * Returns the position in the source, such as `functions/edge/viewer-request.ts:12:5`, with line and column from 1. Uses the first position
 * inside the fault that the source map contains.
 */
function placeInSource(file: string, map: SourceMap, { line, column, columnEnd }: Place): string {
  const columns = Array.from({ length: columnEnd - column }, (_, index) => column + index);
  const entries = [...columns, column].map((one) => map.findEntry(line - 1, one)).filter(isMapped);
  // An entry inside the fault is preferred, because the nearest entry before the fault may belong to other code.
  const isInside = (one: SourceMapping) => one.generatedLine === line - 1 && one.generatedColumn >= column;
  const origin = entries.find(isInside) ?? entries.at(-1);
  return origin === undefined
    ? pathOf(file)
    : `${pathOf(file)}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
}

function isMapped(entry: SourceMapping | object): entry is SourceMapping {
  return "originalLine" in entry;
}

/** Returns the path relative to the root of the project, for files inside the project. */
function pathOf(file: string): string {
  const path = relative(projectDirectory, resolve(projectDirectory, file));
  return path.startsWith("..") ? file : path;
}
