import { randomInt } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDrop, type Drop } from "../../functions/drops/drop.ts";
import { toDropItem } from "../../functions/drops/items.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { pages, s3 } from "../../functions/drops/page-objects.ts";
import { environmentNames } from "../../functions/http/environment.ts";
import type { Reader } from "../../functions/identity/readers.ts";
import type { Visibility } from "../../functions/identity/visibility.ts";
import { findDrops } from "../../functions/search/find-drops.ts";
import { readManifest, writeManifest } from "../../functions/search/index-files.ts";
import { cleanIndex, updateIndex } from "../../functions/search/index-writer.ts";
import { latestSnapshot } from "../../functions/search/snapshot.ts";
import { createObjectId, createSlug } from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { environmentOf } from "../../scripts/bench/calls/measure-in-stack.ts";
import { resetUnreadableIndex } from "../../scripts/operator/upkeep/search-index.ts";
import { type OwnStorage, runOwnStorage } from "../support/own-storage.ts";

// An oracle that knows all texts and rights, while drops change at random and the index follows later, in another order, and twice.

let storage: OwnStorage;

beforeAll(async () => {
  storage = await runOwnStorage();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  Object.assign(
    process.env,
    await environmentOf({ template: storage.template, awsEndpoint: storage.endpoint }),
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await storage.remove();
});

const words = Array.from({ length: 12 }, (_, index) => `word${"abcdefghijkl"[index]}`);

/** A drop as the oracle knows it. */
interface KnownDrop {
  readonly drop: Drop;
  readonly text: string;
}

const owners = ["owner1", "owner2"];

function reader(name: string, isMember: boolean): Reader {
  const identity = { provider: "test", id: name, username: name, emails: [`${name}@example.com`] };
  return {
    identity: { ...identity, groups: name === "ada" ? ["team"] : [], organizations: [] },
    userId: owners.includes(name) ? name : undefined,
    isMember,
    isBarred: false,
  } as Reader;
}

const readers = [reader("owner1", true), reader("owner2", true), reader("ada", true), reader("bob", false)];

function mayFind({ drop }: KnownDrop, { identity, userId, isMember }: Reader, nowMs: number): boolean {
  if (drop.expiresAtMs !== undefined && drop.expiresAtMs <= nowMs) return false;
  if (drop.ownerId === userId) return true;
  if (drop.gate.kind === "locked") return false;
  const { visibility } = drop;
  if (visibility.kind === "members") return isMember;
  return (
    visibility.kind === "people" &&
    visibility.readers.some((rule) =>
      rule.kind === "group"
        ? identity.groups.includes(rule.group)
        : rule.kind === "email" && identity.emails.includes(rule.email),
    )
  );
}

function hasWord({ drop, text }: KnownDrop, word: string): boolean {
  const shown = drop.gate.kind === "locked" ? "" : `${text} ${drop.description ?? ""}`;
  return `${drop.title} ${shown}`.split(" ").includes(word);
}

const oneOf = <One>(all: readonly One[]): One => all[randomInt(all.length)] as One;
const someWords = () => Array.from({ length: 3 }, () => oneOf(words)).join(" ");

const visibilities: readonly Visibility[] = [
  { kind: "members" },
  { kind: "unlisted" },
  { kind: "people", readers: [{ kind: "email", email: "bob@example.com" }] },
  { kind: "people", readers: [{ kind: "group", group: "team" }] },
];

async function putPage(slug: string, text: string) {
  const page = toStoredPage(slug, createObjectId(randomInt), { html: `<p>${text}</p>`, title: "" } as never);
  await pages.put(page);
  return page;
}

async function newDrop(): Promise<KnownDrop> {
  const slug = createSlug(randomInt);
  const text = someWords();
  const ownerId = oneOf(owners);
  const page = await putPage(slug, text);
  const { drop } = createDrop({ userId: ownerId, namespace: ownerId }, { title: someWords() }, page, {
    slug,
    passcodeHash: undefined,
    reach: { visibility: oneOf(visibilities), indexed: false },
    nowMs: Date.now(),
  });
  return { drop, text };
}

/** Another state of a drop, as an owner's call makes it. */
async function changed({ drop, text }: KnownDrop): Promise<KnownDrop> {
  const next = { ...drop, revision: drop.revision + 1 };
  switch (randomInt(6)) {
    case 0: {
      const newText = someWords();
      const page = await putPage(drop.slug, newText);
      const latest = { version: drop.latest.version + 1, pageKey: page.key, hasContext: false };
      return { drop: { ...next, latest }, text: newText };
    }
    case 1:
      return { drop: { ...next, title: someWords() }, text };
    case 2:
      return { drop: { ...next, description: someWords() }, text };
    case 3: {
      const gate = { kind: "locked", epoch: drop.gate.epoch + 1, passcodeHash: "scrypt$0" } as const;
      return {
        drop: { ...next, gate: drop.gate.kind === "open" ? gate : { kind: "open", epoch: gate.epoch } },
        text,
      };
    }
    case 4:
      return { drop: { ...next, expiresAtMs: oneOf([undefined, 1, Date.now() + 60_000_000]) }, text };
    default:
      return { drop: { ...next, visibility: oneOf(visibilities) }, text };
  }
}

async function find(who: Reader, word: string, nowMs: number) {
  const { results } = await findDrops(who, { q: word, tags: [], page: 1, pageSize: 200 }, nowMs);
  return results;
}

test.each([
  ["missing", undefined],
  ["damaged", "no database"],
])(
  "an index with a %s file is begun anew, and one that cannot be reached is not",
  {
    tags: ["slow"],
  },
  async (name, Body) => {
    const Key = `_search/${name}.sqlite`;
    if (Body)
      await s3.send(new PutObjectCommand({ Bucket: process.env[environmentNames.pagesBucket], Key, Body }));
    const found = await readManifest();
    const segment = { key: Key, entries: 1, bytes: 11, level: 0 };
    await writeManifest({ ...found.manifest, segments: [segment] }, found);
    const keys = async () => (await readManifest()).manifest.segments.map(({ key }) => key);

    const send = vi.spyOn(s3, "send").mockImplementation(() => Promise.reject(new Error("no connection")));
    await expect(resetUnreadableIndex()).rejects.toThrow("no connection");
    send.mockRestore();
    expect(await keys()).toEqual([Key]);

    expect([await resetUnreadableIndex(), await keys()]).toEqual([true, []]);
    expect(await resetUnreadableIndex()).toBe(false);
  },
);

const changesMax = Number(process.env.SEARCH_CHANGES ?? 600);

test("searches never show what the searcher may not read, and are complete once the index has followed", {
  tags: ["slow"],
  timeout: 3_600_000,
}, async () => {
  const known = new Map<string, KnownDrop>();
  let waiting: string[] = [];
  const place = (slug: string) => ({ slug, ownerId: ownerOf.get(slug) as string });
  const ownerOf = new Map<string, string>();
  await writeItems({
    puts: owners.map((id) => ({ ...keys.account(id), namespace: id, username: id, createdAtMs: 1 })),
    deletes: [],
  });

  for (let change = 1; change <= changesMax; change += 1) {
    const before = known.size > 0 && randomInt(4) > 0 ? oneOf([...known.values()]) : undefined;
    if (before && randomInt(8) === 0) {
      known.delete(before.drop.slug);
      await writeItems({ puts: [], deletes: [keys.drop(before.drop.ownerId, before.drop.slug)] });
      waiting.push(before.drop.slug);
    } else {
      const after = before ? await changed(before) : await newDrop();
      known.set(after.drop.slug, after);
      ownerOf.set(after.drop.slug, after.drop.ownerId);
      await writeItems({ puts: [toDropItem(after.drop)], deletes: [] });
      waiting.push(after.drop.slug);
    }
    // The stream's changes come in batches, sometimes again, by two writers at the same time.
    if (randomInt(5) === 0) {
      const batch = waiting.filter(() => randomInt(2) === 0);
      waiting = waiting.filter((slug) => !batch.includes(slug));
      const half = batch.slice(0, batch.length / 2);
      await Promise.all([batch, half].map((some) => updateIndex(some.map(place), Date.now())));
      if (randomInt(10) === 0) await cleanIndex(Date.now());
    }
    const [who, word, nowMs] = [oneOf(readers), oneOf(words), Date.now()];
    for (const { drop, owner, snippet } of await find(who, word, nowMs)) {
      const truth = known.get(drop.slug);
      expect(truth && mayFind(truth, who, nowMs) && hasWord(truth, word), `${drop.slug} for ${word}`).toBe(
        true,
      );
      expect(owner).toBe(truth?.drop.ownerId);
      const readable = `${truth?.text} ${truth?.drop.title} ${truth?.drop.description}`.split(" ");
      for (const shown of snippet.text.split(" ").filter((one) => one !== ""))
        expect(readable).toContain(shown);
    }
    if (change % 100 > 0 && change !== changesMax) continue;
    await updateIndex(waiting.map(place), Date.now());
    waiting = [];
    for (const one of readers)
      for (const sought of words) {
        const found = (await find(one, sought, nowMs)).map(({ drop }) => drop.slug);
        const expected = [...known.values()].filter(
          (each) => mayFind(each, one, nowMs) && hasWord(each, sought),
        );
        expect(found.toSorted()).toEqual(expected.map(({ drop }) => drop.slug).toSorted());
      }
  }
  await cleanIndex(Date.now());
  const texts = (await latestSnapshot()).segments.flatMap(({ segment, rows }) =>
    segment.rows.filter((row) => !row.isRemoved && !rows.has(row.id) && !known.has(row.slug)),
  );
  expect(texts, "texts of drops that are gone").toEqual([]);
});
