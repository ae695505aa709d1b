import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentTrashedDrop } from "./presenter.ts";
import type { TrashListResponse } from "./schemas.ts";
import { listTrashRoute } from "./trash-rows.ts";
import { trash } from "./trash-store.ts";

/** GET /api/trash: lists one page of the caller's drops in the trash. */
export const listTrash = tokenOperation(listTrashRoute, async ({ caller, query: { page, pageSize } }) => {
  const all = await trash.list(caller.userId);
  return ok({
    drops: all.slice((page - 1) * pageSize, page * pageSize).map(presentTrashedDrop),
    page,
    page_size: pageSize,
    total: all.length,
  } satisfies TrashListResponse);
});
