import { pageRow } from "../http/route.ts";

/** Base path of the SCIM service provider. */
export const scimPath = "/scim/v2";

/** Operation for all methods and paths below /scim/v2. One Lambda function handles them, because they use the same table items. */
export const callScimRoute = /* @__PURE__ */ pageRow(`GET ${scimPath}/{proxy+}`, {
  id: "call-scim",
  resource: "scim",
  otherMethods: ["POST", "PUT", "PATCH", "DELETE"],
  addition: "docs/adr/0089-scim.md",
  summary: "SCIM 2.0: a company's directory provisions people and groups",
  // The operator creates the bearer token, which belongs to no account.
  response: { status: 200, content: "json" },
  errorsAs: "negotiated",
  // Enough memory for the SCIM library and for groups with thousands of members.
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
