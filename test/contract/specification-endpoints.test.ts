import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { meResponse, tokenListResponse, usageResponse } from "../../functions/account/schemas.ts";
import { blobResponse } from "../../functions/blobs/schemas.ts";
import { errorCatalog } from "../../functions/core/errors.ts";
import { listDropsQuery } from "../../functions/drops/queries.ts";
import {
  dropListResponse,
  dropResponse,
  versionListResponse,
  versionResponse,
} from "../../functions/drops/schemas.ts";
import { signInPollResponse, signInStartResponse } from "../../functions/identity/schemas.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";
import { codeWordsIn, type SpecificationRow } from "../support/specification.ts";
import { endpoints, isAt, routeAt, statusesIn } from "../support/specification-endpoints.ts";

describe("the specification's endpoints", () => {
  test.each(endpoints)("$name has exactly one route, with its caller", ({ row, caller }) => {
    const rows = operationIds.map(routeOf).filter((route) => isAt(route, row));

    expect(rows).toHaveLength(1);
    expect(rows[0]?.caller).toBe(caller);
  });

  test("every route is an endpoint of a table, or names its addition", () => {
    const beyondTheTables = operationIds.filter((id) => !endpoints.some(({ row }) => isAt(routeOf(id), row)));

    expect(operationIds.filter((id) => routeOf(id).addition !== undefined)).toEqual(beyondTheTables);
  });

  test.each(endpoints)("$name responds with the status and the body of the table", ({ row }) => {
    const { response } = routeAt(row);

    expect(response.status).toBe(statusesIn(row)[0]);
    expect("json" in response ? response.json : undefined).toBe(responseSchemaIn(row));
    expect("content" in response).toBe(/^200 (HTML|`text\/html`)/.test(row.Response ?? ""));
  });

  test.each(endpoints)("$name refuses with the codes in the table", ({ row }) => {
    const named = codeWordsIn(row.Response ?? "").filter((word) => word in errorCatalog);

    expect(routeAt(row).errors).toEqual(expect.arrayContaining(named));
  });

  test.each(endpoints)(
    "$name refuses only with statuses of the table, and 400 for unreadable input",
    ({ row }) => {
      const listed = statusesIn(row);
      // The table omits three refusals: the verify page limits guesses of codes, the callback limits an account's tokens,
      // and the callback refuses a banned person.
      const bounded = { "/verify": [429], "/api/auth/idp/callback": [403, 429] }[row.Path ?? ""] ?? [];

      const statuses = routeAt(row).errors.map((code) => errorCatalog[code].status);

      expect([...listed, ...bounded, 400]).toEqual(expect.arrayContaining(statuses));
    },
  );

  test.each(endpoints)("$name can return every error that the table lists", ({ row }) => {
    // Reads have no limit of their own. Only the gateway responds to a read with 429.
    const listed = statusesIn(row).filter(
      (status) => status >= 400 && !(status === 429 && row.Method === "GET"),
    );

    const statuses = routeAt(row).errors.map((code) => errorCatalog[code].status);

    expect(statuses).toEqual(expect.arrayContaining(listed));
  });

  test("the writes are the token's operations for which the table lists 429, except GET", () => {
    const listed = endpoints
      .filter(
        ({ row, caller }) => caller === "token" && row.Method !== "GET" && statusesIn(row).includes(429),
      )
      .map(({ name }) => name);

    const writes = operationIds.map(routeOf).filter((route) => route.countsAsWrite && !route.addition);

    expect(writes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(listed.toSorted());
  });

  test.each(operationIds)(
    "%s lists codes of the catalog once each, and the daily quota only if it counts as a write",
    (id) => {
      const { errors, countsAsWrite, caller } = routeOf(id);

      expect(Object.keys(errorCatalog)).toEqual(expect.arrayContaining([...errors]));
      expect(new Set(errors).size).toBe(errors.length);
      // The MCP server accepts calls without a token but refuses an invalid token. oEmbed returns 401 for a locked drop.
      const isListed = ["call-mcp", "read-oembed"].includes(id);
      expect(errors.includes("unauthorized")).toBe(caller === "token" || isListed);
      // Sending a page counts as a write of the token that requested the upload address.
      expect(errors.includes("daily_quota_exceeded")).toBe(countsAsWrite || id === "send-page");
    },
  );

  test("the list's query parameters are those of the table, with its limits and defaults", () => {
    const request = endpoints.find(({ name }) => name === "GET /api/drops")?.row.Request ?? "";
    const [, pageMin, pageDefault] = /`page` \(integer, min (\d+), default (\d+)\)/.exec(request) ?? [];
    const [, sizeMin, sizeMax, sizeDefault] =
      /`pageSize` \(integer, (\d+) to (\d+), default (\d+)\)/.exec(request) ?? [];
    const [, sortBy, sortByDefault] = /`sortBy` \(([^;]+); default `(\w+)`\)/.exec(request) ?? [];
    const [, sortOrder, sortOrderDefault] = /`sortOrder` \(([^;]+); default `(\w+)`\)/.exec(request) ?? [];
    const accepts = (name: string, value: unknown) =>
      z.safeParse(listDropsQuery, { [name]: [String(value)] }).success;

    expect(z.parse(listDropsQuery, {})).toMatchObject({
      page: Number(pageDefault),
      pageSize: Number(sizeDefault),
      sortBy: sortByDefault,
      sortOrder: sortOrderDefault,
    });
    expect([Number(pageMin) - 1, pageMin].map((page) => accepts("page", page))).toEqual([false, true]);
    expect(
      [Number(sizeMin) - 1, sizeMin, sizeMax, Number(sizeMax) + 1].map((size) => accepts("pageSize", size)),
    ).toEqual([false, true, true, false]);
    expect(codeWordsIn(sortBy ?? "").map((field) => accepts("sortBy", field))).toEqual([true, true, true]);
    expect(codeWordsIn(sortOrder ?? "").map((order) => accepts("sortOrder", order))).toEqual([true, true]);
  });
});

describe("the project's own rules for routes", () => {
  test("no two routes share a method and a path", () => {
    const addresses = operationIds
      .map(routeOf)
      .flatMap((route) => [
        `${route.method} ${route.path}`,
        ...(route.alsoAt ? [`${route.method} ${route.alsoAt.path}`] : []),
      ]);

    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test("the API exists on the service's own host only, and its errors are JSON", () => {
    const api = operationIds
      .map(routeOf)
      .filter((route) => route.path.startsWith("/api/") && route.caller === "token");

    expect(new Set(api.map((route) => route.host))).toEqual(new Set(["base"]));
    expect(new Set(api.map((route) => route.errorsAs))).toEqual(new Set(["json"]));
  });

  test("only writes may store or delete published content", () => {
    // Completing an upload belongs to the write that was counted when the upload was started.
    const readers = operationIds
      .map(routeOf)
      .filter((route) => !route.countsAsWrite && route.id !== "complete-upload");

    const buckets = readers.flatMap(({ grants }) => [...(grants.pages ?? []), ...(grants.blobs ?? [])]);

    expect(buckets.filter((action) => action !== "GetObject")).toEqual([]);
  });
});

function responseSchemaIn(row: SpecificationRow): $ZodType | undefined {
  const schemas: Record<string, $ZodType> = {
    AuthStart: signInStartResponse,
    AuthPoll: signInPollResponse,
    Me: meResponse,
    Usage: usageResponse,
    Blob: blobResponse,
    DropList: dropListResponse,
    Drop: dropResponse,
    Version: versionResponse,
    "`{tokens: TokenInfo[]}`": tokenListResponse,
    "`{versions: Version[]}`": versionListResponse,
  };
  const [, name] = /^20[01] (`\{[^`]+\}`|\w+)/.exec(row.Response ?? "") ?? [];
  return schemas[name ?? ""];
}
