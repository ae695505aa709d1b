import { accessRequests } from "../access-requests/store.ts";
import { hasAccessRequests } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import { page } from "../html/page.ts";
import { ownerUrl } from "../http/site.ts";
import { isOpenToAll } from "../policies/access.ts";
import { type ReadableDrop, thumbnailSources } from "../renders/thumbnail-sources.ts";
import { findDrops } from "../search/find-drops.ts";
import { readSearchQuery } from "../search/search-query.ts";
import { renderAccountDropsPage } from "./account-page.tsx";
import { listPage } from "./list-page.ts";
import { listOwnDrops, type OwnDrop, toFoundDrop } from "./own-drops.ts";
import { type OwnerInput, ownerPage } from "./owner-form.ts";
import { showAccountRoute } from "./page-rows.ts";

type Input = OwnerInput<typeof showAccountRoute>;

/** GET /account: lists an owner's drops, or searches them. */
export const showAccount = ownerPage(
  showAccountRoute,
  () => ({ page: "account" }),
  async (input) => {
    const { owner, signedIn, query, site, nowMs } = input;
    const { drops, search } =
      query.q === undefined
        ? { drops: listPage(await listOwnDrops(owner.userId, nowMs), query.page), search: undefined }
        : await searchOwnDrops(input, query.q);
    const thumbnails = await thumbnailSources(
      drops.shown.filter(({ isExpired }) => !isExpired).map(toReadable),
      site,
    );
    const waiting = hasAccessRequests() ? await accessRequests.countByDrop(owner.userId, nowMs) : [];
    const facts = {
      signedIn,
      waiting,
      ownerUrl: ownerUrl(site, owner.namespace),
      drops,
      search,
      thumbnails,
      done: query.done,
    };
    return page("signed-in", (nonce) => renderAccountDropsPage({ ...facts, nonce }), {
      picturesFrom: thumbnails.size > 0 ? site.baseUrl : undefined,
    });
  },
);

async function searchOwnDrops({ owner, signedIn, query, nowMs }: Input, q: string) {
  const terms = readSearchQuery(q);
  const fault = typeof terms === "string" ? terms : undefined;
  const pageSize = limits.pageSizeDefault;
  const number = Math.min(query.page, limits.searchResultsMax / pageSize);
  const request = { q, ownerId: owner.userId, tags: [], page: number, pageSize };
  const { results, hasMore } =
    fault === undefined ? await findDrops(signedIn.reader, request, nowMs) : { results: [], hasMore: false };
  const drops = { ...listPage(results.map(toFoundDrop), 1), number };
  return { drops, search: { query: q, fault, hasMore } };
}

function toReadable({ slug, version, visibility: kind, isLocked }: OwnDrop): ReadableDrop {
  // Omits the readers' names, which the list does not show.
  const visibility = kind === "people" ? ({ kind, readers: [] } as const) : { kind };
  return { slug, version, visibility, isGuarded: isLocked || !isOpenToAll({ visibility }) };
}
