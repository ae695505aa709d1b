import { contentTypeOf } from "./content-type.ts";
import { type AddressSpan, cssAddresses } from "./css-addresses.ts";
import { FolderAddresses, type FolderPlace } from "./folder-addresses.ts";
import { type PageAddress, type StartTag, visitPage } from "./page-addresses.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Makes root-absolute addresses of files in a page's folder relative to the page's own address. All other bytes stay unchanged. The edited
 * parts are ASCII in every charset except UTF-16, in which no address is found.
 *
 * @param isApart recognizes files with another origin, which the page must load with CORS so that its scripts can read them
 * @param isFramed true to defer `use` elements that refer to other files, because browsers refuse them in a frame with an opaque origin
 */
export function rewritePage(
  page: Buffer,
  place: FolderPlace,
  isApart: (path: string) => boolean,
  isFramed = false,
): Buffer {
  const edits: Edit[] = [];
  const addresses = new FolderAddresses(place);
  const rewrite = (found: readonly PageAddress[], isBase = false) => {
    for (const address of found) edits.push(...relativeEdit(address, addresses, isBase));
  };
  const sharing = new CrossOriginReading(addresses, isApart, edits);
  const text = page.toString("latin1");
  visitPage(text, {
    onTag: (tag) => {
      if (isFramed && tag.name === "use") deferUse(tag, addresses, edits);
      rewrite(tag.addresses, tag.name === "base");
      dropIntegrity(tag, addresses, edits);
      sharing.visit(tag);
      // The `base` element applies to the addresses after it.
      if (tag.name === "base")
        addresses.setBase(tag.addresses.find(({ attribute }) => attribute === "href")?.written.text);
    },
    onEndTag: (name) => sharing.leave(name),
    onContentAddresses: (found) => rewrite(found),
  });
  sharing.close();
  return edited(page, text, edits);
}

/** Makes root-absolute addresses of files in a style sheet's folder relative to the style sheet's own address. */
export function rewriteStyleSheet(sheet: Buffer, place: FolderPlace): Buffer {
  const addresses = new FolderAddresses(place);
  const text = sheet.toString("latin1");
  const edits = cssAddresses(text).flatMap((address) => relativeEdit(address, addresses));
  return edited(sheet, text, edits);
}

function relativeEdit(
  { start, written, isInVariable = false }: AddressSpan,
  addresses: FolderAddresses,
  isBase = false,
): Edit[] {
  const replacement = addresses.toRelative(written.text, { isBase, isInVariable });
  if (replacement === undefined) return [];
  const { from, to, text } = replacement;
  if (written.isEscaped) {
    const end = start + written.offsetAt(written.text.length);
    return [{ start, end, text: text + encodeDelimiters(written.text.slice(to)) }];
  }
  return [{ start: start + written.offsetAt(from), end: start + written.offsetAt(to), text }];
}

/** Encodes characters that would end an address in a style, a string or an attribute. */
function encodeDelimiters(address: string): string {
  return address.replace(
    /[^\w~.!*$@:/?#[\]+,;=&%-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Removes the integrity digest from a link to a style sheet of the folder, because rewriting changes the style sheet's bytes. */
function dropIntegrity(
  { name, attributes, addresses: found }: StartTag,
  addresses: FolderAddresses,
  edits: Edit[],
): void {
  const integrity = attributes.get("integrity");
  const href = found.find(({ attribute }) => attribute === "href");
  if (name !== "link" || integrity === undefined || href === undefined) return;
  const path = addresses.fileOf(href.written.text);
  if (path === undefined || !contentTypeOf(path).startsWith("text/css")) return;
  edits.push({ start: integrity.start, end: integrity.end, text: "" });
}

/** Makes a `use` element refer to the page. The frame's script `folder-elements.client.ts` loads the folder's SVG file instead. */
function deferUse({ addresses: found }: StartTag, addresses: FolderAddresses, edits: Edit[]): void {
  for (const { start, written } of found)
    if (/^[^#]+#/.test(written.text) && addresses.fileOf(written.text) !== undefined)
      edits.push({ start, end: start, text: "#" });
}

/** Elements that load a file without CORS, so that scripts of other origins cannot read it. */
const readers = new Set(["audio", "image", "img", "link", "script", "video"]);

const linkKinds = /(?:^|[\t\n\f\r ])(?:stylesheet|preload|modulepreload)(?:$|[\t\n\f\r ])/i;

/** An open element, and the origins of the files that it and its `source` elements refer to. */
interface OpenElement {
  readonly name: string;
  readonly edit: Edit | undefined;
  /** True if all of these files so far belong to the folder. */
  isInside: boolean;
  /** True if at least one of these files has another origin than the page. */
  isApart: boolean;
}

/** Adds `crossorigin` to an element if all of its files belong to the folder and at least one file has another origin than the page. */
class CrossOriginReading {
  readonly #addresses: FolderAddresses;
  readonly #isApart: (path: string) => boolean;
  readonly #edits: Edit[];
  #open: OpenElement | undefined;

  constructor(addresses: FolderAddresses, isApart: (path: string) => boolean, edits: Edit[]) {
    this.#addresses = addresses;
    this.#isApart = isApart;
    this.#edits = edits;
  }

  visit(tag: StartTag): void {
    const { name } = tag;
    if (name === "picture") this.#open = { name, edit: undefined, isInside: true, isApart: false };
    else if (name === "source" && this.#open !== undefined) this.#note(this.#open, tag);
    else if (readers.has(name)) this.#visitReader(tag);
  }

  leave(name: string): void {
    if (this.#open === undefined || this.#open.name !== name) return;
    this.close();
  }

  #visitReader(tag: StartTag): void {
    const { name, attributes } = tag;
    if (name === "link" && !linkKinds.test(attributes.get("rel")?.value ?? "")) return;
    const isMedia = name === "video" || name === "audio";
    const element = { name, edit: crossOriginEdit(tag), isInside: true, isApart: false };
    this.#note(element, tag);
    if (isMedia) {
      this.close();
      this.#open = element;
      return;
    }
    const isInPicture = name === "img" && this.#open?.name === "picture";
    if (!isInPicture || this.#open?.isInside !== false) this.#add(element);
  }

  #note(element: OpenElement, { addresses }: StartTag): void {
    for (const { attribute, written } of addresses) {
      if (attribute === "poster" || attribute === "style" || /^[\t\n\f\r ]*data:/i.test(written.text))
        continue;
      const path = this.#addresses.fileOf(written.text);
      element.isInside &&= path !== undefined;
      element.isApart ||= path !== undefined && this.#isApart(path);
    }
  }

  #add({ edit, isInside, isApart }: OpenElement): void {
    if (edit !== undefined && isInside && isApart) this.#edits.push(edit);
  }

  close(): void {
    if (this.#open !== undefined) this.#add(this.#open);
    this.#open = undefined;
  }
}

function crossOriginEdit({ nameEnd, attributes }: StartTag): Edit | undefined {
  const given = attributes.get("crossorigin");
  if (given === undefined) return { start: nameEnd, end: nameEnd, text: " crossorigin" };
  const asksForCookies = given.value.trim().toLowerCase() === "use-credentials";
  return asksForCookies ? { start: given.start, end: given.end, text: "anonymous" } : undefined;
}

function edited(bytes: Buffer, text: string, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const pieces: string[] = [];
  let from = 0;
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  pieces.push(text.slice(from));
  return Buffer.from(pieces.join(""), "latin1");
}
