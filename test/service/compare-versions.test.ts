import { applyPatch, parsePatch } from "diff";
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("compares");
});

const lines = (...texts: string[]) => `<!doctype html>\n${texts.map((text) => `<p>${text}</p>\n`).join("")}`;

/** Publishes a drop with a version for each page and returns its slug. */
async function given(...versions: { readonly html: string; readonly context?: string }[]) {
  const [first, ...others] = versions;
  const { slug } = await publish(account.api, first);
  for (const body of others) await account.api.succeed("publish-version", { params: { slug }, body });
  return slug;
}

const compare = (slug: string, query: Record<string, string | number> = {}) =>
  account.api.call("compare-versions", { params: { slug }, query });

describe("GET /api/drops/{slug}/diff", () => {
  test("returns a unified diff of page and context, in either direction", async () => {
    const one = { html: lines("one", "two", "three 🍃"), context: "Why one.\n" };
    const two = { html: lines("one", "2", "three 🍃", "four"), context: "Why two.\n" };
    const slug = await given(one, two);

    const forward = await compare(slug);
    const back = await compare(slug, { from: 2, to: 1 });

    expect(forward.headers["content-type"]).toBe("text/plain; charset=utf-8");
    const [html, context, ...others] = parsePatch(forward.text);
    expect(others).toEqual([]);
    expect([html?.oldFileName, html?.newFileName]).toEqual([`${slug}/1/html`, `${slug}/2/html`]);
    expect(applyPatch(one.html, html ?? "")).toBe(two.html);
    expect(applyPatch(one.context, context ?? "")).toBe(two.context);
    expect(forward.text).toContain("\n-<p>two</p>\n+<p>2</p>\n");
    const [backHtml] = parsePatch(back.text);
    expect(applyPatch(two.html, backHtml ?? "")).toBe(one.html);
  });

  test("omits unchanged parts, and includes a context that one version lacks", async () => {
    const page = { html: lines("one") };
    const slug = await given(page, { ...page, context: "Why." }, { ...page, context: "Why." });

    expect(await compare(slug, { from: 2, to: 3 })).toMatchObject({ status: 200, text: "" });
    expect((await compare(slug, { from: 1, to: 3 })).text).toMatch(/^--- \w+\/1\/context\n\+\+\+ /);
  });

  test("compares the latest version with the one before by default, skipping deleted ones", async () => {
    const slug = await given(...["one", "two", "three"].map((text) => ({ html: lines(text) })));
    await account.api.succeed("delete-version", { params: { slug, n: 2 } });

    expect((await compare(slug)).text).toContain("-<p>one</p>\n+<p>three</p>");
  });

  test("reports a missing version and names the existing ones", async () => {
    const slug = await given({ html: lines("one") });

    for (const [query, words] of [
      [{ to: 3 }, "no version 3. It has 1"],
      [{ from: 9 }, "no version 9. It has 1"],
      [{}, "no version before 1"],
    ] as const) {
      const refusal = await compare(slug, query);
      expectError(refusal, "not_found");
      expect(refusal.text).toContain(words);
    }
    expectError(await compare(slug, { from: "one" }), "invalid_arg");
  });

  test("returns 404 for another owner's drop", async () => {
    const stranger = await newAccount("compares-stranger");
    const slug = await given({ html: lines("one") }, { html: lines("two") });

    expectError(await stranger.api.call("compare-versions", { params: { slug } }), "not_found");
  });

  test("refuses a diff that would take too long, and says where to read the versions", {
    tags: "nightly",
  }, async () => {
    const page = (text: string) => lines(...Array.from({ length: 30_000 }, (_, index) => `${text} ${index}`));
    const slug = await given({ html: page("one") }, { html: page("two") });

    const refusal = await compare(slug);

    expectError(refusal, "invalid_arg");
    expect(refusal.text).toContain(`GET /api/drops/${slug}/html?v=2`);
  });
});
