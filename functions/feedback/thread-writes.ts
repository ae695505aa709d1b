import { keys } from "../platform/keys.ts";
import { isUnchanged, type TransactionWrite } from "../platform/table-writes.ts";
import type { Comment, FeedbackCounts, Thread } from "./feedback.ts";

const secondsPerDay = 24 * 60 * 60;

/** The drop that something is written about. */
export interface About {
  readonly ownerId: string;
  readonly slug: string;
}

/** Nothing is written about a drop that is gone, or another account's by now: nobody would remove it. */
export function isStillOf({ ownerId, slug }: About): TransactionWrite {
  return { check: keys.drop(ownerId, slug), condition: "attribute_exists(pk)" };
}

/** The next number of an account, and where the comment is that has it. */
export function numberWrites(
  ownerId: string,
  { slug, thread, comment, sequence, createdAtMs }: Comment,
): TransactionWrite[] {
  const last = sequence - 1;
  return [
    {
      key: keys.feedbackLog(ownerId),
      update: "SET #sequence = :next, writtenAtMs = :now",
      condition: isUnchanged("#sequence", last === 0 ? undefined : last),
      names: { "#sequence": "sequence" },
      values: { ":next": sequence, ":now": createdAtMs, ...(last === 0 ? {} : { ":seen": last }) },
    },
    {
      put: { ...keys.feedbackEntry(ownerId, sequence), slug, thread, comment },
      condition: "attribute_not_exists(pk)",
    },
  ];
}

/** Keeps that a form was sent, for a day. */
export function sentFormWrite(slug: string, formId: string, atMs: number): TransactionWrite {
  return {
    put: { ...keys.sentForm(slug, formId), ttl: Math.ceil(atMs / 1000) + secondsPerDay },
    condition: "attribute_not_exists(pk)",
  };
}

/** A thread as it was seen becomes what it is to be. */
export function threadWrite(before: Thread, after: Thread): TransactionWrite {
  return {
    key: keys.thread(after.slug, after.thread),
    update: "SET #state = :state, commentCount = :count, updatedAtMs = :now",
    condition: "#state = :seenState AND commentCount = :seenCount",
    names: { "#state": "state" },
    values: {
      ":state": after.state,
      ":count": after.commentCount,
      ":now": after.updatedAtMs,
      ":seenState": before.state,
      ":seenCount": before.commentCount,
    },
  };
}

/**
 * How many threads more a drop has, and how many of them open.
 *
 * @param lastThread the number of the last thread that was seen, where another is begun
 */
export function countsWrite(slug: string, added: FeedbackCounts, lastThread?: number): TransactionWrite {
  const adds = "ADD threadCount :threads, openCount :open";
  const values = { ":threads": added.threads, ":open": added.openThreads };
  const key = keys.feedback(slug);
  if (lastThread === undefined) return { key, update: adds, values };
  return {
    key,
    update: `SET lastThread = :next ${adds}`,
    condition: isUnchanged("lastThread", lastThread === 0 ? undefined : lastThread),
    values: { ...values, ":next": lastThread + 1, ...(lastThread === 0 ? {} : { ":seen": lastThread }) },
  };
}
