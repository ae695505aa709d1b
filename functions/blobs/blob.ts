import { MIMEType } from "node:util";
import { limits } from "../http/limits.ts";
import { isOpenToAll, type Visibility } from "../identity/visibility.ts";
import { createObjectId, type RandomInt } from "../table/identifiers.ts";

/** An uploaded file; section "Blob" of the specification. */
export interface Blob {
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  /** As it was sent. What browsers get is `servedAs`. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: Visibility;
  /** Where its bytes are: where the edge finds them, or below `restrictedPrefix`. */
  readonly objectKey: string;
  readonly createdAtMs: number;
  /** When it was last said who may read it. @default - at its upload */
  readonly changedAtMs?: number | undefined;
}

/** What a list says of a file. */
export type ListedBlob = Omit<Blob, "objectKey" | "changedAtMs">;

/** The headers that a file is stored with, and so served with. */
export interface ServedAs {
  readonly contentType: string;
  readonly contentDisposition: string;
}

const defaultContentType = "application/octet-stream";

/** What browsers show in place, by its exact essence; SVG runs nothing under the policy that it is served with. */
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

/** Types that a browser, or a plug-in of it, would run or render as a document. */
const activeType =
  /(html|xml|xsl|script|svg|pdf|wasm|flash|java|hta|mht|x-component)|^(multipart|message|model)\//;

/** Where the object of a file lies that is open to all: the edge maps `/b/<id>` on the owner's host to it. */
export function blobObjectKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
}

/** Under it lies what only some may read. A namespace has no underscore, and the edge sends on there what was signed alone. */
export const restrictedPrefix = "_restricted/";

/**
 * Where the object of a new file goes, or of one that only some may read from now on: the latter under a key that is used
 * once, so that what is late in removing one removes no other.
 */
export function newObjectKey(
  { namespace, id, visibility }: Pick<Blob, "namespace" | "id" | "visibility">,
  randomInt: RandomInt,
): string {
  if (isOpenToAll({ visibility })) return blobObjectKey(namespace, id);
  return `${restrictedFolder(namespace, id)}${createObjectId(randomInt)}`;
}

/** Below it lies all of a file that only some may read, or could for a time; without an id, of all files of a namespace. */
export function restrictedFolder(namespace: string, id?: string): string {
  return `${restrictedPrefix}${namespace}/${id === undefined ? "" : `${id}/`}`;
}

/** Whether a file's bytes are where nobody gets them but who may read it. */
export function isRestricted({ objectKey }: Pick<Blob, "objectKey">): boolean {
  return objectKey.startsWith(restrictedPrefix);
}

/** Whether a file's bytes are where its visibility wants them. After a change they are not, for a moment. */
export function isInItsFolder(blob: Pick<Blob, "objectKey" | "visibility">): boolean {
  return isRestricted(blob) !== isOpenToAll(blob);
}

/** The Content-Type of an upload as it is kept: what was sent, or the default. */
export function uploadContentType(header: string | undefined): string {
  const sent = header?.trim() ?? "";
  return sent === "" ? defaultContentType : sent;
}

/** How a file goes out: in place for images, video and audio, as a download for everything else. */
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

/** An upload in steps: what was declared of a file that its owner sends to S3. */
export interface Upload {
  /** The id of the file that it will be. */
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: Visibility;
  readonly createdAtMs: number;
}

/** Where the file waits until the upload is complete; nothing serves it from there. */
export function stagedObjectKey({ ownerId, id }: Pick<Upload, "ownerId" | "id">): string {
  return `${stagedPrefix}${ownerId}/${id}`;
}

/** When an upload can no longer be completed. */
export function uploadExpiresAtMs({ createdAtMs }: Pick<Upload, "createdAtMs">): number {
  return createdAtMs + limits.uploadSeconds * 1000;
}

// An addition to the specification: uploads in steps, for clients that rather send a file to Amazon S3 itself.

/** Under it lies in the bucket of files what is not a file yet. No namespace is called so. */
export const stagedPrefix = "staging/";
