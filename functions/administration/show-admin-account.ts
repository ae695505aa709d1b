import { page } from "../http/page-operation.ts";
import { readAccountFacts } from "./account-facts.ts";
import { renderAdminAccountPage } from "./account-page.tsx";
import { administratorPage } from "./administrator.ts";
import { showAdminAccountRoute } from "./rows.ts";

/** GET /admin/accounts/{namespace}: an account or a team, with the forms that change it. */
export const showAdminAccount = administratorPage(
  showAdminAccountRoute,
  ({ path }) => `/admin/accounts/${path.namespace}`,
  async (input) => {
    const { path, query, signedIn, site, nowMs } = input;
    const facts = await readAccountFacts({
      namespace: path.namespace,
      pageNumber: query.page,
      file: query.file,
      reader: signedIn.reader,
      site,
      nowMs,
    });
    return page("signed-in", (nonce) =>
      renderAdminAccountPage({ ...input, ...facts, done: query.done, nonce }),
    );
  },
);
