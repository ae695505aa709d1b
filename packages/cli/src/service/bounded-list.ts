import { Problem } from "../problem.ts";

/** Items of a list that comes in parts. An account has 500 drops and 10,000 files by default. */
const itemsMax = 100_000;

/**
 * Adds a part of a list.
 *
 * @throws Problem for a list without end
 */
export function addItems<Item>(items: Item[], part: readonly Item[], service: string): void {
  if (items.length + part.length > itemsMax)
    throw new Problem(`${service} sent a list of more than ${itemsMax} items. Nothing was used of it.`);
  for (const item of part) items.push(item);
}
