import { environmentNames } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { DeclaredFile } from "../folders/folder.ts";
import { signAddress } from "../http/signed-address.ts";
import { pages } from "./page-objects.ts";

/** A folder whose new files are being sent. */
export interface StagedFolder {
  readonly slug: string;
  readonly files: readonly DeclaredFile[];
  readonly spa: boolean;
  readonly startedAtMs: number;
}

/** A publication's owner and id. */
export interface FolderPublication {
  readonly ownerId: string;
  readonly id: string;
}

/** The object key of a zip archive that is sent before it is published. */
export function stagedArchiveKey(publication: FolderPublication): string {
  return `${stagedKey(publication)}.zip`;
}

/** Signs an address for the bytes of one object: Amazon S3 itself refuses another length, and any request after the time. */
export async function presignStaged(objectKey: string, sizeBytes: number) {
  const headers = { "content-length": String(sizeBytes) };
  const request = { method: "PUT", bucket: environmentNames.pagesBucket, objectKey, headers } as const;
  return { url: await signAddress(request, limits.uploadUrlSeconds), headers };
}

/** Folders on their way, and the files that are sent for them. The orphan check removes both. */
export const stagedFolders = {
  async put(publication: FolderPublication, folder: StagedFolder): Promise<void> {
    await pages.putBytes(stagedKey(publication), Buffer.from(JSON.stringify(folder)), "application/json");
  },

  /** Finds a publication of the owner; undefined for an unknown one, and when its time is over. */
  async find(publication: FolderPublication, nowMs: number): Promise<StagedFolder | undefined> {
    const bytes = await pages.getBytes(stagedKey(publication));
    if (bytes === undefined) return undefined;
    const folder: StagedFolder = JSON.parse(bytes.toString());
    return folder.startedAtMs + limits.uploadSeconds * 1000 > nowMs ? folder : undefined;
  },

  /** Signs an address for the bytes of one file. */
  presign(publication: FolderPublication, { sha256, sizeBytes }: DeclaredFile) {
    return presignStaged(contentKey(publication, sha256), sizeBytes);
  },

  /** Reads the bytes that were sent for a file; undefined before they arrive. */
  getContent(publication: FolderPublication, sha256: string): Promise<Buffer | undefined> {
    return pages.getBytes(contentKey(publication, sha256));
  },
};

function stagedKey({ ownerId, id }: FolderPublication): string {
  return `staging/${ownerId}/${id}`;
}

function contentKey(publication: FolderPublication, sha256: string): string {
  return `${stagedKey(publication)}.${sha256}`;
}
