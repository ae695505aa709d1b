import { pageRow } from "../http/route.ts";

export const requestAccessRoute = /* @__PURE__ */ pageRow("POST /p/{slug}/access", {
  id: "request-access",
  resource: "account-pages",
  addition: "docs/adr/0070-feedback.md",
  summary: "Ask a page's owner for access. The response is the same for missing pages",
  caller: "session",
  body: "form",
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["invalid_arg", "rate_limited"],
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "PutItem", "Query", "UpdateItem"],
      items: ["LIMIT", "SLUG"],
    },
    audit: true,
    settings: ["accessRequests"],
  },
});
