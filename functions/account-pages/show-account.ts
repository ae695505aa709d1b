import { page } from "../platform/page-operation.ts";
import { ownerUrl } from "../platform/site.ts";
import { renderAccountDropsPage } from "./account-page.tsx";
import { listPage } from "./list-page.ts";
import { listOwnDrops } from "./own-drops.ts";
import { ownerPage } from "./owner.ts";
import { showAccountRoute } from "./rows.ts";

/** GET /account: an owner's drops, for the owner. */
export const showAccount = ownerPage(
  showAccountRoute,
  () => ({ page: "account" }),
  async ({ owner, signedIn, query, site }) => {
    const drops = listPage(await listOwnDrops(owner.userId), query.page);
    const facts = { signedIn, ownerUrl: ownerUrl(site, owner.namespace), drops, done: query.done };
    return page("sign-in", (nonce) => renderAccountDropsPage({ ...facts, nonce }));
  },
);
