import { Problem } from "../problem.ts";

/** Maximum length of a list that is read in parts. An account has at most 500 drops and 10,000 files by default. */
const itemsMax = 100_000;

/**
 * Appends a part of a list.
 *
 * @throws Problem if the list becomes too long
 */
export function addItems<Item>(items: Item[], part: readonly Item[], service: string): void {
  if (items.length + part.length > itemsMax)
    throw new Problem(`${service} sent a list of more than ${itemsMax} items. The list was discarded.`);
  for (const item of part) items.push(item);
}
