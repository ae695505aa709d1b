import {
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  PutObjectTaggingCommand,
  paginateListObjectsV2,
  S3ServiceException,
  type Tag,
} from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { hiddenTag } from "../../../lib/edge/hidden-tag.ts";
import { isAccountSuspended, listMovedFiles } from "../transfer/given-away.ts";
import type { User } from "../users.ts";

const filesAtOnce = 16;

/** Owner of the files. */
type Owner = Pick<User, "userId" | "namespace">;

/**
 * Hides all files of an account from readers, and returns their number. It lists the bucket too, since an object can be read before it
 * has a row. Files that are transferred meanwhile are shown unless their new account is suspended.
 */
export async function hideFiles(bucket: string, owner: Owner): Promise<number> {
  const before = await objectsOfOthers(owner);
  const count = await retagAll(bucket, owner, (others) => [...others, hiddenTag]);
  const after = await objectsOfOthers(owner);
  for (const [objectKey, ownerId] of after)
    if (!before.has(objectKey) && !(await isAccountSuspended(ownerId)))
      await showObjects(bucket, [objectKey]);
  return count;
}

/** Shows all files of an account again, and returns their number. */
export function showFiles(bucket: string, owner: Owner): Promise<number> {
  return retagAll(bucket, owner, (others) => others);
}

/** Shows the files of these objects. */
export function showObjects(bucket: string, objectKeys: readonly string[]): Promise<void> {
  return retag(bucket, objectKeys, (others) => others);
}

async function retagAll(bucket: string, owner: Owner, next: (others: Tag[]) => Tag[]): Promise<number> {
  const { userId, namespace } = owner;
  const prefix = `${namespace}/`;
  const others = await objectsOfOthers(owner);
  let count = 0;
  const retagSome = async (objectKeys: readonly string[]) => {
    await retag(bucket, objectKeys, next);
    count += objectKeys.length;
  };
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: prefix },
  ))
    await retagSome(Contents.flatMap(({ Key = "" }) => (others.has(Key) ? [] : [Key])));
  // Objects of transferred files lie below their first namespace.
  const rows = await queryAll(ranges.blobs(userId), { attributes: ["objectKey"] });
  await retagSome(rows.map(({ objectKey }) => String(objectKey)).filter((key) => !key.startsWith(prefix)));
  return count;
}

/** Objects below an account's prefix that belong to other accounts by now, with their owners. */
async function objectsOfOthers({ userId, namespace }: Owner): Promise<ReadonlyMap<string, string>> {
  const moved = await listMovedFiles(namespace);
  const others = moved.filter(({ ownerId }) => ownerId !== userId);
  return new Map(others.map(({ objectKey, ownerId }) => [objectKey, ownerId]));
}

/** Changes the hiding tag of objects. Other tags, such as those of a malware scan, stay. */
async function retag(
  Bucket: string,
  objectKeys: readonly string[],
  next: (others: Tag[]) => Tag[],
): Promise<void> {
  const change = async (Key: string) => {
    const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key }));
    const tags = next(TagSet.filter((tag) => tag.Key !== hiddenTag.Key));
    if (isHidden(tags) === isHidden(TagSet)) return;
    if (tags.length === 0) await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
    else await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: tags } }));
  };
  await pLimit(filesAtOnce).map(objectKeys, (key) => change(key).catch(unlessGone));
}

function isHidden(tags: readonly Tag[]): boolean {
  return tags.some(({ Key, Value }) => Key === hiddenTag.Key && Value === hiddenTag.Value);
}

/** Ignores errors of files that were deleted since the list was read. */
function unlessGone(error: unknown): void {
  if (!(error instanceof S3ServiceException) || error.name !== "NoSuchKey") throw error;
}
