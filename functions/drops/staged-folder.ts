import { environmentNames } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { DeclaredFile } from "../folders/folder.ts";
import { signAddress } from "../http/signed-address.ts";
import { pages } from "./page-objects.ts";

/** A folder whose new files are being uploaded. */
interface StagedFolder {
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

/** Object key of a zip archive that is uploaded before its publication. */
export function stagedArchiveKey(publication: FolderPublication): string {
  return `${stagedKey(publication)}.zip`;
}

/** Signs a URL for the upload of one object. Amazon S3 refuses an upload with another length or after the URL has expired. */
export async function presignStaged(objectKey: string, sizeBytes: number) {
  const headers = { "content-length": String(sizeBytes) };
  const request = { method: "PUT", bucket: environmentNames.pagesBucket, objectKey, headers } as const;
  return { url: await signAddress(request, limits.uploadUrlSeconds), headers };
}

/** Stores started publications of folders and their uploaded files. The orphan check removes them later. */
export const stagedFolders = {
  async put(publication: FolderPublication, folder: StagedFolder): Promise<void> {
    await pages.putBytes(stagedKey(publication), Buffer.from(JSON.stringify(folder)), "application/json");
  },

  /** Finds a publication of the owner. Returns undefined if the publication is unknown or has expired. */
  async find(publication: FolderPublication, nowMs: number): Promise<StagedFolder | undefined> {
    const bytes = await pages.getBytes(stagedKey(publication));
    if (bytes === undefined) return undefined;
    const folder: StagedFolder = JSON.parse(bytes.toString());
    return folder.startedAtMs + limits.uploadSeconds * 1000 > nowMs ? folder : undefined;
  },

  presign(publication: FolderPublication, { sha256, sizeBytes }: DeclaredFile) {
    return presignStaged(contentKey(publication, sha256), sizeBytes);
  },

  /** Reads a file's uploaded bytes, or undefined before the upload. */
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
