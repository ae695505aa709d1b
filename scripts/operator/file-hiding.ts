import {
  type _Object,
  DeleteObjectTaggingCommand,
  GetObjectTaggingCommand,
  PutObjectTaggingCommand,
  paginateListObjectsV2,
  S3ServiceException,
  type Tag,
} from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { s3 } from "../../functions/drops/page-objects.ts";
import { hiddenTag } from "../../lib/hidden-tag.ts";

const filesAtOnce = 16;

/**
 * Hides all files below a prefix from readers; how many there are. By the bucket and not by the table's rows: an object
 * can be read before its row is there.
 */
export function hideFiles(bucket: string, prefix: string): Promise<number> {
  return retag(bucket, prefix, (others) => [...others, hiddenTag]);
}

/** Shows all files below a prefix again; how many there are. */
export function showFiles(bucket: string, prefix: string): Promise<number> {
  return retag(bucket, prefix, (others) => others);
}

/** Tags that others have given, such as a scan for malware, stay. */
async function retag(Bucket: string, Prefix: string, next: (others: Tag[]) => Tag[]): Promise<number> {
  let count = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix })) {
    count += Contents.length;
    const change = async ({ Key }: _Object) => {
      const { TagSet = [] } = await s3.send(new GetObjectTaggingCommand({ Bucket, Key }));
      const tags = next(TagSet.filter((tag) => tag.Key !== hiddenTag.Key));
      if (isHidden(tags) === isHidden(TagSet)) return;
      if (tags.length === 0) await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
      else await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: tags } }));
    };
    await pLimit(filesAtOnce).map(Contents, (found) => change(found).catch(unlessGone));
  }
  return count;
}

function isHidden(tags: readonly Tag[]): boolean {
  return tags.some(({ Key, Value }) => Key === hiddenTag.Key && Value === hiddenTag.Value);
}

/** What was deleted since it was listed is read by nobody either. */
function unlessGone(error: unknown): void {
  if (!(error instanceof S3ServiceException) || error.name !== "NoSuchKey") throw error;
}
