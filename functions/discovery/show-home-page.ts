import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { document, readDocument } from "./document-response.ts";
import { prefersMarkdown, writeLinkHeader } from "./documents.ts";
import { renderHomePage } from "./home-page.tsx";
import { showHomePageRoute } from "./rows.ts";

/** GET / on the service's own host: introduces the service to people. Agents that request Markdown get the guide. */
export const showHomePage = pageOperation(showHomePageRoute, async ({ site, request }) => {
  const response = prefersMarkdown(request, "text/html")
    ? // The edge must not cache the guide, because it caches one response for this URL regardless of Accept.
      document("markdown", await readDocument("llms.txt", site), { "cache-control": "no-store" })
    : page("public", (nonce) => renderHomePage({ baseUrl: site.baseUrl, nonce }));
  return { ...response, headers: { ...response.headers, link: writeLinkHeader(), vary: "Accept" } };
});
