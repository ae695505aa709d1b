import { toFeedbackCounts, toThread } from "../../../functions/feedback/items.ts";
import { type Key, keys, ranges } from "../../../functions/table/keys.ts";
import { getItem, queryAll, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { isUnchanged, updateItem } from "../../../functions/table/table-writes.ts";
import type { StoredItem } from "../table-reads.ts";

/** Recognizes rows with the last numbers of comments and threads. An earlier one must not replace them. */
export function isFeedbackCounterRow({ pk, sk }: Key): boolean {
  return sk === keys.feedback("").sk && /^(SLUG|USER)#/.test(pk);
}

/**
 * Restores such rows unless the present numbers are higher. A number that is given twice would make an agent miss a comment. The
 * threads of a drop are counted anew.
 */
export async function raiseFeedbackNumbers(items: readonly StoredItem[]): Promise<void> {
  for (const item of items) {
    const { pk, sk, sequence, writtenAtMs = 0 } = item;
    const slug = pk.startsWith("SLUG#") ? pk.slice("SLUG#".length) : undefined;
    if (slug !== undefined) await correctFeedbackCounts(slug, toFeedbackCounts(item).lastThread);
    else
      await updateItem({
        key: { pk, sk },
        update: "SET #sequence = :sequence, writtenAtMs = :at",
        condition: "attribute_not_exists(pk) OR #sequence < :sequence",
        names: { "#sequence": "sequence" },
        values: { ":sequence": sequence, ":at": writtenAtMs },
      });
  }
}

/**
 * Corrects the counts of a drop's threads after some were restored, so that no new thread gets a used number.
 *
 * @throws ApiError `unavailable` where readers write each time
 */
export async function correctFeedbackCounts(slug: string, lastThread = 0): Promise<void> {
  await retryConflicts(async () => {
    const before = await getItem(keys.feedback(slug));
    const seen = toFeedbackCounts(before);
    const threads = (await queryAll(ranges.threads(slug))).map(toThread);
    const { updated } = await updateItem({
      key: keys.feedback(slug),
      update: "SET threadCount = :threads, openCount = :open, lastThread = :last",
      condition: `${isUnchanged("lastThread", before && seen.lastThread)}${before ? " AND threadCount = :seenThreads AND openCount = :seenOpen" : ""}`,
      values: {
        ":threads": threads.length,
        ":open": threads.filter(({ state }) => state === "open").length,
        ":last": Math.max(lastThread, seen.lastThread, ...threads.map(({ thread }) => thread)),
        ...(before
          ? {
              ":seen": seen.lastThread,
              ":seenThreads": seen.threads,
              ":seenOpen": seen.openThreads,
            }
          : {}),
      },
    });
    if (!updated) throw new RetryableError(`Readers of ${slug} are writing comments. Run the command again.`);
  });
}
