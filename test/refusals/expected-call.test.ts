import { describe, expect, test } from "vitest";
import { safeParse } from "zod/v4/core";
import { withFilters } from "../../functions/http/query.ts";
import { parseQuery } from "../../functions/http/request.ts";
import type { Route } from "../../functions/http/route.ts";
import { fieldsOf } from "../../functions/http/schemas.ts";
import { isReviewed } from "../../functions/http/warnings.ts";
import { toolRows } from "../../functions/mcp/tool-rows.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import {
  expectedBytesMax,
  expectedCall,
  expectedToolCall,
  messageCharactersMax,
  sayExpected,
} from "../../functions/refusals/expected-call.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

const routes: readonly Route[] = operationIds.map(routeOf).filter(isReviewed);

interface HttpExample {
  readonly path: string;
  readonly body?: unknown;
}

describe.each(routes.map((route) => [route.id, route] as const))("%s", (id, route) => {
  const expected = expectedCall(route);
  const { path, body } = expected.example as HttpExample;

  test("is described in at most 1,200 bytes, and the message stays within 700 characters", () => {
    const message = sayExpected("a".repeat(5_000), expected, `${route.method} ${route.path}`);

    expect(expected.operation).toBe(id);
    expect(Buffer.byteLength(JSON.stringify(expected))).toBeLessThanOrEqual(expectedBytesMax);
    expect(message.length).toBeLessThanOrEqual(messageCharactersMax);
    expect(message).toMatch(/^a{200,}… [A-Z]+ \/api\/.* details\.expected\.$/);
  });

  test("has an example valid by its schemas", () => {
    const [, query = ""] = path.split("?");
    const sent = { body, query: withFilters(parseQuery(query)) };

    const faults = [
      ...(typeof route.body === "object" ? [safeParse(route.body.json, sent.body)] : []),
      ...(route.query === undefined ? [] : [safeParse(route.query, sent.query)]),
    ].flatMap(({ error }) => error?.issues ?? []);

    expect(faults).toEqual([]);
    expect(path).not.toMatch(/[{}]|undefined/);
  });

  test("names every required field as required", () => {
    const { query, body: rule } = route;
    const required = [...fieldsOf(query), ...(typeof rule === "object" ? fieldsOf(rule.json) : [])].filter(
      ({ isRequired }) => isRequired,
    );

    for (const { name } of required) {
      const field = expected.fields[`${name}.<key>`] ?? expected.fields[name];
      expect(field, name).toMatchObject({ required: true, type: expect.stringMatching(/^\w+/) });
    }
  });
});

test.each(mcpTools.map((tool) => [tool.name, tool] as const))(
  "%s is described in at most 1,200 bytes",
  (_, tool) => {
    const expected = expectedToolCall(tool, toolRows[tool.operation]);

    expect(Buffer.byteLength(JSON.stringify(expected))).toBeLessThanOrEqual(expectedBytesMax);
    expect(expected.example).toMatchObject({ name: tool.name });
  },
);

test("the example has the request's slug, and a tool's example its own arguments", () => {
  const route = routeOf("publish-version");
  const tool = mcpTools.find(({ name }) => name === "update_drop");

  expect(expectedCall(route, { pathParameters: { slug: "k3J9xQ2" } }).example).toMatchObject({
    method: "PUT",
    path: "/api/drops/k3J9xQ2",
  });
  expect(tool && expectedToolCall(tool, route, { slug: "k3J9xQ2" }).example).toMatchObject({
    arguments: { slug: "k3J9xQ2", html: expect.any(String) },
  });
});

test("types and limits equal those of the schemas", () => {
  const { fields } = expectedCall(routeOf("publish-drop"));

  expect(fields).toMatchObject({
    title: { type: "string", bound: "1 to 200 characters", required: true },
    description: { type: "string or null", bound: "up to 500 characters" },
    metadata: { type: "object of strings", bound: "up to 10 keys" },
    visibility: { type: "string", bound: "public, unlisted, members, people" },
    readers: { type: "array of strings", bound: "1 to 50 items" },
    expires_in_days: { type: "integer or null", bound: "1 to 3650" },
    indexed: { type: "boolean" },
  });
  expect(fields.description).not.toHaveProperty("required");
});
