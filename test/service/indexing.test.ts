import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { elementsOf } from "../support/visitor.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("indexing");
});

const find = (slug: string) => account.api.succeed("get-drop", { params: { slug } });
const edit = (slug: string, body: object) => account.api.call("edit-drop", { params: { slug }, body });

/** Returns a page's rules for search engines: the X-Robots-Tag header and the meta tag. */
async function robotsOf(url: string) {
  const response = await fetchPage(url);
  const [tag] = elementsOf(response, "meta").filter(({ attribs }) => attribs.name === "robots");
  return [response.headers["x-robots-tag"], tag?.attribs.content];
}

describe("search engines", () => {
  test("may not index a drop by default", async () => {
    const drop = await publish(account.api);

    expect([drop.indexed, (await find(drop.slug)).indexed]).toEqual([false, false]);
    expect(await robotsOf(drop.url)).toEqual(["noindex", "noindex"]);
  });

  test("may index a drop whose owner allows it, but not its bare page", async () => {
    const drop = await publish(account.api, { indexed: true });

    const { drops } = await account.api.succeed("list-drops", { query: { pageSize: 200 } });

    expect([drop, await find(drop.slug), drops.find(({ slug }) => slug === drop.slug)]).toMatchObject(
      Array(3).fill({ indexed: true }),
    );
    expect(await robotsOf(drop.url)).toEqual([undefined, undefined]);
    expect((await fetchPage(drop.raw_url)).headers["x-robots-tag"]).toBe("noindex");
  });

  test("may not index an owner's page, even if a drop on it is indexed", async () => {
    const { url } = await publish(account.api, { indexed: true });

    expect((await robotsOf(`${ownerAddress(url)}/`))[1]).toBe("noindex");
  });

  test("are allowed or refused immediately by an edit, a new version, an upsert and a page as the body", async () => {
    const metadata = { kind: "told" };
    const { slug, url } = await publish(account.api, { metadata });
    const html = pageOf("next");
    const asBody = { text: html, headers: { "content-type": "text/html" } };
    const tags = new Set<string | undefined>();

    for (const [write, indexed] of [
      [() => edit(slug, { indexed: true }), true],
      [() => account.api.call("publish-version", { params: { slug }, body: { html } }), true],
      [
        () => account.api.call("publish-version", { params: { slug }, body: { html, indexed: false } }),
        false,
      ],
      [
        () =>
          account.api.call("publish-version", { params: { slug }, query: { indexed: "true" }, ...asBody }),
        true,
      ],
      [
        () =>
          account.api.call("upsert-drop", {
            query: { "metadata.kind": "told" },
            body: { html, title: "T", indexed: false },
          }),
        false,
      ],
    ] as const) {
      const response = await write();

      expect(JSON.parse(response.text)).toMatchObject({ slug, indexed });
      expect((await robotsOf(url))[0]).toBe(indexed ? undefined : "noindex");
      tags.add(response.headers.etag);
    }

    expect(tags.size).toBe(5);
  });
});

describe("an indexed drop", () => {
  test.each([
    ["unlisted", { visibility: "unlisted" }],
    ["for members", { visibility: "members" }],
    ["for people", { visibility: "people", readers: ["ada"] }],
  ])("is no longer indexed when it becomes %s, even if it is public again later", async (_, body) => {
    const { slug, url } = await publish(account.api, { indexed: true });

    expect(JSON.parse((await edit(slug, body)).text)).toMatchObject({ indexed: false });
    expect(JSON.parse((await edit(slug, { visibility: "public" })).text)).toMatchObject({ indexed: false });
    expect(await robotsOf(url)).toEqual(["noindex", "noindex"]);
    expect(JSON.parse((await edit(slug, { indexed: true })).text)).toMatchObject({ indexed: true });
  });

  test("is no longer indexed when it is locked, even if it is unlocked later", async () => {
    const { slug } = await publish(account.api, { indexed: true });
    const lock = (passcode: string): Promise<DropResponse> =>
      account.api.succeed("set-passcode", { params: { slug }, body: { passcode } });

    expect(await lock("open sesame")).toMatchObject({ locked: true, indexed: false });
    expect(await lock("")).toMatchObject({ locked: false, indexed: false });
  });

  test("stays indexed after a new version and a restored one", async () => {
    const { slug } = await publish(account.api, { indexed: true });
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });

    const restored = await account.api.succeed("restore-version", { params: { slug }, body: { version: 1 } });

    expect(restored).toMatchObject({ latest_version: 3, indexed: true });
  });
});

describe("indexing", () => {
  test.each([
    ["unlisted", { visibility: "unlisted" }, "unlisted"],
    ["for members", { visibility: "members" }, "members"],
    ["for people", { visibility: "people", readers: ["ada"] }, "people"],
    ["locked", { passcode: "open sesame" }, "passcode"],
  ])("is refused for a new drop that is %s, by publication and upsert", async (_, body, words) => {
    const asked = { html: pageOf("one"), title: "T", indexed: true, ...body };
    const before = (await account.api.succeed("list-drops")).total;

    for (const response of [
      await account.api.call("publish-drop", { body: asked }),
      await account.api.call("upsert-drop", { query: { "metadata.kind": "never" }, body: asked }),
    ]) {
      const { details } = expectError(response, "invalid_arg");
      expect(details.field).toBe("indexed");
      expect(JSON.parse(response.text).error.message).toContain(words);
    }
    expect((await account.api.succeed("list-drops")).total).toBe(before);
  });

  test("is refused for a restricted drop, unless the same request makes it public", async () => {
    const metadata = { kind: "opened" };
    const { slug } = await publish(account.api, { metadata, visibility: "members", passcode: "open sesame" });
    const query = { "metadata.kind": "opened" };
    const page = { html: pageOf("two"), title: "T", indexed: true };

    expectError(await edit(slug, { indexed: true }), "invalid_arg");
    expectError(await edit(slug, { indexed: true, visibility: "public" }), "invalid_arg");
    expectError(await account.api.call("upsert-drop", { query, body: page }), "invalid_arg");
    const opened = await account.api.succeed("upsert-drop", {
      query,
      body: { ...page, visibility: "public", passcode: "" },
    });

    expect(opened).toMatchObject({ slug, locked: false, visibility: "public", indexed: true });
    expect(opened.latest_version).toBe(2);
  });

  test("is refused for a restricted page when its upload URL is requested, and accepted for a public one", async () => {
    const started = await account.api.succeed("start-publish", { body: { title: "T", indexed: true } });
    const key = new URL(started.url).searchParams.get("key") ?? "";
    const send = { query: { key }, text: pageOf("one"), headers: { "content-type": "text/html" } };

    const refused = await account.api.call("start-publish", {
      body: { visibility: "members", indexed: true },
    });
    const sent = await account.api.call("send-page", send);

    expectError(refused, "invalid_arg");
    expect(JSON.parse(sent.text)).toMatchObject({ indexed: true });
  });
});
