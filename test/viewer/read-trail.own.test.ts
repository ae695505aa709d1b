// @module-tag nightly

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse, ReadListResponse } from "../../functions/drops/schemas.ts";
import { drops } from "../../functions/drops/store.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { readsCommand } from "../../scripts/operator/access/reads.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { suspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { exportCommand } from "../../scripts/operator/export.ts";
import { removeMemberCommand } from "../../scripts/operator/members/members.ts";
import { openService } from "../../scripts/operator/service.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { type GivenReader, givenReader } from "../abuse/given-reader.ts";
import { runCommand, scratchFolder } from "../operator/given-service.ts";
import { type Account, newAccount, newTeam, pageOf, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage, useService } from "../support/http.ts";
import { newOwner } from "../support/own-pages.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { teamToken } from "../support/team-sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

let service: RunningService;
let owner: Account & { readonly visitor: Visitor };

const auditDays = 30;
const told =
  "When you open a page that is shared with you, its owner can see your name and the date you opened it.";

beforeAll(async () => {
  service = await startService({ fileSettings: { ingest: "none", readTrail: true, auditDays } });
  useService(service);
  await openService({ local: join(service.directory, "data") });
  owner = await newOwner("trail-owner");
});
afterAll(() => service.stop());

const today = () => new Date().toISOString().slice(0, 10);
const run = (command: Parameters<typeof runCommand>[0], words: readonly string[], options = {}) =>
  runCommand(command, { dataDirectory: join(service.directory, "data") }, words, options);
const readsOf = ({ slug }: Pick<DropResponse, "slug">, query = {}): Promise<ReadListResponse> =>
  owner.api.succeed("list-reads", { params: { slug }, query });
const namesOf = async (drop: DropResponse) =>
  (await readsOf(drop)).reads.map(({ reader }) => reader).toSorted();
const rowsOf = ({ slug }: DropResponse) => queryAll(ranges.reads(slug));

/** Creates a signed-in reader with a verified e-mail address. */
function givenAda(facts: Partial<Identity> = {}): Promise<GivenReader> {
  return givenReader({ emails: ["ada@example.com"], ...facts });
}

/** Publishes a drop for Ada, with two versions and a context. */
async function givenShared(fields: object = {}): Promise<DropResponse> {
  const drop = await publish(owner.api, {
    visibility: "people",
    readers: ["ada@example.com"],
    context: "Why.",
    ...fields,
  });
  await owner.api.succeed("publish-version", {
    params: { slug: drop.slug },
    body: { html: pageOf("two"), context: "Why two." },
  });
  return drop;
}

async function open(
  { visitor }: Pick<GivenReader, "visitor">,
  path: string,
  method = "GET",
): Promise<number> {
  return (await visitor.request(`${baseUrl()}${path}`, { method })).response.status;
}

/** Opens a drop's page, and waits until the read is stored, which may happen after the response on a busy machine. */
async function openRecorded(reader: Pick<GivenReader, "visitor">, drop: DropResponse): Promise<void> {
  const before = await rowsOf(drop);
  expect(await open(reader, `/p/${drop.slug}/raw`)).toBe(200);
  await expect.poll(() => rowsOf(drop)).toHaveLength(before.length + 1);
}

describe("a drop for named people", () => {
  test("has one read for each reader and day, whatever the path and version", async () => {
    const drop = await givenShared();
    const ada = await givenAda();
    const before = Date.now();
    const page = `/p/${drop.slug}`;

    const statuses = [];
    for (const way of [
      page,
      `${page}/raw?v=2&framed=1`,
      `${page}/raw`,
      `${page}/raw?v=1`,
      `${page}/raw?download=1`,
    ])
      statuses.push(await open(ada, way));
    for (const way of [`${page}/compare`, `${page}/context`]) statuses.push(await open(ada, way));

    expect(statuses).toEqual(statuses.map(() => 200));
    await expect.poll(() => rowsOf(drop)).toHaveLength(1);
    const { reads, ...more } = await readsOf(drop);
    const rest = { next_cursor: null, recording: true, readers_this_week: 1, shared_since: drop.created_at };
    expect([reads.length, more]).toEqual([1, rest]);
    expect(reads[0]).toMatchObject({ reader: "ada@example.com", day: today() });
    expect(reads[0]?.first_at).toBeGreaterThanOrEqual(before);
    expect(reads[0]?.first_at).toBeLessThanOrEqual(Date.now());
  });

  test.each(["raw", "raw?v=1", "raw?download=1", "compare", "context"])(
    "has a read after a request for /%s alone",
    async (way) => {
      const drop = await givenShared();

      expect(await open(await givenAda(), `/p/${drop.slug}/${way}`)).toBe(200);

      await expect.poll(() => namesOf(drop)).toEqual(["ada@example.com"]);
    },
  );

  test("has no read after a request for headers, images, its state, the library or a preview", async () => {
    const drop = await givenShared();
    const ada = await givenAda();
    const page = `/p/${drop.slug}`;

    expect(await open(ada, `${page}/raw`, "HEAD")).toBe(200);
    await open(ada, `${page}/raw?drawn=card`);
    await open(ada, `${page}/state`);
    expect(await open(ada, "/library")).toBe(200);
    await open(ada, `/oembed?url=${encodeURIComponent(drop.url)}`);

    expect(await namesOf(drop)).toEqual([]);
  });

  test("of a team has reads of other people, but not of the team's members", async () => {
    const [grace, eve] = [await newOwner("trail-editor"), await newOwner("trail-reader")];
    const { namespace } = await newTeam(owner, { editors: [grace.username] });
    const api = await teamToken(owner.username, namespace);
    const drop = await publish(api, { visibility: "people", readers: [eve.username] });

    expect(await open(grace, `/p/${drop.slug}/raw`)).toBe(200);
    expect(await open(owner, `/p/${drop.slug}/raw`)).toBe(200);
    expect(await open(eve, `/p/${drop.slug}/raw`)).toBe(200);

    await expect.poll(() => rowsOf(drop)).toHaveLength(1);
    const { reads } = await api.succeed("list-reads", { params: { slug: drop.slug } });
    expect(reads.map(({ reader }) => reader)).toEqual([eve.username]);
  });

  test("has one item per reader after twenty concurrent requests", async () => {
    const drop = await givenShared({ readers: ["@example.com"] });
    const [ada, grace] = [await givenAda(), await givenReader({ emails: ["grace@example.com"] })];

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => open(index % 2 === 0 ? ada : grace, `/p/${drop.slug}/raw`)),
    );

    await expect.poll(() => namesOf(drop)).toEqual(["ada@example.com", "grace@example.com"]);
    expect(await rowsOf(drop)).toHaveLength(2);
  });

  test("has no reads of its owner or of people without access", async () => {
    const drop = await givenShared();
    const page = `/p/${drop.slug}/raw`;

    expect(await open(owner, page)).toBe(200);
    expect(await open(await givenReader(), page)).toBe(404);
    expect(await open({ visitor: new Visitor() }, page)).toBe(404);
    const { visitor } = await givenAda();
    const fromAnotherPage = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-dest": "iframe",
      "sec-fetch-mode": "navigate",
      origin: "null",
    };
    expect((await visitor.request(`${baseUrl()}${page}`, { headers: fromAnotherPage })).response.status).toBe(
      404,
    );

    expect(await rowsOf(drop)).toEqual([]);
  });

  test.each([
    ["their address", { readers: ["second@example.com"] }, "second@example.com"],
    ["their address at the domain", { readers: ["@example.org"] }, "ada@example.org"],
    ["their user name", { readers: ["ada.l"] }, "ada.l"],
    ["their first address, for a group", { readers: ["group:engineering"] }, "ada@example.com"],
  ])("names a reader by %s", async (_, fields, name) => {
    const drop = await givenShared(fields);
    const emails = ["ada@example.com", "second@example.com", "ada@example.org"];

    await open(await givenAda({ emails, username: "Ada.L", groups: ["engineering"] }), `/p/${drop.slug}/raw`);

    await expect.poll(() => namesOf(drop)).toEqual([name]);
  });

  test("with a passcode has a read only after the passcode was entered", async () => {
    const drop = await givenShared({ passcode: "open sesame" });
    const ada = await givenAda();
    expect(await open(ada, `/p/${drop.slug}/raw`)).toBe(200);
    expect(await namesOf(drop)).toEqual([]);

    const gate = await ada.visitor.open(`${baseUrl()}/p/${drop.slug}`);
    await ada.visitor.request(`${baseUrl()}/p/${drop.slug}/unlock`, {
      method: "POST",
      body: "passcode=open+sesame",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: gate.url.origin },
    });
    await open(ada, `/p/${drop.slug}/raw`);

    await expect.poll(() => namesOf(drop)).toEqual(["ada@example.com"]);
  });

  test("is never served from the edge's cache, so that every read reaches a function", async () => {
    const drop = await givenShared({ readers: ["@example.com"] });

    for (const email of ["one@example.com", "two@example.com"]) {
      const { visitor } = await givenReader({ emails: [email] });
      const { response } = await visitor.request(`${baseUrl()}/p/${drop.slug}/raw?v=1`);
      expect(response.headers["cache-control"]).toBe("private, no-store");
      expect(response.headers["x-cache"]).toMatch(/^Miss/);
    }

    await expect.poll(() => namesOf(drop)).toEqual(["one@example.com", "two@example.com"]);
  });
});

describe("a drop that requires no sign-in", () => {
  test.each([
    ["public", {}],
    ["unlisted", { visibility: "unlisted" }],
    ["unlisted with a passcode", { visibility: "unlisted", passcode: "open sesame" }],
  ])("has no reads, whether the reader is signed in or not: %s", async (_, fields) => {
    const drop = await publish(owner.api, fields);
    const { visitor } = await givenAda();
    await visitor.request(`${baseUrl()}/p/${drop.slug}/unlock`, {
      method: "POST",
      body: "passcode=open+sesame",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: baseUrl() },
    });

    await visitor.open(`${baseUrl()}/p/${drop.slug}`);
    await open({ visitor }, `/p/${drop.slug}/raw?v=1`);

    expect(await readsOf(drop)).toMatchObject({ reads: [], recording: false, readers_this_week: null });
    expect(await rowsOf(drop)).toEqual([]);
  });
});

test("a member who reads a drop for members is recorded", async () => {
  const drop = await publish(owner.api, { visibility: "members" });
  const member = await newOwner("trail-member");

  expect(await open(member, `/p/${drop.slug}/raw`)).toBe(200);

  await expect.poll(() => namesOf(drop)).toEqual([member.username]);
});

describe("a drop's read trail", () => {
  test("is visible only to its owner: others get the response for a missing drop", async () => {
    const drop = await givenShared();
    await openRecorded(await givenAda(), drop);
    const other = await newAccount("trail-other");

    const [foreign, missing] = await Promise.all(
      [drop.slug, "0000000"].map((slug) => other.api.call("list-reads", { params: { slug } })),
    );

    expect([foreign?.status, missing?.status]).toEqual([404, 404]);
    expect(JSON.parse(foreign?.text ?? "")).toEqual(JSON.parse(missing?.text ?? ""));
  });

  test("is listed page by page, with each read exactly once", async () => {
    const drop = await givenShared({ readers: ["@example.com"] });
    for (let index = 0; index < 5; index += 1)
      await openRecorded(await givenReader({ emails: [`r${index}@example.com`] }), drop);

    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const part = await readsOf(drop, { pageSize: 2, ...(cursor ? { cursor } : {}) });
      expect(part.reads.length).toBeLessThanOrEqual(2);
      seen.push(...part.reads.map(({ reader }) => reader));
      cursor = part.next_cursor;
    } while (cursor !== null);

    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((index) => `r${index}@example.com`));
  });

  test("is kept as long as the audit trail", async () => {
    const drop = await givenShared();

    await openRecorded(await givenAda(), drop);

    const [row] = await rowsOf(drop);
    expect(row?.ttl).toBe(Math.ceil(Number(row?.firstAtMs) / 1000) + auditDays * 24 * 60 * 60);
  });

  test("is deleted with the drop, by deletion or takedown", async () => {
    const [deleted, takenDown] = [await givenShared(), await givenShared()];
    for (const drop of [deleted, takenDown]) await openRecorded(await givenAda(), drop);

    for (const id of ["delete-drop", "purge-drop"] as const)
      await owner.api.succeed(id, { params: { slug: deleted.slug } });
    await run(takedownCommand, [takenDown.slug], { yes: true, "no-copy": true });

    for (const drop of [deleted, takenDown]) await expect.poll(() => rowsOf(drop)).toEqual([]);
  });

  test("stays with a transferred drop, and its new owner sees it", async () => {
    const drop = await givenShared();
    const heir = await newAccount("trail-heir");
    await openRecorded(await givenAda(), drop);

    await run(transferCommand, [owner.userId, heir.userId], { drops: drop.slug, yes: true });

    const { reads } = await heir.api.succeed("list-reads", { params: { slug: drop.slug } });
    expect(reads).toMatchObject([{ reader: "ada@example.com" }]);
    expect((await owner.api.call("list-reads", { params: { slug: drop.slug } })).status).toBe(404);
    expect(await open(owner, `/p/${drop.slug}/raw`)).toBe(404);
  });
});

test.each([
  ["who was suspended", suspendCommand],
  ["who is no longer a member", removeMemberCommand],
] as const)(
  "an owner %s cannot list the reads, or see the sharing settings and the Share button",
  async (_, command) => {
    const former = await newOwner("trail-former");
    const { slug } = await publish(former.api);
    const places = [`/p/${slug}`, `/account/drops/${slug}`];
    const openAll = () => Promise.all(places.map((path) => former.visitor.open(`${baseUrl()}${path}`)));
    const [viewer, panel] = await openAll();
    expect(viewer?.response.text).toContain('id="share-toggle"');
    expect(panel?.response.text).toContain("Save sharing settings");

    await run(command, [former.username], { yes: true });

    expect((await former.api.call("list-reads", { params: { slug } })).status).toBeGreaterThanOrEqual(401);
    for (const { response } of await openAll()) {
      expect(response.text).not.toContain('id="share-toggle"');
      expect(response.text).not.toContain("Save sharing settings");
    }
  },
);

describe("the owner's page of a drop", () => {
  test("has a section with the readers, escaped", async () => {
    const drop = await givenShared({ readers: ["group:engineering"] });
    await openRecorded(await givenReader({ username: "<b>ada", groups: ["engineering"] }), drop);

    const { response } = await owner.visitor.open(`/account/drops/${drop.slug}`);

    const sections = elementsOf(response, "section").map(textOf);
    expect(sections.find((section) => section.startsWith("Readers"))).toContain("<b>ada");
    expect(response.text).not.toContain("<b>ada");
  });

  test("shows how many people have opened the page this week, and names the latest three", async () => {
    const drop = await givenShared({ readers: ["@example.com"] });
    const sentence = async () => {
      const { response } = await owner.visitor.open(`/account/drops/${drop.slug}`);
      return elementsOf(response, "p")
        .map(textOf)
        .find((words) => words.includes("this week"));
    };
    expect(await sentence()).toBe("No one has opened the page this week.");

    for (const name of ["one", "two", "three", "four"])
      await openRecorded(await givenReader({ emails: [`${name}@example.com`] }), drop);

    expect(await sentence()).toBe(
      "4 people have opened the page this week: four@example.com, three@example.com, two@example.com and 1 other.",
    );
  });

  test("does not mention readers of a public drop", async () => {
    const drop = await publish(owner.api);

    const { response } = await owner.visitor.open(`/account/drops/${drop.slug}`);

    expect(response.text).not.toContain("this week");
    expect(elementsOf(response, "h2").map(textOf)).not.toContain("Readers");
  });
});

test("readers are informed of the read trail at the sign-in, beside their name, and in the library", async () => {
  const { text } = await fetchPage("/p/0000000/raw", { headers: { "sec-fetch-dest": "document" } });
  const { visitor } = await givenAda();
  const signedIn = await visitor.open(`${baseUrl()}/login/read`);

  expect(text).toContain(told);
  const library = await visitor.open(`${baseUrl()}/library`);

  expect(signedIn.response.text).toContain(told);
  expect(library.response.text).toContain(told);
});

describe("a person's reads", () => {
  const folder = scratchFolder();

  test("can be listed and deleted by an operator, for that person only and even without an account", async () => {
    const drop = await givenShared({ readers: ["lin@example.net", "ada@example.com"] });
    await openRecorded(await givenReader({ emails: ["lin@example.net"] }), drop);
    await openRecorded(await givenAda(), drop);

    const listed = await run(readsCommand, ["lin@example.net"]);
    const deletion = await run(readsCommand, ["lin@example.net"], { delete: true, yes: true });

    expect(listed.lines).toEqual([`${today()}  ${drop.slug}  lin@example.net`, "Reads: 1."]);
    expect(deletion.lines.at(-1)).toBe("Reads deleted: 1.");
    await expect.poll(() => namesOf(drop)).toEqual(["ada@example.com"]);
  });

  test("are exported and deleted with the person's account", async () => {
    const drop = await publish(owner.api, { visibility: "members" });
    const member = await newOwner("trail-leaver");
    await openRecorded(member, drop);
    const to = join(folder, "export");

    await run(exportCommand, [member.userId], { to });
    const { lines } = await run(deleteAccountCommand, [member.userId], { yes: true });

    expect(JSON.parse(readFileSync(join(to, "reads.json"), "utf8"))).toMatchObject([
      { slug: drop.slug, day: today(), reader: member.username },
    ]);
    expect(lines).toContain("Reads deleted: 1.");
    expect(await namesOf(drop)).toEqual([]);
    expect(await getItem(keys.account(member.userId))).toBeUndefined();
  });
});

test("the log names no reader, and neither does a shared drop's item", async () => {
  const drop = await givenShared();
  await openRecorded(await givenAda({ emails: ["ada@example.com", "unlogged@example.com"] }), drop);

  expect(readFileSync(join(service.directory, "log.txt"), "utf8")).not.toMatch(/unlogged@|ada@example/);
  expect(JSON.stringify(await drops.find(owner.userId, drop.slug))).not.toContain("unlogged");
});
