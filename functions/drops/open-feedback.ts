import { keys } from "../platform/keys.ts";
import { getItem } from "../platform/table.ts";

/**
 * How many threads of readers are open on a drop: what whoever publishes it is told, who may have dealt with them. One small read, to be
 * made beside another. `functions/feedback` writes the item, which is not there before anybody has written.
 */
export async function countOpenFeedback(slug: string): Promise<number> {
  return ((await getItem(keys.feedback(slug)))?.openCount ?? 0) as number;
}
