import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("visible");
});

const find = (slug: string) => account.api.succeed("get-drop", { params: { slug } });

describe("a drop", () => {
  test("is public by default, also in every response", async () => {
    const drop = await publish(account.api);

    const { drops } = await account.api.succeed("list-drops");

    expect(drop.visibility).toBe("public");
    for (const shown of [await find(drop.slug), drops.find(({ slug }) => slug === drop.slug)]) {
      expect(shown).toMatchObject({ visibility: "public" });
      expect(shown).not.toHaveProperty("readers");
    }
  });

  test("that is unlisted stays unlisted after every write without a visibility", {
    tags: "slow",
  }, async () => {
    const metadata = { kind: "unlisted" };
    const { slug } = await publish(account.api, { visibility: "unlisted", metadata });
    const query = { "metadata.kind": "unlisted" };
    const writes = [
      () => account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } }),
      () => account.api.succeed("edit-drop", { params: { slug }, body: { title: "Renamed" } }),
      () => account.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } }),
      () => account.api.succeed("upsert-drop", { query, body: { html: pageOf("three"), title: "T" } }),
    ];

    for (const write of writes) expect(await write()).toMatchObject({ slug, visibility: "unlisted" });

    expect(await find(slug)).toMatchObject({ visibility: "unlisted", locked: true });
    const { drops } = await account.api.succeed("list-drops", { query });
    expect(drops).toMatchObject([{ slug, visibility: "unlisted" }]);
  });

  test("gets another visibility and entity tag with an edit, a new version and an upsert", async () => {
    const metadata = { kind: "changing" };
    const { slug } = await publish(account.api, { metadata });
    const query = { "metadata.kind": "changing" };
    const page = { html: pageOf("two"), title: "T" };
    const tags = new Set([await tagOf(slug)]);

    for (const [change, visibility] of [
      [
        () => account.api.succeed("edit-drop", { params: { slug }, body: { visibility: "unlisted" } }),
        "unlisted",
      ],
      [
        () =>
          account.api.succeed("publish-version", {
            params: { slug },
            body: { ...page, visibility: "public" },
          }),
        "public",
      ],
      [
        () => account.api.succeed("upsert-drop", { query, body: { ...page, visibility: "unlisted" } }),
        "unlisted",
      ],
    ] as const) {
      expect(await change()).toMatchObject({ slug, visibility });
      expect(await find(slug)).toMatchObject({ visibility });
      tags.add(await tagOf(slug));
    }

    expect(tags.size).toBe(4);
  });

  test("can be made unlisted by an upsert and public by a tool, which refuses unknown values", async () => {
    const query = { "metadata.kind": "made" };
    const body = { html: pageOf("one"), title: "T", visibility: "unlisted" };
    const made = await account.api.succeed("upsert-drop", { query, body });
    const mcp = await connectMcp(account.api.token);

    const edited = await mcp.succeed("edit_drop", { slug: made.slug, visibility: "public" });

    expect([made.visibility, edited.visibility]).toEqual(["unlisted", "public"]);
    const { details } = await mcp.refuse(
      "edit_drop",
      { slug: made.slug, visibility: "secret" },
      "invalid_arg",
    );
    expect(details).toMatchObject({
      field: "visibility",
      allowed: ["public", "unlisted", "members", "people"],
    });
  });
});

test("an owner's page omits unlisted drops, which can be opened at their URLs", async () => {
  const listed = await publish(account.api, { title: "On the shelf" });
  const unlisted = await publish(account.api, { title: "Not on the shelf", visibility: "unlisted" });
  const shelf = async () => (await fetchPage(`${ownerAddress(listed.url)}/`)).text;

  await expect.poll(async () => (await shelf()).includes(listed.slug), within(2)).toBe(true);

  expect(await shelf()).not.toContain("Not on the shelf");
  expect(await shelf()).not.toContain(unlisted.slug);
  expect((await fetchPage(unlisted.url)).text).toContain("Not on the shelf");
  expect((await fetchPage(unlisted.raw_url)).text).toContain("one");
  await account.api.succeed("edit-drop", { params: { slug: unlisted.slug }, body: { visibility: "public" } });
  await expect.poll(async () => (await shelf()).includes("Not on the shelf"), within(2)).toBe(true);
});

describe("a drop for listed people", () => {
  test.each([
    ["example.com", "@example.com"],
    ["*@example.com", "@example.com"],
    ["#engineering", "group:engineering"],
  ])(
    "is refused for the reader %s, which would match no one, and the error names the intended form",
    async (reader, meant) => {
      const { slug } = await publish(account.api, { visibility: "members" });
      const access = { visibility: "people", readers: [reader] };
      const page = { html: pageOf("two"), title: "T", ...access };
      const params = { slug };
      const refused = await Promise.all([
        account.api.call("publish-drop", { body: page }),
        account.api.call("publish-version", { params, body: page }),
        account.api.call("upsert-drop", { query: { "metadata.kind": "nobody" }, body: page }),
        account.api.call("edit-drop", { params, body: access }),
        account.api.call("publish-drop", {
          query: { title: "T", visibility: "people", readers: reader },
          text: pageOf("two"),
          headers: { "content-type": "text/html" },
        }),
      ]);

      for (const response of refused) {
        const { message, details } = expectError(response, "invalid_arg");
        expect(details).toMatchObject({ field: "readers", index: 0, meant });
        expect(message).toContain(JSON.stringify(meant));
      }
      const mcp = await connectMcp(account.api.token);
      for (const [name, given] of [
        ["publish_drop", page],
        ["edit_drop", { slug, ...access }],
      ] as const) {
        expect(JSON.stringify(await mcp.call(name, given))).toContain(meant);
      }
      expect(await find(slug)).toMatchObject({ visibility: "members", latest_version: 1 });
    },
  );

  test("returns its readers in lower case without duplicates, until they or the visibility change", async () => {
    const readers = [" Grace@Example.com", "@example.org", "Hope", "hope"];
    const { slug, ...drop } = await publish(account.api, { visibility: "people", readers });
    const edit = (body: object) => account.api.succeed("edit-drop", { params: { slug }, body });
    const kept = ["grace@example.com", "@example.org", "hope"];

    expect(drop).toMatchObject({ visibility: "people", readers: kept });
    const { drops } = await account.api.succeed("list-drops");
    expect(drops.find((one) => one.slug === slug)).toMatchObject({ visibility: "people", readers: kept });
    expect(await edit({ title: "Renamed" })).toMatchObject({ visibility: "people", readers: kept });
    expect(await edit({ readers: ["ida"] })).toMatchObject({ visibility: "people", readers: ["ida"] });
    expect(await edit({ visibility: "members" })).not.toHaveProperty("readers");
    expectError(
      await account.api.call("edit-drop", { params: { slug }, body: { visibility: "people" } }),
      "invalid_arg",
    );
    expect(await find(slug)).toMatchObject({ visibility: "members" });
  });
});

test("contradictory visibility and readers are refused, change nothing and do not count as writes", {
  tags: "slow",
}, async () => {
  const owner = await newAccount("refused");
  const { slug } = await publish(owner.api, { visibility: "unlisted" });
  const readers = ["ada@example.com"];
  const page = { html: pageOf("two"), title: "T" };
  const edit = (body: object) => owner.api.call("edit-drop", { params: { slug }, body });
  const calls = [
    () => owner.api.call("publish-drop", { body: { ...page, visibility: "private" } }),
    () => owner.api.call("publish-drop", { body: { ...page, readers } }),
    () => edit({ visibility: "public", readers }),
    () => edit({ visibility: "people" }),
    () => edit({ readers }),
    () => owner.api.call("publish-version", { params: { slug }, body: { ...page, readers } }),
    () => owner.api.call("upsert-drop", { query: { "metadata.kind": "none" }, body: { ...page, readers } }),
  ];
  const times = Math.ceil(limits.writesPerMinutePerToken / calls.length);

  const refused = await pLimit(4).map(Array(times).fill(calls).flat(), (call: (typeof calls)[0]) => call());

  for (const response of refused) {
    expect(expectError(response, "invalid_arg").details.field).toMatch(/^(visibility|readers)$/);
  }
  const { drops } = await owner.api.succeed("list-drops");
  expect(drops).toMatchObject([{ slug, visibility: "unlisted", latest_version: 1 }]);
  expect((await edit({ title: "Still here" })).status).toBe(200);
});

async function tagOf(slug: string): Promise<string> {
  const { headers } = await account.api.call("get-drop", { params: { slug } });
  return headers.etag ?? "";
}
