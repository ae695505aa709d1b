import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bundleFunctions, type FunctionBundles } from "./bundle/bundle.ts";
import { findOrBundleFunctions } from "./bundle/bundle-cache.ts";
import { bundledCommit } from "./bundle/bundled-commit.ts";
import { deferredFile } from "./bundle/cache-directory.ts";
import {
  codeDirectory,
  drawPageSource,
  type FunctionId,
  type FunctionSource,
  functionSources,
  ingestSource,
} from "./bundle/function-source.ts";
import type { HostingStackProps } from "./hosting-stack.ts";
import { validateSettings } from "./settings/validate-settings.ts";
import { areRendered, type Settings } from "./settings.ts";

export interface SynthesizeOptions
  extends Pick<
    HostingStackProps,
    "unsafeInvalidationDelaySeconds" | "unsafeOrphanDelaySeconds" | "unsafeWebhookPauseSeconds"
  > {
  /**
   * True for a deployment to AWS, which checks the template and bundles all functions. Otherwise bundles of unchanged sources are reused.
   *
   * @default false
   */
  readonly isForDeployment?: boolean;
  /** Checks the template against CloudFormation's schemas and rules. @default isForDeployment */
  readonly isChecked?: boolean;
  /**
   * Code that replaces the function that runs the browser. Used by tests of the surrounding code, which cannot wait for a browser. The code
   * is a self-contained ES module that exports `drawPage`.
   *
   * @default - the function's own code
   */
  readonly unsafeDrawPageCode?: string;
  /**
   * Writes `deferredFile` with the function's id instead of each bundle. The local cloud uses this option to bundle functions on their
   * first call.
   * @default false
   */
  readonly isDeferred?: boolean;
}

/** Result of a synthesis. */
export interface Synthesized {
  /** Folder of the functions' bundles. `findOrMakeMap` stores source maps beside this folder. */
  readonly functionsDirectory: string;
  /** Source files of the bundles, relative to the root of the project. */
  readonly bundledFiles: readonly string[];
}

/**
 * Writes the stack's template and assets into a folder, like `cdk synth`.
 *
 * @throws Error if a setting is wrong, a function cannot be bundled, or its package is missing
 */
export async function synthesize(
  settings: Settings,
  outputDirectory: string,
  {
    isForDeployment = false,
    isChecked = isForDeployment,
    isDeferred = false,
    unsafeDrawPageCode,
    ...options
  }: SynthesizeOptions = {},
): Promise<Synthesized> {
  validateSettings(settings);
  const outdir = resolve(outputDirectory);
  const hasBrowser = areRendered(settings) && unsafeDrawPageCode === undefined;
  const sources = [...functionSources, ingestSource, ...(hasBrowser ? [drawPageSource] : [])];
  const functionsDirectory = join(outdir, "functions");
  const bundling = isDeferred
    ? deferBundles(sources, functionsDirectory)
    : isForDeployment
      ? bundleFunctions(sources, functionsDirectory, { commit: await bundledCommit() })
      : findOrBundleFunctions(sources);
  const [{ directory, inputs }, { App, Code, HostingStack }] = await Promise.all([bundling, loadStack()]);
  const drawPageDirectory =
    unsafeDrawPageCode === undefined
      ? undefined
      : await writeCode(unsafeDrawPageCode, join(outdir, "draw-page"));
  const directoryOf = (id: FunctionId) => {
    if (id === drawPageSource.id && drawPageDirectory !== undefined) return drawPageDirectory;
    return isDeferred ? join(directory, id) : codeDirectory(directory, id);
  };
  const app = new App({
    outdir,
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: isChecked,
    context: {
      // Adds the name of each asset's folder to the template. The local cloud finds a function's code by this name.
      "aws:cdk:enable-asset-metadata": true,
      // Errors of the template check fail the synthesis, instead of being reported as warnings.
      "@aws-cdk/core:validateAgainstDefaultRules": true,
    },
  });
  new HostingStack(app, {
    settings,
    ...options,
    codeOf: (id) => Code.fromAsset(directoryOf(id)),
    ingestDirectory: join(directory, ingestSource.id),
  });
  app.synth();
  return { functionsDirectory: directory, bundledFiles: [...new Set([...inputs.values()].flat())] };
}

/** Loads the CDK, which takes a second, while the bundler's process is already running. */
async function loadStack() {
  const [{ Code }, { App }, { HostingStack }] = await Promise.all([
    import("aws-cdk-lib/aws-lambda"),
    import("aws-cdk-lib/core"),
    import("./hosting-stack.ts"),
  ]);
  return { App, Code, HostingStack };
}

async function writeCode(code: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "index.mjs"), code);
  return directory;
}

async function deferBundles(
  sources: readonly FunctionSource[],
  directory: string,
): Promise<Pick<FunctionBundles, "directory" | "inputs">> {
  for (const { id } of sources) {
    await mkdir(join(directory, id), { recursive: true });
    await writeFile(join(directory, id, deferredFile), id);
  }
  return { directory, inputs: new Map() };
}
