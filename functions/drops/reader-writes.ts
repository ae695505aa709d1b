import { keys } from "../table/keys.ts";
import type { TransactionWrite } from "../table/table-writes.ts";

// Parts of the transactions in which readers write: comments and answers.

const secondsPerDay = 24 * 60 * 60;

/** A drop and its owner at the time of reading. */
export interface OwnedDrop {
  readonly ownerId: string;
  readonly slug: string;
}

/** Condition that the owner still has the drop. What is written for a deleted or transferred drop would never be removed. */
export function ownerCondition({ ownerId, slug }: OwnedDrop): TransactionWrite {
  return { check: keys.drop(ownerId, slug), condition: "attribute_exists(pk)" };
}

/** Records for a day that a form was sent. */
export function sentFormWrite(slug: string, formId: string, atMs: number): TransactionWrite {
  return {
    put: { ...keys.sentForm(slug, formId), ttl: Math.ceil(atMs / 1000) + secondsPerDay },
    condition: "attribute_not_exists(pk)",
  };
}
