import { hasReadTrail } from "../core/environment.ts";
import type { Drop } from "../drops/drop.ts";
import { readTrail } from "../drops/read-trail.ts";
import { page } from "../html/page.ts";
import { isOpenToAll, type Visibility } from "../policies/access.ts";
import { presentRender } from "../renders/presenter.ts";
import { getLatestRenderStatus } from "../renders/render-status.ts";
import { findUnknownGroups } from "../table/groups.ts";
import { ownDropPage } from "./own-drop.ts";
import { ownerPage } from "./owner-form.ts";
import { showOwnDropRoute } from "./page-rows.ts";
import { placeQuery } from "./viewer-place.ts";

/** GET /account/drops/{slug}: shows an owner's drop, and the forms that change it. */
export const showOwnDrop = ownerPage(
  showOwnDropRoute,
  ({ path, query }) => ({ page: "drop", slug: path.slug, query: placeQuery(query) }),
  async (input) => {
    const { done, ...place } = input.query;
    return page(
      "signed-in",
      await ownDropPage(input, {
        done,
        place,
        offersMove: true,
        findUnknownGroups: async ({ visibility }) => {
          const groups = groupsIn(visibility);
          return groups.length === 0 ? [] : findUnknownGroups(groups);
        },
        findLooks: (drop) => findLooks(drop, input.nowMs),
        findReads: (drop) => findReads(drop, input.nowMs),
      }),
    );
  },
);

function groupsIn(visibility: Visibility): readonly string[] {
  const readers = visibility.kind === "people" ? visibility.readers : [];
  return readers.flatMap((reader) => (reader.kind === "group" ? reader.group : []));
}

async function findLooks(drop: Drop, nowMs: number) {
  const seen = await getLatestRenderStatus(drop, nowMs);
  return seen && presentRender(seen, nowMs);
}

const shownReadsMax = 20;

async function findReads(drop: Drop, nowMs: number) {
  if (!hasReadTrail() || isOpenToAll(drop)) return undefined;
  const [newest, weeksReaders] = await Promise.all([
    readTrail.list(drop.slug, { cursor: undefined, limit: shownReadsMax, nowMs }),
    readTrail.listWeeksReaders(drop.slug, nowMs),
  ]);
  return { newest, weeksReaders };
}
