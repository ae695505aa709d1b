import { removeObjects } from "../background/remove-objects.ts";
import {
  collectFromChanges,
  type FoundItem,
  type TableChange,
  type TableListener,
} from "../background/table-change.ts";
import type { Job } from "../background/worker.ts";
import {
  type DropChange,
  isDropKept,
  isDropRemoval,
  isRowRestored,
  readDropChange,
} from "../drops/on-table-change.ts";
import { pagesBucket, s3 } from "../drops/page-objects.ts";
import { deleteItems } from "../table/table-writes.ts";
import { pageTextKey } from "./feedback.ts";
import { feedbackKeysOf } from "./items.ts";

/** Table stream listener for feedback. Deletes the comments on a removed drop, and the stored text of a removed version. */
export const feedbackListener: TableListener = {
  feature: "feedback",
  onTableChange: (changes) => collectFromChanges("feedback", changes, readDropChange).flatMap(removal),
};

function removal({ change, found }: FoundItem<DropChange>): Job<TableChange>[] {
  if (isDropRemoval(found)) {
    const run = async () => {
      if (!(await isDropKept(change, found.slug))) await deleteItems(await feedbackKeysOf(found.slug));
    };
    return [{ sources: [change], run }];
  }
  if (found.kind === "version-removed") {
    const run = async () => {
      if (await isRowRestored(change)) return;
      await removeObjects(s3, pagesBucket(), [pageTextKey(found.pageKey)]);
    };
    return [{ sources: [change], run }];
  }
  return [];
}
