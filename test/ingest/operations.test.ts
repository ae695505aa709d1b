import { describe, expect, test } from "vitest";
import { findOperation } from "../../functions/ingest/operations.ts";
import { ingestOperationIds } from "../../functions/ingest/rows.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

const examples: Readonly<Record<string, string>> = {
  "{slug}": "aB3dE5f",
  "{id}": "zY9xW8v",
  "{thread}": "1",
  "{publication}": "Ab3dE6gH9jK2mN5p",
};

describe("the ingest server", () => {
  test("has every operation of drops and blobs with a body", () => {
    const expected = operationIds.filter((id) => {
      const { method, path } = routeOf(id);
      return method !== "GET" && method !== "DELETE" && /^\/api\/(drops|blobs)/.test(path);
    });

    expect(ingestOperationIds).toEqual(expected);
    expect(ingestOperationIds).toEqual(
      expect.arrayContaining(["publish-drop", "publish-version", "upload-blob", "edit-drop", "set-passcode"]),
    );
  });

  test.each(ingestOperationIds)("finds %s by its method and path", (id) => {
    const { method, path } = routeOf(id);
    const filled = path.replace(/\{\w+\}/g, (name) => examples[name] ?? "");

    const found = findOperation(method, filled);

    expect(found?.operation.id).toBe(id);
    expect(found?.route).toBe(routeOf(id));
    for (const [name, value] of Object.entries(found?.pathParameters ?? {})) {
      expect(examples[`{${name}}`]).toBe(value);
    }
  });

  test.each([
    ["GET", "/api/drops"],
    ["DELETE", "/api/drops/aB3dE5f"],
    ["POST", "/api/drops/"],
    ["POST", "/api/drops/a/b/passcode"],
    ["POST", "/api/dropsy"],
    ["POST", "/"],
    ["POST", "/live/api/drops"],
  ])("finds no operation for %s %s", (method, path) => {
    expect(findOperation(method, path)).toBeUndefined();
  });

  test("decodes path parameters once, like API Gateway, and keeps undecodable ones unchanged", () => {
    expect(findOperation("PUT", "/api/drops/a%20b%2F")?.pathParameters).toEqual({ slug: "a b/" });
    expect(findOperation("PUT", "/api/drops/%zz")?.pathParameters).toEqual({ slug: "%zz" });
  });
});
