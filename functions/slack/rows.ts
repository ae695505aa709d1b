import { pageRow } from "../http/route.ts";

export const receiveSlackEventRoute = /* @__PURE__ */ pageRow("POST /slack/events", {
  id: "receive-slack-event",
  resource: "slack",
  onlyWith: "slack",
  addition: "Slack shows a card beside a link to a drop: docs/slack.md",
  summary: "Events of Slack: shows a card beside links to drops",
  // Slack sends no token. The handler checks the request's signature instead.
  response: { status: 200, content: "json" },
  errors: ["unauthorized"],
  errorsAs: "json",
  // Slack waits only three seconds, even for a cold start, so the function gets more CPU.
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["slackApp"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
  },
});
