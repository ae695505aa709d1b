import {
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  PutObjectTaggingCommand,
  paginateListObjectsV2,
  type Tag,
} from "@aws-sdk/client-s3";
import { hiddenTag } from "../../lib/edge/hidden-tag.ts";
import { s3 } from "../drops/page-objects.ts";
import { ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";
import { type AccountRow, isAccountSuspended, listMovedFiles, mapInParallel } from "./accounts.ts";

/** A version of an S3 object, or a delete marker. S3 keeps the versions of objects that were replaced or deleted. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isDeleteMarker: boolean;
  /** True if this is the key's current version. */
  readonly isLatest: boolean;
}

/** Yields all object versions below a prefix, in pages of at most 1,000, which is also the maximum for DeleteObjects. */
export async function* listVersions(Bucket: string, Prefix: string): AsyncGenerator<ObjectVersion[]> {
  let response: ListObjectVersionsCommandOutput | undefined;
  do {
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = response ?? {};
    response = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix, KeyMarker, VersionIdMarker }));
    const { Versions = [], DeleteMarkers = [] } = response;
    yield [
      ...Versions.map((version) => ({ ...version, isDeleteMarker: false })),
      ...DeleteMarkers.map((marker) => ({ ...marker, isDeleteMarker: true })),
    ].map(({ Key: key = "", VersionId: versionId = "", IsLatest: isLatest = false, isDeleteMarker }) => {
      return { key, versionId, isDeleteMarker, isLatest };
    });
  } while (response.IsTruncated);
}

/** Checks whether any object versions exist below a prefix, including those of deleted objects. */
export async function hasVersions(bucket: string, prefix: string): Promise<boolean> {
  for await (const versions of listVersions(bucket, prefix))
    if (versions.some(({ isDeleteMarker }) => !isDeleteMarker)) return true;
  return false;
}

/** Permanently deletes an object with all its versions. */
export function purgeObject(bucket: string, key: string): Promise<void> {
  return purgeBelow(bucket, key, (other) => other !== key);
}

/** Permanently deletes all versions and delete markers below a prefix. Can be repeated. @throws Error if S3 did not delete all of them */
export async function purgeBelow(
  bucket: string,
  prefix: string,
  isStaying: (key: string) => boolean = () => false,
): Promise<void> {
  const left: string[] = [];
  for await (const versions of listVersions(bucket, prefix)) {
    const meant = versions.filter(({ key }) => !isStaying(key));
    left.push(...(await deleteVersions(bucket, meant)));
  }
  if (left.length > 0)
    throw new Error(`S3 did not delete ${left.length} versions in ${bucket}: ${left[0]}. Try again.`);
}

/** Permanently deletes at most 1,000 versions. Returns a description of each version that S3 could not delete, with the reason. */
export async function deleteVersions(Bucket: string, versions: readonly ObjectVersion[]): Promise<string[]> {
  if (versions.length === 0) return [];
  const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }));
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
  const { Errors = [] } = await s3.send(command);
  return Errors.map(({ Key, VersionId, Code }) => `${Key} (version ${VersionId}): ${Code}`);
}

/** Account that owns the files. */
type Owner = Pick<AccountRow, "userId" | "namespace">;

/**
 * Hides all files of an account, including objects without a table item. Then shows files that were transferred to another account in the
 * meantime. Returns the number of files.
 */
export async function hideFiles(bucket: string, owner: Owner): Promise<number> {
  const before = await objectsOfOthers(owner);
  const count = await retagAll(bucket, owner, true);
  for (const [objectKey, ownerId] of await objectsOfOthers(owner))
    if (!before.has(objectKey) && !(await isAccountSuspended(ownerId)))
      await showObjects(bucket, [objectKey]);
  return count;
}

/** Shows all files of an account again. Returns the number of files. */
export function showFiles(bucket: string, owner: Owner): Promise<number> {
  return retagAll(bucket, owner, false);
}

/** Shows the files with these object keys. */
export function showObjects(bucket: string, objectKeys: readonly string[]): Promise<void> {
  return retag(bucket, objectKeys, false);
}

async function retagAll(Bucket: string, owner: Owner, isHidden: boolean): Promise<number> {
  const { userId, namespace } = owner;
  const prefix = `${namespace}/`;
  const others = await objectsOfOthers(owner);
  let count = 0;
  const retagSome = async (objectKeys: readonly string[]) => {
    await retag(Bucket, objectKeys, isHidden);
    count += objectKeys.length;
  };
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix: prefix }))
    await retagSome(Contents.flatMap(({ Key = "" }) => (others.has(Key) ? [] : [Key])));
  // A transferred file's object keeps a key below its first owner's namespace.
  const rows = await queryAll(ranges.blobs(userId), { attributes: ["objectKey"] });
  await retagSome(rows.map(({ objectKey }) => String(objectKey)).filter((key) => !key.startsWith(prefix)));
  return count;
}

/** Finds the objects below an account's prefix that now belong to other accounts. Returns the owners' ids by object key. */
async function objectsOfOthers({ userId, namespace }: Owner): Promise<ReadonlyMap<string, string>> {
  const moved = (await listMovedFiles(namespace)).filter(({ ownerId }) => ownerId !== userId);
  return new Map(moved.map(({ objectKey, ownerId }) => [objectKey, ownerId]));
}

/** Sets or removes the tag that hides objects. Keeps other tags, such as those of a malware scan. */
async function retag(Bucket: string, objectKeys: readonly string[], isHidden: boolean): Promise<void> {
  const isMark = ({ Key, Value }: Tag) => Key === hiddenTag.Key && Value === hiddenTag.Value;
  const change = async (Key: string) => {
    const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key }));
    if (TagSet.some(isMark) === isHidden) return;
    const others = TagSet.filter((tag) => tag.Key !== hiddenTag.Key);
    const tags = isHidden ? [...others, hiddenTag] : others;
    if (tags.length === 0) await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
    else await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: tags } }));
  };
  await mapInParallel(objectKeys, (key) =>
    change(key).catch((error: Error) => {
      // Ignores a file that was deleted after it was listed.
      if (error.name !== "NoSuchKey") throw error;
    }),
  );
}
