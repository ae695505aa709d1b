import { page } from "../http/page-operation.ts";
import { ownerUrl } from "../http/site.ts";
import { isOpenToAll } from "../identity/visibility.ts";
import { type ReadableDrop, thumbnailSources } from "../renders/thumbnail-sources.ts";
import { renderAccountDropsPage } from "./account-page.tsx";
import { listPage } from "./list-page.ts";
import { listOwnDrops, type OwnDrop } from "./own-drops.ts";
import { ownerPage } from "./owner-form.ts";
import { showAccountRoute } from "./page-rows.ts";

/** GET /account: an owner's drops, for the owner. */
export const showAccount = ownerPage(
  showAccountRoute,
  () => ({ page: "account" }),
  async ({ owner, signedIn, query, site }) => {
    const drops = listPage(await listOwnDrops(owner.userId), query.page);
    const thumbnails = await thumbnailSources(drops.shown.map(toReadable), site);
    const facts = {
      signedIn,
      ownerUrl: ownerUrl(site, owner.namespace),
      drops,
      thumbnails,
      done: query.done,
    };
    return page("sign-in", (nonce) => renderAccountDropsPage({ ...facts, nonce }), {
      picturesFrom: thumbnails.size > 0 ? site.baseUrl : undefined,
    });
  },
);

function toReadable({ slug, version, visibility: kind, isLocked }: OwnDrop): ReadableDrop {
  // Whom it names makes no difference to its owner.
  const visibility = kind === "people" ? ({ kind, readers: [] } as const) : { kind };
  return { slug, version, visibility, isGuarded: isLocked || !isOpenToAll({ visibility }) };
}
