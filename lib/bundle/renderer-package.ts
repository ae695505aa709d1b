import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isCheckout, projectDirectory } from "../project-directory.ts";
import { serviceVersion } from "../service-version.ts";

const name = "@dropleaf/renderer";

/** The reason why the published stack cannot render pages, and what to do about it. */
export interface RendererProblem {
  readonly problem: string;
  readonly todo: string;
}

/**
 * Finds the renderer's package. The package contains the code of the function `draw-page`, so it must have the stack's version.
 *
 * @param directory folder of the stack's package
 */
export function findRenderer(
  directory = projectDirectory,
  version = serviceVersion,
): { readonly directory: string } | RendererProblem {
  const todo = `Run npm install ${name}@${version}, or set renders: false.`;
  const manifest = resolveManifest(directory);
  if (manifest === undefined) return { problem: `${name} is not installed`, todo };
  const { version: found } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  if (found !== version)
    return { problem: `${name} has version ${found}, but the stack has version ${version}`, todo };
  return { directory: dirname(manifest) };
}

function resolveManifest(directory: string): string | undefined {
  try {
    return createRequire(join(directory, "package.json")).resolve(`${name}/package.json`);
  } catch {
    return undefined;
  }
}

/** Returns the reason why the stack cannot render pages, or undefined if it can. A checkout can always render pages. */
export function findRendererProblem(): RendererProblem | undefined {
  const renderer = isCheckout ? undefined : findRenderer();
  return renderer !== undefined && "problem" in renderer ? renderer : undefined;
}
