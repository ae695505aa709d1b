import * as z from "zod/mini";
import { choice, pinnedVersion } from "../http/query.ts";
import { pageRows, readerGrants } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** Query parameters of a comparison: `?from=&to=&view=`. */
const comparisonQuery = /* @__PURE__ */ schema(() =>
  z.object({
    from: pinnedVersion,
    to: pinnedVersion,
    view: z._default(z.catch(choice(["pages", "text"]), "pages"), "pages"),
  }),
);

const pageRow = /* @__PURE__ */ pageRows({ resource: "pages", host: "any", grants: readerGrants });

export const showComparisonRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/compare", {
  id: "show-comparison",
  addition: "docs/adr/0046-versions.md",
  summary: "Two versions of a page compared, side by side or as source text, for its readers",
  query: comparisonQuery,
  response: { status: 200, content: "html" },
  // Memory for a full vCPU, to compare thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    table: { actions: ["Query"] },
    settings: ["accessRequests"],
    readTrail: "PutItem",
    pages: ["GetObject"],
  },
});
