import { pageRoute } from "../http/route.ts";

/** POST /slack/events */
export const receiveSlackEventRoute = /* @__PURE__ */ pageRoute({
  id: "receive-slack-event",
  resource: "slack",
  method: "POST",
  path: "/slack/events",
  onlyWith: "slack",
  addition: "Slack shows a card beside a link to a drop: docs/slack.md",
  summary: "Events of Slack: shows a card beside links to drops",
  // Slack signs its requests. It has no token.
  response: { status: 200, content: "json" },
  errors: ["unauthorized"],
  errorsAs: "json",
  // Slack waits for three seconds, also for a cold start.
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
