import { expect, test } from "vitest";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { runEdgeFunction, valuesOf } from "./run-edge-function.ts";

const code = bundleEdgeFunction("functions/edge/mcp-response.ts", {});

function answer(statusCode: number, headers: Readonly<Record<string, string>>) {
  const request = { method: "POST", uri: "/mcp", querystring: {}, headers: {}, cookies: {} };
  const event = { version: "1.0", request, response: { statusCode, headers: valuesOf(headers) } };
  return runEdgeFunction<{ statusCode: number; headers: Record<string, { value: string }> }>(code, event)
    .returned;
}

test("a response with a challenge is sent as 403 with this challenge instead of the default one", () => {
  const challenge = 'Bearer error="insufficient_scope", scope="publish"';

  const { statusCode, headers } = answer(200, {
    "www-authenticate": "Bearer",
    "x-dropleaf-challenge": challenge,
    "content-type": "application/json",
  });

  expect(statusCode).toBe(403);
  expect(headers).toEqual(valuesOf({ "www-authenticate": challenge, "content-type": "application/json" }));
});

test.each([200, 202, 304])("a response without a challenge stays unchanged (%i)", (status) => {
  const headers = { "www-authenticate": "Bearer", "content-type": "application/json" };

  expect(answer(status, headers)).toEqual({ statusCode: status, headers: valuesOf(headers) });
});
