import { page } from "../html/page.ts";
import { administratorPage } from "./administrator.ts";
import { readDropFacts } from "./drop-facts.ts";
import { renderAdminDropPage } from "./drop-page.tsx";
import { showAdminDropRoute } from "./rows.ts";

/** GET /admin/drops/{slug}: shows a drop without its content, with forms for changing it. */
export const showAdminDrop = administratorPage(
  showAdminDropRoute,
  ({ path }) => `/admin/drops/${path.slug}`,
  async (input) => {
    const facts = await readDropFacts(input);
    const { done } = input.query;
    return page("signed-in", (nonce) => renderAdminDropPage({ ...input, ...facts, done, nonce }));
  },
);
