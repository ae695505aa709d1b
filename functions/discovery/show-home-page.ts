import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { page, pageOperation } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { document, readDocument } from "./document-response.ts";
import { writeLinkHeader } from "./documents.ts";
import { renderHomePage } from "./home-page.tsx";
import { showHomePageRoute } from "./rows.ts";

/** GET / of the service's own host: what this is, for people; for agents that ask for Markdown, the guide. */
export const showHomePage = pageOperation(showHomePageRoute, async ({ site, request }) => {
  const response = wantsMarkdown(request)
    ? // Kept nowhere: the edge has one entry for this address, whatever is accepted.
      document("markdown", await readDocument("llms.txt", site), { "cache-control": "no-store" })
    : page("public", (nonce) => renderHomePage({ baseUrl: site.baseUrl, nonce }));
  return { ...response, headers: { ...response.headers, link: writeLinkHeader(), vary: "Accept" } };
});

/** RFC 9110, section 12.5.1; HTML where nothing is preferred. */
function wantsMarkdown(request: HttpRequest): boolean {
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  const [preferred] = preferredMediaTypes(accept, ["text/html", "text/markdown"]);
  return preferred === "text/markdown";
}
