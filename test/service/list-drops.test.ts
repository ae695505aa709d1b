import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import type { CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";

let account: Account;
/** In the order of publication. */
const published: DropResponse[] = [];

beforeAll(async () => {
  account = await newAccount("list");
  const tags: Record<string, string>[] = [
    { kind: "report", team: "red" },
    { kind: "report", team: "blue" },
    { kind: "note", team: "red" },
    { kind: 'a; b&c=d+e %20 "ü🍃"', constructor: "yes" },
    {},
  ];
  for (const [index, metadata] of tags.entries()) {
    published.push(await publish(account.api, { title: `Drop ${index}`, metadata }));
  }
  // The second drop is changed last.
  const second = await account.api.succeed("edit-drop", {
    params: { slug: slugOf(1) },
    body: { title: "Drop 1 again" },
  });
  published[1] = second;
});

describe("GET /api/drops", () => {
  test("returns the newest drops first, twenty per page, by default", async () => {
    const { drops, ...page } = await account.api.succeed("list-drops");

    expect(drops).toEqual(published.toReversed());
    expect(page).toEqual({ page: 1, page_size: 20, total: 5 });
  });

  test("lists every drop once over all pages, and returns an empty page after the last", async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => account.api.succeed("list-drops", { query: { page, pageSize: 2 } })),
    );

    expect(pages.map(({ drops }) => drops.length)).toEqual([2, 2, 1, 0]);
    expect(pages.flatMap(({ drops }) => drops)).toEqual(published.toReversed());
    expect(pages.map(({ page, page_size, total }) => [page, page_size, total])).toEqual([
      [1, 2, 5],
      [2, 2, 5],
      [3, 2, 5],
      [4, 2, 5],
    ]);
  });

  test("accepts a page size of 200", async () => {
    const { page_size, drops } = await account.api.succeed("list-drops", { query: { pageSize: 200 } });

    expect([page_size, drops.length]).toEqual([200, 5]);
  });

  test.each([
    [{ sortOrder: "asc" }, [0, 1, 2, 3, 4]],
    [{ sortBy: "created_at", sortOrder: "desc" }, [4, 3, 2, 1, 0]],
    [{ sortBy: "updated_at" }, [1, 4, 3, 2, 0]],
    [{ sortBy: "updated_at", sortOrder: "asc" }, [0, 2, 3, 4, 1]],
  ])("sorts by %j", async (query, order) => {
    expect(await slugs(query)).toEqual(order.map(slugOf));
  });

  test("sorts by view_count, in a stable order", async () => {
    const query = { sortBy: "view_count", sortOrder: "desc" };

    const [once, again] = [await account.api.succeed("list-drops", { query }), await slugs(query)];

    const counts = once.drops.map(({ view_count }) => view_count);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(again).toEqual(once.drops.map(({ slug }) => slug));
  });

  test.each([
    ["one pair", { "metadata.kind": "report" }, [1, 0]],
    ["two pairs, both of which must match", { "metadata.kind": "report", "metadata.team": "red" }, [0]],
    ["a value that no drop has", { "metadata.kind": "Report" }, []],
    ["an empty value, which does not match a missing key", { "metadata.kind": "" }, []],
    ["a key that no drop has", { "metadata.other": "report" }, []],
    ["a key that JavaScript objects inherit", { "metadata.constructor": "yes" }, [3]],
    [
      "a key that JavaScript objects inherit and no drop has",
      { "metadata.__proto__": "[object Object]" },
      [],
    ],
    ["a value with every kind of separator", { "metadata.kind": 'a; b&c=d+e %20 "ü🍃"' }, [3]],
  ])("filters by %s", async (_case, query, order) => {
    expect(await slugs(query)).toEqual(order.map(slugOf));
  });

  test("matches nothing if a filter key has two values, and ignores an equal duplicate", async () => {
    const pair = (value: string) => ["metadata.kind", value] as const;

    expect(await slugs([pair("report"), pair("note")])).toEqual([]);
    expect(await slugs([pair("report"), pair("report")])).toEqual([1, 0].map(slugOf));
  });

  test("counts all matches in total, not only those on the page", async () => {
    const query = { "metadata.kind": "report", pageSize: 1 };

    const { drops, total } = await account.api.succeed("list-drops", { query });

    expect([drops.length, total]).toEqual([1, 2]);
  });

  test("adds the published client's field names for this client only, and data only to short lists", async () => {
    const read = async (pageSize: number, headers: Record<string, string> = {}) => {
      const { text } = await account.api.call("list-drops", { query: { pageSize }, headers });
      return JSON.parse(text) as Record<string, unknown>;
    };
    const cli = { "user-agent": "@htmlbin/cli/0.6.0 (node v24.0.0; linux x64)" };
    const [short, long, others] = [await read(2, cli), await read(101, cli), await read(2)];

    expect(short.data).toEqual(short.drops);
    expect(short.pagination).toEqual({ page: 1, page_size: 2, total_items: 5, total_pages: 3 });
    expect(Object.keys(long)).not.toContain("data");
    expect(long.pagination).toMatchObject({ total_items: 5, total_pages: 1 });
    expect(Object.keys(others)).not.toContain("data");
    expect(others.drops).toEqual(short.drops);
  });

  test("returns the filters of the request", async () => {
    const read = async (query: readonly (readonly [string, string])[]) => {
      const { text } = await account.api.call("list-drops", { query });
      return (JSON.parse(text) as { filters: unknown }).filters;
    };

    expect(await read([])).toEqual([]);
    expect(
      await read([
        ["metadata.kind", "a & b"],
        ["page", "1"],
        ["metadata.team", "red"],
      ]),
    ).toEqual(["metadata.kind=a & b", "metadata.team=red"]);
  });

  test("reflects a publication and a deletion immediately", async () => {
    const drop = await publish(account.api, { metadata: { seen: "now" } });
    const found = await slugs({ "metadata.seen": "now" });

    await account.api.succeed("delete-drop", { params: { slug: drop.slug } });

    expect(found).toEqual([drop.slug]);
    expect(await slugs({ "metadata.seen": "now" })).toEqual([]);
  });

  test("ignores unknown parameters, with a warning that names them", async () => {
    const { text } = await account.api.call("list-drops", { query: { _: "1", utm_source: "mail" } });

    const { total, warnings } = JSON.parse(text) as { total: number; warnings: string[] };
    expect(total).toBe(5);
    expect(warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual(["_", "utm_source"]);
  });

  test.each([
    ["page", ["0", "-1", "1.5", "01", "+1", "1e1", "x", "", " 1", "9".repeat(30)]],
    ["pageSize", ["0", "201", "-1", "20.0", "020", "x", ""]],
    ["sortBy", ["title", "CREATED_AT", "created_at,slug", "", "constructor"]],
    ["sortOrder", ["ascending", "ASC", ""]],
    ["metadata.", ["x"]],
    ["metadata.Kind", ["x"]],
    ["metadata.a b", ["x"]],
  ])("refuses an invalid %s, and names it", async (name, values) => {
    for (const value of values) {
      const { message } = expectError(
        await account.api.call("list-drops", { query: { [name]: value } }),
        "invalid_arg",
      );
      expect(message).toContain(name.replace("metadata.", ""));
    }
  });

  test.each(["page", "pageSize", "sortBy", "sortOrder"])(
    "refuses %s given twice, and names it",
    async (name) => {
      const value = { page: "1", pageSize: "1", sortBy: "created_at", sortOrder: "asc" }[name] ?? "";
      const query = [[name, value] as const, [name, value] as const];

      const { message } = expectError(await account.api.call("list-drops", { query }), "invalid_arg");

      expect(message).toContain(name);
    },
  );
});

async function slugs(query: CallOptions["query"]): Promise<string[]> {
  const { drops } = await account.api.succeed("list-drops", query === undefined ? {} : { query });
  return drops.map(({ slug }) => slug);
}

function slugOf(index: number): string {
  return published[index]?.slug ?? "";
}
