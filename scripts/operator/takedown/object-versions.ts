import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from "@aws-sdk/client-s3";
import { s3 } from "../../../functions/drops/page-objects.ts";

/** A version of an object, or a delete marker: what S3 keeps of a key after it was replaced or deleted. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isDeleteMarker: boolean;
  /** The version is the key's current one. */
  readonly isLatest: boolean;
}

/** All versions below a prefix, a page at a time; at most 1,000, which is also what DeleteObjects takes. */
export async function* listVersions(bucket: string, prefix: string): AsyncGenerator<ObjectVersion[]> {
  let response: ListObjectVersionsCommandOutput | undefined;
  do {
    response = await s3.send(
      new ListObjectVersionsCommand({
        Bucket: bucket,
        Prefix: prefix,
        KeyMarker: response?.NextKeyMarker,
        VersionIdMarker: response?.NextVersionIdMarker,
      }),
    );
    yield [
      ...(response.Versions ?? []).map((version) => toVersion(version, false)),
      ...(response.DeleteMarkers ?? []).map((marker) => toVersion(marker, true)),
    ];
  } while (response.IsTruncated);
}

/** Finds object versions below a prefix, deleted ones included. */
export async function hasVersions(bucket: string, prefix: string): Promise<boolean> {
  for await (const versions of listVersions(bucket, prefix)) {
    if (versions.some(({ isDeleteMarker }) => !isDeleteMarker)) return true;
  }
  return false;
}

/** Deletes an object for good, with all its versions. */
export function purgeObject(bucket: string, key: string): Promise<void> {
  return purge(bucket, key, (version) => version.key === key);
}

/**
 * Deletes everything below a prefix for good, with all versions and delete markers, except the objects to keep. Missing objects
 * are fine.
 *
 * @throws Error if S3 could not delete some; run it again to retry those
 */
export function purgeBelow(
  bucket: string,
  prefix: string,
  isStaying: (key: string) => boolean = () => false,
): Promise<void> {
  return purge(bucket, prefix, ({ key }) => !isStaying(key));
}

async function purge(
  bucket: string,
  prefix: string,
  isMeant: (version: ObjectVersion) => boolean,
): Promise<void> {
  const left: string[] = [];
  for await (const versions of listVersions(bucket, prefix)) {
    left.push(...(await deleteVersions(bucket, versions.filter(isMeant))));
  }
  if (left.length > 0) {
    throw new Error(`S3 left ${left.length} versions in ${bucket}: ${left[0]}. Run the command again.`);
  }
}

/** Deletes versions for good, 1,000 at most. Returns a line for each that S3 left, with the reason. */
export async function deleteVersions(bucket: string, versions: readonly ObjectVersion[]): Promise<string[]> {
  if (versions.length === 0) return [];
  const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }));
  const response = await s3.send(
    new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
  );
  return (response.Errors ?? []).map(({ Key, VersionId, Code }) => `${Key} (version ${VersionId}): ${Code}`);
}

function toVersion(
  { Key = "", VersionId = "", IsLatest = false }: { Key?: string; VersionId?: string; IsLatest?: boolean },
  isDeleteMarker: boolean,
): ObjectVersion {
  return { key: Key, versionId: VersionId, isDeleteMarker, isLatest: IsLatest };
}
