import { randomInt } from "node:crypto";
import { CopyObjectCommand } from "@aws-sdk/client-s3";
import { removeObjects } from "../background/remove-objects.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { keys } from "../platform/keys.ts";
import { type Lease, takeLease } from "../platform/lease.ts";
import { isSuspended } from "../platform/suspension.ts";
import { getItem } from "../platform/table.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import { type Blob, blobObjectKey, isSettled, newObjectKey, servedAs } from "./blob.ts";
import { newObject } from "./new-object.ts";
import { blobsS3 } from "./objects.ts";
import { servedFiles } from "./served.ts";
import { blobs } from "./store.ts";

// A call that changes who may read a file changes its row alone. Its bytes are moved here: docs/adr/0051-files-for-some-readers.md

/** As long as the function that moves a file runs at most. */
const leaseSeconds = 60;

/**
 * Moves a file's bytes to where its row wants them by now, and removes the object that the edge could read of a file that only some
 * may read. A second run finds nothing to do. One run at a time: a late removal would take the bytes of a file that was opened meanwhile.
 */
export async function settleFile(namespace: string, id: string): Promise<void> {
  const lease = await takeLease(`file#${namespace}/${id}`, { seconds: leaseSeconds });
  if (lease === undefined) throw new Error("Another execution moves the file.");
  try {
    const found = await servedFiles.find(namespace, id);
    // Its removal is a change of its own, which takes its bytes along.
    if (found === undefined) return;
    if (!isSettled(found)) await move(found, lease);
    const now = await servedFiles.find(namespace, id);
    // Also what a move has left behind that died, or came too late.
    if (now !== undefined && isSettled(now) && !isOpenToAll(now)) await remove(openKey(now), lease);
  } finally {
    await lease.giveBack();
  }
}

/** A copy first, then the row, then what it pointed at before: it never points at nothing. */
async function move(blob: Blob, lease: Lease): Promise<void> {
  const isOpening = isOpenToAll(blob);
  // What the operator hides must not come back by a new object. It is opened by the next change after that.
  if (isOpening && isSuspended(await getItem(keys.account(blob.ownerId)))) return;
  const to = newObjectKey(blob, randomInt);
  await copy(blob, to);
  const isMoved = await blobs.setObjectKey(blob, to);
  await remove(isMoved ? blob.objectKey : to, lease);
}

async function copy(blob: Blob, to: string): Promise<void> {
  const { objectKey, filename, contentType } = blob;
  const command = new CopyObjectCommand({
    ...newObject(to, blob, servedAs(filename, contentType)),
    CopySource: `${bucket()}/${objectKey}`,
    MetadataDirective: "REPLACE",
    // The service gives a file no tags, and to copy an operator's would take rights to read and write them.
    TaggingDirective: "REPLACE",
  });
  await blobsS3.send(command);
}

async function remove(key: string, lease: Lease): Promise<void> {
  if (lease.isLost()) throw new Error("The time to move the file is over.");
  await removeObjects(blobsS3, bucket(), [key]);
}

function openKey({ namespace, id }: Blob): string {
  return blobObjectKey(namespace, id);
}

function bucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}
