import type { S3Event, SQSRecord } from "aws-lambda";
import type { Job } from "../background/job.ts";
import { removeObjects } from "../background/remove-objects.ts";
import { s3 } from "../drops/page-objects.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { writeLog } from "../platform/log.ts";
import { isReferenced, readObjectKey } from "./stored-objects.ts";

/**
 * Looks at each object that a message tells of. The message has waited for longer than any write takes: by now a row
 * points at the object, or none ever will.
 */
export function orphanChecks(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return messages.map((message) => ({
    sources: [message],
    run: async () => {
      for (const object of readObjectCreated(message.body)) await removeIfOrphan(object);
    },
  }));
}

async function removeIfOrphan({ bucket, key }: CreatedObject): Promise<void> {
  const object = readObjectKey(bucketKind(bucket), key);
  if (object.kind === "unknown") {
    // Whoever put it there knows what it is for.
    writeLog({ level: "warn", operation: "follow-up", event: "unknown-object", bucket, key });
    return;
  }
  if (!(await isReferenced(object, key))) await removeObjects(s3, bucket, [key]);
}

function bucketKind(bucket: string): "pages" | "blobs" {
  if (bucket === readEnvironment(environmentNames.pagesBucket)) return "pages";
  if (bucket === readEnvironment(environmentNames.blobsBucket)) return "blobs";
  throw new Error(`The bucket ${bucket} is neither that of pages nor that of files.`);
}

/** An object that was put into a bucket. */
interface CreatedObject {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Reads a notification of a bucket; the test message, which a bucket sends when notifications are set up, tells of none.
 *
 * Source: Amazon S3, "Event message structure".
 *
 * @throws Error when the text is no notification.
 */
function readObjectCreated(text: string): CreatedObject[] {
  const message = JSON.parse(text) as Partial<S3Event> & { readonly Event?: string };
  if (message.Event === "s3:TestEvent") return [];
  if (!Array.isArray(message.Records)) throw new Error("The message is no notification of a bucket.");
  return message.Records.map(({ s3 }) => ({
    bucket: s3.bucket.name,
    // As in a form: spaces are plus signs.
    key: decodeURIComponent(s3.object.key.replaceAll("+", " ")),
  }));
}
