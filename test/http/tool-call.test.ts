import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { type RequestEvent, toLambdaHandler } from "../../functions/http/lambda-handler.ts";
import { givenProxyEvent } from "../support/given-proxy-event.ts";

/** Says which kind of call came. */
const handler = toLambdaHandler("get-me", async ({ isToolCall }) => ({
  status: 200,
  headers: {},
  body: String(isToolCall),
}));
const context = { getRemainingTimeInMillis: () => 28_000 } as Context;

test("an invocation by the MCP server is a call of a tool", async () => {
  const event: RequestEvent = { ...givenProxyEvent({}), isToolCall: true };

  expect(await handler(event, context)).toMatchObject({ body: "true" });
});

// A token of an MCP client is good for tools only.
test.each([
  ["a body", { body: JSON.stringify({ isToolCall: true }) }],
  ["a header", { headers: [["isToolCall", "true"]] as [string, string][] }],
  ["a query", { query: "isToolCall=true" }],
  ["a path", { path: "/isToolCall", pathParameters: { isToolCall: "true" } }],
])("a client that says so in %s makes no call of a tool", async (_, disguise) => {
  expect(await handler(givenProxyEvent(disguise), context)).toMatchObject({ body: "false" });
});
