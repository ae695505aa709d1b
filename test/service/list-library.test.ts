import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { LibraryDropResponse } from "../../functions/library/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { within } from "../support/promised-time.ts";
import { confirmedWith, unusedUsername } from "../support/sign-in.ts";

// Anyone is a member here, so every library also lists the drops for members that tests of other files publish.

const domain = `${randomUUID()}.example.com`;
let owner: Account;
let named: ApiClient;
let stranger: ApiClient;
let username: string;
const group = `Engineering ${randomUUID()}`;

beforeAll(async () => {
  username = unusedUsername("Named");
  const email = { email: `Grace@${domain}`, email_verified: "true" };
  const unverified = { username: unusedUsername("stranger"), email: `grace@${domain}` };
  [owner, named, stranger] = await Promise.all([
    newAccount("librarian"),
    confirmedWith({ username, ...email, groups: group }).then((token) => new ApiClient(token)),
    confirmedWith(unverified).then((token) => new ApiClient(token)),
  ]);
});

type Query = Readonly<Record<string, string | number>>;

/** Returns the owner's drops in the caller's library. */
async function found(api: ApiClient, query: Query = {}): Promise<LibraryDropResponse[]> {
  const { drops } = await api.succeed("list-library", { query: { owner: owner.username, ...query } });
  return drops;
}

/** Waits until the caller's library lists a drop, which can take seconds after its publication, and returns it. */
async function listed(api: ApiClient, slug: string, query: Query = {}): Promise<LibraryDropResponse> {
  return vi.waitFor(async () => {
    const drop = (await found(api, query)).find((one) => one.slug === slug);
    if (drop === undefined) throw new Error(`The drop ${slug} is not listed.`);
    return drop;
  }, within(20));
}

const publishFor = (...readers: string[]) => publish(owner.api, { visibility: "people", readers });

describe.concurrent("the library", () => {
  test.each([
    ["their verified address", () => `grace@${domain}`],
    ["the domain of their address", () => `@${domain}`],
    ["their user name, in any case", () => username.toUpperCase()],
    ["their user name with a prefix", () => `username:${username}`],
    ["their group", () => `group:${group}`],
  ])("lists a drop for the person named by %s, and for no one else", async (_, reader) => {
    const { slug, url, raw_url, created_at, updated_at } = await publishFor(reader(), "somebody-else");

    expect(await listed(named, slug)).toEqual({
      ...{ slug, url, raw_url, created_at, updated_at, title: "A page", description: null },
      ...{ locked: false, latest_version: 1, metadata: {}, visibility: "people", own: false },
      owner: owner.username,
    });
    expect(await found(stranger)).not.toContainEqual(expect.objectContaining({ slug }));
    expect(await found(owner.api)).not.toContainEqual(expect.objectContaining({ slug }));
  });

  test("lists drops for members, also to their owner, marked as own", async () => {
    const { slug } = await publish(owner.api, { visibility: "members" });

    expect(await listed(stranger, slug)).toMatchObject({ own: false, visibility: "members" });
    expect(await listed(owner.api, slug)).toMatchObject({ own: true });
  });

  test("lists no unlisted drops, and no public ones if anyone may publish", {
    tags: "slow",
  }, async () => {
    const others = await Promise.all(
      ["public", "unlisted"].map((visibility) => publish(owner.api, { visibility })),
    );
    const last = await publish(owner.api, { visibility: "members" });

    await listed(stranger, last.slug);

    const slugs = (await found(stranger)).map(({ slug }) => slug);
    for (const { slug } of others) expect(slugs).not.toContain(slug);
  });

  test.each([
    ["shared with other people instead", (slug: string) => edit(slug, { readers: ["somebody-else"] })],
    ["unlisted", (slug: string) => edit(slug, { visibility: "unlisted" })],
    ["deleted", (slug: string) => owner.api.succeed("delete-drop", { params: { slug } })],
  ])("stops listing a drop with the next request when it is %s", async (_, close) => {
    const { slug } = await publishFor(username);
    await listed(named, slug);

    await close(slug);

    expect(await found(named)).not.toContainEqual(expect.objectContaining({ slug }));
  });

  test("lists drops that were shared later, in their current state", async () => {
    const { slug } = await publish(owner.api, { visibility: "unlisted" });
    await edit(slug, { visibility: "people", readers: [username], title: "Renamed" });

    expect(await listed(named, slug)).toMatchObject({ title: "Renamed" });
    await edit(slug, { title: "Renamed again" });
    expect(await listed(named, slug)).toMatchObject({ title: "Renamed again" });
  });
});

describe.concurrent("a locked drop", () => {
  test("is listed, but its title, text and tags are hidden from other people's searches and filters", {
    tags: "slow",
  }, async () => {
    const secret = { title: "Secret merger", description: "With Acme", metadata: { deal: "acme" } };
    const { slug } = await publish(owner.api, { ...secret, visibility: "members", passcode: "open sesame" });

    const drop = await listed(named, slug);

    expect(drop).toMatchObject({ locked: true, title: null, description: null, metadata: {} });
    for (const query of [{ q: "secret" }, { q: "acme" }, { "metadata.deal": "acme" }] as Query[]) {
      expect(await listed(owner.api, slug, query)).toMatchObject({ title: "Secret merger" });
      expect(await found(named, query)).toEqual([]);
    }
  });
});

describe.concurrent("a search", () => {
  test("finds titles and descriptions that contain all words, regardless of case and accents", {
    tags: "slow",
  }, async () => {
    const fields = { title: "Übersicht der Straße", description: "Café, déjà vu: ΟΔΟΣ" };
    const { slug } = await publish(owner.api, { ...fields, visibility: "members" });
    await listed(named, slug, { q: "ubersicht" });

    for (const q of ["ubersicht", "STRASSE  cafe", "deja", "οδος", "straße vu", " sicht "])
      expect((await found(named, { q })).map((drop) => drop.slug)).toEqual([slug]);
    for (const q of ["ubersicht nowhere", "sichtt"]) expect(await found(named, { q })).toEqual([]);
  });

  test("without words finds all drops, and with an unknown owner none", async () => {
    const { slug } = await publishFor(username);
    await listed(named, slug, { q: "", cursor: "" });

    expect(await found(named, { owner: unusedUsername("nobody") })).toEqual([]);
  });

  test("by metadata finds drops that have all pairs", async () => {
    const metadata = { project: "library", stage: "draft" };
    const { slug } = await publish(owner.api, { metadata, visibility: "people", readers: [username] });

    expect(
      await listed(named, slug, { "metadata.project": "library", "metadata.stage": "draft" }),
    ).toMatchObject({
      metadata,
    });
    expect(await found(named, { "metadata.project": "library", "metadata.stage": "final" })).toEqual([]);
  });
});

describe.concurrent("pages of the library", () => {
  test.each([
    ["without a search", {}],
    ["with a search", { q: "page" }],
  ])("list each drop once, newest first, %s", { tags: "slow" }, async (_, search) => {
    const reader = unusedUsername("paging");
    const api = new ApiClient(
      await confirmedWith({ username: reader, email: `${reader}@example.net`, email_verified: "true" }),
    );
    const slugs: string[] = [];
    // Each drop names the reader twice, and could be found twice.
    for (let count = 0; count < 5; count += 1)
      slugs.unshift((await publishFor(reader, `${reader}@example.net`)).slug);
    for (const slug of slugs) await listed(api, slug, search);

    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null && page < 4; page += 1) {
      const query: Query = { pageSize: 2, owner: owner.username, cursor, ...search };
      const part = await api.succeed("list-library", { query });
      seen.push(...part.drops.map(({ slug }) => slug).filter((slug) => slugs.includes(slug)));
      cursor = part.next_cursor;
    }

    expect(seen).toEqual(slugs);
  });

  test("refuse cursors that were changed, made up, or issued to another caller", {
    tags: "nightly",
  }, async () => {
    const other = await publish(owner.api, { visibility: "members" });
    const last = await publish(owner.api, { visibility: "members" });
    for (const { slug } of [other, last]) await listed(named, slug);
    const { next_cursor: cursor } = await named.succeed("list-library", { query: { pageSize: 1 } });
    if (cursor === null) throw new Error("Expected a cursor, because at least two drops exist.");
    const flipped = [0, 20, -1].map((at) => {
      const bytes = Buffer.from(cursor, "base64url");
      bytes.writeUInt8((bytes.at(at) ?? 0) ^ 1, at < 0 ? bytes.byteLength + at : at);
      return bytes.toString("base64url");
    });

    for (const bad of [
      ...flipped,
      `${cursor}A`,
      cursor.slice(0, -1),
      "x",
      last.slug,
      "A".repeat(100),
      "not=one",
    ]) {
      const refused = await named.call("list-library", { query: { cursor: bad } });
      expectError(refused, "invalid_arg");
      expect(refused.text).toContain("cursor");
      expect(refused.text).not.toContain(other.slug);
    }
    expectError(await stranger.call("list-library", { query: { cursor } }), "invalid_arg");
    expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toMatch(/[0-9]{6}|#[A-Za-z0-9]{7}#/);
  });
});

test.each([
  ["page", "2", "q, owner, metadata.<key>, cursor, pageSize"],
  ["search", "x", "q, owner, metadata.<key>, cursor, pageSize"],
  ["metadata[project]", "x", "q, owner, metadata.<key>, cursor, pageSize"],
  ["metadata", "x", "q, owner, metadata.<key>, cursor, pageSize"],
  ["constructor", "x", "q, owner, metadata.<key>, cursor, pageSize"],
  ["metadata.NO", "x", "metadata key"],
  ["pageSize", "201", "from 1 to 200"],
  ["owner", "ada@example.com", "name of an owner"],
  ["q", "x".repeat(201), "not 201"],
])("the parameter %s=%s is refused with the right form", async (name, value, told) => {
  const refused = await named.call("list-library", { query: [[name, value]] });

  expectError(refused, "invalid_arg");
  expect(JSON.parse(refused.text).error.message).toContain(told);
});

function edit(slug: string, body: object) {
  return owner.api.succeed("edit-drop", { params: { slug }, body });
}
