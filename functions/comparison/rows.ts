import * as z from "zod/mini";
import { choice, pinnedVersion } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** `?from=&to=&view=` of a comparison. */
const comparisonQuery = /* @__PURE__ */ schema(() =>
  z.object({
    from: pinnedVersion,
    to: pinnedVersion,
    view: z._default(z.catch(choice(["pages", "text"]), "pages"), "pages"),
  }),
);

/** GET /p/{slug}/compare */
export const showComparisonRoute = /* @__PURE__ */ pageRoute({
  id: "show-comparison",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/compare",
  host: "any",
  addition: "docs/adr/0046-versions.md",
  summary: "Two versions of a page compared, side by side or as source text, for its readers",
  query: comparisonQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  // A whole processor for comparing thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["accessRequests", "members"],
    readTrail: "PutItem",
    pages: ["GetObject"],
  },
});
