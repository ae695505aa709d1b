import { collectFromChanges, type TableListener } from "../background/table-change.ts";
import { dropRemovalJobs, readDropChange } from "../drops/on-table-change.ts";
import { accessRequests } from "./store.ts";

/** Table stream listener for access requests. Deletes the requests for a permanently deleted drop. */
export const accessRequestsListener: TableListener = {
  feature: "access-requests",
  onTableChange: (changes) =>
    collectFromChanges("access-requests", changes, readDropChange).flatMap((item) =>
      dropRemovalJobs(item, ({ slug }) => accessRequests.removeOf(slug)),
    ),
};
