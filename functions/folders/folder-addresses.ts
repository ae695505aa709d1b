import { isUtf8 } from "node:buffer";
import { decodedPath, findNamedPath } from "./find-file.ts";

/** Folder and address of a requested page or style sheet. */
export interface FolderPlace {
  readonly files: Readonly<Record<string, unknown>>;
  /** The folder's address in the reader's browser, with a slash at the end. */
  readonly folderUrl: string;
  /** Requested path below the folder's address, as it was sent. Relative addresses are resolved against it. */
  readonly requested: string;
}

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const rootAbsolute = /^[\t\n\f\r ]*\/(?![/\\])/;

/** Matches a path of plain names. Browsers do not change such a path. */
const plainPath = /^\/?(?:[\w%][\w%.~@+,=-]*\/)*[\w%][\w%.~@+,=-]*\/?$/;

/** Matches the parts of a path that a browser changes: dots, backslashes and control characters. */
const resolvedParts = /(?:^|\/)(?:\.|%2e)|[\\\t\n\r]/i;

/** Matches addresses that never refer to a file, such as long data URLs. */
const otherKinds = /^[\t\n\f\r ]*(?:data|blob|javascript|mailto):/i;

/** Resolves the addresses in a page or style sheet like a browser. The addresses are passed as Latin-1 text. */
export class FolderAddresses {
  readonly #files: FolderPlace["files"];
  readonly #top: string;
  /** True if the folder has its own host, so that its root-absolute addresses work unchanged. */
  readonly #isAtHome: boolean;
  /** Cache of the file found for each path, because pages repeat their links. The value is an empty string for a missing file. */
  readonly #found = new Map<string, string>();
  #base: string;
  #hasBase = false;

  constructor({ files, folderUrl, requested }: FolderPlace) {
    this.#files = files;
    this.#top = folderUrl;
    this.#isAtHome = new URL(folderUrl).pathname === "/";
    this.#base = folderUrl + requested;
  }

  /** Finds the path of the file that an address refers to. Returns undefined for an address outside the folder, and for a missing file. */
  fileOf(address: string): string | undefined {
    const path = this.#resolve(address);
    return path === undefined ? undefined : this.#find(path);
  }

  /** Recognizes a root-absolute address without a file in the folder. */
  isMissing(address: string): boolean {
    return rootAbsolute.test(address) && this.fileOf(address) === undefined;
  }

  /** Recognizes a relative address within the folder without a file. */
  isAbsent(address: string): boolean {
    if (rootAbsolute.test(address)) return false;
    const path = this.#resolve(address);
    return path !== undefined && path !== "" && this.#find(path) === undefined;
  }

  /**
   * Makes a root-absolute address relative if the folder contains its file or, in a `base` element, its subfolder. Otherwise returns
   * undefined. An address in a custom property becomes the folder's full path, because its base is unknown.
   */
  toRelative(address: string, { isBase = false, isInVariable = false } = {}): Replacement | undefined {
    const start = rootAbsolute.exec(address)?.[0].length;
    if (start === undefined || this.#isAtHome) return undefined;
    const path = pathOf(address.slice(start));
    const up = isInVariable ? new URL(this.#top).pathname : this.#wayUp();
    const isKnown = (named: string) =>
      this.#find(named) !== undefined || (isBase && !this.#hasBase && this.#hasFolderOf(named));
    // Paths with dots or backslashes are resolved here, because a browser could resolve them to an address outside the folder.
    if (!resolvedParts.test(path))
      return isKnown(path) ? { from: start - 1, to: start, text: up } : undefined;
    const resolved = this.#resolve(address);
    if (resolved === undefined || !isKnown(resolved)) return undefined;
    const plain = resolved.split("/").map(encodeSegment).join("/");
    return { from: 0, to: start + path.length, text: up + plain };
  }

  /** Applies the `href` of the first `base` element, if its address is in the folder. Browsers refuse other base addresses. */
  setBase(href: string | undefined): void {
    if (href === undefined || this.#hasBase) return;
    this.#hasBase = true;
    const path = this.#resolve(href);
    const isIn =
      this.#isAtHome || !rootAbsolute.test(href) || (path !== undefined && this.#hasFolderOf(path));
    if (path !== undefined && isIn) this.#base = this.#top + path;
  }

  #hasFolderOf(path: string): boolean {
    const folder = decodedPath(`${path.slice(0, path.lastIndexOf("/") + 1)}x`)?.slice(0, -1);
    if (folder === undefined) return false;
    return folder === "" || Object.keys(this.#files).some((name) => name.startsWith(folder));
  }

  #find(path: string): string | undefined {
    const known = this.#found.get(path);
    if (known !== undefined) return known === "" ? undefined : known;
    const decoded = decodedPath(toText(path));
    const named = decoded === undefined ? undefined : findNamedPath(this.#files, decoded);
    const found = named === "folder" ? decoded : named?.path;
    this.#found.set(path, found ?? "");
    return found;
  }

  /** Resolves an address to a path within the folder, without query and fragment. Returns undefined for an address outside the folder. */
  #resolve(address: string): string | undefined {
    if (otherKinds.test(address)) return undefined;
    const path = toText(pathOf(address));
    const start = rootAbsolute.exec(path)?.[0].length;
    // Most addresses pass this check, which is many times as fast as parsing.
    if (plainPath.test(path) && !resolvedParts.test(path))
      return start === undefined ? this.#folder() + path : path.slice(start);
    // On the folder's own host, `..` cannot leave the folder.
    const relative = start === undefined ? path : `.${URL.parse(path, "https://host.invalid")?.pathname}`;
    const href = URL.parse(relative, start === undefined ? this.#base : this.#top)?.href;
    return href?.startsWith(this.#top) ? pathOf(href.slice(this.#top.length)) : undefined;
  }

  /** Returns the path of the subfolder that relative addresses are resolved against, with a slash at the end. */
  #folder(): string {
    const path = pathOf(this.#base.slice(this.#top.length));
    return path.slice(0, path.lastIndexOf("/") + 1);
  }

  #wayUp(): string {
    const depth = this.#folder().split("/").length - 1;
    return depth === 0 ? "./" : "../".repeat(depth);
  }
}

function pathOf(address: string): string {
  const end = address.search(/[?#]/);
  return end === -1 ? withoutTrailingSpace(address) : address.slice(0, end);
}

/** Removes spaces at the end. With many spaces inside the address, a regular expression would take quadratic time. */
function withoutTrailingSpace(address: string): string {
  let end = address.length;
  while ("\t\n\f\r ".includes(address.charAt(end - 1)) && end > 0) end -= 1;
  return address.slice(0, end);
}

/** Decodes bytes as UTF-8, the encoding in which browsers send addresses, or else as Latin-1, which is common in older pages. */
function toText(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  return isUtf8(buffer) ? buffer.toString() : bytes;
}

function encodeSegment(segment: string): string {
  return segment.replace(/[^\w%~.@:+-]/g, (character) =>
    encodeURIComponent(character).replace(/[!'()*]/g, hexOf),
  );
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
