import { limits } from "../contract/limits.ts";
import { stagedPrefix } from "../contract/uploads.ts";

/** An upload in steps: what was declared of a file that its owner sends to S3. */
export interface Upload {
  /** The id of the file that it will be. */
  readonly id: string;
  readonly ownerId: string;
  readonly namespace: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
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
