import type { Drop } from "../drops/drop.ts";
import { page } from "../http/page-operation.ts";
import { presentRender } from "../renders/presenter.ts";
import { getLatestRenderStatus } from "../renders/render-status.ts";
import { ownDropPage } from "./own-drop.ts";
import { ownerPage } from "./owner-form.ts";
import { showOwnDropRoute } from "./page-rows.ts";

/** GET /account/drops/{slug}: a drop of an owner's, and the forms that change it. */
export const showOwnDrop = ownerPage(
  showOwnDropRoute,
  ({ path }) => ({ page: "drop", slug: path.slug }),
  async (input) => {
    const { done } = input.query;
    return page(
      "sign-in",
      await ownDropPage(input, { done, findLooks: (drop) => findLooks(drop, input.nowMs) }),
    );
  },
);

async function findLooks(drop: Drop, nowMs: number) {
  const seen = await getLatestRenderStatus(drop, nowMs);
  return seen && presentRender(seen, nowMs);
}
