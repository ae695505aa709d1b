import { MIMEType } from "node:util";
import { limits } from "../platform/limits.ts";
import type { FileVisibility } from "./visibility.ts";

/** An uploaded file; section "Blob" of the specification. */
export interface Blob {
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  /** As it was sent. What browsers get is `servedAs`. */
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly visibility: FileVisibility;
  readonly objectKey: string;
  readonly createdAtMs: number;
}

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

/** Where a file's object lies: the edge maps `/b/<id>` on the owner's host to it. */
export function blobObjectKey(namespace: string, id: string): string {
  return `${namespace}/${id}`;
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
  readonly visibility: FileVisibility;
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
