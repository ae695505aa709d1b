import { randomUUID } from "node:crypto";
import { CopyObjectCommand, HeadObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { edgeCache } from "../../../functions/background/edge-cache.ts";
import { tagItem } from "../../../functions/background/invalidation.ts";
import { removeObjects } from "../../../functions/background/remove-objects.ts";
import { type Blob, isRestricted, servedAs } from "../../../functions/blobs/blob.ts";
import { newObject } from "../../../functions/blobs/objects.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { toBlob } from "../../../functions/blobs/store.ts";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { fileMetadata, fileTag } from "../../../functions/http/response.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import { defineCommand } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { readTable } from "../table-reads.ts";

/** Copies of up to 25 MiB, which S3 makes by itself. */
const filesAtOnce = 16;

/** `tag-files` */
export const tagFilesCommand = defineCommand({
  name: "tag-files",
  summary: "finds files without a cache tag",
  details: `
CloudFront invalidates a file by the cache tag of its object. Versions of the service before cache tags stored none. Reads the whole
table. Run it at any time.`,
  options: {
    ...serviceOptions,
    fix: {
      type: "boolean",
      help: "copies each file onto itself with its tag; the bucket keeps the earlier version",
    },
  },
  async run({ options }, terminal) {
    const service = await openService(options);
    const { fix } = options;
    if (fix) await appendToAudit(await operatorAct(service, "tag-files"), {});
    let count = 0;
    const settle = async (file: Blob) => {
      const etag = await findUntagged(service.blobsBucket, file);
      if (etag === undefined) return;
      count += 1;
      if (fix) await tag(service.blobsBucket, file, etag);
    };
    for await (const files of readOpenFiles()) await pLimit(filesAtOnce).map(files, settle);
    terminal.print(`Files without a cache tag: ${count}${fix ? ", tagged" : ""}.`);
    return fix || count === 0;
  },
});

/** Files that everybody may read, which the edge reads from the bucket. */
async function* readOpenFiles(): AsyncGenerator<Blob[]> {
  for await (const rows of readTable()) {
    const files = rows.filter((row) => parseKey(row)?.kind === "blob").map(toBlob);
    yield files.filter((file) => !isRestricted(file));
  }
}

/** The ETag of a file's object without its tag; undefined where the object has the tag, or is gone. */
async function findUntagged(bucket: string, file: Blob): Promise<string | undefined> {
  try {
    const found = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: file.objectKey }));
    const [[name = "", value] = []] = Object.entries(fileMetadata(file));
    return found.Metadata?.[name] === value ? undefined : found.ETag;
  } catch (error) {
    return unlessGone(error);
  }
}

/** Copies an object onto itself with its cache tag. S3 keeps its object tags, such as the one that hides files of a suspended account. */
async function tag(bucket: string, file: Blob, etag: string): Promise<void> {
  const { objectKey, filename, contentType } = file;
  const command = new CopyObjectCommand({
    ...newObject(objectKey, file, servedAs(filename, contentType)),
    CopySource: `${bucket}/${objectKey}`,
    CopySourceIfMatch: etag,
    MetadataDirective: "REPLACE",
  });
  try {
    await s3.send(command);
  } catch (error) {
    return unlessGone(error);
  }
  // The file may have been deleted or replaced before the copy.
  if ((await publicFiles.find(file.namespace, file.id))?.objectKey === objectKey) return;
  await removeObjects(s3, bucket, [objectKey]);
  await edgeCache.invalidate({ items: [tagItem(fileTag(file))], reference: randomUUID() });
}

/** A file that was deleted or replaced since its row was read needs no tag. */
function unlessGone(error: unknown): undefined {
  const isGone =
    error instanceof S3ServiceException && [404, 412].includes(error.$metadata.httpStatusCode ?? 0);
  if (!isGone) throw error;
}
