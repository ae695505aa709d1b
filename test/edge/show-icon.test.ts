import { expect, test } from "vitest";
import { bundleEdgeFunction } from "../../lib/edge/bundle-edge-function.ts";
import { drawFavicon } from "../../scripts/pictures/favicon.ts";
import { runEdgeFunction } from "./run-edge-function.ts";

const code = bundleEdgeFunction("functions/edge/show-icon.ts", {});

function ask(method: string) {
  const event = {
    version: "1.0",
    context: { requestId: "request-1" },
    request: { method, uri: "/favicon.ico", querystring: {}, headers: {}, cookies: {} },
  };
  return runEdgeFunction<{
    statusCode: number;
    headers: Record<string, { value: string }>;
    body: { encoding: string; data: string };
  }>(code, event).returned;
}

test.each(["GET", "HEAD"])("%s gets the icon as the script draws it, and keeps it for a day", (method) => {
  const { statusCode, headers, body } = ask(method);

  expect([statusCode, headers["content-type"]?.value]).toEqual([200, "image/x-icon"]);
  expect(headers["cache-control"]?.value).toBe("public, max-age=86400");
  expect(body).toEqual({ encoding: "base64", data: drawFavicon().toString("base64") });
});

test("another method is told the right ones, in the shape of the contract's errors", () => {
  const { statusCode, headers, body } = ask("POST");

  expect([statusCode, headers.allow?.value, headers["x-request-id"]?.value]).toEqual([
    405,
    "GET, HEAD",
    "request-1",
  ]);
  expect(JSON.parse(body.data).error).toMatchObject({
    code: "method_not_allowed",
    message: expect.stringContaining("POST"),
    details: { allow: ["GET", "HEAD"] },
  });
});
