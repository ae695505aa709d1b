import { removeObjects } from "../background/remove-objects.ts";
import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { dropRemovalJobs, isRowRestored, readDropChange } from "../drops/on-table-change.ts";
import { pagesBucket, s3 } from "../drops/page-objects.ts";
import { deleteItems } from "../table/table-writes.ts";
import { pageTextKey } from "./feedback.ts";
import { feedbackKeysOf } from "./items.ts";

/** Table stream listener for feedback. Deletes the comments on a removed drop, and the stored text of a removed version. */
export const feedbackListener: TableListener = {
  feature: "feedback",
  onTableChange: (changes) =>
    collectFromChanges("feedback", changes, readDropChange).flatMap((item) => {
      const { change, found } = item;
      if (found.kind !== "version-removed")
        return dropRemovalJobs(item, async ({ slug }) => deleteItems(await feedbackKeysOf(slug)));
      const run = async () => {
        if (await isRowRestored(change)) return;
        await removeObjects(s3, pagesBucket(), [pageTextKey(found.pageKey)]);
      };
      return [{ sources: [change], run }];
    }),
};
