/**
 * Child process with the environment of the stack's functions. Runs a function that measures, and sends the result to the parent process.
 * With module hooks, Node can import the functions' styles and scripts as text, and pictures as bytes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findPageAsset, makePageAsset } from "../../lib/bundle/page-assets.ts";
import { projectDirectory } from "../../lib/project-directory.ts";

const functionsDirectory = join(projectDirectory, "functions");
const files = readdirSync(functionsDirectory, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.css$|\.client\.ts$/.test(name))
  .map((name) => join(functionsDirectory, name));
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, (await makePageAsset(file)).text] as const)),
);

const query = "?page-asset";

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const file =
      parentURL?.startsWith("file:") && findPageAsset(specifier, dirname(fileURLToPath(parentURL)));
    if (!file) return next(specifier, context);
    return { url: pathToFileURL(file).href + query, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    if (url.endsWith(".png")) {
      const bytes = readFileSync(fileURLToPath(url)).toString("base64");
      const source = `export default new Uint8Array(Buffer.from("${bytes}", "base64"));`;
      return { format: "module", source, shortCircuit: true };
    }
    if (!url.endsWith(query)) return next(url, context);
    const text = texts.get(fileURLToPath(url));
    return { format: "module", source: `export default ${JSON.stringify(text)};`, shortCircuit: true };
  },
});

const [module = "", exportName = "", ...args] = process.argv.slice(2);
const { [exportName]: measure } = await import(module);
const result = await measure(...args);
process.send?.(result, () => process.exit());
