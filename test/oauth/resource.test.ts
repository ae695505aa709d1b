import { expect, test } from "vitest";
import { requireResource } from "../../functions/oauth/authorization-request.ts";

const site = { baseUrl: "https://drops.example.com" } as Parameters<typeof requireResource>[1];

test.each(["/mcp", "/mcp/", "/mcp?tools=core"])("a token for %s is valid at the MCP server", (path) => {
  expect(() => requireResource([site.baseUrl + path], site)).not.toThrow();
});

test.each(["/mcp/other", "/", "/api?tools=core"])("a token for %s is refused", (path) => {
  expect(() => requireResource([site.baseUrl + path], site)).toThrow("resource must be");
});
