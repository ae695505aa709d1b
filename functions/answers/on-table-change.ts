import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { isDropKept, isDropRemoval, readDropChange } from "../drops/on-table-change.ts";
import { deleteItems } from "../table/table-writes.ts";
import { answerKeysOf } from "./items.ts";

/** Table stream listener for answers. Deletes the answers to a removed drop's forms. */
export const answersListener: TableListener = {
  feature: "answers",
  onTableChange: (changes) =>
    collectFromChanges("answers", changes, readDropChange).flatMap(({ change, found }) => {
      if (!isDropRemoval(found)) return [];
      const run = async () => {
        if (!(await isDropKept(change, found.slug))) await deleteItems(await answerKeysOf(found.slug));
      };
      return [{ sources: [change], run }];
    }),
};
