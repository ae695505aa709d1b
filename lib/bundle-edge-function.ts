import { resolve } from "node:path";
import { Script } from "node:vm";
import { buildSync } from "esbuild";

/** CloudFront developer guide, "Quotas on CloudFront Functions": maximum function size. */
const codeBytesMax = 10_240;

/** The only import that there is, of the runtime's own module and in the first line: "Helper methods for origin modification". */
const ownImport = /^(?:"use strict";)?import cf from\s*"cloudfront";/;

/**
 * The code of a CloudFront Function: a script that declares `handler`, with the values put in for the names that the
 * source declares. The file is relative to the root of the project.
 *
 * @throws Error when the source exports anything, imports anything but CloudFront's own module, or is too large
 */
export function bundleEdgeFunction(file: string, values: Readonly<Record<string, string>>): string {
  const result = buildSync({
    entryPoints: [resolve(import.meta.dirname, "..", file)],
    define: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)])),
    // Not a bundle and no format: as a script without wrapper, `handler` stays where CloudFront looks for it.
    bundle: false,
    target: "es2016",
    charset: "utf8",
    minifyWhitespace: true,
    write: false,
    logLevel: "silent",
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  const code = text.replace(ownImport, 'import cf from "cloudfront";\n');
  requireScript(file, code);
  return code;
}

function requireScript(file: string, code: string): void {
  try {
    new Script(code.replace(ownImport, ""));
  } catch (error) {
    throw new Error(
      `${file} must be a script without import and export, but for \`import cf from "cloudfront"\` at its start: ${String(error)}`,
    );
  }
  const bytes = Buffer.byteLength(code);
  if (bytes > codeBytesMax) throw new Error(`${file} has ${bytes} bytes; CloudFront takes ${codeBytesMax}.`);
}
