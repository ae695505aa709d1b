import type { Readable } from "node:stream";
import { GetObjectCommand, NoSuchKey } from "@aws-sdk/client-s3";
import { blobsS3 } from "../../../functions/blobs/objects.ts";
import { toBlob } from "../../../functions/blobs/store.ts";
import type { Version } from "../../../functions/drops/drop.ts";
import { pages } from "../../../functions/drops/page-objects.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { isText, metadataLines, sniffedBytes } from "../../../functions/secrets/secret-review.ts";
import { isDropSubject, parseKey } from "../../../functions/table/keys.ts";
import type { Item } from "../../../functions/table/table.ts";
import type { StoredItem } from "../table-reads.ts";

/** The drop or the file that a text is of. */
export interface TextPlace {
  readonly ownerId: string;
  readonly namespace: string;
  /** @default - it is a file's */
  readonly slug?: string;
  /** @default - it is the drop's or a file's */
  readonly version?: number;
  /** @default - it is a drop's */
  readonly blobId?: string;
}

/** A stored text. */
export interface StoredText {
  readonly place: TextPlace;
  readonly part: "page" | "markdown" | "context" | "title" | "description" | "metadata" | "note" | "file";
  readonly text: string;
}

/** Reads the texts of a drop's or a file's row, one after the other; none of other rows. Leaves out what is deleted meanwhile. */
export async function* readTexts(
  item: StoredItem,
  options: { readonly allVersions: boolean; readonly blobsBucket: string },
): AsyncGenerator<StoredText> {
  const subject = parseKey(item);
  if (subject?.kind === "blob") yield* readFileText(item, options.blobsBucket);
  if (!isDropSubject(subject)) return;
  const { slug, userId: ownerId } = subject;
  const place = { ownerId, namespace: item.namespace as string, slug };
  for (const part of ["title", "description"] as const)
    if (item[part]) yield { place, part, text: String(item[part]) };
  const metadata = readMetadata(String(item.metadata));
  if (metadata !== "") yield { place, part: "metadata", text: metadata };
  const latest = item.latestVersion as number;
  const versions = options.allVersions
    ? await publicDrops.listVersions(slug)
    : [await publicDrops.findVersion(slug, latest)];
  for (const version of versions) if (version !== undefined) yield* readVersion(version, place);
}

/** Lines of metadata to scan. Metadata that cannot be parsed is scanned as it is stored. */
function readMetadata(stored: string): string {
  try {
    return metadataLines(new Map(JSON.parse(stored)));
  } catch {
    return stored;
  }
}

/** A page that was made of Markdown repeats its secrets, so only the source is read. */
async function* readVersion(version: Version, drop: TextPlace): AsyncGenerator<StoredText> {
  const { pageKey, source, hasContext, note } = version;
  const place = { ...drop, version: version.version };
  if (note) yield { place, part: "note", text: note };
  const page = source ? await pages.getSource(pageKey) : (await pages.get(pageKey))?.bytes;
  if (page) yield { place, part: source ? "markdown" : "page", text: page.toString() };
  const context = hasContext ? await pages.getContext(pageKey) : undefined;
  if (context) yield { place, part: "context", text: context.toString() };
}

async function* readFileText(item: Item, bucket: string): AsyncGenerator<StoredText> {
  const { id, ownerId, namespace, objectKey } = toBlob(item);
  const text = await readText(bucket, objectKey);
  if (text !== undefined) yield { place: { ownerId, namespace, blobId: id }, part: "file", text };
}

/** Reads an object to its end if its first bytes are a text; undefined if not, or if it is gone. */
async function readText(Bucket: string, Key: string): Promise<string | undefined> {
  try {
    const response = await blobsS3.send(new GetObjectCommand({ Bucket, Key }));
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isSniffed = false;
    // Leaving the loop ends the request.
    for await (const chunk of response.Body as Readable) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).byteLength;
      if (isSniffed || bytes < sniffedBytes) continue;
      isSniffed = true;
      if (!isText(Buffer.concat(chunks))) return undefined;
    }
    const all = Buffer.concat(chunks);
    return isSniffed || isText(all) ? all.toString() : undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}
