import { environmentNames } from "../contract/environment.ts";
import { readObjectKey } from "../domain/stored-object.ts";
import { readEnvironment } from "../store/environment.ts";
import { writeLog } from "../store/log.ts";
import { isReferenced } from "../store/object-references.ts";
import { removeObjects } from "../store/object-removal.ts";
import { type CreatedObject, readObjectCreated } from "./object-created.ts";
import { queueWorker } from "./worker.ts";

/**
 * The queue of created objects, delayed by longer than any write takes: by now a row points at the object, or none
 * ever will.
 */
export const checkOrphan = queueWorker("check-orphan", (messages) =>
  messages.map((message) => ({
    sources: [message],
    run: async () => {
      for (const object of readObjectCreated(message.body)) await removeIfOrphan(object);
    },
  })),
);

async function removeIfOrphan({ bucket, key }: CreatedObject): Promise<void> {
  const object = readObjectKey(bucketKind(bucket), key);
  if (object.kind === "unknown") {
    // Whoever put it there knows what it is for.
    writeLog({ level: "warn", operation: "check-orphan", event: "unknown-object", bucket, key });
    return;
  }
  if (!(await isReferenced(object, key))) await removeObjects(bucket, [key]);
}

function bucketKind(bucket: string): "pages" | "blobs" {
  if (bucket === readEnvironment(environmentNames.pagesBucket)) return "pages";
  if (bucket === readEnvironment(environmentNames.blobsBucket)) return "blobs";
  throw new Error(`The bucket ${bucket} is neither that of pages nor that of files.`);
}
