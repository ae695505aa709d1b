import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Tokenizer } from "htmlparser2";
import { environmentNames, readEnvironment } from "../http/environment.ts";
import { abortWithRequest } from "../http/request-signal.ts";
import { encodeCheckedUtf8 } from "../http/text.ts";
import { PrewarmedAgent, prewarm, Sha256, timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { contextKey, type PageContent, type StoredPage, sourceKey } from "./drop.ts";

/** The key of a page's object, which is used once. */
export function pageObjectKey(slug: string, objectId: string): string {
  return `${slug}/${objectId}.html`;
}

/** A page ready to be stored under a key of its own. */
export function toStoredPage(slug: string, objectId: string, content: PageContent): StoredPage {
  const bytes = encodeCheckedUtf8(content.html);
  return {
    key: pageObjectKey(slug, objectId),
    bytes,
    sha256: sha256Of(bytes),
    styleOffset: findHtmlHeadOffset(bytes),
    source: content.source === undefined ? undefined : withDigest(encodeCheckedUtf8(content.source)),
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

/**
 * Fields by which one publication differs from another. Rendered pages can differ between two renderings of the same
 * source.
 */
export function withoutDerivedFields<Content extends PageContent>(
  content: Content,
): Omit<Content, "html"> | Content {
  if (content.source === undefined) return content;
  const { html: _, ...sent } = content;
  return sent;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const chunkCharacters = 16_384;

/**
 * Offset of the head's start in bytes: after the start tag of `head`, else of `html`, else after the doctype.
 * Comments and white space may come between; anything else opens the head or body implicitly.
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

const agent = new PrewarmedAgent();

/** The one client of the process. Path style, which the local cloud shares with S3. */
export const s3 = abortWithRequest(
  withoutUnusedMiddleware(
    new S3Client({
      sha256: Sha256,
      maxAttempts: 4,
      requestHandler: {
        ...timeouts(10_000),
        httpsAgent: agent,
      },
      forcePathStyle: true,
    }),
  ),
);

prewarm(s3, agent, () => new GetObjectCommand({ Bucket: bucket(), Key: "start" }));

/** Attempts to read an object whose body breaks off. */
const readsMax = 2;

/** The name of the object metadata that says where a page's safety-net style goes. */
const styleOffsetName = "style-offset";

/** Published pages and their contexts, one object each under a key that is used once. */
export const pages = {
  /** Stores a page, with its context and what it was made of beside it. Afterwards a row may point at it. */
  async put(page: StoredPage): Promise<void> {
    const context = page.context;
    await Promise.all([
      putObject(page.key, page.bytes, "text/html; charset=utf-8", {
        sha256: page.sha256,
        metadata: { [styleOffsetName]: String(page.styleOffset) },
      }),
      context === undefined
        ? undefined
        : putObject(contextKey(page.key), Buffer.from(context), "text/plain; charset=utf-8"),
      page.source &&
        putObject(sourceKey(page.key), page.source.bytes, "text/markdown; charset=utf-8", {
          sha256: page.source.sha256,
        }),
    ]);
  },

  /** A page's bytes and where its style goes, or undefined where a deletion was faster than this read. */
  async get(pageKey: string): Promise<{ bytes: Buffer; styleOffset: number } | undefined> {
    const page = await pages.getChunks(pageKey);
    return page && { bytes: Buffer.concat(page.chunks), styleOffset: page.styleOffset };
  },

  /** The same in the chunks that came, for who puts them together otherwise: of a megabyte, a copy takes half a millisecond. */
  async getChunks(pageKey: string): Promise<{ chunks: readonly Buffer[]; styleOffset: number } | undefined> {
    const object = await getObject(pageKey);
    return object && { chunks: object.chunks, styleOffset: Number(object.metadata[styleOffsetName] ?? 0) };
  },

  /**
   * The bytes of a page, or of what it was made of, or those of a range as RFC 9110, section 14.2, writes one; S3 takes one range, and what it does not take it
   * answers whole. Undefined as for `get`.
   */
  async getRange(key: string, range: string | undefined): Promise<PageRange | "unsatisfiable" | undefined> {
    try {
      const object = await getObject(key, range);
      return object && { bytes: Buffer.concat(object.chunks), contentRange: object.contentRange };
    } catch (error) {
      if (error instanceof Error && error.name === "InvalidRange") return "unsatisfiable";
      throw error;
    }
  },

  /** Reads the Markdown source of a page; undefined without one. */
  async getSource(pageKey: string): Promise<Buffer | undefined> {
    const object = await getObject(sourceKey(pageKey));
    return object && Buffer.concat(object.chunks);
  },

  /** The context beside a page, or undefined. */
  async getContext(pageKey: string): Promise<Buffer | undefined> {
    const object = await getObject(contextKey(pageKey));
    return object && Buffer.concat(object.chunks);
  },

  /** An object that was made of a page, by its own key, or undefined. */
  async getBytes(key: string): Promise<Buffer | undefined> {
    const object = await getObject(key);
    return object && Buffer.concat(object.chunks);
  },
};

async function putObject(
  key: string,
  body: Uint8Array,
  contentType: string,
  { sha256, metadata = {} }: { readonly sha256?: string; readonly metadata?: Record<string, string> } = {},
): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: bucket(),
    Key: key,
    Body: body,
    ContentType: contentType,
    Metadata: metadata,
  });
  if (sha256 !== undefined) signWithDigest(command, sha256);
  await s3.send(command);
}

/** Lets the signature take a body's digest that is known: of a megabyte, making one takes milliseconds. */
function signWithDigest(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { "x-amz-content-sha256": sha256 });
      return next(args);
    },
    { step: "build", name: "signWithDigest" },
  );
}

/** Bytes of a page. */
interface PageRange {
  readonly bytes: Buffer;
  /** `Content-Range` of what is a part of it. @default - it is whole */
  readonly contentRange: string | undefined;
}

interface StoredObject extends Pick<PageRange, "contentRange"> {
  readonly chunks: readonly Buffer[];
  readonly metadata: Readonly<Record<string, string>>;
}

async function getObject(key: string, range?: string): Promise<StoredObject | undefined> {
  try {
    return await readObject(key, range);
  } catch (error) {
    if (error instanceof NoSuchKey || isAccessDenied(error)) return undefined;
    throw error;
  }
}

/** The SDK tries a request again, but not a body that breaks off: that is done here. */
async function readObject(key: string, range?: string): Promise<StoredObject | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const response: GetObjectCommandOutput = await s3.send(
      new GetObjectCommand({ Bucket: bucket(), Key: key, Range: range }),
    );
    try {
      // In Node it is a stream of bytes, which ends in an error where its checksum is another.
      const chunks: Buffer[] | undefined = await (response.Body as Readable | undefined)?.toArray();
      const { Metadata: metadata = {}, ContentRange: contentRange } = response;
      return chunks && { chunks, metadata, contentRange };
    } catch (error) {
      if (attempt === readsMax) throw error;
    }
  }
}

/** S3 answers 403 for a missing key to those who may not list the bucket; GetObject API reference. */
function isAccessDenied(error: unknown): boolean {
  return error instanceof Error && error.name === "AccessDenied";
}

function bucket(): string {
  return readEnvironment(environmentNames.pagesBucket);
}
