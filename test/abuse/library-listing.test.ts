// @module-tag nightly

import { randomUUID } from "node:crypto";
import { BatchGetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import { type LibraryRequest, listLibraryDrops } from "../../functions/library/listing.ts";
import { findReader, type Reader } from "../../functions/people/find-reader.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { type Key, keys, type LibraryPosition } from "../../functions/table/keys.ts";
import { dynamodb, getItems, type Item } from "../../functions/table/table.ts";
import { updateItem, writeItems } from "../../functions/table/table-writes.ts";
import { givenAct } from "../support/given-act.ts";
import { within } from "../support/promised-time.ts";
import { type GivenPerson, givenDrops, givenPerson, openStores } from "./given-person.ts";
import { setVisibility } from "./given-reader.ts";

// Tests the listing that the operation and the page share, in this process, with the service's table and index.

beforeAll(openStores);
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const onlyMembers = () => vi.stubEnv("MEMBERS", "");
const all: LibraryRequest = {
  search: undefined,
  owner: undefined,
  tags: [],
  pageSize: 200,
  after: undefined,
};

describe("the library", () => {
  const run = randomUUID().slice(0, 8);
  const domain = `${run}.example.com`;
  const kinds = {
    public: { kind: "public" },
    unlisted: { kind: "unlisted" },
    members: { kind: "members" },
    address: { kind: "people", readers: [{ kind: "email", email: `grace@${domain}` }] },
    domain: { kind: "people", readers: [{ kind: "domain", domain }] },
    username: { kind: "people", readers: [{ kind: "username", username: `grace-${run}` }] },
    nobody: { kind: "people", readers: [] },
  } as const satisfies Record<string, Visibility>;
  type Kind = keyof typeof kinds;
  const slugs = new Map<string, Kind>();
  let owner: GivenPerson;

  beforeAll(async () => {
    owner = await givenPerson("shelves");
    const given = await givenDrops(owner, Object.keys(kinds).length);
    for (const [index, [kind, visibility]] of Object.entries(kinds).entries()) {
      const drop = given[index] as Drop;
      slugs.set(drop.slug, kind as Kind);
      await setVisibility(drop, visibility);
      // Adds stale entries for all readers. Only the drop's own visibility may count.
      await indexForAll(drop);
    }
  });

  const indexForAll = (drop: Drop) =>
    writeItems({
      puts: Object.values(kinds)
        .flatMap((visibility) => entriesOf({ ...drop, visibility }))
        .map((key) => ({ ...key })),
      deletes: [],
    });

  const member = () => ({ username: `ida-${run}`, emails: [`ida@member-${run}.example`] });

  test.each<[string, () => { username: string; emails: string[] }, Kind[]]>([
    ["public and members' drops to a member", member, ["public", "members"]],
    [
      "drops for an address and its domain to their reader",
      () => person("x", `grace@${domain}`),
      ["address", "domain"],
    ],
    ["drops for a domain to a person of it", () => person("y", `hope@${domain}`), ["domain"]],
    [
      "drops for a user name to its holder, in any case",
      () => ({ username: ` GRACE-${run}`, emails: [] }),
      ["username"],
    ],
    ["nothing to a person of a similar domain", () => person("z", `grace@x${domain}`), []],
    ["nothing to a stranger", () => person("stranger", "stranger@example.net"), []],
  ])("shows %s, if only members may publish", async (_, facts, expected) => {
    onlyMembers();
    const [email = ""] = member().emails;
    await update(keys.member("email", email), "SET createdAtMs = :value REMOVE deniedAtMs");

    expect(await shown(await readerOf(facts()))).toEqual(expected);
  });

  test("leaves public drops to their owners' pages, if anyone may publish", async () => {
    vi.stubEnv("MEMBERS", '"anyone"');

    expect(await shown(await readerOf(member()))).toEqual(["members"]);
  });

  test("shows nothing to a removed, banned or suspended person", async () => {
    onlyMembers();
    const [email = ""] = member().emails;
    await update(keys.member("email", email), "SET createdAtMs = :value, deniedAtMs = :value");
    expect(await shown(await readerOf(member()))).toEqual([]);

    const grace = { username: `grace-${run}`, emails: [`grace@${domain}`], id: randomUUID() };
    expect(await shown(await readerOf(grace))).toEqual(["address", "domain", "username"]);
    await update(keys.identity("https://id.example.com", grace.id), "SET bannedAtMs = :value");
    expect(await shown(await readerOf(grace))).toEqual([]);
  });

  test("omits and reports an unreadable drop, and lists the others", async () => {
    onlyMembers();
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const [slug = ""] = [...slugs].find(([, kind]) => kind === "address") ?? [];
    const key = keys.drop(owner.userId, slug);
    const [row] = await getItems([key]);
    const set = (metadata: unknown) => update(key, "SET metadata = :value", metadata);

    await set("no JSON");
    const meanwhile = await shown(await readerOf(person("x", `grace@${domain}`)));
    await set(row?.metadata);

    expect(meanwhile).toEqual(["domain"]);
    expect(JSON.parse(String(write.mock.lastCall?.[0]))).toMatchObject({ event: "drop-not-listed", slug });
  });

  test.each(["suspendedAtMs", "deletingAtMs"])(
    "shows no drop of an owner whose account has %s",
    async (mark) => {
      onlyMembers();
      const colleague = await readerOf(person("w", `hope@${domain}`));
      await update(keys.account(owner.userId), `SET ${mark} = :value`);

      const meanwhile = await shown(colleague);
      await update(keys.account(owner.userId), `SET seenAtMs = :value REMOVE ${mark}`);

      expect(meanwhile).toEqual([]);
      expect(await shown(colleague)).toEqual(["domain"]);
    },
  );

  async function shown(reader: Reader): Promise<Kind[]> {
    const { drops: found } = await listLibraryDrops(reader, { ...all, owner: owner.namespace }, Date.now());
    const order = Object.keys(kinds);
    return found
      .flatMap(({ drop }) => slugs.get(drop.slug) ?? [])
      .sort((one, other) => order.indexOf(one) - order.indexOf(other));
  }

  const person = (name: string, email: string) => ({ username: `${name}-${run}`, emails: [email] });
});

test("a drop whose readers change disappears from a former reader's library as soon as the change is stored", async () => {
  onlyMembers();
  const owner = await givenPerson("closing");
  const reader = await readerOf({ username: `closing-${owner.namespace}`, emails: [] });
  const given = await givenDrops(owner, 8);
  for (const drop of given) await name(drop, reader);
  const closed = new Set<string>();
  const looks = async () => {
    while (closed.size < given.length) {
      const before = new Set(closed);
      const { drops: found } = await listLibraryDrops(reader, all, Date.now());
      expect(found.map(({ drop }) => drop.slug).filter((slug) => before.has(slug))).toEqual([]);
    }
  };
  const closes = async () => {
    for (const drop of given) {
      await setVisibility(drop, { kind: "unlisted" });
      closed.add(drop.slug);
    }
  };

  await Promise.all([looks(), looks(), closes()]);

  expect((await listLibraryDrops(reader, all, Date.now())).drops).toEqual([]);
});

describe("the pages of a long library", () => {
  test("together list each drop once, newest first, despite stale entries", async () => {
    onlyMembers();
    const owner = await givenPerson("long");
    const email = `${owner.namespace}@${owner.namespace}.example`;
    const reader = await readerOf({ username: `long-${owner.namespace}`, emails: [email] });
    const given = await givenDrops(owner, 30);
    const rules = [
      { kind: "email", email },
      { kind: "domain", domain: `${owner.namespace}.example` },
      { kind: "username", username: `long-${owner.namespace}` },
    ] as const;
    for (const [index, drop] of given.entries()) {
      const visibility = {
        kind: "people",
        readers: rules.filter((_, rule) => (index + rule) % 3 !== 0),
      } as const;
      await setVisibility(drop, visibility);
      await writeItems({ puts: entriesOf({ ...drop, visibility }).map((key) => ({ ...key })), deletes: [] });
    }
    await writeItems({ puts: nowhere(`people#${email}`, 40, (given[7] as Drop).createdAtMs), deletes: [] });

    for (const pageSize of [1, 7, 200]) {
      const seen: Drop[] = [];
      let after: LibraryPosition | undefined;
      let parts = 0;
      do {
        const part = await listLibraryDrops(reader, { ...all, pageSize, after }, Date.now());
        expect(part.drops.length).toBeLessThanOrEqual(pageSize);
        seen.push(...part.drops.map(({ drop }) => drop));
        after = part.next;
        parts += 1;
      } while (after !== undefined && parts < 200);
      expect(seen.map(({ slug }) => slug)).toEqual(newestFirst(given).map(({ slug }) => slug));
    }
  });

  test("take at most three queries each, also when they skip a thousand stale entries", async () => {
    onlyMembers();
    const owner = await givenPerson("stale");
    const [drop] = await givenDrops(owner, 1);
    const reader = await readerOf({ username: `stale-${owner.namespace}`, emails: [] });
    await name(drop as Drop, reader);
    const audience = `people#stale-${owner.namespace}`;
    await writeItems({ puts: nowhere(audience, 1_000, Date.now() + 1_000), deletes: [] });
    const send = vi.spyOn(dynamodb, "send");
    const counted = () => {
      const commands = send.mock.calls.map(([command]) => command);
      const queries = commands.filter((command) => command instanceof QueryCommand);
      const keysRead = commands.flatMap((command) =>
        command instanceof BatchGetCommand
          ? Object.values(command.input.RequestItems ?? {}).map(({ Keys = [] }) => Keys.length)
          : [],
      );
      send.mockClear();
      return { queries: queries.length, keys: keysRead.reduce((sum, one) => sum + one, 0) };
    };

    let after: LibraryPosition | undefined;
    const found: string[] = [];
    let parts = 0;
    do {
      const part = await listLibraryDrops(reader, { ...all, after }, Date.now());
      // Three rounds for one name.
      expect(counted()).toEqual({
        queries: expect.toSatisfy((count) => count <= 3),
        keys: expect.toSatisfy((count) => count <= 600),
      });
      found.push(...part.drops.map(({ drop: { slug } }) => slug));
      after = part.next;
      parts += 1;
    } while (after !== undefined && parts < 20);

    expect(found).toEqual([drop?.slug]);
    expect(parts).toBeGreaterThanOrEqual(4);
    // For one owner, ten times as many entries are checked at once, by their keys only.
    const { drops: own } = await listLibraryDrops(reader, { ...all, owner: owner.namespace }, Date.now());
    expect(own.map(({ drop: { slug } }) => slug)).toEqual([drop?.slug]);
  });
});

test("a deleted drop leaves no library entry", async () => {
  const owner = await givenPerson("gone");
  const [drop] = await givenDrops(owner, 1);
  const visibility = { kind: "people", readers: [{ kind: "username", username: owner.namespace }] } as const;
  await setVisibility(drop as Drop, visibility);
  const entries = entriesOf({ ...(drop as Drop), visibility });
  await expect.poll(() => there(entries), within(20)).toBe(1);

  await drops.remove(owner.userId, drop?.slug ?? "", givenAct());

  await expect.poll(() => there(entries), within(20)).toBe(0);
});

async function there(entries: readonly Key[]): Promise<number> {
  return (await getItems(entries)).length;
}

/** Restricts a drop to a reader by user name, in drop and index. */
async function name(drop: Drop, { identity }: Reader): Promise<void> {
  const visibility = {
    kind: "people",
    readers: [{ kind: "username", username: identity.username }],
  } as const;
  await setVisibility(drop, visibility);
  await writeItems({ puts: entriesOf({ ...drop, visibility }).map((key) => ({ ...key })), deletes: [] });
}

/** Creates index entries of missing drops. */
function nowhere(audience: string, count: number, newestAtMs: number): Item[] {
  const ownerId = randomUUID().replaceAll("-", "").slice(0, 16);
  return Array.from({ length: count }, (_, index) => {
    const slug = `x${String(index).padStart(6, "0")}`;
    return { ...keys.libraryEntry(audience, { createdAtMs: newestAtMs - index, slug, ownerId }) };
  });
}

function newestFirst(given: readonly Drop[]): Drop[] {
  return given.toSorted(
    (one, other) => other.createdAtMs - one.createdAtMs || (one.slug < other.slug ? 1 : -1),
  );
}

function readerOf(facts: { username: string; emails: string[]; id?: string }): Promise<Reader> {
  const identity = {
    provider: "https://id.example.com",
    id: randomUUID(),
    groups: [],
    organizations: [],
    ...facts,
  };
  return findReader({ identity, userId: undefined });
}

async function update(key: Key, expression: string, value: unknown = Date.now()): Promise<void> {
  const condition = "attribute_exists(pk) OR attribute_not_exists(pk)";
  await updateItem({ key, update: expression, condition, values: { ":value": value } });
}
