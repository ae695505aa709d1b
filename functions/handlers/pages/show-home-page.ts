import { showHomePageRoute } from "../../contract/page-routes.ts";
import { writeLinkHeader } from "../../discovery/documents.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { renderHomePage } from "../../views/home-page.tsx";

/** GET / of the service's own host: what this is, for people and for agents. */
export const showHomePage = pageOperation(showHomePageRoute, async ({ site }) => {
  const answer = page("public", (nonce) => renderHomePage({ baseUrl: site.baseUrl, nonce }));
  return { ...answer, headers: { ...answer.headers, link: writeLinkHeader() } };
});
