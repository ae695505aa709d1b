import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { type ErrorCode, errorCatalog } from "../../functions/core/errors.ts";
import { limits } from "../../functions/core/limits.ts";
import { describeApi, undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { describedFields, notes, operationExamples } from "../../functions/discovery/openapi/features.ts";
import { publishDropBody } from "../../functions/drops/schemas.ts";
import { fieldNamesOf } from "../../functions/http/schemas.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { ApiDescription, type Described } from "../support/openapi-validation.ts";

const site = {
  baseUrl: "https://drops.example.com",
  ownerUrl: (namespace: string) => `https://${namespace}.drops.example.com`,
};
const document = JSON.parse(JSON.stringify(describeApi(site, "1.2.3")));
const api = new ApiDescription(document);
const described = operationIds.filter((id) => !undescribedOperationIds.includes(id));

describe("the OpenAPI document", () => {
  test("is valid by the OpenAPI specification's own schema", async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  });

  test("is OpenAPI 3.1, and has the given version of the interface", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info.version).toBe("1.2.3");
  });

  test("has every route, at every path, and nothing else", () => {
    const rows = described.map(routeOf).flatMap(({ method, path, alsoAt }) => [
      // OpenAPI has no path parameter of several segments.
      `${method} ${path.replace("+}", "}")}`,
      ...(alsoAt ? [`${method} ${alsoAt.path}`] : []),
    ]);

    const operations = [...api.operations.values()].map(({ method, path }) => `${method} ${path}`);

    expect(operations.toSorted()).toEqual(rows.toSorted());
  });

  test("omits only the fallback, browser-only operations, and operations described by RFCs and the registry", () => {
    const left = undescribedOperationIds.filter((id) => routeOf(id).caller !== "session");

    expect(left).toEqual([
      "show-feedback",
      "send-feedback",
      "send-answer",
      "read-answer-results",
      "list-mcp-servers",
      "issue-token",
      "revoke-grant",
      "register-client",
      "call-scim",
      "show-not-found",
      "receive-slack-event",
    ]);
    expect(undescribedOperationIds).toContain("show-account");
  });

  test("has no dangling reference and no unused component", () => {
    const references = new Set(partsOf(document).flatMap((part) => part.$ref ?? []));
    const { securitySchemes: _, ...components } = document.components;
    const parts = Object.entries<object>(components).flatMap(([section, named]) =>
      Object.keys(named).map((name) => `#/components/${section}/${name}`),
    );

    for (const reference of references) expect(api.at(reference)).toBeDefined();
    // Error codes that no route lists are included for reference.
    const unused = parts.filter(
      (part) => !references.has(part) && !part.startsWith("#/components/examples/"),
    );
    expect(unused).toEqual([]);
  });

  test("lists only this service as a server", () => {
    const hosts = partsOf(document).flatMap(({ servers = [] }) =>
      servers.map(({ url }: { url: string }) => url),
    );

    expect(new Set(hosts)).toEqual(new Set([site.baseUrl, "https://{namespace}.drops.example.com"]));
  });
});

describe.each(described)("%s", (id) => {
  const operation = api.operation(id);
  const route = routeOf(id);

  test("requires a token if its route requires one", () => {
    expect(operation.security ?? document.security).toEqual(route.caller === "token" ? [{ token: [] }] : []);
  });

  test("has every parameter, with a description and an example valid by its schema", () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
    const schemas = [route.query, typeof route.body === "object" ? route.body.page?.query : undefined];
    const inQuery = schemas.flatMap(fieldNamesOf);
    const parameters: Described[] = operation.parameters;

    expect(parameters.filter((one) => one.in === "path").map(({ name }) => name)).toEqual(inPath);
    expect(parameters.filter((one) => one.in === "query").map(({ name }) => name)).toEqual([
      ...new Set(inQuery),
    ]);
    for (const { name, description, schema, example } of parameters) {
      expect(description, `${name}: openapi.ts of the feature`).toMatch(/\.$/);
      expect(example, `${name}: openapi.ts of the feature`).toBeDefined();
      expect(api.problemOf(schema, example), name).toBeUndefined();
    }
  });

  test("has its route's body, with an example valid for both route and document", () => {
    const { body } = route;
    const contents: Described = operation.requestBody?.content;

    expect(contents !== undefined).toBe(body !== undefined);
    if (typeof body !== "object") return;
    const { schema, example } = contents["application/json"];
    expect(operation.requestBody.required).toBe(body.required);
    expect(z.safeParse(body.json, example).success).toBe(true);
    expect(api.problemOf(schema, example)).toBeUndefined();
  });

  test("has its route's response, with an example valid for both route and document", () => {
    const { response } = route;
    const success = operation.responses[response.status];

    expect(success.description).toMatch(/\.$/);
    expect(Object.keys(success.headers).length).toBeGreaterThan(0);
    for (const [type, content] of Object.entries<Described>(success.content ?? {})) {
      // Types that JSON cannot express, and second forms of a response, have no example.
      if (
        type.endsWith("/*") ||
        type === "application/pdf" ||
        ("alsoAs" in response && ["text/markdown", "text/xml"].includes(type))
      )
        continue;
      expect(content.example ?? content.examples?.served?.externalValue, type).toBeDefined();
    }
    if (!("json" in response)) return;
    const { schema, example } = success.content["application/json"];
    if (example === undefined) return;
    const schemas = [response.json, response.additions].filter((one) => one !== undefined);
    expect(Object.assign({}, ...schemas.map((one) => z.parse(one, example)))).toEqual(example);
    expect(api.problemOf(schema, example)).toBeUndefined();
  });

  test("lists every error code of its route at the code's status", () => {
    for (const code of route.errors) {
      expect(codesAt(operation, errorCatalog[code].status)).toContain(code);
    }
  });

  test("has Retry-After with every 429 and 503, and the authentication scheme with every 401", () => {
    const headersAt = (status: number) =>
      status in operation.responses ? Object.keys(api.resolve(operation.responses[status]).headers) : [];

    for (const status of [429, 503]) {
      if (status in operation.responses) expect(headersAt(status)).toContain("Retry-After");
    }
    if (route.caller === "token") expect(headersAt(401)).toContain("WWW-Authenticate");
  });
});

describe("errors", () => {
  test.each(Object.keys(errorCatalog) as ErrorCode[])(
    "%s has an example in the common error shape",
    (code) => {
      const { value } = document.components.examples[code];

      expect(value.error.code).toBe(code);
      expect(api.problemOf({ $ref: "#/components/schemas/Error" }, value)).toBeUndefined();
    },
  );

  test("the error shape refuses an unknown code, and an error without a message", () => {
    const problemOf = (error: object) => api.problemOf({ $ref: "#/components/schemas/Error" }, { error });

    expect(problemOf({ code: "teapot", message: "x" })).toBeDefined();
    expect(problemOf({ code: "not_found" })).toBeDefined();
  });
});

test("every description of a feature belongs to an operation, a parameter or a field of the document", () => {
  const fields = Object.entries<Described>(document.components.schemas).flatMap(([name, schema]) => [
    name,
    ...propertiesOf(schema, name).map(([path]) => path),
  ]);
  const nested = (path: string) => path.startsWith("Onboarding.") || path.startsWith("Error.");

  expect(operationIds).toEqual(
    expect.arrayContaining([...Object.keys(operationExamples(site)), ...Object.keys(notes)]),
  );
  expect(Object.keys(describedFields).filter((path) => !fields.includes(path) && !nested(path))).toEqual([]);
});

describe("headers and fields", () => {
  test.each(Object.keys(document.components.headers))("%s has an example valid by its schema", (name) => {
    const { description, schema, example } = document.components.headers[name];

    expect(description).toMatch(/\.$/);
    expect(api.problemOf(schema, example)).toBeUndefined();
  });

  test("every field has a description in the feature's openapi.ts", () => {
    const silent = Object.entries<Described>(document.components.schemas).flatMap(([name, schema]) =>
      propertiesOf(schema, name)
        .filter(([, property]) => !("$ref" in property) && property.description === undefined)
        .map(([path]) => path),
    );

    // The recipe steps are described as a whole, in how_to_read_recipes.
    expect(
      silent.filter((path) => !path.startsWith("Onboarding.recipes.") && path !== "Error.error"),
    ).toEqual([]);
  });
});

describe("the document's body rules equal the route's", () => {
  const leaf = "🍃";
  const values: Record<string, readonly unknown[]> = {
    html: ["<p>", "", null, 1],
    title: [
      leaf.repeat(limits.titleCodePointsMax),
      leaf.repeat(limits.titleCodePointsMax + 1),
      "",
      "  ",
      null,
    ],
    description: [
      leaf.repeat(limits.descriptionCodePointsMax),
      leaf.repeat(limits.descriptionCodePointsMax + 1),
      "",
      null,
      1,
    ],
    context: [leaf.repeat(limits.contextCodePointsMax), leaf.repeat(limits.contextCodePointsMax + 1), null],
    note: ["", leaf.repeat(limits.noteCodePointsMax), leaf.repeat(limits.noteCodePointsMax + 1), null],
    passcode: [leaf.repeat(4), leaf.repeat(3), "", null, 4],
    metadata: [
      {},
      { a: leaf.repeat(256) },
      { a: leaf.repeat(257) },
      { A: "" },
      { a: 1 },
      [],
      null,
      Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, ""])),
    ],
  };

  test.each(
    Object.entries(values).flatMap(([field, list]) => list.map((value, index) => ({ field, value, index }))),
  )("$field, value $index", ({ field, value }) => {
    const body = { html: "<p>", title: "T", [field]: value };

    const isDescribed = api.problemOf({ $ref: "#/components/schemas/PublishDrop" }, body) === undefined;

    expect(isDescribed).toBe(z.safeParse(publishDropBody, body).success);
  });
});

function codesAt(operation: Described, status: number): string[] {
  const response = api.resolve(operation.responses[status]);
  return Object.keys(response?.content["application/json"]?.examples ?? {});
}

/** Returns every object in the document. */
function partsOf(value: Described): Described[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(partsOf);
  return Array.isArray(value) ? inner : [value, ...inner];
}

function propertiesOf(schema: Described, path: string): [string, Described][] {
  const own = Object.entries<Described>(schema.properties ?? {});
  return [
    ...own.flatMap(([name, property]): [string, Described][] => [
      [`${path}.${name}`, property],
      ...propertiesOf(property, `${path}.${name}`),
    ]),
    ...(schema.items ? propertiesOf(schema.items, path) : []),
    ...(schema.anyOf ?? []).flatMap((choice: Described) => propertiesOf(choice, path)),
    ...(typeof schema.additionalProperties === "object"
      ? propertiesOf(schema.additionalProperties, path)
      : []),
  ];
}
