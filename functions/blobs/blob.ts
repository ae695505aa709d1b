import { MIMEType } from "node:util";
import { limits } from "../core/limits.ts";
import { type Expiring, isOpenToAll, type Visibility } from "../policies/access.ts";
import { createObjectId, type RandomInt } from "../table/identifiers.ts";

/** An uploaded file (section "Blob" of the specification). */
export interface Blob extends Expiring {
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  /** Content type as the client sent it. Browsers get the content type that `servedAs` returns. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: Visibility;
  /** Key of the file's object. The key of a restricted file begins with `restrictedPrefix`. */
  readonly objectKey: string;
  readonly createdAtMs: number;
  /** Time of the last change of the file's visibility, readers or expiry, in Unix milliseconds. @default - unchanged since its upload */
  readonly changedAtMs?: number | undefined;
}

/** Fields of a file in a list. */
export type ListedBlob = Omit<Blob, "objectKey" | "changedAtMs">;

/** Headers to store and to serve a file with. */
export interface ServedAs {
  readonly contentType: string;
  readonly contentDisposition: string;
}

/** Content type of a file that was uploaded without one. */
export const defaultContentType = "application/octet-stream";

/** Matches content types that browsers may display inline. A content security policy blocks the scripts of SVG files. */
const inlineType =
  /^(?:audio\/(?:aac|flac|mp4|mpeg|ogg|wav|webm|x-wav)|image\/(?:apng|avif|bmp|gif|jpeg|png|svg\+xml|webp|x-icon)|video\/(?:mp4|mpeg|ogg|quicktime|webm))$/;

/** Matches content types that a browser or a plug-in would run, or render as a document. */
const activeType =
  /(html|xml|xsl|script|svg|pdf|wasm|flash|java|hta|mht|x-component)|^(multipart|message|model)\//;

/** Returns the object key of a public file. The edge maps `/b/<id>` on the owner's host to it. */
export function blobObjectKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
}

/** Prefix of the object keys of restricted files. No namespace contains an underscore. The edge forwards only signed requests for them. */
export const restrictedPrefix = "_restricted/";

/** Returns the object key for a new or moved file. Each restricted object gets a new key, so that a delayed deletion cannot remove it. */
export function newObjectKey(
  { namespace, id, visibility }: Pick<Blob, "namespace" | "id" | "visibility">,
  randomInt: RandomInt,
): string {
  if (isOpenToAll({ visibility })) return blobObjectKey(namespace, id);
  return `${restrictedFolder(namespace, id)}${createObjectId(randomInt)}`;
}

/** Returns the prefix of a restricted file's objects or, without an id, of all restricted files in a namespace. */
export function restrictedFolder(namespace: string, id?: string): string {
  return `${restrictedPrefix}${namespace}/${id === undefined ? "" : `${id}/`}`;
}

/** Checks if a file is stored as a restricted file. The edge does not serve such a file publicly. */
export function isRestricted({ objectKey }: Pick<Blob, "objectKey">): boolean {
  return objectKey.startsWith(restrictedPrefix);
}

/** Checks if a file's object has the prefix for its visibility. Until a changed file's object has been moved, it has another prefix. */
export function isInVisibilityFolder(blob: Pick<Blob, "objectKey" | "visibility">): boolean {
  return isRestricted(blob) !== isOpenToAll(blob);
}

/** Returns the content type to store for an upload: the sent content type, or else the default. */
export function uploadContentType(header: string | undefined): string {
  const sent = header?.trim() ?? "";
  return sent === "" ? defaultContentType : sent;
}

/** Returns the response headers of a file: `inline` for images, video and audio, and `attachment` for all other files. */
export function servedAs(filename: string, contentType: string): ServedAs {
  const essence = essenceOf(contentType);
  // File names need no escaping. The specification allows only letters, digits, dashes, dots and spaces.
  if (inlineType.test(essence))
    return { contentType: essence, contentDisposition: `inline; filename="${filename}"` };
  return {
    contentType: activeType.test(essence) ? defaultContentType : essence,
    contentDisposition: `attachment; filename="${filename}"`,
  };
}

/** Returns the media type without its parameters (MIME Sniffing Standard, section 4.3). */
function essenceOf(contentType: string): string {
  try {
    return new MIMEType(contentType).essence;
  } catch {
    return defaultContentType;
  }
}

/** A started upload, whose file the owner sends to Amazon S3. The file will have the upload's id. */
export type Upload = ListedBlob;

/** Returns the object key of an unfinished upload. The object is never served. */
export function stagedObjectKey({ ownerId, id }: Pick<Upload, "ownerId" | "id">): string {
  return `${stagedPrefix}${ownerId}/${id}`;
}

/** Returns the time after which an upload can no longer be completed, in Unix milliseconds. */
export function uploadExpiresAtMs({ createdAtMs }: Pick<Upload, "createdAtMs">): number {
  return createdAtMs + limits.uploadSeconds * 1000;
}

/** Prefix of unfinished uploads in the bucket of files. No namespace has this name. */
export const stagedPrefix = "staging/";
