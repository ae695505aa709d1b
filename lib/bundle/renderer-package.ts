import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isCheckout, projectDirectory } from "../project-directory.ts";
import { serviceVersion } from "../service-version.ts";

const name = "@dropleaf/renderer";

/** Why the published stack cannot render pages, and what to do about it. */
export interface RendererProblem {
  readonly problem: string;
  readonly todo: string;
}

/**
 * Finds the renderer's package, which must have the stack's version because it has the code of the function `draw-page`.
 *
 * @param directory the stack's package
 */
export function findRenderer(
  directory = projectDirectory,
  version = serviceVersion,
): { readonly directory: string } | RendererProblem {
  const todo = `Run npm install ${name}@${version}, or set renders: false.`;
  const manifest = resolveManifest(directory);
  if (manifest === undefined) return { problem: `${name} is not installed`, todo };
  const { version: found } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  if (found !== version) return { problem: `${name} has version ${found} and the stack ${version}`, todo };
  return { directory: dirname(manifest) };
}

function resolveManifest(directory: string): string | undefined {
  try {
    return createRequire(join(directory, "package.json")).resolve(`${name}/package.json`);
  } catch {
    return undefined;
  }
}

/** Describes why the stack cannot render pages; undefined if it can. A checkout has the renderer's code itself. */
export function findRendererProblem(): RendererProblem | undefined {
  const renderer = isCheckout ? undefined : findRenderer();
  return renderer !== undefined && "problem" in renderer ? renderer : undefined;
}
