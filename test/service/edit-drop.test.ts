import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("edit");
});

describe("PATCH /api/drops/{slug}", () => {
  const original = { title: "Before", description: "Before", metadata: { a: "1", b: "2" } };

  test.each([
    ["the title", { title: " After " }, { title: "After" }],
    ["the description", { description: "After" }, { description: "After" }],
    ["the metadata, as a whole", { metadata: { c: "3" } }, { metadata: { c: "3" } }],
    [
      "all fields together",
      { title: "After", description: "", metadata: {} },
      { title: "After", description: "", metadata: {} },
    ],
  ])("changes %s, and nothing else", async (_case, body, expected) => {
    const drop = await publish(account.api, original);

    const changed = await edit(drop, body);

    expect(changed).toEqual({ ...drop, ...expected, updated_at: changed.updated_at });
    expect(changed.updated_at).toBeGreaterThanOrEqual(drop.updated_at);
    expect(await account.api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(changed);
  });

  test("creates no new version", async () => {
    const drop = await publish(account.api, original);

    await edit(drop, { title: "After" });

    const { versions } = await account.api.succeed("list-versions", { params: { slug: drop.slug } });
    expect(versions.map(({ version }) => version)).toEqual([1]);
  });

  test("clears the description with null, and the metadata with an empty object", async () => {
    const drop = await publish(account.api, original);

    const cleared = await edit(drop, { description: null, metadata: {} });

    expect(cleared).toMatchObject({ title: "Before", description: null });
    expect(cleared.metadata).toEqual({});
  });

  test.each([
    ["no body", {}],
    ["an empty object", { body: {} }],
  ])("changes nothing with %s, and warns", async (_case, options) => {
    const drop = await publish(account.api, original);

    const response = await account.api.call("edit-drop", { params: { slug: drop.slug }, ...options });

    const { warnings, ...answered } = JSON.parse(response.text) as { warnings: string[] };
    expect({ status: response.status, body: answered }).toEqual({ status: 200, body: drop });
    expect(warnings).toEqual([expect.stringMatching(/^Nothing has changed: send at least one of title,/)]);
  });

  test("changes nothing with only unknown fields, and names them", async () => {
    const drop = await publish(account.api, original);
    const body = { colour: "green", slug: drop.slug, view_count: 7 };

    const { status, text } = await account.api.call("edit-drop", { params: { slug: drop.slug }, body });

    const { warnings, ...answered } = JSON.parse(text) as { warnings: string[] };
    expect({ status, body: answered }).toEqual({ status: 200, body: drop });
    // The drop's own slug is accepted: clients send it back with the other fields that they read.
    expect(warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual([
      "colour",
      "view_count",
      undefined,
    ]);
  });

  test.each(["<p>", "", null, 7])(
    "refuses html with any value, such as %j, and changes nothing",
    async (html) => {
      const drop = await publish(account.api, original);
      const params = { slug: drop.slug };

      const response = await account.api.call("edit-drop", { params, body: { html, title: "After" } });

      expectError(response, "metadata_only_on_patch");
      expect(await account.api.succeed("get-drop", { params })).toEqual(drop);
    },
  );

  test.each([
    ["an empty title", { title: " " }, "title_required"],
    ["a title over the limit", { title: "x".repeat(201) }, "title_too_long"],
    ["a description over the limit", { description: "x".repeat(501) }, "description_too_long"],
    ["null as the metadata", { metadata: null }, "invalid_arg"],
    ["a metadata value over the limit", { metadata: { a: "x".repeat(257) } }, "invalid_arg"],
    ["a valid title with an invalid description", { title: "After", description: 7 }, "invalid_arg"],
  ] as const)("refuses %s, and changes nothing", async (_case, body, code) => {
    const drop = await publish(account.api, original);
    const params = { slug: drop.slug };

    expectError(await account.api.call("edit-drop", { params, body }), code);

    expect(await account.api.succeed("get-drop", { params })).toEqual(drop);
  });
});

describe("metadata", () => {
  test("stores keys that have a special meaning in JavaScript like any other", async () => {
    const body = '{"html":"<p>","title":"T","metadata":{"__proto__":"p","constructor":"c","0":"z"}}';
    const published = await account.api.call("publish-drop", { text: body });

    const { slug } = JSON.parse(published.text) as DropResponse;
    const read = await account.api.call("get-drop", { params: { slug } });

    for (const { text } of [published, read]) {
      const { metadata } = JSON.parse(text) as DropResponse;
      expect(Object.entries(metadata).toSorted()).toEqual([
        ["0", "z"],
        ["__proto__", "p"],
        ["constructor", "c"],
      ]);
    }
  });

  test("stores all of ten keys", async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`k.${index}_-z`, `${index}`]),
    );

    expect((await publish(account.api, { metadata })).metadata).toEqual(metadata);
  });

  test("is not shown on public pages", async () => {
    const drop = await publish(account.api, { metadata: { secretkey: "secretvalue" } });

    const pages = await Promise.all([drop.url, drop.raw_url].map((address) => fetchPage(address)));

    for (const { status, text } of pages) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/secretkey|secretvalue/);
    }
  });
});

function edit(drop: DropResponse, body: unknown): Promise<DropResponse> {
  return account.api.succeed("edit-drop", { params: { slug: drop.slug }, body });
}
