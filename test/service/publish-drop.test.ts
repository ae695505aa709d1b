import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { addressOfOwner, ownerName } from "../support/owner-address.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("publish");
});

describe("POST /api/drops", () => {
  test("returns 201 with version 1 of the drop, its URLs on the owner's host, and the fields' defaults", async () => {
    const startedAtMs = Date.now();

    const drop = await publish(account.api, { title: "A page" });

    const owner = await addressOfOwner(ownerName(drop.url));
    expect(ownerName(drop.url)).toMatch(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
    expect(drop).toEqual({
      slug: expect.stringMatching(/^[A-Za-z0-9]{7}$/),
      title: "A page",
      description: null,
      url: `${owner}/d/${drop.slug}`,
      raw_url: `${owner}/p/${drop.slug}/raw`,
      locked: false,
      latest_version: 1,
      view_count: 0,
      metadata: {},
      created_at: drop.created_at,
      updated_at: drop.created_at,
      visibility: "public",
      readable_by: "anyone",
      indexed: false,
      feedback: "off",
      answers: "off",
      answers_results: false,
      expires_at: null,
    });
    // The service's clock and this machine's may differ slightly.
    expect(Math.abs(drop.created_at - startedAtMs)).toBeLessThan(60_000);
  });

  test("warns of visible mistakes in the page, with line and remedy, also in a new version", async () => {
    const html =
      '<h1>{{ title }}</h1>\n<img src="./chart.png">\n<img src="file:///tmp/a.png">\n<!-- rest unchanged -->\n<di';
    const warnings = [
      'The page ends inside a tag, comment, script or style: "<di" in line 5. It was probably cut off. Send the whole page.',
      'The page has a remark in place of content: "rest unchanged" in line 4. Readers see only what you send. Send the whole page.',
      'Readers see template syntax that nothing on the page fills in: "{{ title }}" in line 1. Send the rendered page.',
      'Only the computer that made the page can load "file:///tmp/a.png" in line 3. Put the file into the page, or upload it and use its URL.',
      'A single page has no files beside it, so it cannot load "./chart.png" in line 2. Put the file into the page, upload it and use its URL, or publish a folder.',
    ];

    const send = async (page: string, slug?: string) => {
      const body = { html: page, title: "A page" };
      const { text } = await (slug === undefined
        ? account.api.call("publish-drop", { body })
        : account.api.call("publish-version", { params: { slug }, body }));
      return JSON.parse(text) as DropResponse & { readonly warnings?: readonly string[] };
    };

    const drop = await send(html);

    expect(drop.warnings).toEqual(warnings);
    expect((await send(html, drop.slug)).warnings).toEqual(warnings);
    expect(await send(pageOf("two"), drop.slug)).not.toHaveProperty("warnings");
  });

  test("warns of an unreachable URL in Markdown, with the line in the source", async () => {
    const { text } = await account.api.call("publish-drop", {
      headers: { "content-type": "text/markdown" },
      text: "# One\n\n![Chart](chart.png) with `{{ code }}`\n",
    });

    expect(JSON.parse(text)).toMatchObject({ warnings: [expect.stringContaining('"chart.png" in line 3.')] });
  });

  test("stores every field, and returns it immediately in reads", async () => {
    const fields = { description: "Zwölf Boxkämpfer 🥊\n<b>&amp;", metadata: { "agent.run": "7", _: "" } };

    const drop = await publish(account.api, { title: "  Ein Titel 🍃 ", ...fields, context: "the prompt" });

    expect(drop).toMatchObject({ title: "Ein Titel 🍃", ...fields });
    expect(await account.api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(drop);
    expect((await account.api.succeed("list-drops")).drops).toContainEqual(drop);
  });

  test("makes the drop available at its URLs before it responds", async () => {
    const drop = await publish(account.api, { html: pageOf("served at once") });

    const pages = await Promise.all([drop.url, drop.raw_url].map((address) => fetchPage(address)));

    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(pages[1]?.text).toContain("<p>served at once</p>");
  });

  test("stores the context, and returns it in no JSON response", async () => {
    const context = "a prompt that nobody else should read";
    const body = { html: pageOf("context"), title: "T", context };

    const published = await account.api.call("publish-drop", { body });

    const { slug } = JSON.parse(published.text) as { slug: string };
    const reads = await Promise.all([
      account.api.call("get-drop", { params: { slug } }),
      account.api.call("list-drops"),
      account.api.call("list-versions", { params: { slug } }),
      account.api.call("get-version", { params: { slug, n: 1 } }),
    ]);
    for (const { text } of [published, ...reads]) expect(text).not.toContain(context);
    expect(JSON.parse(reads[3]?.text ?? "")).toMatchObject({ has_context: true });
  });

  test("with a passcode locks the drop immediately, and does not return the passcode", async () => {
    const response = await account.api.call("publish-drop", {
      body: { html: pageOf("locked"), title: "T", passcode: "open sesame" },
    });

    expect(JSON.parse(response.text)).toMatchObject({ locked: true });
    expect(response.text).not.toContain("sesame");
  });

  test("creates separate drops for two publications of the same page", async () => {
    const [one, other] = await Promise.all([publish(account.api), publish(account.api)]);

    expect(one.slug).not.toBe(other.slug);
  });

  test.each([
    ["ASCII", "x".repeat(limits.htmlBytesMax)],
    ["four-byte characters", "🍃".repeat(limits.htmlBytesMax / 4)],
  ])("accepts HTML of exactly the maximum size in bytes, in %s", async (_case, html) => {
    const drop = await publish(account.api, { html });

    const version = await account.api.succeed("get-version", { params: { slug: drop.slug, n: 1 } });
    const page = await fetchPage(drop.raw_url);

    expect(version.size_bytes).toBe(limits.htmlBytesMax);
    expect(page.bytes.includes(html)).toBe(true);
  });

  test("counts lengths in Unicode characters, not in bytes or UTF-16 code units", async () => {
    const fields = {
      title: "🍃".repeat(limits.titleCodePointsMax),
      description: "🍃".repeat(limits.descriptionCodePointsMax),
      context: "🍃".repeat(limits.contextCodePointsMax),
      metadata: { leaf: "🍃".repeat(limits.metadataValueCodePointsMax) },
    };

    const drop = await publish(account.api, fields);

    expect(drop).toMatchObject({
      title: fields.title,
      description: fields.description,
      metadata: fields.metadata,
    });
  });
});

describe("POST /api/drops refuses", () => {
  const valid = { html: "<p>", title: "T" };

  test.each([
    ["no html", { title: "T" }, "html_required"],
    ["an empty html", { ...valid, html: "" }, "html_required"],
    ["html that is not a string", { ...valid, html: ["<p>"] }, "invalid_arg"],
    ["html over the limit", { ...valid, html: "x".repeat(limits.htmlBytesMax + 1) }, "html_too_large"],
    ["half of a surrogate pair", { ...valid, html: "\ud83c" }, "invalid_arg"],
    ["no title", { html: "<p>" }, "title_required"],
    ["a title of spaces", { ...valid, title: " \t " }, "title_required"],
    ["a title over the limit", { ...valid, title: "x".repeat(201) }, "title_too_long"],
    ["a description over the limit", { ...valid, description: "x".repeat(501) }, "description_too_long"],
    ["a context over the limit", { ...valid, context: "x".repeat(65_537) }, "context_too_large"],
    ["a passcode under the limit", { ...valid, passcode: "abc" }, "passcode_too_short"],
    ["a metadata key of the wrong shape", { ...valid, metadata: { "A b": "" } }, "invalid_arg"],
    ["a metadata value that is not a string", { ...valid, metadata: { a: 1 } }, "invalid_arg"],
    ["a body that is an array", [valid], "invalid_arg"],
  ] as const)("%s, and publishes nothing", async (_case, body, code) => {
    const { total } = await account.api.succeed("list-drops");

    const { message } = expectError(await account.api.call("publish-drop", { body }), code);

    expect(message.length).toBeGreaterThan(10);
    expect((await account.api.succeed("list-drops")).total).toBe(total);
  });

  test.each([
    ["an empty body", {}],
    ["a body that is not JSON", { text: "<p>Hello</p>" }],
    ["truncated JSON", { text: '{"html":"<p>"' }],
  ])("%s with the code invalid_json", async (_case, options) => {
    expectError(await account.api.call("publish-drop", options), "invalid_json");
  });

  test("invalid requests without counting them as writes", { tags: "slow" }, async () => {
    const api = await anotherToken(account);
    for (let sent = 0; sent < limits.writesPerMinutePerToken + 1; sent += 1) {
      expectError(await api.call("publish-drop", { body: {} }), "html_required");
    }

    const drop = await publish(api);

    expect(drop.latest_version).toBe(1);
  });
});
