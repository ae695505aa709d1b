import { blobObjectKey } from "../../../functions/blobs/blob.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { isSuspended } from "../../../functions/table/suspension.ts";
import { getItem, queryAll } from "../../../functions/table/table.ts";

/** A file with its address under a namespace that was transferred to another account. */
export interface MovedFile {
  readonly id: string;
  readonly ownerId: string;
  readonly objectKey: string;
}

/** Every file of a namespace that was ever transferred, whoever owns it now, also if it was deleted since. */
export async function listMovedFiles(namespace: string): Promise<MovedFile[]> {
  const range = ranges.filePointers(namespace);
  return (await queryAll(range)).map(({ sk, ownerId }) => {
    const id = String(sk).slice(range.prefix.length);
    return { id, ownerId: ownerId as string, objectKey: blobObjectKey(namespace, id) };
  });
}

/** Checks whether an account is suspended. */
export async function isAccountSuspended(userId: string): Promise<boolean> {
  return isSuspended(await getItem(keys.account(userId)));
}
