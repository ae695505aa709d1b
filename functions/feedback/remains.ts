import { type Key, keys, ranges } from "../platform/keys.ts";
import { queryAll } from "../platform/table.ts";

/**
 * The keys of everything that is kept below a slug of what readers write: threads, comments, forms that were sent, and the counts. For
 * whoever removes a drop for good. The numbers that its comments have in the account's log stay, and lead to nothing.
 */
export async function feedbackKeysOf(slug: string): Promise<Key[]> {
  const attributes = ["pk", "sk"];
  const rows = await Promise.all(
    [ranges.threads(slug), ranges.comments(slug), ranges.sentForms(slug)].map((range) =>
      queryAll(range, { attributes }),
    ),
  );
  // The counts last: whoever begins anew after a failure finds the rest by its own keys.
  return [...(rows.flat() as unknown as Key[]), keys.feedback(slug)];
}
