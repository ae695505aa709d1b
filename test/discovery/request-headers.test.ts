import { describe, expect, test } from "vitest";
import { describeApi } from "../../functions/discovery/openapi/document.ts";
import { dropResponse } from "../../functions/drops/schemas.ts";
import { requestHeaderErrors } from "../../functions/http/route.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { ApiDescription, type Described } from "../support/openapi-validation.ts";

const api = new ApiDescription(
  JSON.parse(
    JSON.stringify(
      describeApi(
        {
          baseUrl: "https://drops.example.com",
          ownerUrl: (namespace) => `https://${namespace}.drops.example.com`,
        },
        "1.2.3",
      ),
    ),
  ),
);
const rows = operationIds.map(routeOf);

test("every POST with a token that creates something accepts an Idempotency-Key, and so does every PUT of a page", () => {
  // Tokens and one-time addresses are secrets that are not stored, so a retry creates another one.
  const making = rows.filter(
    ({ id, caller, method, response }) =>
      caller === "token" &&
      method === "POST" &&
      response.status === 201 &&
      !/^(start-(publish|folder)|create-team-token)$/.test(id),
  );

  const taking = rows.filter(({ headers }) => headers?.includes("Idempotency-Key"));

  const expected = [
    ...making,
    ...(["upsert-drop", "publish-version", "publish-folder"] as const).map(routeOf),
  ].map(({ id }) => id);
  expect(taking.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  expect(making.length).toBeGreaterThan(3);
});

test("every write of one drop outside the trash accepts If-Match, and every response with a drop has an ETag", () => {
  const writing = rows.filter(
    ({ id, resource, method, path, addition }) =>
      ["move-drop", "publish-folder", "restore-version"].includes(id) ||
      (resource === "drops" &&
        addition !== "docs/adr/0093-expiry-and-trash.md" &&
        method !== "GET" &&
        (path.includes("{slug}") || method === "PUT")),
  );
  const showing = rows.filter(({ response }) => "json" in response && response.json === dropResponse);

  const taking = rows.filter(({ headers }) => headers?.includes("If-Match"));
  const tagged = [...api.operations.values()].filter(
    ({ responses }) => "ETag" in ((responses[200] ?? responses[201])?.headers ?? {}),
  );

  expect(taking.map(({ id }) => id)).toEqual(writing.map(({ id }) => id));
  const tags = tagged
    .map(({ operationId }) => operationId)
    .filter((id) => id !== "read-html" && id !== "read-source");
  expect(tags).toEqual(showing.map(({ id }) => id));
});

describe.each(rows.filter(({ headers }) => headers !== undefined))("$id", ({ id, headers = [] }) => {
  const operation = api.operation(id);

  test("documents its headers, each with a description and an example valid by its schema", () => {
    const told: Described[] = operation.parameters.filter((one: Described) => one.in === "header");

    expect(told.map(({ name }) => name)).toEqual(headers);
    for (const { description, schema, example, required } of told) {
      expect(description).toMatch(/\.$/);
      expect(required).toBe(false);
      expect(api.problemOf(schema, example)).toBeUndefined();
    }
  });

  test("documents the errors that these headers can cause", () => {
    const told = Object.values<Described>(operation.responses).flatMap((response) =>
      Object.keys(api.resolve(response).content?.["application/json"]?.examples ?? {}),
    );

    expect(told).toEqual(expect.arrayContaining(headers.flatMap((name) => requestHeaderErrors[name])));
  });
});
