import type { DropListAnswer } from "../../contract/answers.ts";
import { listDropsRoute } from "../../contract/drop-routes.ts";
import { withPublishedListAdditions } from "../../contract/published-client.ts";
import { selectDrops } from "../../domain/list-drops.ts";
import { ok } from "../../http/answer.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** GET /api/drops: the caller's drops that match, one page of them. */
export const listDrops = tokenOperation(listDropsRoute, async ({ caller, query, site }) => {
  const selected = selectDrops(await drops.list(caller.userId), query);
  const list: DropListAnswer = {
    drops: selected.drops.map((drop) => presentDrop(site, drop)),
    page: query.page,
    page_size: query.pageSize,
    total: selected.total,
  };
  return ok(withPublishedListAdditions(list));
});
