import { DeleteObjectsCommand, type S3Client } from "@aws-sdk/client-s3";

/** The most keys that one DeleteObjects takes; Amazon S3 API reference, "DeleteObjects". */
const batchKeysMax = 1_000;

/**
 * Removes objects; those that are not there are removed already.
 *
 * @throws Error when S3 left any of them.
 */
export async function removeObjects(
  s3: Pick<S3Client, "send">,
  bucket: string,
  allKeys: readonly string[],
): Promise<void> {
  for (let start = 0; start < allKeys.length; start += batchKeysMax) {
    const batch = allKeys.slice(start, start + batchKeysMax);
    const response = await s3.send(
      new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: batch.map((key) => ({ Key: key })), Quiet: true },
      }),
    );
    const left = response.Errors ?? [];
    if (left.length > 0) {
      throw new Error(`S3 left ${left.length} of ${batch.length} objects: ${left[0]?.Code}.`);
    }
  }
}
