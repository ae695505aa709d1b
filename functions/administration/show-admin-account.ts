import { page } from "../html/page.ts";
import { readAccountFacts } from "./account-facts.ts";
import { renderAdminAccountPage } from "./account-page.tsx";
import { administratorPage } from "./administrator.ts";
import { showAdminAccountRoute } from "./rows.ts";

/** GET /admin/accounts/{namespace}: shows an account or a team, with forms for changing it. */
export const showAdminAccount = administratorPage(
  showAdminAccountRoute,
  ({ path }) => `/admin/accounts/${path.namespace}`,
  async (input) => {
    const { query } = input;
    const facts = await readAccountFacts(input, query.file, query.page);
    return page("signed-in", (nonce) =>
      renderAdminAccountPage({ ...input, ...facts, done: query.done, nonce }),
    );
  },
);
