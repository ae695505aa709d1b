import preferredMediaTypes from "negotiator/lib/mediaType.js";
import { readOnboardingRoute } from "../../contract/discovery-routes.ts";
import { document, readDocument } from "../../http/document-answer.ts";
import { documentOperation } from "../../http/document-operation.ts";
import type { HttpRequest } from "../../http/request.ts";

/** GET /api/onboard: what an agent needs to know, as data or to read. */
export const readOnboarding = documentOperation(readOnboardingRoute, async ({ query, request, site }) => {
  const format = query.format ?? preferredFormat(request);
  const answer =
    format === "md"
      ? document("markdown", await readDocument("guide.md", site))
      : document("json", await readDocument("onboarding.json", site));
  return { ...answer, headers: { ...answer.headers, vary: "Accept" } };
});

/** RFC 9110, section 12.5.1; JSON where nothing is preferred. */
function preferredFormat(request: HttpRequest): "json" | "md" {
  const accept = request.headers.accept?.join(", ") ?? "*/*";
  const [preferred] = preferredMediaTypes(accept, ["application/json", "text/markdown"]);
  return preferred === "text/markdown" ? "md" : "json";
}
