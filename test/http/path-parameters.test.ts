import { describe, expect, test } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";
import { getDropRoute } from "../../functions/drops/rows.ts";
import { toHttpRequest, wholeBody } from "../../functions/http/request.ts";
import type { Route } from "../../functions/http/route.ts";
import { parsePath } from "../../functions/http/validation.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { readRawPageRoute, viewDropRoute } from "../../functions/viewer/rows.ts";
import { otherSpellings } from "../support/spellings.ts";

const slug = "ZfCzC4C";
const site = { baseUrl: "https://drops.example.com", baseDomain: "drops.example.com" };

/** The code of the error when API Gateway has matched the path to the route; undefined if the path is accepted. */
function refusalOf(route: Route, path: string, pathParameters: Readonly<Record<string, string>> = { slug }) {
  try {
    parsePath(route, { path, pathParameters }, site);
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return undefined;
}

describe("an operation that API Gateway has matched", () => {
  test("by its own path gets its parameters", () => {
    const found = parsePath(readRawPageRoute, { path: `/p/${slug}/raw`, pathParameters: { slug } }, site);

    expect(found).toEqual({
      slug,
      id: "",
      namespace: "",
      key: "",
      version: 0,
      thread: 0,
      number: 0,
      publication: "",
      reader: "",
    });
    expect(refusalOf(viewDropRoute, `/p/${slug}`)).toBeUndefined();
    expect(refusalOf(viewDropRoute, `/d/${slug}`)).toBeUndefined();
  });

  test.each([
    [readRawPageRoute, `/p/${slug}/raw`],
    [viewDropRoute, `/p/${slug}`],
    [viewDropRoute, `/d/${slug}`],
    [getDropRoute, `/api/drops/${slug}`],
  ])(
    "by another spelling is refused with 404, although its parameters are valid: $0.id, %s",
    (route, path) => {
      for (const spelling of otherSpellings(path))
        expect(refusalOf(route, spelling), spelling).toBe("not_found");
    },
  );

  test("by a longer path is accepted if its route allows such paths, and only in normalized spelling", () => {
    for (const path of ["x", "guide/", "a%20b.html", "..x", "@3/x"])
      expect(refusalOf(viewDropRoute, `/d/${slug}/${path}`), path).toBeUndefined();
    for (const path of ["", "/", "//x", "x//y", "..", "x/../y", "%2E%2e/x", "x%2fy", "x\\y", "x y", "x\n"])
      expect(refusalOf(viewDropRoute, `/d/${slug}/${path}`), path).toBe("not_found");
    expect(refusalOf(readRawPageRoute, `/p/${slug}/raw/x`)).toBe("not_found");
  });

  test("is refused with 404 if API Gateway took its parameters from another path", () => {
    expect(refusalOf(readRawPageRoute, "/p/AAAAAAA/raw")).toBe("not_found");
    expect(refusalOf(readRawPageRoute, `/d/${slug}/raw`)).toBe("not_found");
  });

  test("gives invalid slugs the same response as missing drops on pages, and invalid_slug in the API", () => {
    expect(refusalOf(getDropRoute, "/api/drops/a%20b", { slug: "a b" })).toBe("invalid_slug");
    expect(refusalOf(readRawPageRoute, "/p/a%20b/raw", { slug: "a b" })).toBe("not_found");
  });

  test("accepts its own path, for every operation of the contract", () => {
    for (const id of operationIds) {
      const route = routeOf(id);
      const ids = { tokens: "Ab3dE6gH9jK2" } as Readonly<Record<string, string>>;
      const own = ids[route.resource] ?? "Ab3dE6g";
      const parameters = {
        slug,
        namespace: "ada",
        id: own,
        n: "2",
        thread: "1",
        number: "1",
        publication: "Ab3dE6gH9jK2mN5p",
        reader: "ada",
        asset: "reference.js",
        key: "k1",
        proxy: "nothing",
      };
      const path = route.path.replace(/\{(\w+)\+?\}/g, (_, name: string) => parameters[name as "slug"]);
      expect(refusalOf(route, path, parameters), id).toBeUndefined();
      if (!route.path.endsWith("+}")) expect(refusalOf(route, `${path}/`, parameters), id).toBe("not_found");
    }
  });
});

describe("the path of a request", () => {
  const carried = {
    method: "GET",
    path: `/p/${slug}/raw`,
    pathParameters: { slug },
    peerAddress: "192.0.2.1",
    requestId: "1",
    body: wholeBody(new Uint8Array()),
  };

  test("is the path in the edge's header, even if API Gateway decoded it", () => {
    const seen = "/p/%5afCzC4C/raw";

    expect(toHttpRequest({ ...carried, headers: { "x-dropleaf-path": [seen] } }).path).toBe(seen);
  });

  test("is the received one if the edge does not send its own", () => {
    expect(toHttpRequest({ ...carried, headers: {} }).path).toBe(carried.path);
  });
});
