import { randomInt } from "node:crypto";
import { CopyObjectCommand } from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { invalidateNowAndLater } from "../background/invalidate.ts";
import { removeObjects } from "../background/remove-objects.ts";
import {
  collectFromChanges,
  type FoundItem,
  requireText,
  type TableChange,
  type TableListener,
} from "../background/table-change.ts";
import { isOpenToAll } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { type Lease, takeLease } from "../table/lease.ts";
import { isSuspended } from "../table/suspension.ts";
import { getItem } from "../table/table.ts";
import { type Blob, blobObjectKey, isInVisibilityFolder, newObjectKey, servedAs } from "./blob.ts";
import { blobsBucket, blobsS3, newObject } from "./objects.ts";
import { publicFiles } from "./public-files.ts";
import { blobs, toBlob } from "./store.ts";

// After a change of a file's visibility, its object is moved. After a change of its expiry, its object is rewritten; see
// docs/adr/0051-restricted-files.md.

/** Duration of the lease (a lock that expires), in seconds. It equals the timeout of the function that moves a file. */
const leaseSeconds = 60;

/**
 * Moves a file's object to the prefix for its visibility, and removes the public object of a restricted file. With `rewrites`, also writes
 * the row's expiry to an object that is not moved. A lease prevents concurrent runs, in which a late removal could delete the object of a
 * file that has become public again.
 */
async function moveToVisibilityFolder(
  namespace: string,
  id: string,
  { rewrites = false }: { readonly rewrites?: boolean } = {},
): Promise<void> {
  const lease = await takeLease(`file#${namespace}/${id}`, { seconds: leaseSeconds });
  if (lease === undefined) throw new Error("Another execution is moving the file.");
  try {
    const found = await publicFiles.find(namespace, id);
    // The file was deleted in the meantime. The stream record of this deletion removes the object.
    if (found === undefined) return;
    if (!isInVisibilityFolder(found)) await move(found, lease);
    // Copies the object onto itself, because Amazon S3 has no other way to change an object's metadata.
    else if (rewrites && !(await isHidden(found))) await copy(found, found.objectKey);
    const now = await publicFiles.find(namespace, id);
    // An earlier move that crashed or timed out may have left this object.
    if (now !== undefined && isInVisibilityFolder(now) && !isOpenToAll(now))
      await remove(blobObjectKey(namespace, id), lease);
  } finally {
    await lease.release();
  }
}

/** Copies the object, then updates the row, then removes the old object, so that the row never refers to a missing object. */
async function move(blob: Blob, lease: Lease): Promise<void> {
  if (await isHidden(blob)) return;
  const to = newObjectKey(blob, randomInt);
  await copy(blob, to);
  const isMoved = await blobs.setObjectKey(blob, to);
  await remove(isMoved ? blob.objectKey : to, lease);
}

/** Recognizes a public file of a suspended account. The operator hides its object with a tag, which a copy would not have. */
async function isHidden(blob: Blob): Promise<boolean> {
  return isOpenToAll(blob) && isSuspended(await getItem(keys.account(blob.ownerId)));
}

async function copy(blob: Blob, to: string): Promise<void> {
  const { objectKey, filename, contentType } = blob;
  const command = new CopyObjectCommand({
    ...newObject(to, blob, servedAs(filename, contentType)),
    CopySource: `${blobsBucket()}/${objectKey}`,
    MetadataDirective: "REPLACE",
    // The service sets no tags on files. Copying an operator's tags would require permissions to read and write tags.
    TaggingDirective: "REPLACE",
  });
  await blobsS3.send(command);
}

async function remove(key: string, lease: Lease): Promise<void> {
  if (lease.isLost()) throw new Error("The time limit for moving the file has passed.");
  await removeObjects(blobsS3, blobsBucket(), [key]);
}

/** A change of a file that the listener must process. */
export type FileChange =
  | {
      readonly kind: "removed";
      readonly id: string;
      readonly namespace: string;
      /** Keys of the object that the row refers to, and of the object that the edge serves. */
      readonly objectKeys: readonly string[];
    }
  /** The readers or the expiry of a file changed, or its object must be moved. */
  | {
      readonly kind: "changed";
      readonly id: string;
      readonly namespace: string;
      readonly isRestricted: boolean;
      readonly isRescheduled: boolean;
    };

/** Stream listener that moves objects to the prefix for their visibility, and deletes removed files from Amazon S3 and the edge cache. */
export const filesListener: TableListener = {
  feature: "files",
  onTableChange(changes) {
    const findings = collectFromChanges("files", changes, readFileChange);
    if (findings.length === 0) return [];
    return [{ sources: findings.map(({ change }) => change), run: () => settle(findings) }];
  },
};

/** Parses a change of a file that requires work. Returns undefined otherwise. @throws TypeError for a row that the service did not write */
export function readFileChange({ eventName, subject, before, after }: TableChange): FileChange | undefined {
  if (subject?.kind !== "blob" || before === undefined) return undefined;
  if (eventName === "REMOVE") {
    const { id } = subject;
    const objectKey = requireText("objectKey", toBlob(before).objectKey);
    const namespace = requireText("namespace", before.namespace);
    const objectKeys = [...new Set([objectKey, blobObjectKey(namespace, id)])];
    return { kind: "removed", id, namespace, objectKeys };
  }
  if (after === undefined) return undefined;
  const [was, is] = [toBlob(before), toBlob(after)];
  const isRescheduled = was.expiresAtMs !== is.expiresAtMs;
  if (isInVisibilityFolder(is) && isOpenToAll(was) === isOpenToAll(is) && !isRescheduled) return undefined;
  const namespace = requireText("namespace", after.namespace);
  return { kind: "changed", id: is.id, namespace, isRestricted: !isOpenToAll(is), isRescheduled };
}

/**
 * Moves or removes objects before it invalidates the edge cache, because the edge could otherwise cache them again. A file that cannot be
 * moved does not delay the others.
 */
async function settle(findings: readonly FoundItem<FileChange>[]): Promise<void> {
  const [settled] = await Promise.allSettled([settleAll(findings)]);
  const states = await Promise.all(findings.map(readState));
  const removed = states.flatMap(({ objectKeys }) => objectKeys);
  await removeObjects(blobsS3, blobsBucket(), removed);
  await invalidateNowAndLater(
    findings
      .filter((_, index) => states[index]?.isInvalid)
      .map(({ found: { id, namespace } }) => ({ kind: "file", id, namespace })),
    findings.map(({ change }) => change),
  );
  if (settled?.status === "rejected") throw settled.reason;
}

/** Maximum number of concurrent copies. Amazon S3 copies the objects, of up to 25 MiB, by itself. */
const filesAtOnce = 16;

/** Processes each file once, however often it changed. A transferred file is processed with the change of its new row. */
async function settleAll(findings: readonly FoundItem<FileChange>[]): Promise<void> {
  const files = Map.groupBy(findings, ({ found }) => `${found.namespace}/${found.id}`);
  const limit = pLimit(filesAtOnce);
  const settled = await Promise.allSettled(
    [...files.values()].map((changes) =>
      limit(async () => {
        const [{ found: file }] = changes as [FoundItem<FileChange>];
        const rewrites = changes.some(({ found }) => found.kind === "changed" && found.isRescheduled);
        await moveToVisibilityFolder(file.namespace, file.id, { rewrites });
      }),
    ),
  );
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** Returns the objects to remove, and true if the edge may have cached content that readers must no longer get. */
async function readState({ change, found }: FoundItem<FileChange>) {
  // Only a public file can be in the edge cache.
  if (found.kind === "changed")
    return { objectKeys: [], isInvalid: found.isRestricted || found.isRescheduled };
  // An operator may have restored the file, or transferred it to another account.
  const isElsewhere = (await publicFiles.find(found.namespace, found.id)) !== undefined;
  const isBack = isElsewhere || (await getItem(change.key)) !== undefined;
  return { objectKeys: isBack ? [] : found.objectKeys, isInvalid: !isElsewhere };
}
