import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { projectDirectory } from "../../lib/project-directory.ts";
import type { Manifest } from "./manifest.ts";

/** Compiles the local cloud and the construct, with all their imports, to JavaScript and declarations. */
export async function compileProject(outDir: string): Promise<void> {
  const at = (path: string) => join(projectDirectory, path);
  const include = ["packages/local-cloud/index.ts", "packages/local-cloud/src", "lib/dropleaf.ts"].map(at);
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: projectDirectory,
    typeRoots: [at("node_modules/@types")],
    outDir,
  };
  const file = join(outDir, "tsconfig.json");
  await mkdir(outDir, { recursive: true });
  await writeFile(file, JSON.stringify({ extends: at("tsconfig.json"), include, compilerOptions }));
  await promisify(execFile)(at("node_modules/.bin/tsc"), ["--project", file]);
}

/** Writes the local cloud as JavaScript, because Node does not strip types in packages. */
export async function writeLocalCloud(
  target: string,
  { exports }: Manifest,
  compiled: string,
): Promise<Partial<Manifest>> {
  for (const name of ["index.js", "index.d.ts", "src"])
    await cp(join(compiled, "packages/local-cloud", name), join(target, name), { recursive: true });
  return { exports: JSON.parse(JSON.stringify(exports).replaceAll('.ts"', '.js"')) };
}

/** Copies the declarations of a module, and all declarations that they import. */
export async function writeDeclarations(module: string, target: string, compiled: string): Promise<void> {
  const files = new Set([join(compiled, module)]);
  // The loop also visits files that are added to the set while it runs.
  for (const file of files) {
    const declaration = file.replace(/\.tsx?$/, ".d.ts");
    const text = await readFile(declaration, "utf8");
    for (const [, named = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g))
      files.add(join(dirname(file), named));
    await cp(declaration, join(target, relative(compiled, declaration)));
  }
}
