/** URL of the page or worker that runs this script, and the folder that contains it. */
import { parseUrl } from "./frame-input.client.ts";

/**
 * Setup of a worker: the URL of the worker's file or of its page, the kind of worker, and the function that runs this script in the worker.
 */
type GivenWorker = readonly [address: string, kind: WorkerKind, setUp: () => void];

/** Kinds of workers: started from a file, shared, or started from a script that the page created. */
export type WorkerKind = "file" | "shared" | "made";

const global = globalThis as { dropleaf?: GivenWorker };
/** Defined if this script runs in a worker. */
export const given: GivenWorker | undefined = global.dropleaf;
delete global.dropleaf;

/** URL of the page when it was opened, or of the worker's file. */
export const home: URL = new URL(given?.[0] ?? location.href);
const folder = folderOf(home);

/**
 * Resolves a URL against the page or the worker's file. Returns undefined if the URL is invalid. A root-relative URL resolves within the
 * folder, as on the folder's own server, unless it is the URL of another drop or file of the service.
 */
export function resolveAddress(address: string | URL): URL | undefined {
  const url = parseUrl(String(address), base());
  const isAtTop = folder && url?.origin === home.origin && !isOwnFile(url);
  return isAtTop && !/^(\/@[^/]+)?\/[bdp]\/\w{7}(\/|$)/.test(url.pathname)
    ? parseUrl(folder + url.href.slice(url.origin.length + 1))
    : url;
}

/** Returns the base URL for relative URLs. Returns undefined for a worker script that the page created. */
function base(): string | undefined {
  if (!given) return document.baseURI;
  return given[1] === "made" ? undefined : home.href;
}

/** Matches a data URL, alone or after the start of an attribute or style. */
const isData = /^[^:/]*\bdata:/i;

/** True if the folder is at a path of its host instead of at the host's root. */
export const isBelowTop: boolean = folder !== undefined && folder !== `${home.origin}/`;

/** Rewrites root-relative URLs to URLs within the folder. Accepts a URL, a list of URLs, or an attribute. */
export function withinFolder(text: string): string {
  if (!isBelowTop || isData.test(text)) return text;
  return text.replace(/(?<![^\s"'=(])(?:\/|https?:)[^\s"'<>)]*/g, (written) => {
    const url = resolveAddress(written);
    return url && isOwnFile(url) ? url.href : written;
  });
}

/** Rewrites the URLs in a style sheet with `withinFolder`. */
export function styleWithinFolder(css: string): string {
  return isBelowTop ? css.replace(/url\([^()]*\)/g, withinFolder) : css;
}

/** Recognizes URLs of files in the same folder. A page that knows such a URL may read the file. */
export function isOwnFile(url: URL | undefined): boolean {
  return folder !== undefined && url?.href.startsWith(folder) === true;
}

/**
 * Returns the URL of a framed page's folder: `/p/<slug>/raw/@<mark>/`, or the root of the folder's own host. Returns
 * undefined for a single page.
 */
function folderOf({ origin, pathname }: URL): string | undefined {
  const [path] = /^.*\/p\/\w{7}\/raw\/@[^/]+\//.exec(pathname) ?? [];
  if (path !== undefined) return origin + path;
  return /\/p\/\w{7}\/raw$/.test(pathname) ? undefined : `${origin}/`;
}
