// @module-tag nightly

import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { DeleteObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, test } from "vitest";
import { purgeObject } from "../../functions/administration/stored-objects.ts";
import { answers } from "../../functions/answers/store.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import { readerSessions, sessionReference } from "../../functions/identity/readers.ts";
import { renders } from "../../functions/renders/store.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { dynamodb, getItem, type Item } from "../../functions/table/table.ts";
import { deleteItems } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { suspendCommand, unsuspendCommand } from "../../scripts/operator/accounts/suspend.ts";
import type { Command } from "../../scripts/operator/command.ts";
import { sendPublic } from "../../scripts/operator/public-request.ts";
import { restoreCommand } from "../../scripts/operator/restore/restore.ts";
import { readPartition } from "../../scripts/operator/table-reads.ts";
import { transferCommand } from "../../scripts/operator/transfer/transfer.ts";
import { recountCommand } from "../../scripts/operator/upkeep/recount.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { givenRender } from "./given-render.ts";
import {
  givenOwner,
  newOwner,
  type Owner,
  openGivenService,
  runCommand,
  statusesOf,
} from "./given-service.ts";

const given = await openGivenService();

const restore = (options: Record<string, string | boolean>) =>
  runCommand(restoreCommand, given, [], { yes: true, ...options });

/** Copies the current items of some accounts into a new table, like a point-in-time recovery. Returns the table's name. */
async function backUpTable(name: string, ...owners: readonly Owner[]): Promise<string> {
  await dynamodb.send(
    new CreateTableCommand({
      TableName: name,
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  for (const partition of (await Promise.all(owners.map(partitionsOf))).flat()) {
    for (const item of await readPartition(given.service.tableName, partition)) await putInto(name, item);
  }
  return name;
}

async function putInto(table: string, item: Item): Promise<void> {
  await dynamodb.send(new PutCommand({ TableName: table, Item: item }));
}

/** Returns all partitions of an account. The slugs of its drops and its tokens have their own partitions. */
async function partitionsOf({ userId, namespace, slugs }: Owner): Promise<string[]> {
  const rows = await readPartition(given.service.tableName, keys.account(userId).pk);
  const tokens = rows.flatMap(({ hash }) => (hash === undefined ? [] : [keys.token(String(hash))]));
  const own = [keys.account(userId), keys.namespace(namespace), identityOf(namespace)];
  return [...own, ...slugs.map(keys.pointer), ...tokens].map(({ pk }) => pk);
}

const identityOf = (username: string) => keys.identity("https://id.example.com", `id of ${username}`);

/** Returns the keys of the objects below a folder that are not deleted. */
async function objectsIn(Bucket: string, folder: string): Promise<string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${folder}/` }));
  return Contents.map(({ Key = "" }) => Key);
}

const pagesOf = (slug: string) => objectsIn(given.service.pagesBucket, slug);
const filesOf = (namespace: string) => objectsIn(given.service.blobsBucket, namespace);
const fileAddress = (namespace: string, id: string) =>
  `http://${namespace}.${new URL(given.service.baseUrl).host}/b/${id}`;

/** Deletes items, like an error or a person in the console. The janitor then deletes their objects. */
async function loseRows(...partitions: readonly string[]): Promise<void> {
  for (const partition of partitions) {
    const items = await readPartition(given.service.tableName, partition);
    await deleteItems(items.map(({ pk, sk }) => ({ pk, sk }) as Key));
  }
}

/** Waits until the janitor has processed all earlier changes. The stream is ordered, so a new deletion is processed last. */
async function waitForJanitor(): Promise<void> {
  const owner = await newOwner(given.service, "sentinel");
  const slug = await owner.publish("<p>passes by</p>");
  await owner.deleteForGood(slug);
  await expect.poll(() => pagesOf(slug)).toEqual([]);
}

async function expectWellCounted(namespace: string): Promise<void> {
  const { isWell, lines } = await runCommand(recountCommand, given, [namespace]);
  expect(lines).toEqual(["Accounts counted: 1."]);
  expect(isWell).toBe(true);
}

describe("a deleted drop", () => {
  test("is restored with its readers' answers, and no answer number is used again", async () => {
    const owner = await newOwner(given.service, "ada");
    const slug = await owner.publish("<p>Vote</p>");
    for (const person of ["grace", "alan", "grace"]) await givenAnswer(owner.userId, slug, { person });
    const from = await backUpTable("answers", owner);
    await owner.deleteForGood(slug);
    await expect.poll(() => answers.last(slug)).toMatchObject({ last: 0 });

    await restore({ from, drop: slug });
    await givenAnswer(owner.userId, slug, { person: "alan" });

    const { answers: listed } = await owner.json("GET", `/api/drops/${slug}/answers`);
    expect(listed.map(({ number }: { number: number }) => number)).toEqual([3, 4]);
    await expectWellCounted(owner.namespace);
  });

  test("is restored with its versions and passcode, and counts against the quota again", async () => {
    const owner = await newOwner(given.service, "ada");
    const slug = await owner.publish("<p>one</p>", { context: "why", metadata: { constructor: "x" } });
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>two</p>" });
    await owner.json("POST", `/api/drops/${slug}/passcode`, { passcode: "open sesame" });
    const before = await owner.json("GET", `/api/drops/${slug}`);
    const from = await backUpTable("before-deletion", owner);
    const pages = await pagesOf(slug);
    await owner.deleteForGood(slug);
    await expect.poll(() => pagesOf(slug)).toEqual([]);
    // A retried deletion by the janitor adds another delete marker.
    await s3.send(new DeleteObjectCommand({ Bucket: given.service.pagesBucket, Key: pages[0] }));

    const { lines } = await restore({ from, drop: slug });

    expect(lines).toEqual([`Items restored from ${from}: 4.`]);
    expect(await owner.json("GET", `/api/drops/${slug}`)).toEqual(before);
    expect(await pagesOf(slug)).toEqual(pages);
    expect((await owner.json("GET", `/api/drops/${slug}/versions`)).versions).toHaveLength(2);
    expect((await owner.json("GET", "/api/me/usage")).drops.used).toBe(1);
    await expectWellCounted(owner.namespace);
    await expect(restore({ from, drop: slug })).rejects.toThrow(`The drop ${slug} already exists.`);
  });

  test("gets a higher revision, so that no publication event is sent", async () => {
    const owner = await newOwner(given.service, "rosalind");
    const slug = await owner.publish("<p>one</p>");
    const from = await backUpTable("before-deletion-of-new", owner);
    await owner.deleteForGood(slug);

    await restore({ from, drop: slug });

    const rows = await readPartition(given.service.tableName, keys.account(owner.userId).pk);
    const row = rows.find(({ sk }) => sk === keys.drop(owner.userId, slug).sk);
    expect(row?.revision).toBe(2);
  });

  test("is restored without its pictures, which are rendered again", async () => {
    const owner = await newOwner(given.service, "mary");
    const slug = await owner.publish("<p>one</p>");
    await givenRender(given.service.pagesBucket, slug);
    const from = await backUpTable("before-render", owner);
    await owner.deleteForGood(slug);
    await expect.poll(() => renders.find(slug, 1)).toBeUndefined();

    const { lines } = await restore({ from, drop: slug });

    expect(lines).toEqual([`Items restored from ${from}: 3.`]);
    expect(await owner.json("GET", `/api/drops/${slug}`)).toMatchObject({ slug });
    expect(await renders.find(slug, 1)).toBeUndefined();
    expect(await renders.find(slug, 1, "pdf")).toBeUndefined();
  });

  test("is not restored at all if one of its pages is missing", async () => {
    const owner = await newOwner(given.service, "joan");
    const slug = await owner.publish("<p>one</p>");
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>two</p>" });
    const from = await backUpTable("before-loss", owner);
    const [first = "", second = ""] = await pagesOf(slug);
    await owner.deleteForGood(slug);
    await expect.poll(() => pagesOf(slug)).toEqual([]);
    await purgeObject(given.service.pagesBucket, second);

    await expect(restore({ from, drop: slug })).rejects.toThrow(
      `The page ${second} is permanently deleted: ${given.service.pagesBucket} has no version of this object. Nothing has been restored.`,
    );

    expect(first).not.toBe("");
    expect(await pagesOf(slug)).toEqual([]);
    expect((await owner.call("GET", `/api/drops/${slug}`)).status).toBe(404);
  });

  test("is restored only from a time when it existed", async () => {
    const owner = await newOwner(given.service, "grace");
    const slug = await owner.publish("<p>one</p>");
    await owner.deleteForGood(slug);
    const from = await backUpTable("too-late", owner);

    await expect(restore({ from, drop: slug })).rejects.toThrow(
      "is already deleted. Use a table that was restored to an earlier time.",
    );
    await expect(restore({ from, drop: "Zzzzzz9" })).rejects.toThrow(
      "The table too-late has no drop Zzzzzz9.",
    );
  });
});

test("nothing of a suspended or banned account is restored until that ends", async () => {
  const owner = await newOwner(given.service, "frances");
  const slug = await owner.publish("<p>one</p>");
  const id = await owner.upload("a note");
  const run = (command: Command) => runCommand(command, given, [owner.userId], { yes: true });
  await run(suspendCommand);
  const from = await backUpTable("while-suspended", owner);
  const address = fileAddress(owner.namespace, id);
  await run(unsuspendCommand);
  await owner.deleteForGood(slug);
  await owner.json("DELETE", `/api/blobs/${id}`);
  await expect.poll(() => pagesOf(slug)).toEqual([]);
  await expect.poll(() => filesOf(owner.namespace)).toEqual([]);
  await run(suspendCommand);

  await expect(restore({ from, drop: slug })).rejects.toThrow("is suspended. Unsuspend it first.");
  await expect(restore({ from, file: address })).rejects.toThrow("is suspended. Unsuspend it first.");
  expect([await pagesOf(slug), await filesOf(owner.namespace)]).toEqual([[], []]);
  await run(unsuspendCommand);
  await restore({ from, drop: slug });
  await restore({ from, file: address });

  expect(await statusesOf([`${given.service.baseUrl}/p/${slug}`, address])).toEqual([200, 200]);
  await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true, ban: true });
  await expect(restore({ from, user: owner.userId })).rejects.toThrow("is banned. Unban the person first.");
});

describe("a deleted account", () => {
  test("is restored with everything that S3 still has, and can sign in", async () => {
    const owner = await newOwner(given.service, "hedy");
    const slug = await owner.publish("<p>hers</p>");
    const [kept, gone] = [await owner.upload("a note"), await owner.upload("another", "other.txt")];
    const from = await backUpTable("before-loss-of-all", owner);
    const { token } = await owner.json("GET", "/api/me");
    await owner.json("DELETE", `/api/tokens/${token.id}`);
    const { namespace } = owner;
    const identity = identityOf(namespace);
    const partitions = [keys.account(owner.userId), keys.namespace(namespace), identity, keys.pointer(slug)];
    await loseRows(...partitions.map(({ pk }) => pk));
    await expect.poll(() => pagesOf(slug)).toEqual([]);
    await expect.poll(() => filesOf(namespace)).toEqual([]);
    await purgeObject(given.service.blobsBucket, `${namespace}/${gone}`);

    const { lines } = await restore({ from, user: owner.userId });

    expect(lines[0]).toBe(`The file ${gone} (other.txt) is permanently deleted.`);
    const address = `http://${namespace}.${new URL(given.service.baseUrl).host}`;
    expect(await statusesOf([`${address}/`, `${address}/d/${slug}`])).toEqual([200, 200]);
    expect((await sendPublic(fileAddress(namespace, kept))).body.toString()).toBe("a note");
    expect((await owner.call("GET", "/api/me")).status).toBe(401);
    const again = await givenOwner(given.service, namespace);
    expect([again.userId, again.namespace]).toEqual([owner.userId, namespace]);
    expect((await again.json("GET", "/api/me/usage")).blobs.used).toBe(1);
    await expectWellCounted(owner.namespace);
  });

  test("is not restored when its pages were permanently deleted", async () => {
    const owner = await newOwner(given.service, "lise");
    const slug = await owner.publish("<p>hers</p>");
    const from = await backUpTable("before-leaving", owner);
    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });
    await waitForJanitor();

    await expect(restore({ from, user: owner.userId })).rejects.toThrow(
      new RegExp(`^The page ${slug}/\\S+ is permanently deleted: .* Nothing has been restored\\.$`),
    );
  });

  test("is not restored if the person has a new account", async () => {
    const owner = await newOwner(given.service, "mary");
    const from = await backUpTable("before-return", owner);
    await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });
    const { userId } = await givenOwner(given.service, owner.namespace);

    await expect(restore({ from, user: owner.userId })).rejects.toThrow(
      `The person of the account ${owner.userId} has signed in again, and now has the account ${userId}. Delete that account first.`,
    );
  });
});

describe("a deleted file", () => {
  test("is restored with its bytes and type, and counts against the quota again", async () => {
    const owner = await newOwner(given.service, "rosalind");
    const [id, other] = [await owner.upload("a note"), await owner.upload("another")];
    const address = fileAddress(owner.namespace, id);
    const before = await sendPublic(address);
    const from = await backUpTable("before-file", owner);
    for (const one of [id, other]) await owner.json("DELETE", `/api/blobs/${one}`);
    await expect.poll(() => filesOf(owner.namespace)).toEqual([]);

    const { lines } = await restore({ from, file: address });

    expect(lines).toEqual([`Items restored from ${from}: 1.`]);
    const after = await sendPublic(address);
    expect([after.status, after.body.toString()]).toEqual([200, "a note"]);
    expect(after.headers["content-type"]).toBe(before.headers["content-type"]);
    expect(await filesOf(owner.namespace)).toEqual([`${owner.namespace}/${id}`]);
    expect((await owner.json("GET", "/api/me/usage")).blobs).toMatchObject({ used: 1, bytes_used: 6 });
    await expectWellCounted(owner.namespace);
    await expect(restore({ from, file: address })).rejects.toThrow(`The file ${id} already exists.`);
  });

  test("is not restored without its bytes, or from a time when it did not exist", async () => {
    const owner = await newOwner(given.service, "emmy");
    const id = await owner.upload("a note");
    const from = await backUpTable("before-file-loss", owner);
    await owner.json("DELETE", `/api/blobs/${id}`);
    await expect.poll(() => filesOf(owner.namespace)).toEqual([]);
    await purgeObject(given.service.blobsBucket, `${owner.namespace}/${id}`);

    await expect(restore({ from, file: fileAddress(owner.namespace, id) })).rejects.toThrow(
      `The file ${id} (note.txt) is permanently deleted.`,
    );
    await expect(restore({ from, file: fileAddress(owner.namespace, "Zzzzzz9") })).rejects.toThrow(
      `The table ${from} has no file Zzzzzz9 of ${owner.namespace}. If the file existed earlier, use a table that was restored to an earlier time.`,
    );
    await expect(restore({ from, file: fileAddress("nobody", id) })).rejects.toThrow(
      `The table ${from} has no namespace nobody.`,
    );
    expect((await owner.json("GET", "/api/me/usage")).blobs.used).toBe(0);
  });
});

test("a full restoration restores everything, also tokens, except permanently deleted objects", async () => {
  const [owner, other] = [await newOwner(given.service, "dorothy"), await newOwner(given.service, "edith")];
  const gone = await owner.publish("<p>gone</p>");
  const [slug, id] = [await other.publish("<p>kept</p>"), await other.upload("a note")];
  const half = await other.publish("<p>one</p>");
  const firstOfHalf = await pagesOf(half);
  await other.json("PUT", `/api/drops/${half}`, { html: "<p>two</p>" });
  // The keys are random, so the new page is found by comparison.
  const [secondOfHalf = ""] = (await pagesOf(half)).filter((key) => !firstOfHalf.includes(key));
  const from = await backUpTable("everything", owner, other);
  const left = sessionReference("somebody who has signed out since");
  const session = { ...keys.readerSession(left), expiresAtMs: Date.now() + 600_000 };
  await putInto(from, session);
  // Items from before later event numbers and before a rotation of the webhooks' secret.
  await putInto(from, { ...keys.lastEvent(slug), number: 0, isDeleted: false });
  await putInto(from, { ...keys.webhookRoots(), current: "rotated out" });
  await runCommand(deleteAccountCommand, given, [owner.namespace], { yes: true });
  for (const one of [slug, half]) await other.deleteForGood(one);
  await other.json("DELETE", `/api/blobs/${id}`);
  await waitForJanitor();
  // Each deletion is awaited separately, because the shards of the stream have no common order.
  for (const one of [slug, half]) await expect.poll(() => pagesOf(one)).toEqual([]);
  await expect.poll(() => filesOf(other.namespace)).toEqual([]);
  await purgeObject(given.service.pagesBucket, secondOfHalf);

  const { lines } = await restore({ from, everything: true });

  expect(lines.at(-1)).toMatch(/^Items restored from everything: \d+\.$/);
  const losses = lines.filter((line) => line.startsWith(`The page ${gone}/`) || line.includes(secondOfHalf));
  expect(losses).toEqual([1, 2].map(() => expect.stringContaining("is permanently deleted")));
  expect((await owner.json("GET", "/api/me")).user_id).toBe(owner.userId);
  expect(lines).toContain(`The drop ${gone} has no pages left, and stays deleted.`);
  expect((await owner.json("GET", "/api/drops")).drops).toEqual([]);
  expect((await owner.json("GET", "/api/me/usage")).drops.used).toBe(0);
  const { drops } = await other.json("GET", "/api/drops?sortOrder=asc");
  expect(drops).toMatchObject([
    { slug, latest_version: 1 },
    { slug: half, latest_version: 1 },
  ]);
  expect(await readerSessions.find(left, Date.now())).toBeUndefined();
  expect((await getItem(keys.lastEvent(slug)))?.number).toBeGreaterThan(0);
  expect((await getItem(keys.webhookRoots()))?.current).not.toBe("rotated out");
  const page = `${given.service.baseUrl}/p/${slug}`;
  expect(await statusesOf([page, `${page}/raw?v=1`, fileAddress(other.namespace, id)])).toEqual([
    200, 200, 200,
  ]);
});

describe("a drop that was transferred after the backup", () => {
  async function givenTransfer(table: string) {
    const [former, owner] = [await newOwner(given.service, "former"), await newOwner(given.service, "heir")];
    const [slug, id] = [await former.publish("<p>moved</p>"), await former.upload("a note")];
    const [own, ownId] = [await former.publish("<p>own</p>"), await former.upload("own")];
    const from = await backUpTable(table, former, owner);
    const words = [former.namespace, owner.namespace];
    await runCommand(transferCommand, given, words, { drops: slug, files: id, yes: true });
    const page = `http://${former.namespace}.${new URL(given.service.baseUrl).host}/d/${slug}`;
    return { former, owner, slug, id, own, ownId, from, page, file: fileAddress(former.namespace, id) };
  }

  test("is restored to its last owner", async () => {
    const { former, owner, slug, id, from, page, file } = await givenTransfer("before-transfer");
    await owner.deleteForGood(slug);
    await owner.json("DELETE", `/api/blobs/${id}`);
    await expect.poll(() => pagesOf(slug)).toEqual([]);
    await expect.poll(() => statusesOf([file])).toEqual([404]);

    await restore({ from, drop: slug });
    await restore({ from, file });

    expect(await statusesOf([page, file])).toEqual([200, 200]);
    expect((await owner.json("GET", `/api/drops/${slug}`)).url).toBe(page);
    expect((await former.call("GET", `/api/drops/${slug}`)).status).toBe(404);
    for (const { namespace } of [former, owner]) await expectWellCounted(namespace);
    await expect(restore({ from, drop: slug })).rejects.toThrow(`The drop ${slug} already exists.`);
    await expect(restore({ from, file })).rejects.toThrow(`The file ${id} already exists.`);
  });

  test("stays with its new owner when the former account is restored", async () => {
    const { former, owner, slug, id, own, ownId, from, page, file } =
      await givenTransfer("before-transfer-2");
    const { userId, namespace } = former;
    const rows = [keys.account(userId), identityOf(namespace), keys.pointer(own)];
    await loseRows(...rows.map(({ pk }) => pk));
    await expect.poll(() => pagesOf(own)).toEqual([]);
    await expect.poll(() => statusesOf([fileAddress(namespace, ownId)])).toEqual([404]);

    const { lines } = await restore({ from, user: userId });

    expect(lines.slice(0, 2)).toEqual([
      `The file ${id} now belongs to the account ${owner.userId}, and stays there.`,
      `The drop ${slug} now belongs to the account ${owner.userId}, and stays there.`,
    ]);
    expect(await statusesOf([page, file, fileAddress(namespace, ownId)])).toEqual([200, 200, 200]);
    expect((await owner.json("GET", "/api/drops")).total).toBe(1);
    for (const one of [former, owner]) await expectWellCounted(one.namespace);
  });

  test("stays with its new owner in a full restoration, without a copy", async () => {
    const { former, owner, slug, id, own, from, page, file } = await givenTransfer("before-transfer-3");

    await restore({ from, everything: true });
    await runCommand(recountCommand, given, [former.namespace], { fix: true });
    await runCommand(recountCommand, given, [owner.namespace], { fix: true });

    expect(await statusesOf([page, file])).toEqual([200, 200]);
    const again = await givenOwner(given.service, former.namespace);
    const slugsOf = async (one: Owner) =>
      (await one.json("GET", "/api/drops")).drops.map((drop: { slug: string }) => drop.slug);
    expect([await slugsOf(again), await slugsOf(owner)]).toEqual([[own], [slug]]);
    expect((await owner.json("GET", `/api/drops/${slug}`)).url).toBe(page);
    await owner.json("DELETE", `/api/blobs/${id}`);
    await expect.poll(() => statusesOf([file])).toEqual([404]);
  });
});

test.each([
  [{}, "Missing --from <table>."],
  [{ from: "x" }, "Choose one of --drop <slug>, --file <address>, --user <user id> and --everything."],
  [
    { from: "x", drop: "Ab3dE6g", everything: true },
    "Choose one of --drop <slug>, --file <address>, --user <user id> and --everything.",
  ],
])("%j is refused with the right usage", async (options, message) => {
  await expect(restore(options as Record<string, string>)).rejects.toThrow(message);
});
