import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { type BuildFailure, type BuildOptions, type BuildResult, buildSync } from "esbuild";
import { projectDirectory } from "../project-directory.ts";
import { type EdgeFault, edgeLanguageFaults } from "./edge-language.ts";

/** CloudFront developer guide, "Quotas on CloudFront Functions": maximum function size. */
const codeBytesMax = 10_240;

/** The only import that there is, of the runtime's own module, in the first line: "Helper methods for origin modification". */
const ownImport = 'import cf from "cloudfront";\n';

type Place = Omit<EdgeFault, "message">;

/**
 * Bundles a CloudFront Function: a script that declares `handler`, with values for the names that the source declares. The path
 * is relative to the root of the project.
 *
 * The deployed code is checked. The bundler removes types and translates nothing into older JavaScript.
 *
 * @throws Error with positions in the source, if the code uses what the runtime is not documented to have, exports anything,
 * imports another module than CloudFront's, or is too large
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
      `CloudFront would answer every request with 503 (developer guide, "JavaScript runtime 2.0 features for CloudFront Functions"):\n${lines.join("\n")}`,
    );
  }
  const bytes = Buffer.byteLength(code);
  if (bytes > codeBytesMax) throw new Error(`${file} has ${bytes} bytes; CloudFront takes ${codeBytesMax}.`);
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
    // Not a bundle and no format: as a script without wrapper, `handler` stays where CloudFront looks for it, under its name.
    bundle: false,
    minifyIdentifiers: true,
    // Nothing is lowered: what the runtime lacks is refused where it was written.
    target: "esnext",
    // But properties are written in full: esbuild makes `{a}` of `{a: a}` otherwise, which the runtime's page does not list.
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

/** esbuild writes out a shorthand property, but no shorthand method and no computed property. */
function adviceFor(text: string): string {
  return text.includes("object literal extensions")
    ? ": write `{ name: function () {} }`, and `object[name] = value` after it"
    : "";
}

/** `functions/edge/viewer-request.ts:12:5`, from 1 both: of the first thing in it that the bundler kept the place of. */
function placeInSource(file: string, map: SourceMap, { line, column, columnEnd }: Place): string {
  const columns = Array.from({ length: columnEnd - column }, (_, index) => column + index);
  const entries = [...columns, column].map((one) => map.findEntry(line - 1, one)).filter(isMapped);
  // The nearest entry before a place may be about something else.
  const isInside = (one: SourceMapping) => one.generatedLine === line - 1 && one.generatedColumn >= column;
  const origin = entries.find(isInside) ?? entries.at(-1);
  return origin === undefined
    ? pathOf(file)
    : `${pathOf(file)}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
}

function isMapped(entry: SourceMapping | object): entry is SourceMapping {
  return "originalLine" in entry;
}

/** Relative to the root of the project, where it is in it. */
function pathOf(file: string): string {
  const path = relative(projectDirectory, resolve(projectDirectory, file));
  return path.startsWith("..") ? file : path;
}
