// @module-tag slow

import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accessRequests } from "../../functions/access-requests/store.ts";
import { limits } from "../../functions/core/limits.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { drops } from "../../functions/drops/store.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { fairShare } from "../../functions/table/rate-rules.ts";
import { queryAll } from "../../functions/table/table.ts";
import { writeItems } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { exportAccount, makeCopyFolder } from "../../scripts/operator/export.ts";
import { addHoldCommand, removeHoldCommand } from "../../scripts/operator/hold.ts";
import { findUser, readPartition } from "../../scripts/operator/table-reads.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { storeAccessRequest } from "../support/given-access-request.ts";
import { race } from "../support/race.ts";
import { newOwner, type Owner, openGivenService, runCommand, scratchFolder } from "./given-service.ts";

const given = await openGivenService();
const scratch = scratchFolder();

const path = "/api/access-requests";
const namesOf = async (owner: Owner): Promise<string[]> =>
  (await owner.json("GET", path)).requests.map(({ name }: { readonly name: string }) => name);
const entriesOf = ({ userId }: Owner) => queryAll(ranges.accessEntries(userId));
const rowsOf = async (slug: string) =>
  (await readPartition(given.service.tableName, keys.pointer(slug).pk)).filter(({ sk }) =>
    /^ACCESS/.test(sk),
  );

/** Creates an owner with a drop that another person can read. */
async function givenDrop(
  name = "ada",
): Promise<{ readonly owner: Owner; readonly slug: string; readonly drop: Drop }> {
  const owner = await newOwner(given.service, name);
  const slug = await owner.publish("<p>Report</p>", {
    visibility: "people",
    readers: ["nobody@example.com"],
  });
  const drop = await drops.find(owner.userId, slug);
  if (drop === undefined) throw new Error("The drop is not there.");
  return { owner, slug, drop };
}

describe("a request for access", () => {
  test("is deleted with a purged drop, a page taken down or a deleted account", async () => {
    const [purged, down, left] = [await givenDrop(), await givenDrop(), await givenDrop()];
    for (const { drop } of [purged, down, left]) await storeAccessRequest(drop);

    await purged.owner.deleteForGood(purged.slug);
    await runCommand(takedownCommand, given, [down.slug], { yes: true, "no-copy": true });
    await runCommand(deleteAccountCommand, given, [left.owner.namespace], { yes: true });

    for (const { owner, slug } of [purged, down, left]) {
      await expect.poll(() => rowsOf(slug)).toEqual([]);
      await expect.poll(() => entriesOf(owner)).toEqual([]);
    }
  });

  test("moves with a transferred drop, and its new owner responds to it", async () => {
    const { owner, slug, drop } = await givenDrop();
    const other = await newOwner(given.service, "grace");
    const id = await storeAccessRequest(drop, "joan");

    await runCommand(transferCommand, given, [owner.userId, other.userId], { yes: true });

    expect([await namesOf(owner), await namesOf(other)]).toEqual([[], ["joan"]]);
    expect(await entriesOf(owner)).toEqual([]);
    expect((await owner.call("DELETE", `${path}/${slug}/${id}`)).status).toBe(404);
    await storeAccessRequest({ ownerId: other.userId, slug }, "joan", { text: "Again" });
    expect(await other.json("GET", path)).toMatchObject({ requests: [{ text: "Again" }] });
    expect((await other.call("DELETE", `${path}/${slug}/${id}`)).status).toBe(204);
    expect(await entriesOf(other)).toEqual([]);
  });

  test("is part of an operator's export of the account", async () => {
    const { owner, slug, drop } = await givenDrop();
    await storeAccessRequest(drop);
    const folder = join(mkdtempSync(join(scratch, "copy-")), "ada");

    await exportAccount(given.service, await findUser(owner.userId), await makeCopyFolder(folder));

    const copied = JSON.parse(readFileSync(join(folder, "drops", slug, "access-requests.json"), "utf8"));
    expect(copied).toMatchObject([{ slug, name: "grace", text: "Please." }]);
  });

  test("cannot be dismissed under legal hold, and the person's next request keeps the earlier one", async () => {
    const { owner, slug, drop } = await givenDrop();
    const id = await storeAccessRequest(drop);
    await runCommand(addHoldCommand, given, [slug]);

    const { status } = await owner.call("DELETE", `${path}/${slug}/${id}`);
    await storeAccessRequest(drop, "grace", { text: "Again" });

    expect(status).toBe(403);
    expect((await rowsOf(slug)).map(({ text }) => text)).toEqual(["Again", "Please."]);
    expect(await owner.json("GET", path)).toMatchObject({ requests: [{ id, text: "Again" }] });
    await runCommand(removeHoldCommand, given, [slug], {}, slug);
    expect((await owner.call("DELETE", `${path}/${slug}/${id}`)).status).toBe(204);
    expect(await namesOf(owner)).toEqual([]);
  });

  test("is not listed for an expired drop, or after 30 days", async () => {
    const [over, old] = [await givenDrop(), await givenDrop()];
    const longAgo = Date.now() - (limits.accessRequestDays * 86_400_000 + 60_000);
    await storeAccessRequest(over.drop);
    await storeAccessRequest(old.drop, "grace", { requestedAtMs: longAgo });
    await drops.change(
      over.drop,
      { action: "edit-drop", actor: { kind: "visitor" }, atMs: 0 },
      (current) => ({
        drop: { ...current, expiresAtMs: Date.now() - 1, revision: current.revision + 1 },
      }),
    );

    expect([await namesOf(over.owner), await namesOf(old.owner)]).toEqual([[], []]);
    expect(await accessRequests.listOf(old.drop, Date.now())).toEqual([]);
  });
});

describe("a list of requests for access", () => {
  test("has at most a hundred requests per drop, also with concurrent requests", async () => {
    const { owner, drop } = await givenDrop();
    const already = limits.accessRequestsPerDropMax - 3;
    for (let count = 0; count < already; count += 1) await storeAccessRequest(drop, `reader-${count}`);

    await race(8, (racer) => storeAccessRequest(drop, `racer-${racer}`));
    await storeAccessRequest(drop, "reader-0", { text: "Still mine" });

    expect(await accessRequests.listOf(drop, Date.now())).toHaveLength(limits.accessRequestsPerDropMax);
    expect(await entriesOf(owner)).toHaveLength(limits.accessRequestsPerDropMax);
    expect((await accessRequests.listOf(drop, Date.now()))[0]).toMatchObject({ text: "Still mine" });
  });

  test("limits each person to a fair share, and accepts no request when it is full", async () => {
    const { owner, drop } = await givenDrop();
    const free = 8;
    const ofOthers = limits.accessRequestsPerOwnerMax - free;
    const nowMs = Date.now();
    const ttl = Math.ceil(nowMs / 1000) + 3_600;
    const entry = (order: number, personHash: string) => ({
      ...keys.accessEntry(owner.userId, { atMs: nowMs, slug: "aB3dE5f", id: String(order) }),
      personHash,
      ttl,
    });
    const part = fairShare(free);
    const greedy = "greedy";
    await writeItems({
      puts: [
        ...Array.from({ length: ofOthers }, (_, order) => entry(order, `other-${order}`)),
        ...Array.from({ length: part }, (_, order) => entry(ofOthers + order, greedy)),
      ],
    });

    await storeAccessRequest(drop, "greedy-person", { personHash: greedy });
    await storeAccessRequest(drop, "joan");
    await writeItems({
      puts: Array.from({ length: free }, (_, order) => entry(1_000 + order, `late-${order}`)),
    });
    await storeAccessRequest(drop, "edith");

    expect((await accessRequests.listOf(drop, Date.now())).map(({ name }) => name)).toEqual(["joan"]);
  });
});
