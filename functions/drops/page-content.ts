import { createHash } from "node:crypto";
import { Tokenizer } from "htmlparser2";
import { encodeCheckedUtf8 } from "../core/text.ts";
import { type KnownContents, packFolder } from "../folders/pack-folder.ts";
import type { PageContent, StoredPage } from "./drop.ts";

/** Object key of a page. Each key is used only once. */
export function pageObjectKey(slug: string, objectId: string): string {
  return `${slug}/${objectId}.html`;
}

/** Prepares a page for storage under a new key. @param known stored contents that a folder can share. @default - none */
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

/** Fields that identify a publication. Excludes a page rendered from Markdown, because another rendering of the source can differ. */
export function withoutDerivedFields<Content extends PageContent>(content: Content): object {
  const { html: _, folder, ...sent } = content;
  if (folder !== undefined) return { ...sent, folder: folder.digest, spa: folder.spa };
  return content.source === undefined ? content : sent;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const chunkCharacters = 16_384;

/**
 * Returns the byte offset where the head's contents begin: after the start tag of `head`, or else of `html`, or else after the doctype.
 * Only comments and white space may precede the tag, because anything else opens the head or body implicitly.
 */
export function findHtmlHeadOffset(page: Buffer): number {
  const start = page.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  let [offset, tag, done] = [start, "", false];
  const textAt = (from: number, to: number) => page.toString("latin1", start + from, start + to);
  const stop = () => {
    done = true;
  };
  const passTag = (end: number) => {
    if (done) return;
    offset = start + end + 1;
    if (tag === "head") stop();
  };
  const tokenizer = new Tokenizer(
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
        if (!done) offset = start + end + 1;
      },
      onend() {},
      onopentagend: passTag,
      onopentagname: (from, to) => {
        tag = textAt(from, to).toLowerCase();
        if (tag !== "html" && tag !== "head") stop();
      },
      onprocessinginstruction() {},
      onselfclosingtag: passTag,
      ontext: (from, to) => {
        if (textAt(from, to).trim() !== "") stop();
      },
      ontextentity: stop,
    },
  );
  for (let at = start; at < page.byteLength && !done; at += chunkCharacters) {
    // Latin-1 has one character for each byte, so that the tokenizer's offsets are byte offsets. Tags are ASCII.
    tokenizer.write(page.toString("latin1", at, at + chunkCharacters));
  }
  return offset;
}
