import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { type RequestEvent, toLambdaHandler } from "../../functions/http/lambda-handler.ts";
import { givenProxyEvent } from "../support/given-proxy-event.ts";

/** Returns the kind of the call. */
const handler = toLambdaHandler("get-me", async ({ isToolCall, isAppCall }) => ({
  status: 200,
  headers: {},
  body: `${isToolCall} ${isAppCall}`,
}));
const context = { getRemainingTimeInMillis: () => 28_000 } as Context;

test("an invocation by the MCP server is a tool call", async () => {
  const event: RequestEvent = { ...givenProxyEvent({}), isToolCall: true };

  expect(await handler(event, context)).toMatchObject({ body: "true false" });
  expect(await handler({ ...event, isAppCall: true }, context)).toMatchObject({ body: "true true" });
});

// A token of an MCP client is valid for tools only.
test.each([
  ["a body", { body: JSON.stringify({ isToolCall: true, isAppCall: true }) }],
  ["a header", { headers: ["isToolCall", "isAppCall"].map((name): [string, string] => [name, "true"]) }],
  ["a query", { query: "isToolCall=true&isAppCall=true" }],
  ["a path", { path: "/isAppCall", pathParameters: { isToolCall: "true", isAppCall: "true" } }],
])("a request that claims to be a tool call in %s is not handled as one", async (_, disguise) => {
  expect(await handler(givenProxyEvent(disguise), context)).toMatchObject({ body: "false false" });
});
