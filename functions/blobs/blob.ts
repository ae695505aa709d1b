import { MIMEType } from "node:util";
import { limits } from "../core/limits.ts";
import { type Expiring, isOpenToAll, type Visibility } from "../policies/access.ts";
import { createObjectId, type RandomInt } from "../table/identifiers.ts";

/** An uploaded file; section "Blob" of the specification. */
export interface Blob extends Expiring {
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  /** The type as it was sent. Browsers get `servedAs`. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: Visibility;
  /** Key of the object: public, or below `restrictedPrefix`. */
  readonly objectKey: string;
  readonly createdAtMs: number;
  /** Time of the last change of its visibility, readers or expiry, in Unix milliseconds. @default - its upload */
  readonly changedAtMs?: number | undefined;
}

/** Fields of a file in lists. */
export type ListedBlob = Omit<Blob, "objectKey" | "changedAtMs">;

/** The headers with which a file is stored and served. */
export interface ServedAs {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** Type of a file that was uploaded without a type. */
export const defaultContentType = "application/octet-stream";

/**
 * Content types that browsers may display inline, by exact essence. Scripts in SVG are blocked by the policy that it
 * is served with.
 */
const inlineTypes = new Set([
  "audio/aac",
  "audio/flac",
  "audio/mp4",
  "audio/mpeg",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "audio/x-wav",
  "image/apng",
  "image/avif",
  "image/bmp",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/svg+xml",
  "image/webp",
  "image/x-icon",
  "video/mp4",
  "video/mpeg",
  "video/ogg",
  "video/quicktime",
  "video/webm",
]);

/** Types that a browser or a plug-in would run, or render as a document. */
const activeType =
  /(html|xml|xsl|script|svg|pdf|wasm|flash|java|hta|mht|x-component)|^(multipart|message|model)\//;

/** Object key of a public file. The edge maps `/b/<id>` on the owner's host to it. */
export function blobObjectKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
}

/** Prefix of restricted files. A namespace has no underscore, and the edge forwards only signed requests for it. */
export const restrictedPrefix = "_restricted/";

/**
 * Object key of a new file, or of one that becomes restricted. Restricted keys are used once, so that a late removal
 * deletes no other object.
 */
export function newObjectKey(
  { namespace, id, visibility }: Pick<Blob, "namespace" | "id" | "visibility">,
  randomInt: RandomInt,
): string {
  if (isOpenToAll({ visibility })) return blobObjectKey(namespace, id);
  return `${restrictedFolder(namespace, id)}${createObjectId(randomInt)}`;
}

/**
 * Prefix of all objects of a restricted file, or of all restricted files of a namespace without an id. A file that was restricted for a time
 * may also have objects there.
 */
export function restrictedFolder(namespace: string, id?: string): string {
  return `${restrictedPrefix}${namespace}/${id === undefined ? "" : `${id}/`}`;
}

/** True for restricted files, which are stored where the edge does not serve them. */
export function isRestricted({ objectKey }: Pick<Blob, "objectKey">): boolean {
  return objectKey.startsWith(restrictedPrefix);
}

/** Compares the place of a file's object with its visibility. The two differ for a moment after a change. */
export function isInVisibilityFolder(blob: Pick<Blob, "objectKey" | "visibility">): boolean {
  return isRestricted(blob) !== isOpenToAll(blob);
}

/** The stored Content-Type of an upload: the one that was sent, or the default. */
export function uploadContentType(header: string | undefined): string {
  const sent = header?.trim() ?? "";
  return sent === "" ? defaultContentType : sent;
}

/** Disposition of a file: inline for images, video and audio, attachment for everything else. */
export function servedAs(filename: string, contentType: string): ServedAs {
  const essence = essenceOf(contentType);
  // The specification's file names need no escaping: letters, digits, dashes, dots and spaces.
  if (inlineTypes.has(essence))
    return { contentType: essence, contentDisposition: `inline; filename="${filename}"` };
  return {
    contentType: activeType.test(essence) ? defaultContentType : essence,
    contentDisposition: `attachment; filename="${filename}"`,
  };
}

/** The media type without its parameters (MIME Sniffing Standard, section 4.3). */
function essenceOf(contentType: string): string {
  try {
    return new MIMEType(contentType).essence;
  } catch {
    return defaultContentType;
  }
}

/** An upload in steps: the declaration of a file that its owner sends to S3, under the id of the future file. */
export type Upload = ListedBlob;

/** Object key of an unfinished upload. It is never served. */
export function stagedObjectKey({ ownerId, id }: Pick<Upload, "ownerId" | "id">): string {
  return `${stagedPrefix}${ownerId}/${id}`;
}

/** Time from which an upload cannot be completed, in Unix milliseconds. */
export function uploadExpiresAtMs({ createdAtMs }: Pick<Upload, "createdAtMs">): number {
  return createdAtMs + limits.uploadSeconds * 1000;
}

// An addition to the specification: uploads in steps, for clients that prefer to send a file to Amazon S3 itself.

/** Prefix of unfinished uploads in the bucket of files. No namespace has this name. */
export const stagedPrefix = "staging/";
