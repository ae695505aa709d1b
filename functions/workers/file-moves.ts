import { randomInt } from "node:crypto";
import { CopyObjectCommand } from "@aws-sdk/client-s3";
import { type Blob, blobObjectKey, isSettled, newObjectKey, servedAs } from "../blobs/blob.ts";
import { newObject } from "../blobs/new-object.ts";
import { servedFiles } from "../blobs/served.ts";
import { blobs } from "../blobs/store.ts";
import { s3 } from "../drops/page-objects.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { keys } from "../platform/keys.ts";
import { isSuspended } from "../platform/suspension.ts";
import { getItem } from "../platform/table.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import { removeObjects } from "./stored-objects.ts";

// A call that changes who may read a file changes its row alone. Its bytes are moved here, where the table's stream brings the
// changes of one row one after the other: no two moves of a file are under way at once, and the last word is the row's.
// docs/adr/0051-files-for-some-readers.md

/**
 * Moves a file's bytes to where its row wants them by now, and removes what the edge could read of one that only some may
 * read. The same again finds nothing to do.
 */
export async function settleFile(namespace: string, id: string): Promise<void> {
  const found = await servedFiles.find(namespace, id);
  // Its removal is a change of its own, which takes its bytes along.
  if (found === undefined) return;
  if (!isSettled(found)) await move(found);
  const now = await servedFiles.find(namespace, id);
  // Also what a move has left behind that died, or came too late.
  if (now !== undefined && isSettled(now) && !isOpenToAll(now)) await remove(openKey(now));
}

/** A copy first, then the row, then what it pointed at before: it never points at nothing. */
async function move(blob: Blob): Promise<void> {
  const isOpening = isOpenToAll(blob);
  // What the operator hides must not come back by a new object. It is opened by the next change after that.
  if (isOpening && isSuspended(await getItem(keys.account(blob.ownerId)))) return;
  const to = newObjectKey(blob, randomInt);
  await copy(blob, to);
  const isMoved = await blobs.setObjectKey(blob, to);
  await remove(isMoved ? blob.objectKey : to);
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
  await s3.send(command);
}

async function remove(key: string): Promise<void> {
  await removeObjects(bucket(), [key]);
}

function openKey({ namespace, id }: Blob): string {
  return blobObjectKey(namespace, id);
}

function bucket(): string {
  return readEnvironment(environmentNames.blobsBucket);
}
