import { pageRoute } from "../http/route.ts";

/** POST /p/{slug}/access */
export const requestAccessRoute = /* @__PURE__ */ pageRoute({
  id: "request-access",
  resource: "account-pages",
  method: "POST",
  path: "/p/{slug}/access",
  addition: "docs/adr/0070-feedback.md",
  summary: "The form by which a signed-in person asks for access, the same for each slug",
  caller: "session",
  body: "form",
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["invalid_arg", "forbidden", "not_found", "rate_limited"],
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: [
        "BatchGetItem",
        "ConditionCheckItem",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "UpdateItem",
      ],
      items: ["IDP", "LIMIT", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    audit: true,
    settings: ["accessRequests", "members"],
  },
});
