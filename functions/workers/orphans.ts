import type { SQSRecord } from "aws-lambda";
import { environmentNames } from "../contract/environment.ts";
import { readObjectKey } from "../domain/stored-object.ts";
import { readEnvironment } from "../store/environment.ts";
import { writeLog } from "../store/log.ts";
import { isReferenced } from "../store/object-references.ts";
import { removeObjects } from "../store/object-removal.ts";
import type { Job } from "./jobs.ts";
import { type CreatedObject, readObjectCreated } from "./object-created.ts";

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
  if (!(await isReferenced(object, key))) await removeObjects(bucket, [key]);
}

function bucketKind(bucket: string): "pages" | "blobs" {
  if (bucket === readEnvironment(environmentNames.pagesBucket)) return "pages";
  if (bucket === readEnvironment(environmentNames.blobsBucket)) return "blobs";
  throw new Error(`The bucket ${bucket} is neither that of pages nor that of files.`);
}
