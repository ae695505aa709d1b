import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { dropRemovalJobs, readDropChange } from "../drops/on-table-change.ts";
import { deleteItems } from "../table/table-writes.ts";
import { answerKeysOf } from "./items.ts";

/** Table stream listener for answers. Deletes the answers to a removed drop's forms. */
export const answersListener: TableListener = {
  feature: "answers",
  onTableChange: (changes) =>
    collectFromChanges("answers", changes, readDropChange).flatMap((item) =>
      dropRemovalJobs(item, async ({ slug }) => deleteItems(await answerKeysOf(slug))),
    ),
};
