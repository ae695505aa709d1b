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

/**
 * Resolves an address against the page or the worker's file; undefined if it is invalid. An address at the top of the
 * host leads into the folder, as on the folder's own server, except that of another page or file of the service.
 */
export function resolveAddress(address: string | URL): URL | undefined {
  const url = parseUrl(String(address), base());
  const isAtTop = folder && url?.origin === home.origin && !isOwnFile(url);
  return isAtTop && !/^(\/@[^/]+)?\/[bdp]\/\w{7}(\/|$)/.test(url.pathname)
    ? parseUrl(folder + url.href.slice(url.origin.length + 1))
    : url;
}

/** A script that the page created has no base for relative addresses. */
function base(): string | undefined {
  if (!given) return document.baseURI;
  return given[1] === "made" ? undefined : home.href;
}

/** Matches a data URL, alone or with what is before it in an attribute or a style. */
const isData = /^[^:/]*\bdata:/i;

/** The folder is below the top of its host. */
export const isBelowTop: boolean = folder !== undefined && folder !== `${home.origin}/`;

/** Makes addresses at the top of the host lead into the folder, in an address, a list of addresses or an attribute. */
export function withinFolder(text: string): string {
  if (!isBelowTop || isData.test(text)) return text;
  return text.replace(/(?<![^\s"'=(])(?:\/|https?:)[^\s"'<>)]*/g, (written) => {
    const url = resolveAddress(written);
    return url && isOwnFile(url) ? url.href : written;
  });
}

/** Does the same for the addresses in a style. */
export function styleWithinFolder(css: string): string {
  return isBelowTop ? css.replace(/url\([^()]*\)/g, withinFolder) : css;
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
