import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { pageAnswersQuery, readAnswersToolQuery } from "../../functions/answers/schemas.ts";
import type { McpTool } from "../../functions/core/mcp-tool.ts";
import { writtenSite } from "../../functions/core/written-site.ts";
import { writeMcpDocument } from "../../functions/discovery/mcp-document.ts";
import { operationExamples, pathParameters } from "../../functions/discovery/openapi/features.ts";
import { pageVersionQuery, readDropQuery } from "../../functions/drops/queries.ts";
import { listFeedbackToolQuery } from "../../functions/feedback/schemas.ts";
import { actingGrants } from "../../functions/http/route.ts";
import { fieldNamesOf } from "../../functions/http/schemas.ts";
import type { McpDocument } from "../../functions/mcp/call-tool.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { toolRowOf } from "../../functions/mcp/tool-rows.ts";
import { appTools, mcpTools } from "../../functions/mcp/tools.ts";
import { visibilityKinds } from "../../functions/policies/access.ts";
import { seeDropQuery } from "../../functions/renders/schemas.ts";
import { grantsOf, operationIds, routeOf } from "../../functions/routes.ts";
import { projectDirectory } from "../../lib/project-directory.ts";

const document = JSON.parse(JSON.stringify(writeMcpDocument(writtenSite))) as McpDocument;
const examples = operationExamples(writtenSite);
const describedTools = [...document.tools, ...document.appTools];
const tools = [...mcpTools, ...appTools].map((tool) => ({
  ...tool,
  described: describedTools.find(({ name }) => name === tool.name),
  route: routeOf(tool.operation),
}));

function validator(schema: object) {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
}

/** Values for each parameter, as in the contract's examples. */
const parameterExamples: Readonly<Record<string, unknown>> = {
  slug: pathParameters.slug?.example,
  version: pathParameters.n?.example,
  thread: pathParameters.thread?.example,
  id: pathParameters["blobs id"]?.example,
  token: "p0Ll",
  filename: "chart.png",
  text: "a",
  q: "numbers",
  metadata: { project: "walk-through" },
};

describe.each(tools)("$name", ({ name, operation, described, route }) => {
  test("calls the operation of its route", () => {
    // A page is read in parts and rendered in views, with the same permission.
    const own: Record<string, object> = {
      read_drop: { query: readDropQuery },
      see_drop: { query: seeDropQuery },
      list_feedback: { query: listFeedbackToolQuery },
      read_answers: { query: readAnswersToolQuery },
      page_comments: { query: listFeedbackToolQuery },
      page_answers: { query: pageAnswersQuery },
      page_html: { query: pageVersionQuery },
      page_picture: { query: pageVersionQuery },
    };
    expect(toolRowOf(name)).toEqual({ ...route, ...own[name] });
    expect(callMcpRoute.grants.operations).toContain(operation);
  });

  test("accepts the examples of its route, and describes every argument", () => {
    const properties = described?.inputSchema.properties as Record<string, { description?: string }>;
    const asked = Object.fromEntries(Object.entries(parameterExamples).filter(([key]) => key in properties));
    const validate = validator(described?.inputSchema ?? {});

    expect(validate({ ...asked, ...examples[operation]?.body }), JSON.stringify(validate.errors)).toBe(true);
    for (const [argument, property] of Object.entries(properties)) {
      expect(argument).toMatch(/^[A-Za-z0-9_]+$/);
      expect(property.description, argument).toMatch(/^\S.+[^.\s]$/);
    }
    const required = described?.inputSchema.required;
    if (required !== undefined) expect(validate({})).toBe(false);
  });

  test("has arguments of one type each, in keywords that every schema reader supports", () => {
    const { type, properties, ...rest } = described?.inputSchema ?? { type: "object" };

    expect({ type, others: Object.keys(rest).filter((key) => key !== "required") }).toEqual({
      type: "object",
      others: [],
    });
    for (const [argument, property] of Object.entries(properties ?? {})) {
      const { description: _, type: one, enum: choices, ...shape } = property as Record<string, unknown>;
      expect(["string", "boolean", "integer", "array", "object"], argument).toContain(one);
      expect(shape, argument).toEqual(one === "array" ? { items: { type: "string" } } : {});
      expect(
        choices === undefined || (choices as unknown[]).every((choice) => typeof choice === "string"),
      ).toBe(true);
    }
  });

  test("describes its response, except fields for other clients", () => {
    const body = examples[operation]?.response as object | undefined;
    const forOthers = name === "list_drops" ? ["data", "filters", "pagination"] : [];

    expect(document.fields[name] === undefined).toBe(!("json" in route.response));
    for (const field of document.fields[name] === undefined ? [] : Object.keys(body ?? {})) {
      expect(document.fields[name]?.includes(field), field).toBe(!forOthers.includes(field));
    }
  });

  test("states correctly whether it changes anything", () => {
    const { method } = route;

    const hints = described?.annotations;

    expect(hints).toEqual({
      readOnlyHint: method === "GET" && name !== "poll_sign_in",
      destructiveHint: expect.any(Boolean),
      ...(hints?.idempotentHint === undefined ? {} : { idempotentHint: true }),
      openWorldHint: expect.any(Boolean),
    });
    if (["DELETE", "PATCH"].includes(method)) expect(hints?.destructiveHint).toBe(true);
    if (hints?.readOnlyHint) expect(hints.destructiveHint).toBe(false);
    if (hints?.readOnlyHint) expect(hints).not.toHaveProperty("idempotentHint");
    // A publication is visible to other people, whatever its arguments are.
    if (route.countsAsWrite) expect(hints?.openWorldHint).toBe(true);
  });

  test("describes fields of its result with the types of its route", () => {
    const output = described?.outputSchema as { properties: Record<string, object> } | undefined;
    const fits = output && validator({ ...output, required: Object.keys(output.properties) });
    const response = { ...examples[operation]?.response };

    if (fits) expect(fits(response), JSON.stringify(fits.errors)).toBe(true);
  });

  test("has a title for people, and is described without HTTP terms", () => {
    expect(described?.title).toMatch(/^[A-Z][a-z -]{3,25}$/);
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(described?.description).toMatch(/^[A-Z].+\.$/s);
    expect(described?.description).not.toMatch(/curl -|\b(GET|PUT|POST|PATCH|DELETE)\b|\/api\//);
  });
});

test("path parameters are arguments under the tool's names for them", () => {
  for (const { described, route, ...tool } of tools) {
    const { names = {} }: McpTool = tool;
    const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter);
    for (const parameter of parameters) {
      expect(described?.inputSchema.required).toContain(names[parameter] ?? parameter);
    }
  }
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
});

// Every conversation contains it from the start; test/service/mcp-sign-in.test.ts measures the responses.
test("the list of tools, with the sign-in tools, has at most 16 KB", () => {
  expect(Buffer.byteLength(JSON.stringify({ tools: document.tools }))).toBeLessThanOrEqual(16_384);
});

test("the short list has at most eight tools in 5 KB, with arguments of the full list's tools", () => {
  const { tools: core } = document.core;

  expect(core.length).toBeLessThanOrEqual(8);
  expect(Buffer.byteLength(JSON.stringify({ tools: core }))).toBeLessThanOrEqual(5_120);
  expect(core.filter((tool) => "outputSchema" in tool)).toEqual([]);
  for (const { name, title, annotations, inputSchema } of core) {
    const whole = document.tools.find((tool) => tool.name === name);
    expect({ title, annotations }).toEqual({ title: whole?.title, annotations: whole?.annotations });
    expect(inputSchema.required).toEqual(whole?.inputSchema.required);
    const { files: _, ...listed } = inputSchema.properties ?? {};
    expect(whole?.inputSchema.properties).toMatchObject(listed);
  }
});

test("a tool of the chat's page lists its own arguments and accepts no others", () => {
  for (const { name, app, described } of tools as readonly (McpTool & { described?: Tool })[]) {
    if (typeof app !== "object") continue;
    const { properties, required } = described?.inputSchema ?? {};
    expect(Object.keys(properties ?? {}).toSorted(), name).toEqual([...app.arguments].toSorted());
    expect(Object.keys(app.fixed ?? {}).filter((one) => required?.includes(one))).toEqual([]);
  }
  expect(tools.filter(({ app }: McpTool) => typeof app === "object")).toHaveLength(appTools.length);
});

test("a tool of the short list lists exactly the arguments configured for it", () => {
  for (const tool of tools) {
    const { name, core }: McpTool = tool;
    const listed = document.core.tools.find((one) => one.name === name)?.inputSchema.properties;
    expect(Object.keys(listed ?? {}).toSorted(), name).toEqual([...(core?.arguments ?? [])].toSorted());
  }
});

test("docs/mcp.md lists exactly the tools with an output schema", () => {
  const [, named = ""] =
    /These have an `outputSchema`: ([^.]+)\./.exec(
      readFileSync(join(projectDirectory, "docs/mcp.md"), "utf8"),
    ) ?? [];

  const described = document.tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name);
  expect([...named.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(described.sort());
});

test("an argument that a tool does not list belongs to its operation, and another tool lists it", () => {
  const listedBySome = document.tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));

  for (const tool of tools) {
    const { name, route, described } = tool;
    const { unlistedArguments = [], takesFiles }: McpTool = tool;
    const ofBody = typeof route.body === "object" ? fieldNamesOf(route.body.json) : [];
    const ofFolder = takesFiles ? ["files"] : [];
    const accepted = [...ofBody, ...fieldNamesOf(route.query), ...ofFolder];
    const listed = Object.keys(described?.inputSchema.properties ?? {});
    for (const argument of unlistedArguments) {
      expect(accepted, name).toContain(argument);
      expect(listed, name).not.toContain(argument);
      // Few agents know an earlier date or a reason, and an error names the scope.
      if (!["allow_secrets", "original_date", "scope"].includes(argument))
        expect(listedBySome, name).toContain(argument);
    }
  }
});

test.each(["publish_drop", "edit_drop"])(
  "%s lists who can read, find, comment on and answer a page",
  (name) => {
    const listed = document.tools.find((tool) => tool.name === name)?.inputSchema.properties;

    expect(Object.keys(listed ?? {})).toEqual(
      expect.arrayContaining(["visibility", "readers", "indexed", "feedback", "answers", "answers_results"]),
    );
  },
);

// The checks of the tool directories of Claude and ChatGPT: a title and true hints for each tool, names of at most 64
// characters, no data about the conversation or the person beyond the tool's purpose, no wording that discourages
// other tools.
test("no tool asks for the conversation or personal data, or promotes itself over others", () => {
  for (const { name, title, description, inputSchema } of describedTools) {
    for (const argument of Object.keys(inputSchema.properties ?? {})) {
      expect(argument, name).not.toMatch(
        /conversation|history|message|prompt|location|latitude|phone|birth|card|ssn/i,
      );
    }
    expect(`${title} ${description}`, name).not.toMatch(
      /\b(always|best|prefer|instead of|official|claude|chatgpt)\b/i,
    );
  }
});

test("tool titles are unique, and visibility is an enumeration in each tool with readers", () => {
  const visibilities = document.tools.flatMap(({ inputSchema }) => inputSchema.properties?.visibility ?? []);

  expect(new Set(describedTools.map(({ title }) => title)).size).toBe(tools.length);
  expect(visibilities).toHaveLength(5);
  for (const one of visibilities) expect(one).toMatchObject({ enum: visibilityKinds });
});

test("publications, look-ups, lists, renders and comments describe their fields", () => {
  const names = document.tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name);

  expect(names.toSorted()).toEqual([
    "get_drop",
    "list_drops",
    "list_feedback",
    "publish_drop",
    "see_drop",
    "update_drop",
    "upsert_drop",
  ]);
});

test("the server can invoke its tools' operations, and nothing else", () => {
  const operations = mcpTools.map(({ operation }) => operation);

  expect(grantsOf("call-mcp")).toEqual([{ operations }]);
  for (const id of operationIds.filter((other) => routeOf(other).performs === undefined)) {
    const acting = routeOf(id).caller === "token" ? [actingGrants] : [];
    expect(grantsOf(id)).toEqual([routeOf(id).grants, ...acting]);
  }
});

test("the instructions cover readers first, then looking before publishing, in at most 1,900 characters", () => {
  const order = ["`visibility`", "confidential", "list_drops", "see_drop", "list_feedback", "360 px"];
  const places = order.map((words) => document.instructions.indexOf(words));

  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(document.instructions.length).toBeLessThanOrEqual(1_900);
});

test("a caller without a token gets sign-in instructions", () => {
  expect(document.signInGuidance).toContain("start_sign_in");
  expect(document.signInGuidance).toContain("base-url.invalid/mcp");
});
