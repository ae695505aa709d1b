import { page } from "../http/page-operation.ts";
import { administratorPage } from "./administrator.ts";
import { readDropFacts } from "./drop-facts.ts";
import { renderAdminDropPage } from "./drop-page.tsx";
import { showAdminDropRoute } from "./rows.ts";

/** GET /admin/drops/{slug}: a drop without its content, with the forms that change it. */
export const showAdminDrop = administratorPage(
  showAdminDropRoute,
  ({ path }) => `/admin/drops/${path.slug}`,
  async (input) => {
    const { path, query, signedIn, site, nowMs } = input;
    const facts = await readDropFacts(path.slug, { reader: signedIn.reader, site, nowMs });
    return page("signed-in", (nonce) => renderAdminDropPage({ ...input, ...facts, done: query.done, nonce }));
  },
);
