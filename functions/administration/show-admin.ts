import { publicFiles } from "../blobs/public-files.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { page } from "../html/page.ts";
import { redirect } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { findAccountRow } from "./accounts.ts";
import { renderAccountsPage } from "./accounts-page.tsx";
import { administratorPage } from "./administrator.ts";
import { listAccounts } from "./directory.ts";
import { showAdminRoute } from "./rows.ts";
import { findTarget } from "./targets.ts";

/** GET /admin: lists and searches accounts and teams. A search for the URL of a page or file redirects to its administration page. */
export const showAdmin = administratorPage(
  showAdminRoute,
  () => "/admin",
  async (input) => {
    const { query, site } = input;
    const text = query.q.trim();
    const path = text === "" ? undefined : await findPath(site, text);
    if (path !== undefined) return redirect(site.baseUrl + path);
    const part = await listAccounts(text, query.after);
    return page("signed-in", (nonce) =>
      renderAccountsPage({ ...input, ...part, query: text, done: query.done, nonce }),
    );
  },
);

/** Returns the path of the administration page for a slug, or for the URL of a page or file. */
async function findPath(site: Site, text: string): Promise<string | undefined> {
  const target = await findTarget(site, text);
  if (target?.kind === "page")
    return (await publicDrops.findPointer(target.slug)) && `/admin/drops/${target.slug}`;
  const file = target && (await publicFiles.find(target.namespace, target.id));
  const owner = file && (await findAccountRow(file.ownerId));
  return owner && `/admin/accounts/${owner.namespace}?file=${file.namespace}.${file.id}`;
}
