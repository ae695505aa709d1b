/** The address of the page or worker that this script runs in, and the folder that it belongs to. */
import { parseUrl } from "./frame-input.client.ts";

/** The set-up of a worker: the address of its file or of its page, the requested kind, and the function that runs this script in it. */
type GivenWorker = readonly [address: string, kind: WorkerKind, setUp: () => void];

/** Kinds of workers: of a file, shared with ports, and of a script that the page created. */
export type WorkerKind = "file" | "shared" | "made";

const global = globalThis as { dropleaf?: GivenWorker };
/** Set if this script runs in a worker. */
export const given: GivenWorker | undefined = global.dropleaf;
delete global.dropleaf;

/** Address of the page when it was opened, or of the worker's file. */
export const home: URL = new URL(given?.[0] ?? location.href);
const folder = folderOf(home);

/** Resolves an address against the page or the worker's file; undefined if it is invalid. */
export function resolveAddress(address: string | URL): URL | undefined {
  return parseUrl(String(address), given ? home.href : document.baseURI);
}

/** Recognizes addresses of the same folder's files. A page that has such an address may read the file. */
export function isOwnFile(url: URL | undefined): boolean {
  return folder !== undefined && url?.href.startsWith(folder) === true;
}

/**
 * The folder of a framed page: `/p/<slug>/raw/@<mark>/`, or the whole of a host that has one folder. A single page has
 * no folder.
 */
function folderOf({ origin, pathname }: URL): string | undefined {
  const [path] = /^.*\/p\/\w{7}\/raw\/@[^/]+\//.exec(pathname) ?? [];
  if (path !== undefined) return origin + path;
  return /\/p\/\w{7}\/raw$/.test(pathname) ? undefined : `${origin}/`;
}
