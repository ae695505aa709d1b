import pLimit from "p-limit";
import { invalidateNowAndLater } from "../background/invalidate.ts";
import { removeObjects } from "../background/remove-objects.ts";
import {
  type Finding,
  findIn,
  requireText,
  type TableChange,
  type TableListener,
} from "../background/table-change.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { getItem } from "../platform/table.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import { blobObjectKey, isSettled } from "./blob.ts";
import { settleFile } from "./file-moves.ts";
import { blobsS3 } from "./objects.ts";
import { servedFiles } from "./served.ts";
import { toBlob } from "./store.ts";

/** A change of a file that leaves work behind. */
export type FileChange =
  | {
      readonly kind: "removed";
      readonly id: string;
      readonly namespace: string;
      /** The object that its row named, and the one that the edge reads. */
      readonly objectKeys: readonly string[];
    }
  /** Others may read a file than before, or its bytes are not where they are to be. */
  | {
      readonly kind: "changed";
      readonly id: string;
      readonly namespace: string;
      readonly isRestricted: boolean;
    };

/** Files' part of the table's stream: bytes move to where their readers find them, and removed files leave Amazon S3 and the edge. */
export const filesListener: TableListener = {
  feature: "files",
  onTableChange(changes) {
    const findings = findIn("files", changes, readFileChange);
    if (findings.length === 0) return [];
    return [{ sources: findings.map(({ change }) => change), run: () => settle(findings) }];
  },
};

/**
 * Reads a change of a file; undefined for any other, and for one that leaves nothing to do.
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
  if (isSettled(is) && isOpenToAll(was) === isOpenToAll(is)) return undefined;
  const namespace = requireText("namespace", after.namespace);
  return { kind: "changed", id: is.id, namespace, isRestricted: !isOpenToAll(is) };
}

/**
 * Objects first, then the edge: it reads files right from their objects, and a file that was invalidated before its object is gone could be
 * read and cached again in between. A file that could not be moved delays the invalidation of no other.
 */
async function settle(findings: readonly Finding<FileChange>[]): Promise<void> {
  const [settled] = await Promise.allSettled([settleAll(findings)]);
  const states = await Promise.all(findings.map(readState));
  await removeObjects(
    blobsS3,
    readEnvironment(environmentNames.blobsBucket),
    states.flatMap(({ objectKeys }) => objectKeys),
  );
  await invalidateNowAndLater(
    findings
      .filter((_, index) => states[index]?.isInvalid)
      .map(({ found: { id, namespace } }) => ({ kind: "file", id, namespace })),
    findings.map(({ change }) => change),
  );
  if (settled?.status === "rejected") throw settled.reason;
}

/** The number of copies at the same time: each is of up to 25 MiB, and made by Amazon S3. */
const filesAtOnce = 16;

/** Settles each file once, however often it was changed; a file that went to another account meanwhile, there. */
async function settleAll(findings: readonly Finding<FileChange>[]): Promise<void> {
  const files = new Map(findings.map(({ found }) => [`${found.namespace}/${found.id}`, found]));
  const limit = pLimit(filesAtOnce);
  const settled = await Promise.allSettled(
    Array.from(files.values(), ({ namespace, id }) => limit(settleFile, namespace, id)),
  );
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** The objects to remove, and whether the edge may have what readers must not get any more. */
async function readState({ change, found }: Finding<FileChange>) {
  // The edge has cached nothing of a file that was not open to all.
  if (found.kind === "changed") return { objectKeys: [], isInvalid: found.isRestricted };
  // An operator restored it, or gave it to another account.
  const isElsewhere = (await servedFiles.find(found.namespace, found.id)) !== undefined;
  const isBack = isElsewhere || (await getItem(change.key)) !== undefined;
  return { objectKeys: isBack ? [] : found.objectKeys, isInvalid: !isElsewhere };
}
