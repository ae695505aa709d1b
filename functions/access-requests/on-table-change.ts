import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { isDropKept, isDropRemoval, readDropChange } from "../drops/on-table-change.ts";
import { accessRequests } from "./store.ts";

/** Table stream listener for access requests. Deletes the requests for a permanently deleted drop. */
export const accessRequestsListener: TableListener = {
  feature: "access-requests",
  onTableChange: (changes) =>
    collectFromChanges("access-requests", changes, readDropChange).flatMap(({ change, found }) => {
      if (!isDropRemoval(found)) return [];
      const run = async () => {
        if (!(await isDropKept(change, found.slug))) await accessRequests.removeOf(found.slug);
      };
      return [{ sources: [change], run }];
    }),
};
