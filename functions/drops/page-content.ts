import { createHash } from "node:crypto";
import { Tokenizer } from "htmlparser2";
import { encodeCheckedUtf8 } from "../core/text.ts";
import { type KnownContents, packFolder } from "../folders/pack-folder.ts";
import type { PageContent, StoredPage } from "./drop.ts";

/** The key of a page's object, which is used once. */
export function pageObjectKey(slug: string, objectId: string): string {
  return `${slug}/${objectId}.html`;
}

/**
 * Prepares a page for storage under a new key.
 *
 * @param known stored contents of the drop, which a folder shares. @default - none
 */
export function toStoredPage(
  slug: string,
  objectId: string,
  content: PageContent,
  known?: KnownContents,
): StoredPage {
  const bytes = encodeCheckedUtf8(content.html);
  const { folder } = content;
  return {
    key: pageObjectKey(slug, objectId),
    folder: folder && packFolder(slug, folder, known, objectId),
    bytes,
    sha256: sha256Of(bytes),
    styleOffset: findHtmlHeadOffset(bytes),
    source: content.source === undefined ? undefined : withDigest(encodeCheckedUtf8(content.source)),
    context: content.context === "" ? undefined : content.context,
    note: content.note === "" ? undefined : content.note,
    originalDateMs: content.original_date,
  };
}

function withDigest(bytes: Uint8Array): StoredPage["source"] {
  return { bytes, sha256: sha256Of(bytes) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Fields that identify a publication. A rendered page is left out, because two renderings of the same source can
 * differ. A folder is identified by the digest of the sent bytes.
 */
export function withoutDerivedFields<Content extends PageContent>(content: Content): object {
  const { html: _, folder, ...sent } = content;
  if (folder !== undefined) return { ...sent, folder: folder.digest, spa: folder.spa };
  return content.source === undefined ? content : sent;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const chunkCharacters = 16_384;

/**
 * Offset of the head's start in bytes: after the start tag of `head`, else of `html`, else after the doctype. Comments
 * and white space may precede it; anything else opens the head or body implicitly.
 */
export function findHtmlHeadOffset(page: Buffer): number {
  const start = page.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const search = new HeadSearch(page.subarray(start));
  for (let at = start; at < page.byteLength && !search.done; at += chunkCharacters) {
    // One character a byte, so that the tokenizer's offsets are byte offsets; tags are ASCII.
    search.tokenizer.write(page.toString("latin1", at, at + chunkCharacters));
  }
  return start + search.offset;
}

class HeadSearch {
  offset = 0;
  done = false;
  readonly tokenizer: Tokenizer;
  #tag = "";

  constructor(page: Buffer) {
    const textAt = (from: number, to: number) => page.toString("latin1", from, to);
    const stop = () => {
      this.done = true;
    };
    this.tokenizer = new Tokenizer(
      { xmlMode: false, decodeEntities: false },
      {
        onattribdata() {},
        onattribend() {},
        onattribentity() {},
        onattribname() {},
        oncdata: stop,
        onclosetag: stop,
        oncomment() {},
        ondeclaration: (_start, end) => {
          if (!this.done) this.offset = end + 1;
        },
        onend() {},
        onopentagend: (end) => {
          if (this.done) return;
          this.offset = end + 1;
          if (this.#tag === "head") stop();
        },
        onopentagname: (from, to) => {
          this.#tag = textAt(from, to).toLowerCase();
          if (this.#tag !== "html" && this.#tag !== "head") stop();
        },
        onprocessinginstruction() {},
        onselfclosingtag: (end) => {
          if (this.done) return;
          this.offset = end + 1;
          if (this.#tag === "head") stop();
        },
        ontext: (from, to) => {
          if (textAt(from, to).trim() !== "") stop();
        },
        ontextentity: stop,
      },
    );
  }
}
