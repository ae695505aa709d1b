import { writeLinkHeader } from "../discovery/documents.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { renderHomePage } from "./home-page.tsx";
import { showHomePageRoute } from "./rows.ts";

/** GET / of the service's own host: what this is, for people and for agents. */
export const showHomePage = pageOperation(showHomePageRoute, async ({ site }) => {
  const response = page("public", (nonce) => renderHomePage({ baseUrl: site.baseUrl, nonce }));
  return { ...response, headers: { ...response.headers, link: writeLinkHeader() } };
});
