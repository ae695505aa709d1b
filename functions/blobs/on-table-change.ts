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

// Moves a file's bytes after a change of its visibility in its row, and rewrites its object after a change of its expiry:
// docs/adr/0051-restricted-files.md

/** The timeout of the function that moves a file. */
const leaseSeconds = 60;

/**
 * Moves a file's bytes to the folder of its visibility, and removes the public object of a file that has become private. With `rewrites`, an
 * object that is not moved gets the row's expiry. A second run changes nothing. A lease allows one run at a time: a late removal would
 * delete the bytes of a file that became public meanwhile.
 */
export async function moveToVisibilityFolder(
  namespace: string,
  id: string,
  { rewrites = false }: { readonly rewrites?: boolean } = {},
): Promise<void> {
  const lease = await takeLease(`file#${namespace}/${id}`, { seconds: leaseSeconds });
  if (lease === undefined) throw new Error("Another execution moves the file.");
  try {
    const found = await publicFiles.find(namespace, id);
    // The file's removal is a change of its own, which removes its bytes.
    if (found === undefined) return;
    if (!isInVisibilityFolder(found)) await move(found, lease);
    // A copy onto itself, which is the only way to change metadata in Amazon S3.
    else if (rewrites && !(await isHidden(found))) await copy(found, found.objectKey);
    const now = await publicFiles.find(namespace, id);
    // Also removes leftovers of a move that crashed or was too late.
    if (now !== undefined && isInVisibilityFolder(now) && !isOpenToAll(now))
      await remove(blobObjectKey(namespace, id), lease);
  } finally {
    await lease.giveBack();
  }
}

/** Copies the object, then updates the row, then removes the old object, so that the row always points at an object. */
async function move(blob: Blob, lease: Lease): Promise<void> {
  if (await isHidden(blob)) return;
  const to = newObjectKey(blob, randomInt);
  await copy(blob, to);
  const isMoved = await blobs.setObjectKey(blob, to);
  await remove(isMoved ? blob.objectKey : to, lease);
}

/**
 * Recognizes an open file of a suspended account. The operator hides its object by a tag, which a new object would not have. The next change after
 * the suspension writes it.
 */
async function isHidden(blob: Blob): Promise<boolean> {
  return isOpenToAll(blob) && isSuspended(await getItem(keys.account(blob.ownerId)));
}

async function copy(blob: Blob, to: string): Promise<void> {
  const { objectKey, filename, contentType } = blob;
  const command = new CopyObjectCommand({
    ...newObject(to, blob, servedAs(filename, contentType)),
    CopySource: `${blobsBucket()}/${objectKey}`,
    MetadataDirective: "REPLACE",
    // The service sets no tags on files, and copying an operator's tags would require rights to read and write them.
    TaggingDirective: "REPLACE",
  });
  await blobsS3.send(command);
}

async function remove(key: string, lease: Lease): Promise<void> {
  if (lease.isLost()) throw new Error("The time limit for moving the file is over.");
  await removeObjects(blobsS3, blobsBucket(), [key]);
}

/** A change of a file that requires further work. */
export type FileChange =
  | {
      readonly kind: "removed";
      readonly id: string;
      readonly namespace: string;
      /** The object named in the row, and the object that the edge reads. */
      readonly objectKeys: readonly string[];
    }
  /** The readers of a file have changed, or its bytes must be moved. */
  | {
      readonly kind: "changed";
      readonly id: string;
      readonly namespace: string;
      readonly isRestricted: boolean;
      /** True if the expiry has changed. */
      readonly isRescheduled: boolean;
    };

/**
 * Files' part of the table's stream: moves bytes to the place of their visibility, and deletes removed files from Amazon S3 and the edge.
 */
export const filesListener: TableListener = {
  feature: "files",
  onTableChange(changes) {
    const findings = collectFromChanges("files", changes, readFileChange);
    if (findings.length === 0) return [];
    return [{ sources: findings.map(({ change }) => change), run: () => settle(findings) }];
  },
};

/**
 * Reads a change of a file; undefined for any other change, and for one without further work.
 *
 * @throws TypeError for a row that the service did not write
 */
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
 * Processes objects first, then the edge, which reads files directly from their objects: a file that is invalidated before its object is
 * removed could be cached again in between. A file that could not be moved does not delay the invalidation of others.
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

/** Number of concurrent copies: each is of up to 25 MiB, and made by Amazon S3. */
const filesAtOnce = 16;

/**
 * Processes each file once, regardless of its number of changes. If a file was given to another account meanwhile, the change of that
 * account's row processes it.
 */
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

/** The objects to remove, and if the edge may hold content that readers must no longer get. */
async function readState({ change, found }: FoundItem<FileChange>) {
  // The edge has never cached a file that was not open to all.
  if (found.kind === "changed")
    return { objectKeys: [], isInvalid: found.isRestricted || found.isRescheduled };
  // An operator has restored it, or given it to another account.
  const isElsewhere = (await publicFiles.find(found.namespace, found.id)) !== undefined;
  const isBack = isElsewhere || (await getItem(change.key)) !== undefined;
  return { objectKeys: isBack ? [] : found.objectKeys, isInvalid: !isElsewhere };
}
