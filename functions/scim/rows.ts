import { pageRow } from "../http/route.ts";

/** Address of the SCIM service provider. */
export const scimPath = "/scim/v2";

/** Every method and address below /scim/v2: one function, since all of them work on the same items. */
export const callScimRoute = /* @__PURE__ */ pageRow(`GET ${scimPath}/{proxy+}`, {
  id: "call-scim",
  resource: "scim",
  otherMethods: ["POST", "PUT", "PATCH", "DELETE"],
  addition: "docs/adr/0089-scim.md",
  summary: "SCIM 2.0: a company's directory provisions people and groups",
  // The bearer token belongs to the operator, not to an account.
  response: { status: 200, content: "json" },
  errorsAs: "negotiated",
  // Memory for the library's code and groups of thousands.
  memoryMegabytes: 1_024,
  grants: {
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
      items: ["GROUP", "READER", "SCIM", "TOKEN", "USER"],
    },
    audit: true,
    secrets: ["scimTokens"],
  },
});
