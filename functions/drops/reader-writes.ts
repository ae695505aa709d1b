import { keys } from "../table/keys.ts";
import type { TransactionWrite } from "../table/table-writes.ts";

// Writes shared by the transactions that store readers' comments and answers.

const secondsPerDay = 24 * 60 * 60;

/** A drop, with its owner at the time of reading. */
export interface OwnedDrop {
  readonly ownerId: string;
  readonly slug: string;
}

/** Requires that the drop has not changed its owner. An item written after the drop's deletion or transfer would never be removed. */
export function ownerCondition({ ownerId, slug }: OwnedDrop): TransactionWrite {
  return { check: keys.drop(ownerId, slug), condition: "attribute_exists(pk)" };
}

/** Records that a form was sent, so that it cannot be sent twice. The record is kept for a day. */
export function sentFormWrite(slug: string, formId: string, atMs: number): TransactionWrite {
  return {
    put: { ...keys.sentForm(slug, formId), ttl: Math.ceil(atMs / 1000) + secondsPerDay },
    condition: "attribute_not_exists(pk)",
  };
}
