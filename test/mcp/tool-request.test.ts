import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import type { McpTool } from "../../functions/core/mcp-tool.ts";
import { type HttpRequest, parseQuery, wholeBody } from "../../functions/http/request.ts";
import type { Route } from "../../functions/http/route.ts";
import { toParameters, toToolRequest } from "../../functions/mcp/tool-request.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { type OperationId, routeOf } from "../../functions/routes.ts";

const outer: HttpRequest = {
  ...wholeBody(Buffer.from("the message")),
  method: "POST",
  path: "/mcp",
  host: "drops.example.com",
  headers: {
    authorization: ["Bearer hb_x"],
    "x-dropleaf-host": ["drops.example.com"],
    cookie: ["a=b"],
    "if-match": ['"1"'],
    "content-type": ["application/json"],
  },
  rawQuery: "page=9",
  pathParameters: { slug: "other" },
  network: "198.51.100.0/24",
  requestId: "one",
};

function toRequest(id: OperationId, given: Record<string, unknown>): HttpRequest {
  return toToolRequest(routeOf(id), given, outer);
}

async function bodyOf(request: HttpRequest): Promise<string> {
  return Buffer.from(await request.readBody()).toString();
}

describe("a tool's request", () => {
  test("has the same caller, and nothing else of the MCP message", async () => {
    const { method, path, headers, host, network, requestId, rawQuery } = toRequest("get-drop", {
      slug: "aB3dE5f",
    });

    expect({ method, path, host, network, requestId, rawQuery }).toEqual({
      method: "GET",
      path: "/api/drops/aB3dE5f",
      host: "drops.example.com",
      network: "198.51.100.0/24",
      requestId: "one",
      rawQuery: "",
    });
    expect(headers).toEqual({
      authorization: ["Bearer hb_x"],
      "content-type": ["application/json"],
    });
  });

  test("has its operation's path, even with unsafe characters in an argument", () => {
    const request = toRequest("get-drop", { slug: "../../tokens?a=b#\ud800" });

    expect(request.path).toBe("/api/drops/..%2F..%2Ftokens%3Fa%3Db%23%EF%BF%BD");
    expect(request.pathParameters.slug).toBe("../../tokens?a=b#\ud800");
  });

  test("has its parameters under the route's names", () => {
    const tool = mcpTools.find(({ name }) => name === "delete_version") as McpTool;

    expect(toParameters(tool, { slug: "aB3dE5f", version: 2 })).toMatchObject({ slug: "aB3dE5f", n: 2 });
    expect(toParameters(tool, { slug: "aB3dE5f" })).toEqual({ slug: "aB3dE5f" });
  });

  test("has its parameters as text", () => {
    const { path, pathParameters } = toRequest("delete-version", { slug: "aB3dE5f", n: 2 });

    expect(path).toBe("/api/drops/aB3dE5f/v/2");
    expect(pathParameters).toEqual({ slug: "aB3dE5f", n: "2" });
  });

  test("has its query as in the route, one parameter per tag, without null values", () => {
    const { rawQuery } = toRequest("list-drops", {
      page: 2,
      pageSize: null,
      sortOrder: "asc",
      metadata: { project: "a&b=c d", "x.y": "ü" },
      other: "unknown",
    });

    expect({ ...parseQuery(rawQuery) }).toEqual({
      page: ["2"],
      sortOrder: ["asc"],
      "metadata.project": ["a&b=c d"],
      "metadata.x.y": ["ü"],
      // The operation decides whether this is an error.
      other: ["unknown"],
    });
  });

  test("has its body unchanged, without the path parameters", async () => {
    const given = JSON.parse('{"title": "\\ud83c", "metadata": {"__proto__": "a"}}');

    expect(JSON.parse(await bodyOf(toRequest("edit-drop", { slug: "aB3dE5f", ...given })))).toEqual(given);
    expect(await bodyOf(toRequest("edit-drop", given))).toContain('"__proto__":"a"');
  });

  test("is refused if no URL could contain its parameters", () => {
    const long = "x".repeat(1_000_000);

    expect(() => toRequest("list-drops", { page: long })).toThrow("at most 8192 are allowed");
    expect(() => toRequest("get-drop", { slug: long })).toThrow("at most 8192 are allowed");
  });

  test("is refused if its arguments are nested too deeply", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

    expect(() => toRequest("edit-drop", { slug: "aB3dE5f", metadata: deep })).toThrow("nested too deep");
    expect(() => toRequest("get-drop", { slug: deep })).toThrow("nested too deep");
  });

  test("has a file's bytes, type and size", async () => {
    const request = toRequest("upload-blob", {
      filename: "a.png",
      base64: "iVBORw",
      content_type: " image/png ",
    });

    expect(Buffer.from(await request.readBody())).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    expect(request.headers["content-type"]).toEqual(["image/png"]);
    expect(request.contentLength).toBe(4);
    expect(request.rawQuery).toBe("filename=a.png");
  });

  test.each(["iVBORw==\n", "iVBOR", "iVB ORw", "iVBORx==", "é", 7])("refuses %j as base64", (base64) => {
    expect(() => toRequest("upload-blob", { filename: "a.png", base64 })).toThrow("RFC 4648");
  });
});

const argumentNames = "slug n id metadata page token filename text base64 content_type".split(" ");
const oddTexts = ["../..", "%2e%2e/", "a?b#c", "\ud800", "\u0000\r\n", "__proto__", "🍃", "x".repeat(9_000)];
const anyName = fc.oneof(fc.constantFrom(...argumentNames), fc.string());
const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom(...oddTexts));
const anything = fc.dictionary(anyName, anyValue, { maxKeys: 5 });

describe.each(mcpTools)("$name", ({ operation }) => {
  test("makes a request of any arguments, or refuses them with a code of its route", async () => {
    const route = routeOf(operation);

    await fc.assert(
      fc.asyncProperty(anything, async (given) => {
        const request = madeOrRefused(route, given);
        if (request === undefined) return;

        expect(request.path).toMatch(/^\/api\/[\x21-\x7e]*$/);
        expect(request.path.split("/")).toHaveLength(route.path.split("/").length);
        if (typeof route.body === "object") {
          const rest = Object.entries(given).filter(([name]) => !route.path.includes(`{${name}}`));
          expect(JSON.parse(await bodyOf(request))).toEqual(
            JSON.parse(JSON.stringify(Object.fromEntries(rest))),
          );
        }
      }),
      { numRuns: 25 },
    );
  });
});

function madeOrRefused(route: Route, given: Record<string, unknown>): HttpRequest | undefined {
  try {
    return toToolRequest(route, given, outer);
  } catch (error) {
    if (error instanceof ApiError && [...route.errors, "invalid_arg"].includes(error.code)) return undefined;
    throw error;
  }
}
