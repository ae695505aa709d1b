import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf } from "../support/accounts.ts";
import type { CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("in-markdown");
});

const markdown =
  "\uFEFF# A *page*\r\n\r\nWith **text**, <b>raw</b> HTML and a [link](javascript:alert(1)). 🍃\n";
const asMarkdown = { "content-type": "Text/Markdown; charset=UTF-8; variant=GFM" };
const sha256Of = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

type Publishing = "publish-drop" | "publish-version" | "upsert-drop";
type Publication = DropResponse & { readonly sha256: string; readonly source_sha256?: string };

const send = (id: Publishing, text: string, options: CallOptions = {}) =>
  account.api.call(id, { text, headers: asMarkdown, ...options });

async function published(text = markdown, options: CallOptions = {}): Promise<Publication> {
  const { status, text: answer } = await send("publish-drop", text, options);
  expect(status, answer).toBe(201);
  return JSON.parse(answer) as Publication;
}

const read = (id: "read-html" | "read-source", slug: string, options: CallOptions = {}) =>
  account.api.call(id, { params: { slug }, ...options });

describe("a page sent as Markdown", () => {
  test("is shown as HTML, and its source is returned to its owner byte for byte, with digests of both", async () => {
    const drop = await published();

    const [page, source] = await Promise.all([read("read-html", drop.slug), read("read-source", drop.slug)]);

    expect(drop).toMatchObject({
      title: "A page",
      sha256: sha256Of(page.bytes),
      source_sha256: sha256Of(markdown),
    });
    expect(page.text).toContain("<strong>text</strong>");
    expect(page.text).not.toMatch(/<b>|javascript:/);
    expect(source.bytes.equals(Buffer.from(markdown))).toBe(true);
    expect(source.headers["content-type"]).toBe("text/markdown; charset=utf-8");
  });

  test("is served to readers with a policy that allows no scripts", async () => {
    const { slug } = await published();

    const raw = await account.api.call("read-raw-page", { params: { slug } });

    expect(raw.status).toBe(200);
    expect(raw.text).toContain("<strong>text</strong>");
    expect(raw.text).toContain("default-src 'none'");
  });

  test("is titled by the parameter or its first heading, and is refused without either", async () => {
    const named = await published("# Heading", { query: { title: "Named" } });
    const nameless = await send("publish-drop", "Only a paragraph.");

    expect(named.title).toBe("Named");
    expectError(nameless, "title_required");
    expect(nameless.text).toContain("heading");
  });

  test("can be one of several versions in Markdown and HTML, each with its own source", async () => {
    const query = { "metadata.branch": "main" };
    const first = JSON.parse((await send("upsert-drop", "# One", { query })).text) as Publication;
    const params = { slug: first.slug };
    await account.api.succeed("publish-version", { params, body: { html: pageOf("two") } });
    const third = await send("publish-version", "Third, *nameless*", { params, query: { note: "Again" } });

    const { versions } = await account.api.succeed("list-versions", { params });
    const sources = await Promise.all(
      [3, 1, 2, 9].map((v) => read("read-source", first.slug, { query: { v } })),
    );

    expect(JSON.parse(third.text)).toMatchObject({ title: "One", latest_version: 3 });
    expect(versions.map(({ has_source }: { has_source?: boolean }) => has_source)).toEqual([
      true,
      undefined,
      true,
    ]);
    expect(sources.slice(0, 2).map(({ text }) => text)).toEqual(["Third, *nameless*", "# One"]);
    for (const refusal of sources.slice(2)) expectError(refusal, "not_found");
    expect(sources[2]?.text).toContain(`/api/drops/${first.slug}/html?v=2`);
  });

  test("is restored together with its source, and versions are compared by their sources", async () => {
    const { slug } = await published("# One\n\nsame\n");
    await send("publish-version", "# Two\n\nsame\n", { params: { slug } });

    const restored = await account.api.call("restore-version", { params: { slug }, body: { version: 1 } });
    const { text: diff } = await account.api.call("compare-versions", {
      params: { slug },
      query: { from: 1, to: 2 },
    });

    expect(JSON.parse(restored.text)).toMatchObject({
      latest_version: 3,
      source_sha256: sha256Of("# One\n\nsame\n"),
    });
    expect((await read("read-source", slug)).text).toBe("# One\n\nsame\n");
    expect(diff).toContain(`+++ ${slug}/2/source\n`);
    expect(diff).toContain("-# One\n+# Two\n \n same\n");
  });

  test("is published only once with the same Idempotency-Key", async () => {
    const options = { headers: { ...asMarkdown, "idempotency-key": "one-page-of-markdown" } };

    const [first, again] = [
      await send("publish-drop", markdown, options),
      await send("publish-drop", markdown, options),
    ];
    const other = await send("publish-drop", `${markdown}.`, options);

    expect(JSON.parse(again.text)).toEqual(JSON.parse(first.text));
    expectError(other, "idempotency_key_reused");
  });

  test("can be sent in chunks", async () => {
    const response = await fetch(new URL("/api/drops", baseUrl()), {
      method: "POST",
      headers: { ...asMarkdown, authorization: `Bearer ${account.api.token}` },
      body: new Blob([markdown]).stream(),
      duplex: "half",
    } as RequestInit);

    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ source_sha256: sha256Of(markdown) });
  });

  test.each([
    ["no text", "", "html_required"],
    ["white space", " \n", "html_required"],
    ["more than the service converts to HTML", `# T\n${"x".repeat(1_048_576)}`, "html_too_large"],
    ["more than the API accepts", `# T\n${"x".repeat(3_145_728)}`, "html_too_large"],
  ] as const)("is refused if it consists of %s", async (_, text, code) => {
    expectError(await send("publish-drop", text, { query: { title: "T" } }), code);
  });

  test("is refused in another encoding or with a misspelled parameter", async () => {
    const latin1 = await fetchPage("/api/drops", {
      method: "POST",
      headers: { ...asMarkdown, authorization: `Bearer ${account.api.token}` },
      body: Buffer.from("# caf\u00e9", "latin1"),
    });
    const misspelled = await send("publish-drop", markdown, { query: { titel: "T" } });

    expectError(latin1, "invalid_arg");
    expectError(misspelled, "invalid_arg");
  });
});

describe("the source of a page", () => {
  test("is served in ranges, and with 304 to a cached copy", async () => {
    const { slug } = await published("# A page\n");
    const { headers } = await read("read-source", slug);

    const part = await read("read-source", slug, { headers: { range: "bytes=2-5" } });
    const known = await read("read-source", slug, { headers: { "if-none-match": String(headers.etag) } });

    expect(part).toMatchObject({ status: 206, text: "A pa" });
    expect(part.headers["content-range"]).toBe("bytes 2-5/9");
    expect(known.status).toBe(304);
  });

  test("is returned only to its owner", async () => {
    const { slug } = await published();
    const stranger = await newAccount("in-markdown-stranger");

    const theirs = await stranger.api.call("read-source", { params: { slug } });

    expectError(theirs, "not_found");
  });
});
