import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { SearchResultResponse } from "../../functions/search/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { ApiClient, readSuccess } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { longMs } from "../support/patience.ts";
import { within } from "../support/promised-time.ts";
import { confirmedWith, unusedUsername } from "../support/sign-in.ts";

let owner: Account;
let reader: ApiClient;
let stranger: ApiClient;
let username: string;

beforeAll(async () => {
  username = unusedUsername("searching");
  [owner, reader, stranger] = await Promise.all([
    newAccount("search-drops"),
    confirmedWith({ username }).then((token) => new ApiClient(token)),
    confirmedWith({ username: unusedUsername("stranger") }).then((token) => new ApiClient(token)),
  ]);
});

/** Returns a word that is on no other page. */
const newWord = () => `w${randomUUID().replaceAll("-", "")}`;

const page = (text: string) => `<!doctype html><title>A page</title><h1>A page</h1><p>${text}</p>`;

/** Searches, and waits for the next minute if concurrent tests have used up this minute's searches. */
async function found(
  api: ApiClient,
  q: string,
  query: object = {},
): Promise<readonly SearchResultResponse[]> {
  const call = { query: { q, ...query } };
  const response = await api.call("search-drops", call);
  if (response.status === 429) {
    await sleep(Number(response.headers["retry-after"]) * 1_000);
    return found(api, q, query);
  }
  return readSuccess("search-drops", response).results;
}

/** A minute longer than the service promises, because `found` may wait for the search limit. */
const untilIndexed = { timeout: within(20).timeout + 60_000, interval: 500 };

/** Waits until a search finds a drop, and returns the result. */
async function untilFound(api: ApiClient, slug: string, q: string): Promise<SearchResultResponse> {
  return vi.waitFor(async () => {
    const result = (await found(api, q)).find((one) => one.slug === slug);
    if (result === undefined) throw new Error(`The drop ${slug} is not found.`);
    return result;
  }, untilIndexed);
}

const publishFor = (text: string, more: object = {}) =>
  publish(owner.api, { html: page(text), visibility: "people", readers: [username], ...more });

const edit = (slug: string, body: object) => owner.api.succeed("edit-drop", { params: { slug }, body });

describe.concurrent("a search", { timeout: longMs }, () => {
  test("finds a page by its text only for its owner and readers, with a snippet", async () => {
    const word = newWord();
    const { slug, url, updated_at } = await publishFor(`Numbers &amp; figures of <b>${word}</b> &lt;3 🌿`);

    const result = await untilFound(reader, slug, `${word} figures`);

    expect(result).toEqual({
      ...{ slug, url, title: "A page", owner: owner.username, own: false, version: 1, updated_at },
      matched: ["text"],
      snippet: { text: `A page Numbers & figures of ${word} <3 🌿`, marks: expect.any(Array) },
    });
    const characters = [...result.snippet.text];
    const marked = result.snippet.marks.map(([start, end]) => characters.slice(start, end).join(""));
    expect(marked).toEqual(["figures", word]);
    expect(await untilFound(owner.api, slug, word)).toMatchObject({ own: true });
    expect(await found(stranger, word)).toEqual([]);
  });

  test("finds a page by the names of the files that it links to", { tags: "slow" }, async () => {
    const name = newWord();
    const query = { filename: `${name}.csv` };
    const { url } = await owner.api.succeed("upload-blob", { query, text: "a,b" });
    const { slug } = await publishFor(`See <a href="${url}">the data</a>`);

    expect(await untilFound(reader, slug, name)).toMatchObject({ matched: ["files"] });
  });

  test.each([
    ["deleted", (id: string) => owner.api.succeed("delete-blob", { params: { id } })],
    [
      "restricted, on a public page",
      (id: string) => owner.api.succeed("edit-blob", { params: { id }, body: { visibility: "members" } }),
    ],
  ])("does not find a page by the name of a file that is now %s", async (_, close) => {
    const [name, word] = [newWord(), newWord()];
    const query = { filename: `${name}.csv` };
    const { id, url } = await owner.api.succeed("upload-blob", { query, text: "a,b" });
    const html = page(`${word} <a href="${url}">the data</a>`);
    const { slug } = await publish(owner.api, { html });
    expect(await untilFound(owner.api, slug, name)).toMatchObject({ matched: ["files"] });

    await close(id);

    expect(await found(owner.api, name)).toEqual([]);
    expect(await found(owner.api, `${word} ${name}`)).toEqual([]);
    expect(await found(owner.api, word)).toMatchObject([{ slug, matched: ["text"] }]);
  });

  test("finds a page by its title, description, tags and context, and filters by tags, time and owner", {
    tags: "slow",
  }, async () => {
    const words = {
      title: newWord(),
      description: newWord(),
      tag: newWord(),
      context: newWord(),
      text: newWord(),
    };
    const { slug } = await publish(owner.api, {
      html: page(words.text),
      title: words.title,
      description: words.description,
      context: words.context,
      metadata: { project: words.tag },
    });

    for (const [part, word] of Object.entries(words))
      expect([part, ...(await untilFound(owner.api, slug, word)).matched]).toContain(
        part === "tag" ? "metadata" : part,
      );
    const tagged = await found(owner.api, words.text, { "metadata.project": words.tag });
    expect(tagged).toHaveLength(1);
    expect(await found(owner.api, words.text, { "metadata.project": "another" })).toEqual([]);
    expect(await found(owner.api, words.text, { since: Date.now() + 60_000 })).toEqual([]);
    expect(await found(owner.api, words.text, { owner: "nobody-at-all" })).toEqual([]);
    expect(await found(owner.api, words.text, { owner: owner.username.toUpperCase() })).toHaveLength(1);
  });

  test.each([
    ["no longer readable by the searcher", (slug: string) => edit(slug, { readers: ["somebody-else"] })],
    ["unlisted", (slug: string) => edit(slug, { visibility: "unlisted" })],
    [
      "locked",
      (slug: string) =>
        owner.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } }),
    ],
    ["deleted", (slug: string) => owner.api.succeed("delete-drop", { params: { slug } })],
    [
      "replaced by a version without the word",
      (slug: string) =>
        owner.api.succeed("publish-version", { params: { slug }, body: { html: page("other") } }),
    ],
  ])("immediately stops finding a page that is %s", async (_, close) => {
    const word = newWord();
    const { slug } = await publishFor(word);
    await untilFound(reader, slug, word);

    await close(slug);

    expect(await found(reader, word)).toEqual([]);
  });

  test("finds a locked page by its title only, and only for its owner", { tags: "slow" }, async () => {
    const [title, text] = [newWord(), newWord()];
    const { slug } = await publishFor(text, { title, passcode: "open sesame" });

    expect(await untilFound(owner.api, slug, title)).toMatchObject({
      matched: ["title"],
      snippet: { text: "" },
    });
    expect(await found(owner.api, text)).toEqual([]);
    expect(await found(reader, title)).toEqual([]);
  });

  test("finds the new text after an edit and after a new version, and no longer the old one", {
    tags: "slow",
  }, async () => {
    const [before, after] = [newWord(), newWord()];
    const { slug } = await publishFor(before);
    await untilFound(reader, slug, before);

    await edit(slug, { title: after });
    expect(await untilFound(reader, slug, after)).toMatchObject({ title: after, matched: ["title"] });
    await owner.api.succeed("publish-version", { params: { slug }, body: { html: page(`${after} again`) } });

    await vi.waitFor(async () => {
      expect(await found(reader, after)).toMatchObject([{ version: 2, matched: ["title", "text"] }]);
    }, untilIndexed);
    expect(await found(reader, before)).toEqual([]);
  });

  test("returns results in pages", { tags: "slow" }, async () => {
    const word = newWord();
    const slugs = await Promise.all([1, 2, 3].map(async () => (await publishFor(word)).slug));
    for (const slug of slugs) await untilFound(reader, slug, word);

    // Another instance of the function may have an index that is two seconds older.
    const first = await vi.waitFor(async () => {
      const part = await reader.succeed("search-drops", { query: { q: word, pageSize: 2 } });
      expect(part.next_page).toBe(2);
      return part;
    }, within(20));
    const last = await reader.succeed("search-drops", { query: { q: word, pageSize: 2, page: 2 } });

    expect(last.next_page).toBeNull();
    const all = [...first.results, ...last.results].map(({ slug }) => slug);
    expect(all.sort()).toEqual(slugs.sort());
  });
});

test("the tool search_drops returns the same result, and explains what is wrong with an invalid query", {
  tags: "slow",
}, async () => {
  const [word, tag, mcp] = [newWord(), newWord(), await connectMcp(reader.token)];
  const { slug } = await publishFor(`Numbers of ${word}`, { metadata: { project: tag } });
  const result = await untilFound(reader, slug, word);

  const found = await vi.waitFor(async () => {
    const sought = { q: word, owner: owner.username, metadata: { project: tag } };
    const { results } = await mcp.succeed("search_drops", sought);
    expect(results).toHaveLength(1);
    return results;
  }, within(20));
  const refused = await mcp.refuse("search_drops", { q: `"${word}` }, "invalid_arg");

  expect(found).toEqual([result]);
  expect(refused.message).toContain("unclosed quotation mark");
});

test.each([
  ["without words", { q: " … " }, "q"],
  ["without q", {}, "q"],
  ["with an open quotation mark", { q: '"a b' }, "q"],
  ["with only exclusions", { q: "-a" }, "q"],
  ["beyond the last page", { q: "a", page: 11, pageSize: 20 }, "page"],
  ["since an invalid time", { q: "a", since: "yesterday" }, "since"],
])("a search %s is refused", async (_, query, parameter) => {
  const refused = await reader.call("search-drops", { query });

  expect(expectError(refused, "invalid_arg").details).toMatchObject({ parameter });
});
