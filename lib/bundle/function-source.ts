import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { type OperationId, operationIds, optionalOperationIds, routeOf } from "../../functions/routes.ts";
import { type WorkerId, workerIds } from "../../functions/workers.ts";
import { isCheckout, projectDirectory } from "../project-directory.ts";
import { browserFiles } from "./browser-files.ts";
import { type FunctionFile, filesOf } from "./function-files.ts";
import { findRenderer } from "./renderer-package.ts";

/** The code of a Lambda function. */
export interface FunctionSource<Id extends string = string> {
  readonly id: Id;
  /** Path of the source file, relative to the root of the project. */
  readonly file: string;
  /** Name of the exported function that Lambda calls. */
  readonly exportName: string;
  /** Returns the files that are deployed with the code. @default - none */
  readonly files?: () => readonly FunctionFile[];
  /** Packages that are not bundled, because their files are deployed with the code. @default - none */
  readonly packagesBeside?: readonly string[];
}

/** Operations that have their own function in every stack. */
export const servedOperationIds: readonly OperationId[] = operationIds.filter(
  (id) => (routeOf(id).servedBy ?? "function") === "function",
);

/** Operations that the function for documents serves. */
export const documentOperationIds: readonly OperationId[] = operationIds.filter(
  (id) => routeOf(id).servedBy === "documents",
);

/** Files of the handlers below `functions/`, by the id of their operation or worker. The id is the file's name without its extension. */
const handlerFiles = new Map(
  readdirSync(join(projectDirectory, "functions"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^[^/]+\/[a-z-]+\.ts$/.test(path))
    .map((path) => [basename(path, ".ts"), `functions/${path}`]),
);

/**
 * Returns the handler of an operation or worker. For `publish-drop`, the handler is `publishDrop` in the feature's file `publish-drop.ts`.
 */
export function handlerOf(id: OperationId | WorkerId) {
  return { file: handlerFiles.get(id) ?? `functions/*/${id}.ts`, exportName: camelCase(id) };
}

/** Returns the code of an operation's function. */
export function handlerSource(id: OperationId): FunctionSource<OperationId> {
  return { id, ...handlerOf(id), files: () => filesOf(id) };
}

/** Returns the code of a worker's function. */
export function workerSource(id: WorkerId): FunctionSource {
  return { id, ...handlerOf(id) };
}

/** Code of the function that serves documents, which are deployed as files with the code. */
export const documentsSource = {
  id: "serve-documents",
  file: "functions/discovery/serve-documents.ts",
  exportName: "serveDocuments",
  files: () => documentOperationIds.flatMap(filesOf),
} as const satisfies FunctionSource;

/** Code of the function that runs the browser. */
export const drawPageSource = {
  id: "draw-page",
  file: "functions/renders/draw-page.ts",
  exportName: "drawPage",
  files: browserFiles,
  packagesBeside: ["playwright-core"],
} as const satisfies FunctionSource;

/** Id of a Lambda function of the stack. */
export type FunctionId = OperationId | WorkerId | typeof documentsSource.id | typeof drawPageSource.id;

/** Code of the server for large request bodies: a program that listens as soon as it is loaded. */
export const ingestSource: FunctionSource = {
  id: "ingest",
  file: "functions/ingest/main.ts",
  exportName: "server",
};

/** All functions that a stack may have, except the server for large bodies and the function that runs the browser. */
export const functionSources: readonly FunctionSource[] = [
  ...[...servedOperationIds, ...optionalOperationIds].map(handlerSource),
  documentsSource,
  ...workerIds.map(workerSource),
];

/** All functions that a stack may have. */
export const everySource: readonly FunctionSource[] = [...functionSources, ingestSource, drawPageSource];

/**
 * Returns the folder with a function's code. The published stack contains all bundles except the bundle of the function that runs the
 * browser.
 *
 * @param bundles folder of the bundles
 * @throws Error that names the package to install, if the function's package is missing
 */
export function codeDirectory(bundles: string, id: string): string {
  if (isCheckout || id !== drawPageSource.id) return join(bundles, id);
  const renderer = findRenderer();
  if ("directory" in renderer) return join(renderer.directory, id);
  throw new Error(`The setting renders is on, but ${renderer.problem}. ${renderer.todo}`);
}

/** Returns the construct id of a function: `PublishDrop` for `publish-drop`. */
export function constructId(id: FunctionId): string {
  return camelCase(`-${id}`);
}

/** Converts kebab case to camel case: `publish-drop` becomes `publishDrop`. */
export function camelCase(id: string): string {
  return id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
