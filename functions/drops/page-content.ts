import { createHash } from "node:crypto";
import { Tokenizer } from "htmlparser2";
import { takeUtf8 } from "../platform/utf8.ts";
import type { PageContent, StoredPage } from "./drop.ts";

/** The key of a page's object, which is used once. */
export function pageObjectKey(slug: string, objectId: string): string {
  return `${slug}/${objectId}.html`;
}

/** A page ready to be stored under a key of its own. */
export function toStoredPage(slug: string, objectId: string, content: PageContent): StoredPage {
  const bytes = takeUtf8(content.html);
  return {
    key: pageObjectKey(slug, objectId),
    bytes,
    sha256: sha256Of(bytes),
    styleOffset: findHtmlHeadOffset(bytes),
    source: content.source === undefined ? undefined : withDigest(takeUtf8(content.source)),
    context: content.context === "" ? undefined : content.context,
    note: content.note === "" ? undefined : content.note,
  };
}

function withDigest(bytes: Uint8Array): StoredPage["source"] {
  return { bytes, sha256: sha256Of(bytes) };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** What of a publication tells it from others: a page that is rendered may come out otherwise another time. */
export function asSent<Content extends PageContent>(content: Content): Omit<Content, "html"> | Content {
  if (content.source === undefined) return content;
  const { html: _, ...sent } = content;
  return sent;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const chunkCharacters = 16_384;

/**
 * Where the head of a page begins, in bytes: behind the start tag of `head`, else of `html`, else behind the doctype.
 * Comments and white space may stand between; anything else opens the head or the body by itself.
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
