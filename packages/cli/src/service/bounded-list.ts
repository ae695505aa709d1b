import { Problem } from "../problem.ts";

/** Limit of a list that is read in parts. An account has 500 drops and 10,000 files by default. */
const itemsMax = 100_000;

/**
 * Adds a part of a list.
 *
 * @throws Problem for an endless list
 */
export function addItems<Item>(items: Item[], part: readonly Item[], service: string): void {
  if (items.length + part.length > itemsMax)
    throw new Problem(`${service} sent a list of more than ${itemsMax} items. It was discarded.`);
  for (const item of part) items.push(item);
}
