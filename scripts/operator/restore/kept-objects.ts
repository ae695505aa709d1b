import pLimit from "p-limit";
import { deleteVersions, listVersions, type ObjectVersion } from "../takedown/object-versions.ts";

/** Object versions that S3 keeps for restored rows. */
export interface KeptObjects {
  readonly bucket: string;
  /** Keys of the objects whose bytes are kept, deleted or not. */
  readonly keys: ReadonlySet<string>;
  /** Delete markers of the objects that are deleted. */
  readonly deleteMarkers: readonly ObjectVersion[];
}

const listingsAtOnce = 8;
/** Amazon S3 API reference, "DeleteObjects". */
const deletedAtOnceMax = 1_000;

/** Finds what is kept of objects, and changes nothing. One listing gives all below a folder: a drop's, or an owner's. */
export async function findKeptObjects(bucket: string, wanted: readonly string[]): Promise<KeptObjects> {
  const folders = new Set(wanted.map((key) => key.slice(0, key.lastIndexOf("/") + 1)));
  const wantedKeys = new Set(wanted);
  const find = (folder: string) => findVersions(bucket, folder, wantedKeys);
  const found = await pLimit(listingsAtOnce).map(folders, find);
  const versions = found.flat();
  const keys = new Set(versions.filter(({ isDeleteMarker }) => !isDeleteMarker).map(({ key }) => key));
  const isDeleted = new Set(
    versions.filter(({ isDeleteMarker, isLatest }) => isDeleteMarker && isLatest).map(({ key }) => key),
  );
  const deleteMarkers = versions.filter(
    ({ key, isDeleteMarker }) => isDeleteMarker && keys.has(key) && isDeleted.has(key),
  );
  return { bucket, keys, deleteMarkers };
}

/**
 * Undoes the deletion of objects by removing their delete markers. An object has several if its deletion was tried again. Amazon S3 User
 * Guide, "Managing delete markers".
 *
 * @throws Error if S3 left any of them; the same call retries those
 */
export async function removeDeleteMarkers({ bucket, deleteMarkers }: KeptObjects): Promise<void> {
  const left: string[] = [];
  for (let start = 0; start < deleteMarkers.length; start += deletedAtOnceMax) {
    left.push(...(await deleteVersions(bucket, deleteMarkers.slice(start, start + deletedAtOnceMax))));
  }
  if (left.length > 0) {
    throw new Error(`S3 left ${left.length} delete markers in ${bucket}: ${left[0]}. Run the command again.`);
  }
}

async function findVersions(
  bucket: string,
  folder: string,
  wanted: ReadonlySet<string>,
): Promise<ObjectVersion[]> {
  const found: ObjectVersion[] = [];
  for await (const versions of listVersions(bucket, folder)) {
    found.push(...versions.filter(({ key }) => wanted.has(key)));
  }
  return found;
}
