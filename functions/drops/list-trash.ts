import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentTrashedDrop } from "./presenter.ts";
import type { TrashListResponse } from "./schemas.ts";
import { listTrashRoute } from "./trash-rows.ts";
import { trash } from "./trash-store.ts";

/** GET /api/trash: the caller's drops that can come back, one page of them. */
export const listTrash = tokenOperation(listTrashRoute, async ({ caller, query: { page, pageSize } }) => {
  const all = await trash.list(caller.userId);
  return ok({
    drops: all.slice((page - 1) * pageSize, page * pageSize).map(presentTrashedDrop),
    page,
    page_size: pageSize,
    total: all.length,
  } satisfies TrashListResponse);
});
