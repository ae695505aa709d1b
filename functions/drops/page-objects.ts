import type { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { abortWithRequest } from "../core/request-signal.ts";
import { entryOf } from "../folders/entry.ts";
import { entryPath, type Manifest, type ManifestFile, manifestKey } from "../folders/folder.ts";
import type { KnownContents } from "../folders/pack-folder.ts";
import { PrewarmedAgent, prewarm, Sha256, timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { contextKey, type Drop, type StoredPage, sourceKey } from "./drop.ts";

const agent = new PrewarmedAgent();

/** The process's only S3 client. It uses path-style addresses, which both S3 and the local cloud support. */
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

prewarm(s3, agent, () => new GetObjectCommand({ Bucket: pagesBucket(), Key: "start" }));

/** Maximum number of reads of an object whose transfer is interrupted. */
const readsMax = 2;

const styleOffsetName = "style-offset";

/** Stores published pages and their contexts, each as an object under a key that is used once. */
export const pages = {
  /** Stores a page, its context, its Markdown source and its folder's files. Must be called before the page's row is stored. */
  async put(page: StoredPage): Promise<void> {
    const { context, folder } = page;
    await Promise.all([
      ...(folder?.packs ?? []).map(({ key, bytes }) => putObject(key, bytes, "application/octet-stream")),
      folder &&
        putObject(manifestKey(page.key), Buffer.from(JSON.stringify(folder.manifest)), "application/json"),
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

  /** Reads a page and the offset of its default style. Returns undefined for a deleted page. */
  async get(pageKey: string): Promise<{ bytes: Buffer; styleOffset: number } | undefined> {
    const page = await pages.getChunks(pageKey);
    return page && { bytes: Buffer.concat(page.chunks), styleOffset: page.styleOffset };
  },

  /** Reads a page as the received chunks. Joining a megabyte of chunks would take half a millisecond. */
  async getChunks(pageKey: string): Promise<{ chunks: readonly Buffer[]; styleOffset: number } | undefined> {
    const object = await getObject(pageKey);
    return object && { chunks: object.chunks, styleOffset: Number(object.metadata[styleOffsetName] ?? 0) };
  },

  /** Reads an object, whole or a range of bytes (RFC 9110, section 14.2). S3 ignores several ranges. Returns undefined for a missing object. */
  async getRange(key: string, range: string | undefined): Promise<PageRange | "unsatisfiable" | undefined> {
    try {
      const object = await getObject(key, range);
      return object && { bytes: Buffer.concat(object.chunks), contentRange: object.contentRange };
    } catch (error) {
      if (error instanceof Error && error.name === "InvalidRange") return "unsatisfiable";
      throw error;
    }
  },

  /** Reads the Markdown source of a page, or undefined without a source. */
  getSource(pageKey: string): Promise<Buffer | undefined> {
    return pages.getBytes(sourceKey(pageKey));
  },

  /** Reads the context of a page, or undefined without a context. */
  getContext(pageKey: string): Promise<Buffer | undefined> {
    return pages.getBytes(contextKey(pageKey));
  },

  /** Reads the manifest of a folder's version, or undefined if it is missing. */
  async getManifest(pageKey: string): Promise<Manifest | undefined> {
    const bytes = await pages.getBytes(manifestKey(pageKey));
    return bytes && JSON.parse(bytes.toString());
  },

  /** Reads a folder's file from its pack. Returns undefined if the pack was deleted. */
  async getPart({ packKey, offset, sizeBytes }: ManifestFile): Promise<Buffer | undefined> {
    if (sizeBytes === 0) return Buffer.alloc(0);
    const object = await getObject(packKey, `bytes=${offset}-${offset + sizeBytes - 1}`);
    return object && Buffer.concat(object.chunks);
  },

  async putBytes(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    await putObject(key, bytes, contentType);
  },

  /** Reads an object, or undefined if it is missing. */
  async getBytes(key: string): Promise<Buffer | undefined> {
    const object = await getObject(key);
    return object && Buffer.concat(object.chunks);
  },
};

/** Reads the stored contents of the drop's latest version, which a new folder shares instead of storing them again. */
export async function knownContents({ latest }: Drop): Promise<KnownContents | undefined> {
  if (latest.folder === undefined) return undefined;
  const manifest = await pages.getManifest(latest.pageKey);
  return manifest && { version: latest.version, manifest };
}

async function putObject(
  key: string,
  body: Uint8Array,
  contentType: string,
  { sha256, metadata = {} }: { readonly sha256?: string; readonly metadata?: Record<string, string> } = {},
): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: pagesBucket(),
    Key: key,
    Body: body,
    ContentType: contentType,
    Metadata: metadata,
  });
  if (sha256 !== undefined) signWithDigest(command, sha256);
  await s3.send(command);
}

/** Signs a request with the known digest of its body, because hashing a megabyte takes milliseconds. */
function signWithDigest(command: PutObjectCommand, sha256: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, { "x-amz-content-sha256": sha256 });
      return next(args);
    },
    { step: "build", name: "signWithDigest" },
  );
}

interface PageRange {
  readonly bytes: Buffer;
  /** `Content-Range` of a partial response. @default - the response is whole */
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
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reads an object, and retries if the transfer of its body is interrupted. The SDK only retries the request itself. */
async function readObject(key: string, range?: string): Promise<StoredObject | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const response: GetObjectCommandOutput = await s3.send(
      new GetObjectCommand({ Bucket: pagesBucket(), Key: key, Range: range }),
    );
    try {
      // In Node the body is a stream of bytes. The stream fails if the checksum is wrong.
      const chunks: Buffer[] | undefined = await (response.Body as Readable | undefined)?.toArray();
      const { Metadata: metadata = {}, ContentRange: contentRange } = response;
      return chunks && { chunks, metadata, contentRange };
    } catch (error) {
      if (attempt === readsMax) throw error;
    }
  }
}

/** Recognizes the error for a missing object. S3 responds 403 instead of 404 to a caller who may not list the bucket (GetObject API reference). */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchKey || (error instanceof Error && error.name === "AccessDenied");
}

/** Name of the bucket of pages and their derived objects. */
export function pagesBucket(): string {
  return readEnvironment(environmentNames.pagesBucket);
}

/** Finds the page of a folder that a reader comments on, by the path that the frame sends. The default is the entry page. */
export async function findFolderPage(pageKey: string, sent: string): Promise<string> {
  const path = sent.normalize("NFC");
  const manifest = (await pages.getManifest(pageKey)) ?? { files: {} };
  const names = [path, `${path}${entryPath}`, `${path}/${entryPath}`, `${path}.html`];
  return (
    names.find((name) => /\.html?$/i.test(name) && Object.hasOwn(manifest.files, name)) ?? entryOf(manifest)
  );
}

/** Finds a file of a folder's version. Returns undefined if the version has no such path. */
export async function findFolderFile(pageKey: string, path: string): Promise<ManifestFile | undefined> {
  const { files = {} } = (await pages.getManifest(pageKey)) ?? {};
  return Object.hasOwn(files, path) ? files[path] : undefined;
}
