import { expect, test, vi } from "vitest";
import { drops } from "../../functions/drops/store.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import { latestSnapshot, newestEntry } from "../../functions/search/snapshot.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { takeLease } from "../../functions/table/lease.ts";
import { getItems } from "../../functions/table/table.ts";
import { deleteItems, updateItem, writeItems } from "../../functions/table/table-writes.ts";
import { visibilityCommand } from "../../scripts/operator/accounts/visibility.ts";
import {
  correctLibraryEntries,
  findDifference,
  reindexCommand,
} from "../../scripts/operator/upkeep/reindex.ts";
import { within } from "../support/promised-time.ts";
import { newOwner, type Owner, openGivenService, runCommand } from "./given-service.ts";

// Other test files publish to the same service, so the command's numbers include their drops.

const given = await openGivenService();

const reindex = (options: Record<string, boolean> = {}) => runCommand(reindexCommand, given, [], options);

test("reindex reports missing and surplus library entries, then corrects them", {
  tags: "slow",
}, async () => {
  const owner = await newOwner(given.service, "reindexed");
  const [named, forMembers] = [
    await publish(owner, { visibility: "people", readers: ["ada@example.com", "@example.org"] }),
    await publish(owner, { visibility: "members" }),
  ];
  const gone = keys.libraryEntry("members", { createdAtMs: 1, slug: "gone000", ownerId: owner.userId });
  const stale = keys.libraryEntry("people#bob", {
    createdAtMs: 1,
    slug: forMembers.slug,
    ownerId: owner.userId,
  });
  await writeItems({
    puts: [gone, stale].map((key) => ({ ...key })),
    deletes: [...named.entries, ...forMembers.entries],
  });

  const told = await reindex();
  const fixed = await reindex({ fix: true });

  expect(told.isWell).toBe(false);
  expect(told.lines.join()).toMatch(/^Entries missing: \d+, surplus: \d+\.$/);
  expect(fixed.isWell).toBe(true);
  expect(fixed.lines.join()).toMatch(/^Entries missing: \d+, surplus: \d+, corrected\.$/);
  expect(await there([...named.entries, ...forMembers.entries])).toBe(3);
  expect(await there([gone, stale])).toBe(0);
});

test("a drop with unreadable metadata is indexed, and its visibility is reported", {
  tags: "slow",
}, async () => {
  const owner = await newOwner(given.service, "reindexed-broken");
  const { slug, entries } = await publish(owner, { visibility: "members" });
  await updateItem({
    key: keys.drop(owner.userId, slug),
    update: "SET metadata = :text",
    condition: "attribute_exists(pk)",
    values: { ":text": "no JSON" },
  });
  await deleteItems(entries);

  const fixed = await reindex({ fix: true });
  const open = await runCommand(visibilityCommand, given, [owner.userId], { "more-open-than": "people" });

  expect(fixed.isWell).toBe(true);
  expect(await there(entries)).toBe(1);
  expect(open.lines[0]).toContain(`/d/${slug}  members  would be people`);
  await owner.deleteForGood(slug);
});

test("reindex does not undo the service's concurrent change of a drop", { tags: "slow" }, async () => {
  const owner = await newOwner(given.service, "reindexed-late");
  const { slug, entries } = await publish(owner, { visibility: "members" });
  // The drop was read while it was for members, and is checked when it is for ada.
  await owner.json("PATCH", `/api/drops/${slug}`, { visibility: "people", readers: ["ada"] });
  const drop = await drops.find(owner.userId, slug);
  const now = drop ? entriesOf(drop) : [];
  await expect.poll(() => there(now), within(20)).toBe(1);

  const suspected = { ownerId: owner.userId, slug, seen: entries };

  expect(await correctLibraryEntries(suspected)).toEqual({ missing: [], stale: [] });
  expect(await findDifference(suspected)).toEqual({ missing: [], stale: [] });
  expect([await there(now), await there(entries)]).toEqual([1, 0]);
});

test("reindex reports missing and outdated drops in the search index, then corrects them", {
  tags: "nightly",
}, async () => {
  const owner = await newOwner(given.service, "reindexed-search");
  const outdated = await owner.publish("<p>first</p>", { visibility: "members" });
  await expect.poll(() => indexedRevision(outdated), within(20)).toBe(1);
  const lease = await vi.waitFor(async () => {
    const taken = await takeLease("search-index", { seconds: 30, isRenewed: true });
    if (taken === undefined) throw new Error("The index is being written.");
    return taken;
  }, within(60));
  const missing = await owner.publish("<p>second</p>", { visibility: "members" });
  await owner.json("PATCH", `/api/drops/${outdated}`, { title: "Another title" });

  const told = await reindex({ search: true });
  const fixed = await reindex({ search: true, fix: true });
  const again = [await indexedRevision(missing), await indexedRevision(outdated)];
  await lease.release();

  expect(told.isWell).toBe(false);
  expect(told.lines.at(-1)).toMatch(
    /^Drops missing: [1-9]\d*, outdated: [1-9]\d*, deleted but indexed: \d+\.$/,
  );
  expect(fixed.isWell).toBe(true);
  expect(again).toEqual([1, 2]);
});

/** Returns a drop's revision in the search index. */
async function indexedRevision(slug: string): Promise<number | undefined> {
  const { segments } = await latestSnapshot();
  return newestEntry(segments, slug)?.row.revision;
}

test("unknown arguments are refused", async () => {
  await expect(runCommand(reindexCommand, given, ["all"])).rejects.toThrow("the command takes no arguments");
});

/** Publishes a drop, waits until it is indexed, and returns its library entries. */
async function publish(owner: Owner, visibility: object): Promise<{ slug: string; entries: readonly Key[] }> {
  const slug = await owner.publish("<p>indexed</p>", visibility);
  const drop = await drops.find(owner.userId, slug);
  const entries = drop ? entriesOf(drop) : [];
  await expect.poll(() => there(entries)).toBe(entries.length);
  return { slug, entries };
}

async function there(entries: readonly Key[]): Promise<number> {
  return (await getItems(entries)).length;
}
