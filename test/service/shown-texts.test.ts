import { beforeAll, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { ApiClient, type CallOptions, readSuccess } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";

const disguised = "Invoice \u202Efdp.exe\u0007";
const warning =
  "Characters that are invisible or change how the text is displayed were removed from title: U+202E, U+0007.";

let account: Account;

beforeAll(async () => {
  account = await newAccount("shown");
});

/** Returns a successful response with all its fields, also those that the specification does not name. */
async function send(
  api: ApiClient,
  id: "publish-drop" | "edit-drop" | "publish-version" | "start-sign-in",
  options: CallOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await api.call(id, options);
  readSuccess(id, response);
  return JSON.parse(response.text) as Record<string, unknown>;
}

test("invisible characters are removed from a title in every call, with a warning", async () => {
  const { api } = account;
  const html = pageOf("one");

  const published = await send(api, "publish-drop", {
    body: { html, title: disguised, metadata: { raw: disguised } },
  });
  const params = { slug: String(published.slug) };
  const edited = await send(api, "edit-drop", { params, body: { title: `${disguised} 2` } });
  const replaced = await send(api, "publish-version", { params, body: { html, title: `${disguised} 3` } });

  expect(published).toMatchObject({
    title: "Invoice fdp.exe",
    metadata: { raw: disguised },
    warnings: [warning],
  });
  expect(edited).toMatchObject({ title: "Invoice fdp.exe 2", warnings: [warning] });
  expect(replaced).toMatchObject({ title: "Invoice fdp.exe 3", warnings: [warning] });
});

test.each([
  ["the query", "Page", { title: disguised }],
  ["the page", disguised, {}],
])(
  "invisible characters are removed from the title of a page sent as the body, given by %s",
  async (_where, title, query) => {
    const published = await send(account.api, "publish-drop", {
      text: `<!doctype html><title>${title}</title><p>Here`,
      headers: { "content-type": "text/html" },
      query,
    });

    expect(published).toMatchObject({ title: "Invoice fdp.exe", warnings: [warning] });
  },
);

test("invisible characters are removed from a description and a note, which keep their line breaks", async () => {
  const { slug, description } = await publish(account.api, {
    description: "One\n\u2067Two",
    note: "A\n\u200BB",
  });
  const { versions } = await account.api.succeed("list-versions", { params: { slug } });

  expect(description).toBe("One\nTwo");
  expect(versions[0]?.note).toBe("A\nB");
});

test("a title of invisible characters only is refused, and they do not count for the length limit", async () => {
  const html = pageOf("one");

  const empty = await account.api.call("publish-drop", { body: { html, title: "\u202E\u0000\u2028" } });
  const { title } = await publish(account.api, { title: "\u200B".repeat(5) + "t".repeat(200) });

  expectError(empty, "title_required");
  expect(title).toBe("t".repeat(200));
});

test("a file name with invisible characters is refused", async () => {
  const refused = await account.api.call("upload-blob", { query: { filename: disguised }, text: "x" });

  expectError(refused, "invalid_filename");
});

test("invisible characters are removed from an agent's label before a person sees it", async () => {
  const start = await send(new ApiClient(), "start-sign-in", { body: { label: "Ag\u202Eent\nof ada" } });
  const nameless = await send(new ApiClient(), "start-sign-in", { body: { label: "\u202E" } });

  expect(start).toMatchObject({ warnings: [expect.stringContaining("U+202E, U+000A")] });
  expect((await fetchPage(String(start.verification_url))).text).toContain(">Agent of ada<");
  expect((await fetchPage(String(nameless.verification_url))).text).toContain("The agent gave no name.");
});
