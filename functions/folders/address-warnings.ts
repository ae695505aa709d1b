import { decodeAttribute } from "./attribute-text.ts";
import { contentTypeOf, isHtml } from "./content-type.ts";
import { cssAddresses } from "./css-addresses.ts";
import { entryPath, type PackedFile } from "./folder.ts";
import { FolderAddresses } from "./folder-addresses.ts";
import type { PageAddress, PageVisitor, StartTag } from "./page-addresses.ts";
import type { CheckedPage } from "./page-check.ts";
import { type Finding, Mistakes, placesOf, shownText } from "./page-mistakes.ts";
import { adviceFor } from "./site-generators.ts";

/** Root-absolute addresses that stay broken after rewriting, and other mistakes in the pages. */
export interface AddressFindings {
  /** Addresses that name no file of the folder. @default - none */
  readonly missing?: Finding | undefined;
  /** Addresses in scripts that name files of the folder. */
  readonly scripted?: Finding | undefined;
  /** Names the build setting that makes the addresses relative. */
  readonly advice: string;
  readonly mistakes: Mistakes;
}

/** Maximum number of bytes that are searched in pages, style sheets and scripts. Searching more would take longer than publishing. */
const lookedAtBytesMax = 4 * 1024 * 1024;

/** Media types of the files to search, in the order of the search. */
const kinds = [/^text\/html/, /^text\/css/, /javascript/];

/**
 * Finds root-absolute addresses that do not work below a folder's address, and other mistakes in its pages. Unchanged files, whose contents were
 * not sent again, are not searched.
 *
 * @param visitorsOf returns other visitors that check a page during the same parse. @default - none
 */
export function findAddresses(
  files: readonly PackedFile[],
  isSpa: boolean,
  isOwnHost: (host: string) => boolean,
  visitorsOf: (page: CheckedPage) => readonly PageVisitor[] = () => [],
): AddressFindings {
  const names = Object.fromEntries(files.map(({ path }) => [path, true]));
  const search = new AddressSearch({ names, isSpa, isOwnHost, visitorsOf });
  let left = lookedAtBytesMax;
  for (const { path, bytes } of inOrder(files)) {
    if (bytes === undefined || bytes.byteLength > left) continue;
    left -= bytes.byteLength;
    search.lookAt(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
  }
  const entry = files.find(({ path }) => path === entryPath)?.bytes ?? new Uint8Array();
  return { ...search.findings(), advice: adviceFor(Buffer.from(entry.subarray(0, 65_536)).toString()) };
}

/**
 * Returns warnings about the addresses.
 *
 * @param isAtHome true if the folder has its own host, so that root-absolute addresses lead to the folder
 */
export function addressWarnings(
  { missing, scripted, advice, mistakes }: AddressFindings,
  isAtHome: boolean,
): readonly string[] {
  const warnings = [...mistakes.warnings()];
  if (missing !== undefined) {
    const mend = isAtHome ? "correct the addresses" : advice;
    warnings.push(
      `Addresses that begin with / lead to no file of the folder: ${placesOf(missing)}. Send the missing files, or ${mend}.`,
    );
  }
  if (scripted !== undefined && !isAtHome) {
    warnings.push(
      `Scripts find no file here at an address that begins with /: ${placesOf(scripted)}. In pages and styles, such addresses are made relative. For scripts, ${advice}.`,
    );
  }
  return warnings;
}

function inOrder(files: readonly PackedFile[]): readonly PackedFile[] {
  const isEntry = ({ path }: PackedFile) => path === entryPath;
  const ofKind = kinds.flatMap((kind) =>
    files.filter((file) => !isEntry(file) && kind.test(contentTypeOf(file.path))),
  );
  return [...files.filter(isEntry), ...ofKind];
}

/** Matches addresses of the service itself on an owner's host. */
const serviceAddress = /^\/(?:b|d|p)\/[A-Za-z0-9]{7}(?:[/?#]|$)/;

/** Relations of links that a browser does not load. */
const idleRelations = /canonical|alternate|next|prev|search|author|license|help/i;

const scriptAddress = /(["'`])(\/[\w%.~@+,=/-]{1,200}\.\w{1,8})\1/g;

/** Matches the code before a string that is only compared with an address or appended to one. The browser does not load such a string. */
const notLoading =
  /(?:(?<!\borigin\s?)\+|[!=]==?|\.(?:startsWith|endsWith|includes|indexOf|lastIndexOf|split)\()\s*$/;

/** Number of characters before an address that are searched for `notLoading`. */
const codeBeforeMax = 40;

/** Matches code of bundlers that joins the root of a host and a file name. Vite uses it for preloads, webpack for chunks. */
const joinedByTool = /return\s?["'`]\/["'`]\s?\+\s?\w|\b\w+\.p\s?=\s?["'`]\/[\w/-]*["'`]/;

interface SearchedFolder {
  /** Object with the paths of the files as property names. */
  readonly names: Readonly<Record<string, unknown>>;
  readonly isSpa: boolean;
  readonly isOwnHost: (host: string) => boolean;
  readonly visitorsOf: (page: CheckedPage) => readonly PageVisitor[];
}

class AddressSearch {
  readonly #folder: SearchedFolder;
  readonly #mistakes = new Mistakes();
  #missing: Finding | undefined;
  #scripted: Finding | undefined;

  constructor(folder: SearchedFolder) {
    this.#folder = folder;
  }

  findings(): Pick<AddressFindings, "missing" | "scripted" | "mistakes"> {
    return { missing: this.#missing, scripted: this.#scripted, mistakes: this.#mistakes };
  }

  lookAt(path: string, text: string): void {
    const requested = path.split("/").map(encodeURIComponent).join("/");
    const place = { files: this.#folder.names, folderUrl: "https://host.invalid/folder/", requested };
    const addresses = new FolderAddresses(place);
    const check = (found: readonly Pick<PageAddress, "start" | "written">[]) => {
      for (const { start, written } of found) {
        if (!addresses.isMissing(written.text) || serviceAddress.test(written.text)) continue;
        this.#missing = added(this.#missing, { path, text, start, address: written.text });
      }
    };
    const type = contentTypeOf(path);
    if (type.startsWith("text/css")) check(cssAddresses(text));
    else if (!isHtml(type)) this.#lookAtScript(path, text, addresses);
    else {
      const isAbsent = (address: string) => addresses.isAbsent(address);
      const page = { path, text, isOwnHost: this.#folder.isOwnHost, isAbsent };
      this.#mistakes.check(page, ...this.#folder.visitorsOf(page), {
        onTag: (tag) => {
          if (tag.name === "base") addresses.setBase(decodedHref(tag));
          if (!this.#isLoadedByScript(tag)) check(tag.addresses);
        },
        onContentAddresses: check,
        onScript: (start, end) => this.#lookAtScript(path, text, addresses, start, end),
      });
    }
  }

  /** Recognizes tags that need no warning about their addresses: routes of a single-page app, and links that a browser does not load. */
  #isLoadedByScript({ name, attributes }: StartTag): boolean {
    if (name === "link") return idleRelations.test(attributes.get("rel")?.value ?? "");
    return this.#folder.isSpa && (name === "a" || name === "area" || name === "form");
  }

  #lookAtScript(path: string, text: string, addresses: FolderAddresses, start = 0, end = text.length): void {
    const script = text.slice(start, end);
    for (const { index, 2: address = "" } of script.matchAll(scriptAddress)) {
      if (addresses.fileOf(address) === undefined) continue;
      if (notLoading.test(script.slice(Math.max(0, index - codeBeforeMax), index))) continue;
      this.#scripted = added(this.#scripted, { path, text, start: start + index, address });
    }
    const joined = /modulepreload|webpack/i.test(script) ? joinedByTool.exec(script) : null;
    if (joined === null) return;
    this.#scripted = added(this.#scripted, { path, text, start: start + joined.index, address: "/" });
  }
}

function decodedHref({ attributes }: StartTag): string | undefined {
  const href = attributes.get("href");
  return href && decodeAttribute(href.value).text;
}

function added(
  before: Finding | undefined,
  {
    path,
    text,
    start,
    address,
  }: { readonly path: string; readonly text: string; readonly start: number; readonly address: string },
): Finding {
  if (before !== undefined) return { ...before, count: before.count + 1 };
  return { count: 1, path, line: text.slice(0, start).split("\n").length, shown: shownText(address) };
}
