import { DeleteObjectsCommand, type S3Client } from "@aws-sdk/client-s3";

/** Maximum number of keys in one DeleteObjects request; see "DeleteObjects", Amazon S3 API reference. */
const batchKeysMax = 1_000;

/** Removes objects from Amazon S3. Missing objects are not an error. @throws Error if S3 could not remove one of the objects */
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
