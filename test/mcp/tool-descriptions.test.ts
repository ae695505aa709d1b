import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { writeMcpDocument } from "../../functions/discovery/mcp-document.ts";
import { operationExamples, pathExamples } from "../../functions/discovery/openapi/examples.ts";
import { writtenSite } from "../../functions/discovery/site.ts";
import { type McpDocument, operationOf } from "../../functions/mcp/call-tool.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { patterns } from "../../functions/platform/schemas.ts";
import { grantsOf, operationIds, routeOf } from "../../functions/routes.ts";

const document = JSON.parse(JSON.stringify(writeMcpDocument(writtenSite))) as McpDocument;
const examples = operationExamples(writtenSite);
const tools = mcpTools.map((tool) => ({
  ...tool,
  described: document.tools.find(({ name }) => name === tool.name),
  route: routeOf(tool.operation),
}));

function validator(schema: object) {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
}

/** What stands for each parameter in the examples of the contract. */
const parameterExamples: Readonly<Record<string, unknown>> = {
  slug: pathExamples.slug,
  n: pathExamples.n,
  id: pathExamples["blobs id"],
  token: "p0Ll",
  filename: "chart.png",
  text: "a",
  metadata: { project: "walk-through" },
};

describe.each(tools)("$name", ({ name, operation, described, route }) => {
  test("carries out the operation of its row", () => {
    expect(operationOf(name)?.id).toBe(operation);
    expect(operationOf(name)?.route).toBe(route);
    expect(callMcpRoute.performs).toContain(operation);
  });

  test("takes what the row's examples say, and each of its arguments says what it is", () => {
    const properties = described?.inputSchema.properties as Record<string, { description?: string }>;
    const asked = Object.fromEntries(Object.entries(parameterExamples).filter(([key]) => key in properties));
    const validate = validator(described?.inputSchema ?? {});

    expect(validate({ ...asked, ...examples[operation]?.body }), JSON.stringify(validate.errors)).toBe(true);
    for (const [argument, property] of Object.entries(properties)) {
      expect(argument).toMatch(/^[A-Za-z0-9_]+$/);
      expect(property.description, argument).toMatch(/\.$/);
    }
    if ((described?.inputSchema.required ?? []).length > 0) expect(validate({})).toBe(false);
  });

  test("answers what the row's example says, or a refusal with a code of the row, and nothing else", () => {
    expect(described?.outputSchema !== undefined).toBe("json" in route.response);
    if (described?.outputSchema === undefined) return;
    const validate = validator(described.outputSchema);
    const refusal = (code: string) => ({ error: { code, message: "m", details: { field: "f" } } });

    expect(validate(examples[operation]?.response), JSON.stringify(validate.errors)).toBe(true);
    for (const code of [...route.errors, "internal_error", "unavailable"]) {
      expect(validate(refusal(code)), code).toBe(true);
    }
    expect(validate(refusal("teapot"))).toBe(false);
    expect(validate({})).toBe(false);
  });

  test("says truly whether it changes anything", () => {
    const { method } = route;

    const hints = described?.annotations;

    if (hints?.readOnlyHint) expect(method).toBe("GET");
    if (method === "GET" && name !== "poll_sign_in") expect(hints?.readOnlyHint).toBe(true);
    if (["DELETE", "PATCH"].includes(method)) expect(hints?.destructiveHint).toBe(true);
    expect(hints?.readOnlyHint && hints.destructiveHint).toBe(false);
  });

  test("is told in words of this server, and of no command", () => {
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(described?.description).toMatch(/^[A-Z].+\.$/s);
    expect(described?.description).toContain(route.summary);
    expect(described?.description).not.toMatch(/curl -|\bPATCH\b|\bDELETE\b/);
  });
});

test("one argument never means two things", () => {
  for (const { described, route } of tools) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
    for (const parameter of names) expect(described?.inputSchema.properties).toHaveProperty(parameter);
  }
  expect(new Set(mcpTools.map(({ name }) => name)).size).toBe(mcpTools.length);
});

test("filters are tags by their own names", () => {
  const listing = document.tools.find(({ name }) => name === "list_drops");

  expect(listing?.inputSchema.properties?.metadata).toMatchObject({
    propertyNames: { pattern: patterns.metadataKey.source },
  });
});

test("the server may do what its tools' operations may, each as its own row says, and nothing else", () => {
  const granted = new Set(grantsOf("call-mcp").map((grants) => JSON.stringify(grants)));

  const rows = mcpTools.map(({ operation }) => JSON.stringify(routeOf(operation).grants));

  expect(granted).toEqual(new Set(["{}", ...rows]));
  for (const id of operationIds.filter((other) => other !== "call-mcp")) {
    expect(grantsOf(id)).toEqual([routeOf(id).grants]);
  }
});

test("the instructions say how to sign in, to look up first, and how to write pages", () => {
  for (const words of ["start_sign_in", "list_drops", "`<style>`", "360 px", "base-url.invalid/mcp"]) {
    expect(document.instructions).toContain(words);
  }
  // What each conversation carries from its start.
  expect(document.instructions.length).toBeLessThan(5_000);
});
