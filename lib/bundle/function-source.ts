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
  /** Relative to the root of the project. */
  readonly file: string;
  /** The exported function that Lambda calls. */
  readonly exportName: string;
  /**
   * Lists the files beside the code.
   * @default - none
   */
  readonly files?: () => readonly FunctionFile[];
  /**
   * Packages among these files that are not bundled.
   * @default - none
   */
  readonly packagesBeside?: readonly string[];
}

/** The operations of every stack that have a function of their own. */
export const servedOperationIds: readonly OperationId[] = operationIds.filter(
  (id) => (routeOf(id).servedBy ?? "function") === "function",
);

/** The operations that the documents' function serves. */
export const documentOperationIds: readonly OperationId[] = operationIds.filter(
  (id) => routeOf(id).servedBy === "documents",
);

/** The file of each handler below `functions/`, by the id from which its name is derived. */
const handlerFiles = new Map(
  readdirSync(join(projectDirectory, "functions"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^[^/]+\/[a-z-]+\.ts$/.test(path))
    .map((path) => [basename(path, ".ts"), `functions/${path}`]),
);

/** The handler of an operation or worker: `publish-drop` is `publishDrop`, in the file `publish-drop.ts` of its feature. */
export function handlerOf(id: OperationId | WorkerId) {
  return { file: handlerFiles.get(id) ?? `functions/*/${id}.ts`, exportName: camelCase(id) };
}

/** The code of an operation's function. */
export function handlerSource(id: OperationId): FunctionSource<OperationId> {
  return { id, ...handlerOf(id), files: () => filesOf(id) };
}

/** The code of a worker's function. */
export function workerSource(id: WorkerId): FunctionSource {
  return { id, ...handlerOf(id) };
}

/** The code of the function that serves documents, with all of them beside it. */
export const documentsSource = {
  id: "serve-documents",
  file: "functions/discovery/serve-documents.ts",
  exportName: "serveDocuments",
  files: () => documentOperationIds.flatMap(filesOf),
} as const satisfies FunctionSource;

/** The code of the function with the browser. */
export const drawPageSource = {
  id: "draw-page",
  file: "functions/renders/draw-page.ts",
  exportName: "drawPage",
  files: browserFiles,
  packagesBeside: ["playwright-core"],
} as const satisfies FunctionSource;

/** The id of a Lambda function of the stack. */
export type FunctionId = OperationId | WorkerId | typeof documentsSource.id | typeof drawPageSource.id;

/** The code of the server for large bodies: a program that listens when it is loaded. */
export const ingestSource: FunctionSource = {
  id: "ingest",
  file: "functions/ingest/main.ts",
  exportName: "server",
};

/** Every function of the stack, including optional ones. */
export const functionSources: readonly FunctionSource[] = [
  ...[...servedOperationIds, ...optionalOperationIds].map(handlerSource),
  documentsSource,
  ...workerIds.map(workerSource),
];

/** Every function and server that a stack may have. */
export const everySource: readonly FunctionSource[] = [...functionSources, ingestSource, drawPageSource];

/**
 * The folder with the code of a function. The published stack has the bundles of all functions but the one with the browser.
 *
 * @param bundles the folder with the bundles
 * @throws Error that says what to install if the function is in a package that is missing
 */
export function codeDirectory(bundles: string, id: string): string {
  if (isCheckout || id !== drawPageSource.id) return join(bundles, id);
  const renderer = findRenderer();
  if ("directory" in renderer) return join(renderer.directory, id);
  throw new Error(`The setting renders is on, but ${renderer.problem}. ${renderer.todo}`);
}

/** The id of a function's construct: `publish-drop` is `PublishDrop`. */
export function constructId(id: FunctionId): string {
  return camelCase(`-${id}`);
}

/** Words joined by hyphens as one name: `publish-drop` is `publishDrop`. */
export function camelCase(id: string): string {
  return id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
