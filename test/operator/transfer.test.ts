import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { describe, expect, test } from "vitest";
import { hasVersions } from "../../functions/administration/stored-objects.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { outputNames } from "../../lib/output-names.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { suspendCommand, unsuspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { exportCommand } from "../../scripts/operator/export.ts";
import { removeMemberCommand } from "../../scripts/operator/members/members.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { takedownCommand } from "../../scripts/operator/takedown.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { dieOnTheWay } from "./die-on-the-way.ts";
import {
  newOwner,
  type Owner,
  openGivenService,
  runCommand,
  scratchFolder,
  statusesOf,
} from "./given-service.ts";

const given = await openGivenService();
const { baseUrl } = given.service;
const scratch = scratchFolder();

type Options = Readonly<Record<string, string | boolean>>;
const transfer = (from: Owner, to: Owner, options: Options = {}) =>
  runCommand(transferCommand, given, [from.namespace, to.namespace], { yes: true, ...options });
const hostOf = ({ namespace }: Pick<Owner, "namespace">) => `http://${namespace}.${new URL(baseUrl).host}`;
const allOf = (status: number, addresses: readonly unknown[]) => addresses.map(() => status);
const bodyOf = async (address: string) => (await sendPublic(address)).body.toString();
const usageOf = (owner: Owner) => owner.json("GET", "/api/me/usage");
const slugsOf = async (owner: Owner): Promise<string[]> =>
  (await owner.json("GET", "/api/drops?pageSize=200")).drops.map(({ slug }: { slug: string }) => slug);

/** Creates an account with a drop of two versions, a locked drop, an unlisted drop and a file. */
async function givenOwnerOfThings(name: string) {
  const owner = await newOwner(given.service, name);
  const slug = await owner.publish("<p>one</p>", {
    context: "why",
    metadata: { project: name },
    indexed: true,
  });
  await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>two</p>" });
  const locked = await owner.publish("<p>secret</p>", { passcode: "open sesame" });
  const unlisted = await owner.publish("<p>quiet</p>", { visibility: "unlisted" });
  const id = await owner.upload("a note");
  const addresses = [
    `${baseUrl}/p/${slug}`,
    `${baseUrl}/p/${slug}/raw`,
    `${hostOf(owner)}/d/${slug}`,
    `${hostOf(owner)}/p/${slug}/raw`,
    `${hostOf(owner)}/p/${slug}/raw?v=1`,
    `${hostOf(owner)}/p/${slug}/context?v=1`,
    `${baseUrl}/d/${locked}`,
    `${hostOf(owner)}/d/${unlisted}`,
    `${hostOf(owner)}/b/${id}`,
  ];
  return { owner, slug, locked, unlisted, id, addresses, file: `${hostOf(owner)}/b/${id}` };
}

/** Checks that the quota counters are correct. */
async function expectWellCounted(...owners: readonly Owner[]): Promise<void> {
  for (const { userId } of owners)
    expect(await runCommand(recountCommand, given, [userId])).toEqual({
      isWell: true,
      lines: ["Accounts counted: 1."],
    });
}

/** Waits until the janitor has processed all earlier changes. The stream is ordered, so a new deletion is processed last. */
async function waitForJanitor(): Promise<void> {
  const owner = await newOwner(given.service, "sentinel");
  const slug = await owner.publish("<p>passes by</p>");
  await owner.deleteForGood(slug);
  await expect.poll(() => queryAll(ranges.versions(slug))).toEqual([]);
}

describe("a transferred drop", () => {
  test("keeps its URLs, and is only in the new owner's list", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, locked, unlisted, id, addresses, file } = await givenOwnerOfThings("ada");
    const grace = await newOwner(given.service, "grace");
    const own = await grace.publish("<p>own</p>");
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    await expect.poll(async () => (await ada.json("GET", `/api/drops/${slug}`)).view_count).toBe(2);
    const before = await ada.json("GET", `/api/drops/${slug}`);
    const pages = await Promise.all(addresses.map(bodyOf));

    const { isWell, lines } = await transfer(ada, grace);

    expect([isWell, lines.at(0), lines.at(-1)]).toEqual([
      true,
      `From ${ada.namespace} (${ada.userId}) to ${grace.namespace} (${grace.userId}): 3 drops of 45 bytes and 1 files of 6 bytes.`,
      "Drops transferred: 3. Files transferred: 1.",
    ]);
    await waitForJanitor();
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    for (const raw of [1, 3, 4, 5, 8]) expect(await bodyOf(addresses[raw] ?? "")).toBe(pages[raw]);
    expect(await bodyOf(`${given.service.baseUrl}/d/${locked}`)).toContain("passcode");
    const after = await grace.json("GET", `/api/drops/${slug}`);
    expect(after.indexed).toBe(true);
    expect({ ...after, view_count: 0 }).toEqual({ ...before, view_count: 0 });
    expect(after.raw_url).toBe(`${hostOf(ada)}/p/${slug}/raw`);
    expect((await slugsOf(grace)).sort()).toEqual([slug, locked, unlisted, own].sort());
    const listed = (await grace.json("GET", "/api/drops?pageSize=200")).drops;
    expect(listed.find((drop: { slug: string }) => drop.slug === slug).url).toBe(before.url);
    expect(await slugsOf(ada)).toEqual([]);
    for (const path of [`/api/drops/${slug}`, `/api/drops/${slug}/versions`, `/api/drops/${slug}/v/1`])
      expect([(await ada.call("GET", path)).status, (await grace.call("GET", path)).status]).toEqual([
        404, 200,
      ]);
    expect((await ada.call("DELETE", `/api/blobs/${id}`)).status).toBe(404);
    // Owners' pages are cached for two seconds.
    await expect.poll(() => bodyOf(`${hostOf(ada)}/`)).not.toContain(slug);
    await expect.poll(() => bodyOf(`${hostOf(grace)}/`)).toContain(`${hostOf(ada)}/d/${slug}`);
    const page = await bodyOf(`${hostOf(grace)}/`);
    expect([page.includes(file), page.includes(unlisted)]).toEqual([true, false]);
    // The viewer links to the new owner's page.
    expect(await bodyOf(`${hostOf(ada)}/d/${slug}`)).toContain(`href="${hostOf(grace)}/"`);
    expect(await statusesOf([`${hostOf(grace)}/d/${slug}`, `${hostOf(grace)}/b/${id}`])).toEqual([404, 404]);
  });

  test("counts against the new owner's quotas and keeps its views, with one audit entry per drop or file", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, id } = await givenOwnerOfThings("joan");
    const grace = await newOwner(given.service, "grace");
    expect(await statusesOf([`${baseUrl}/p/${slug}`, `${baseUrl}/p/${slug}`])).toEqual([200, 200]);
    await expect.poll(async () => (await ada.json("GET", `/api/drops/${slug}`)).view_count).toBe(2);
    const before = await usageOf(ada);

    await transfer(ada, grace);

    const [left, got] = [await usageOf(ada), await usageOf(grace)];
    expect([left.drops.used, left.blobs.used, left.blobs.bytes_used]).toEqual([0, 0, 0]);
    expect({ drops: got.drops, blobs: got.blobs }).toEqual({ drops: before.drops, blobs: before.blobs });
    expect((await grace.json("GET", `/api/drops/${slug}`)).view_count).toBe(2);
    expect(await getItem(keys.views(ada.userId, slug))).toBeUndefined();
    await statusesOf([`${hostOf(ada)}/d/${slug}`]);
    await expect.poll(async () => (await grace.json("GET", `/api/drops/${slug}`)).view_count).toBe(3);
    await expectWellCounted(ada, grace);

    const { lines } = await runCommand(auditCommand, given, [], {
      account: ada.userId,
      action: "transfer",
      json: true,
    });
    const found = lines.map((line) => JSON.parse(line));
    expect(found).toHaveLength(4);
    for (const line of found)
      expect(line).toMatchObject({ by: "operator", account_id: ada.userId, new_account_id: grace.userId });
    expect(found.filter((line) => line.slug === slug || line.blob_id === id)).toHaveLength(2);

    const exported = await runCommand(exportCommand, given, [grace.namespace], { to: `${scratch}/export` });
    expect(exported.lines).toEqual([`${grace.namespace}: 3 drops and 1 files are in ${scratch}/export.`]);
  });

  test("can be edited, published again, locked and deleted by the new owner", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, locked, id, file } = await givenOwnerOfThings("mary");
    const grace = await newOwner(given.service, "grace");
    await transfer(ada, grace);

    await grace.json("PATCH", `/api/drops/${slug}`, { title: "Grace's" });
    const third = await grace.json("PUT", `/api/drops/${slug}`, { html: "<p>three</p>" });
    await grace.json("DELETE", `/api/drops/${slug}/v/1`);
    await grace.json("POST", `/api/drops/${locked}/passcode`, { passcode: "" });
    const upserted = await grace.json("PUT", "/api/drops?metadata.project=mary", {
      title: "Again",
      html: "<p>four</p>",
    });

    expect([third.latest_version, upserted.slug, upserted.latest_version]).toEqual([3, slug, 4]);
    await expect.poll(() => bodyOf(`${hostOf(ada)}/p/${slug}/raw`)).toContain("four");
    expect(await statusesOf([`${hostOf(ada)}/p/${slug}/raw?v=1`])).toEqual([404]);
    expect(await bodyOf(`${hostOf(ada)}/p/${locked}/raw`)).toContain("secret");
    await grace.deleteForGood(slug);
    await grace.json("DELETE", `/api/blobs/${id}`);
    await expect
      .poll(() => statusesOf([`${hostOf(ada)}/d/${slug}`, `${hostOf(ada)}/p/${slug}/raw?v=2`, file]))
      .toEqual([404, 404, 404]);
    await expectWellCounted(ada, grace);
  });

  test("has the same item after it is transferred back, apart from its revision", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, id, addresses } = await givenOwnerOfThings("hedy");
    const grace = await newOwner(given.service, "grace");
    const own = await grace.publish("<p>own</p>");
    const rows = () =>
      Promise.all([getItem(keys.drop(ada.userId, slug)), getItem(keys.blob(ada.userId, id))]);
    const [drop, file] = await rows();
    await transfer(ada, grace);

    const { lines } = await transfer(grace, ada, { drops: slug, files: id });

    expect(lines.at(-1)).toBe("Drops transferred: 1. Files transferred: 1.");
    // Each transfer raises the revision, because the first revision would be a publication event.
    expect(await rows()).toEqual([{ ...drop, revision: (drop?.revision as number) + 2 }, file]);
    await waitForJanitor();
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    expect(await slugsOf(ada)).toEqual([slug]);
    expect(await slugsOf(grace)).toContain(own);
    await expectWellCounted(ada, grace);
  });

  test("can be taken down by its URL, which still names the first owner", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, file } = await givenOwnerOfThings("lise");
    const grace = await newOwner(given.service, "grace");
    await transfer(ada, grace);
    const take = (address: string) =>
      runCommand(takedownCommand, given, [address], { yes: true, "no-copy": true });

    const taken = [await take(file), await take(`${hostOf(ada)}/d/${slug}`)];

    expect(taken.map(({ isWell }) => isWell)).toEqual([true, true]);
    expect(await statusesOf([file, `${hostOf(ada)}/d/${slug}`])).toEqual([404, 404]);
    await expectWellCounted(ada, grace);
  });
});

describe("before a transfer", () => {
  test("a dry run lists the drops to transfer", { tags: "slow" }, async () => {
    const { owner: ada, slug } = await givenOwnerOfThings("vera");
    const grace = await newOwner(given.service, "grace");
    const alike = await grace.publish("<p>other</p>", { metadata: { project: "vera" } });

    const { isWell, lines } = await transfer(ada, grace, { "dry-run": true });

    expect([isWell, ...lines]).toEqual([
      true,
      `From ${ada.namespace} (${ada.userId}) to ${grace.namespace} (${grace.userId}): 3 drops of 45 bytes and 1 files of 6 bytes.`,
      "The addresses stay the same.",
      `${grace.namespace} will have 4 of 500 drops, 57 of 10737418240 bytes of pages, 1 of 10000 files, 6 of 1073741824 bytes of files.`,
      `${grace.namespace} has drops with the same metadata as ${slug}: upserts with that metadata will be refused (several_match) until they differ.`,
      "Dry run: nothing was changed.",
    ]);
    expect(await slugsOf(grace)).toEqual([alike]);
    expect(await slugsOf(ada)).toHaveLength(3);
  });

  test("a full quota of the new owner is reported, and the operator may exceed it", {
    tags: "slow",
  }, async () => {
    const { owner: ada } = await givenOwnerOfThings("maria");
    const grace = await newOwner(given.service, "grace");
    await updateItem({
      key: keys.account(grace.userId),
      update: "SET dropCount = :drops ADD countsRevision :one",
      condition: "attribute_exists(pk)",
      values: { ":drops": 498, ":one": 1 },
    });

    const dry = await transfer(ada, grace, { "dry-run": true });
    const refused = transfer(ada, grace);

    expect([dry.isWell, dry.lines.at(-2)]).toEqual([false, "This exceeds the quota of drops."]);
    await expect(refused).rejects.toThrow(
      "Nothing was changed. Choose fewer drops or files with --drops and --files, or use --over-quota.",
    );
    expect(await slugsOf(ada)).toHaveLength(3);
    const forced = await transfer(ada, grace, { "over-quota": true });
    expect([forced.isWell, forced.lines.at(-1)]).toEqual([
      true,
      "Drops transferred: 3. Files transferred: 1.",
    ]);
    expect((await usageOf(grace)).drops.used).toBe(501);
    expect((await grace.call("POST", "/api/drops", { title: "More", html: "<p>" })).status).toBe(429);
  });

  test("invalid arguments are refused with the right usage", { tags: "slow" }, async () => {
    const { owner: ada, slug } = await givenOwnerOfThings("olga");
    const grace = await newOwner(given.service, "grace");
    const removed = await newOwner(given.service, "removed");
    const suspended = await newOwner(given.service, "suspended");
    await runCommand(removeMemberCommand, given, [`account:${removed.userId}`]);
    await runCommand(suspendCommand, given, [suspended.userId], { yes: true });

    await expect(transfer(ada, ada)).rejects.toThrow(`Both accounts are ${ada.namespace}.`);
    await expect(transfer(ada, removed)).rejects.toThrow(`${removed.namespace} is not a member`);
    await expect(transfer(ada, suspended)).rejects.toThrow(
      `${suspended.namespace} is suspended. Run unsuspend first.`,
    );
    await expect(transfer(ada, grace, { drops: "Zzzzzz9" })).rejects.toThrow(
      "Neither account has the drop Zzzzzz9.",
    );
    await expect(transfer(ada, grace, { drops: `${slug},no` })).rejects.toThrow('--drops contains "no"');
    await expect(runCommand(transferCommand, given, [ada.namespace])).rejects.toThrow("Missing <to>.");
    const typed = runCommand(transferCommand, given, [ada.namespace, grace.namespace], {}, grace.namespace);
    await expect(typed).rejects.toThrow("Nothing was changed");
    expect(await slugsOf(ada)).toHaveLength(3);
  });
});

test("a transfer in a stack with an earlier data format is refused", { tags: "slow" }, async () => {
  const access = JSON.parse(readFileSync(join(given.dataDirectory, operatorAccessFile), "utf8"));
  access.outputs[outputNames.dataFormat] = "1";
  writeFileSync(join(scratch, operatorAccessFile), JSON.stringify(access));
  const earlier = { dataDirectory: scratch };

  const refused = runCommand(transferCommand, earlier, ["ada", "grace"], { yes: true });

  await expect(refused).rejects.toThrow(
    `The stack has data format 1, not ${dataFormat}. Deploy this version first.`,
  );
});

describe("during a transfer", () => {
  test("an interruption at any step is repaired by running the transfer again", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, addresses } = await givenOwnerOfThings("annie");
    const grace = await newOwner(given.service, "grace");
    await runCommand(suspendCommand, given, [ada.userId], { yes: true });

    const deaths = await dieOnTheWay(() => transfer(ada, grace), {
      check: async () => {
        // Exactly one of the accounts has the drop, and the counters are correct.
        const owners = [ada.userId, grace.userId];
        const found = await Promise.all(owners.map((userId) => getItem(keys.drop(userId, slug))));
        expect(found.filter(Boolean)).toHaveLength(1);
        await expectWellCounted(ada, grace);
      },
    });

    expect(deaths).toBeGreaterThan(20);
    await expect.poll(() => statusesOf(addresses)).toEqual(allOf(200, addresses));
    expect(await slugsOf(grace)).toHaveLength(3);
    await waitForJanitor();
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
  });

  test("readers always see the drop, owners' writes are kept or refused, and no view is lost", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, file } = await givenOwnerOfThings("radia");
    const grace = await newOwner(given.service, "grace");
    await statusesOf([`${baseUrl}/p/${slug}`]);
    await expect.poll(async () => (await ada.json("GET", `/api/drops/${slug}`)).view_count).toBe(1);
    let isOver = false;
    let views = 1;
    const seen = new Set<number>();
    const read = async () => {
      while (!isOver) {
        const found = await statusesOf([
          `${hostOf(ada)}/d/${slug}`,
          `${hostOf(ada)}/p/${slug}/raw?v=1`,
          file,
        ]);
        if (found[0] === 200) views += 1;
        for (const status of found) seen.add(status);
      }
    };
    let versions = 2;
    const write = async (owner: Owner) => {
      while (!isOver) {
        const { status } = await owner.call("PUT", `/api/drops/${slug}`, { html: "<p>more</p>" });
        if (status === 200) versions += 1;
        expect([200, 404, 429]).toContain(status);
      }
    };

    const working = [read(), read(), write(ada), write(grace)];
    const pair = [ada, grace];
    for (let round = 0; round < 4; round += 1) {
      const [from = ada, to = grace] = round % 2 === 0 ? pair : pair.toReversed();
      expect((await transfer(from, to, { drops: slug })).isWell).toBe(true);
    }
    await transfer(ada, grace);
    isOver = true;
    await Promise.all(working);

    expect([...seen]).toEqual([200]);
    const drop = () => grace.json("GET", `/api/drops/${slug}`);
    expect((await grace.json("GET", `/api/drops/${slug}/versions`)).versions).toHaveLength(versions);
    await expect.poll(async () => (await drop()).view_count).toBe(views);
    expect(await getItem(keys.views(ada.userId, slug))).toBeUndefined();
    await expectWellCounted(ada, grace);
    await waitForJanitor();
    expect(await statusesOf([`${hostOf(ada)}/p/${slug}/raw?v=1`, file])).toEqual([200, 200]);
  });

  test("an upload in steps stays with the account that started it", { tags: "nightly" }, async () => {
    const { owner: ada } = await givenOwnerOfThings("beatrix");
    const grace = await newOwner(given.service, "grace");
    const upload = await ada.json("POST", "/api/blobs/uploads", { filename: "late.txt", size_bytes: 4 });
    await sendPublic(upload.url, { method: "PUT", headers: upload.headers, body: "late" });

    await transfer(ada, grace);

    const complete = `/api/blobs/uploads/${upload.id}/complete`;
    expect((await grace.call("POST", complete)).status).toBe(404);
    const blob = await ada.json("POST", complete);
    expect(await statusesOf([blob.url])).toEqual([200]);
    expect((await transfer(ada, grace)).lines.at(-1)).toBe("Drops transferred: 0. Files transferred: 1.");
    expect(await statusesOf([blob.url])).toEqual([200]);
  });
});

describe("after a transfer", () => {
  test("deleting the former owner's account keeps the transferred drops and files, and reserves the namespace", {
    tags: "nightly",
  }, async () => {
    const { owner: ada, slug, id, addresses, file } = await givenOwnerOfThings("barbara");
    const grace = await newOwner(given.service, "grace");
    const forMembers = await ada.upload("for members", "members.txt");
    await ada.json("PATCH", `/api/blobs/${forMembers}`, { visibility: "members" });
    const objectKey = async ({ userId }: Owner) =>
      String((await getItem(keys.blob(userId, forMembers)))?.objectKey);
    await expect.poll(() => objectKey(ada)).not.toBe(`${ada.namespace}/${forMembers}`);
    await transfer(ada, grace);
    const kept = await objectKey(grace);
    await ada.publish("<p>kept back</p>");
    await ada.upload("kept back");

    await runCommand(deleteAccountCommand, given, [ada.namespace], { yes: true });

    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    expect(await hasVersions(given.service.blobsBucket, kept)).toBe(true);
    expect(await getItem(keys.namespace(ada.namespace))).toHaveProperty("deletedAtMs");
    await grace.json("PUT", `/api/drops/${slug}`, { html: "<p>after</p>" });
    await expect.poll(() => bodyOf(`${hostOf(ada)}/p/${slug}/raw`)).toContain("after");

    await runCommand(deleteAccountCommand, given, [grace.namespace], { yes: true });

    await expect.poll(() => statusesOf(addresses)).toEqual(allOf(404, addresses));
    expect(await getItem(keys.filePointer(ada.namespace, id))).toBeUndefined();
    expect(await statusesOf([file])).toEqual([404]);
    expect(await hasVersions(given.service.blobsBucket, kept)).toBe(false);
  });

  test("a suspension hides an account's current drops and files, not the transferred ones", {
    tags: "slow",
  }, async () => {
    const { owner: ada, addresses } = await givenOwnerOfThings("frances");
    const grace = await newOwner(given.service, "grace");
    await transfer(ada, grace);
    const own = await ada.publish("<p>own</p>");
    const ownFile = `${hostOf(ada)}/b/${await ada.upload("own")}`;
    const run = (command: typeof suspendCommand, { userId }: Owner) =>
      runCommand(command, given, [userId], { yes: true });

    await run(suspendCommand, ada);

    await expect.poll(() => statusesOf([`${hostOf(ada)}/d/${own}`, ownFile])).toEqual([404, 404]);
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));

    await run(suspendCommand, grace);
    await run(unsuspendCommand, ada);

    expect(await statusesOf([`${hostOf(ada)}/d/${own}`, ownFile])).toEqual([200, 200]);
    await expect.poll(() => statusesOf(addresses)).toEqual(allOf(404, addresses));
    await run(unsuspendCommand, grace);
    await expect.poll(() => statusesOf(addresses)).toEqual(allOf(200, addresses));
  });

  test("a suspended leaver's drops are visible again under the new owner", { tags: "nightly" }, async () => {
    const { owner: ada, addresses } = await givenOwnerOfThings("sophie");
    const grace = await newOwner(given.service, "grace");
    await runCommand(removeMemberCommand, given, [`account:${ada.userId}`], { hide: true });
    await expect.poll(() => statusesOf(addresses)).toEqual(allOf(404, addresses));

    const { lines } = await transfer(ada, grace);

    expect(lines).toContain(
      `${ada.namespace} is suspended. The transfer makes its drops and files readable again.`,
    );
    expect(await statusesOf(addresses)).toEqual(allOf(200, addresses));
    const tools = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await ada.call("GET", "/api/me")).status).toBe(401);
    expect((await ada.call("POST", "/mcp", tools)).status).toBe(401);
  });
});
