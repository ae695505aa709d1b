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

/** A version of an object, or a delete marker: what S3 keeps of a key after it was replaced or deleted. */
export interface ObjectVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isDeleteMarker: boolean;
  /** The version is the key's current one. */
  readonly isLatest: boolean;
}

/** All versions below a prefix, a page at a time; at most 1,000, which is also what DeleteObjects takes. */
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

/** Finds object versions below a prefix, deleted ones included. */
export async function hasVersions(bucket: string, prefix: string): Promise<boolean> {
  for await (const versions of listVersions(bucket, prefix))
    if (versions.some(({ isDeleteMarker }) => !isDeleteMarker)) return true;
  return false;
}

/** Deletes an object for good, with all its versions. */
export function purgeObject(bucket: string, key: string): Promise<void> {
  return purgeBelow(bucket, key, (other) => other !== key);
}

/** Deletes everything below a prefix for good, with all versions and delete markers. Throws if S3 left some: run it again. */
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
    throw new Error(`S3 left ${left.length} versions in ${bucket}: ${left[0]}. Try again.`);
}

/** Deletes versions for good, 1,000 at most. Returns a line for each that S3 left, with the reason. */
export async function deleteVersions(Bucket: string, versions: readonly ObjectVersion[]): Promise<string[]> {
  if (versions.length === 0) return [];
  const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }));
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
  const { Errors = [] } = await s3.send(command);
  return Errors.map(({ Key, VersionId, Code }) => `${Key} (version ${VersionId}): ${Code}`);
}

/** Owner of the files. */
type Owner = Pick<AccountRow, "userId" | "namespace">;

/** Hides all files of an account, objects without a row too, and returns their number. Files that are transferred meanwhile are shown. */
export async function hideFiles(bucket: string, owner: Owner): Promise<number> {
  const before = await objectsOfOthers(owner);
  const count = await retagAll(bucket, owner, true);
  for (const [objectKey, ownerId] of await objectsOfOthers(owner))
    if (!before.has(objectKey) && !(await isAccountSuspended(ownerId)))
      await showObjects(bucket, [objectKey]);
  return count;
}

/** Shows all files of an account again, and returns their number. */
export function showFiles(bucket: string, owner: Owner): Promise<number> {
  return retagAll(bucket, owner, false);
}

/** Shows the files of these objects. */
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
  // Objects of transferred files lie below their first namespace.
  const rows = await queryAll(ranges.blobs(userId), { attributes: ["objectKey"] });
  await retagSome(rows.map(({ objectKey }) => String(objectKey)).filter((key) => !key.startsWith(prefix)));
  return count;
}

/** Objects below an account's prefix that belong to other accounts now, with their owners. */
async function objectsOfOthers({ userId, namespace }: Owner): Promise<ReadonlyMap<string, string>> {
  const moved = (await listMovedFiles(namespace)).filter(({ ownerId }) => ownerId !== userId);
  return new Map(moved.map(({ objectKey, ownerId }) => [objectKey, ownerId]));
}

/** Sets or removes the tag that hides objects. Other tags, such as those of a malware scan, stay. */
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
      // The file was deleted since the list was read.
      if (error.name !== "NoSuchKey") throw error;
    }),
  );
}
