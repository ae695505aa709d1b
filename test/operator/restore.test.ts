import { BatchWriteItemCommand, CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3 } from "../../functions/drops/page-objects.ts";
import { dynamodb } from "../../functions/platform/table.ts";
import type { Command } from "../../scripts/operator/command.ts";
import { deleteAccountCommand } from "../../scripts/operator/delete-account.ts";
import { recountCommand } from "../../scripts/operator/recount.ts";
import { restoreCommand } from "../../scripts/operator/restore.ts";
import { suspendCommand, unsuspendCommand } from "../../scripts/operator/suspend.ts";
import { readTable } from "../../scripts/operator/table-copy.ts";
import { type GivenService, givenOwner, runCommand, startGivenService, statusesOf } from "./given-service.ts";

let given: GivenService;

beforeAll(async () => {
  given = await startGivenService();
});

afterAll(() => given.stop());

const restore = (options: Record<string, string | boolean>) =>
  runCommand(restoreCommand, given, [], { yes: true, ...options });

/** A table with all that the service's has now: what point-in-time recovery gives. */
async function backUpTable(name: string): Promise<string> {
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
  for await (const items of readTable(given.service.tableName)) {
    for (const Item of items)
      await dynamodb.send(
        new BatchWriteItemCommand({ RequestItems: { [name]: [{ PutRequest: { Item } }] } }),
      );
  }
  return name;
}

/** Keeps the pages of a drop; what it returns puts them back, as removing S3's delete markers does. */
async function backUpPages(slug: string): Promise<() => Promise<void>> {
  const Bucket = given.service.pagesBucket;
  const listed = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${slug}/` }));
  const kept = await Promise.all(
    (listed.Contents ?? []).map(async ({ Key }) => {
      const { Body, Metadata, ContentType } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      return { Bucket, Key, Metadata, ContentType, Body: await Body?.transformToByteArray() };
    }),
  );
  return async () => {
    for (const object of kept) await s3.send(new PutObjectCommand(object));
  };
}

/** The stream keeps its order: when the janitor is through with what comes now, it is through with all before. */
async function waitForJanitor(): Promise<void> {
  const owner = await givenOwner(given.service, "sentinel");
  const slug = await owner.publish("<p>passes by</p>");
  await owner.json("DELETE", `/api/drops/${slug}`);
  await expect.poll(() => countPages(slug)).toBe(0);
}

async function countPages(slug: string): Promise<number> {
  const listing = new ListObjectsV2Command({ Bucket: given.service.pagesBucket, Prefix: `${slug}/` });
  return (await s3.send(listing)).Contents?.length ?? 0;
}

async function expectWellCounted(namespace: string): Promise<void> {
  const { isWell, lines } = await runCommand(recountCommand, given, [namespace]);
  expect(lines).toEqual(["Accounts counted: 1."]);
  expect(isWell).toBe(true);
}

describe("a deleted drop", () => {
  test("comes back with its versions, its lock and its place in the quota", async () => {
    const owner = await givenOwner(given.service, "ada");
    const slug = await owner.publish("<p>one</p>", { context: "why", metadata: { constructor: "x" } });
    await owner.json("PUT", `/api/drops/${slug}`, { html: "<p>two</p>" });
    await owner.json("POST", `/api/drops/${slug}/passcode`, { passcode: "open sesame" });
    const before = await owner.json("GET", `/api/drops/${slug}`);
    const from = await backUpTable("before-deletion");
    const putPagesBack = await backUpPages(slug);
    await owner.json("DELETE", `/api/drops/${slug}`);
    await expect.poll(() => countPages(slug)).toBe(0);
    await expect(restore({ from, drop: slug })).rejects.toThrow(/is not in .*: bring the pages back first/);

    await putPagesBack();
    const { lines } = await restore({ from, drop: slug });

    expect(lines).toEqual([`Items restored from ${from}: 4.`]);
    expect(await owner.json("GET", `/api/drops/${slug}`)).toEqual(before);
    expect((await owner.json("GET", `/api/drops/${slug}/versions`)).versions).toHaveLength(2);
    expect((await owner.json("GET", "/api/me/usage")).drops.used).toBe(1);
    await expectWellCounted("ada");
    await expect(restore({ from, drop: slug })).rejects.toThrow(`The drop ${slug} is there.`);
  });

  test("comes back from a time when it was there, and from no other", async () => {
    const owner = await givenOwner(given.service, "grace");
    const slug = await owner.publish("<p>one</p>");
    await owner.json("DELETE", `/api/drops/${slug}`);
    const from = await backUpTable("too-late");

    await expect(restore({ from, drop: slug })).rejects.toThrow(
      "is deleted already: restore an earlier time.",
    );
    await expect(restore({ from, drop: "Zzzzzz9" })).rejects.toThrow(
      "The table too-late has no drop Zzzzzz9.",
    );
  });
});

test("nothing comes back into a suspension, out of one, or past a ban", async () => {
  const owner = await givenOwner(given.service, "frances");
  const slug = await owner.publish("<p>one</p>");
  const run = (command: Command) => runCommand(command, given, [owner.userId], { yes: true });
  await run(suspendCommand);
  const from = await backUpTable("while-suspended");
  const putPagesBack = await backUpPages(slug);
  await run(unsuspendCommand);
  await owner.json("DELETE", `/api/drops/${slug}`);
  await expect.poll(() => countPages(slug)).toBe(0);
  await putPagesBack();
  await run(suspendCommand);

  await expect(restore({ from, drop: slug })).rejects.toThrow("is suspended: unsuspend it first.");
  await run(unsuspendCommand);
  await restore({ from, drop: slug });

  expect(await statusesOf([`${given.service.baseUrl}/p/${slug}`])).toEqual([200]);
  await runCommand(deleteAccountCommand, given, ["frances"], { yes: true, ban: true });
  await expect(restore({ from, user: owner.userId })).rejects.toThrow("is banned: unban them first.");
});

describe("a deleted account", () => {
  test("comes back with what is still there, and signs in again", async () => {
    const owner = await givenOwner(given.service, "hedy");
    const slug = await owner.publish("<p>hers</p>");
    const id = await owner.upload("a note");
    const from = await backUpTable("before-leaving");
    const putPagesBack = await backUpPages(slug);
    await runCommand(deleteAccountCommand, given, ["hedy"], { yes: true });
    await waitForJanitor();
    await putPagesBack();

    const { lines } = await restore({ from, user: owner.userId });

    expect(lines[0]).toBe(`The file ${id} (note.txt) is gone.`);
    const address = `http://hedy.${new URL(given.service.baseUrl).host}`;
    expect(await statusesOf([`${address}/`, `${address}/d/${slug}`])).toEqual([200, 200]);
    expect((await owner.call("GET", "/api/me")).status).toBe(401);
    const again = await givenOwner(given.service, "hedy");
    expect([again.userId, again.namespace]).toEqual([owner.userId, "hedy"]);
    expect((await again.json("GET", "/api/me/usage")).blobs.used).toBe(0);
    await expectWellCounted("hedy");
  });

  test("does not come back beside another one of the same person", async () => {
    const owner = await givenOwner(given.service, "mary");
    const from = await backUpTable("before-return");
    await runCommand(deleteAccountCommand, given, ["mary"], { yes: true });
    const { userId } = await givenOwner(given.service, "mary");

    await expect(restore({ from, user: owner.userId })).rejects.toThrow(
      `The person has signed in since and has the account ${userId}: delete that one first.`,
    );
  });
});

test("everything can be put back, tokens too", async () => {
  const owner = await givenOwner(given.service, "dorothy");
  const from = await backUpTable("everything");
  await runCommand(deleteAccountCommand, given, ["dorothy"], { yes: true });
  await waitForJanitor();

  const { lines } = await restore({ from, everything: true });

  expect(lines.at(-1)).toMatch(/^Items restored from everything: \d+\.$/);
  expect((await owner.json("GET", "/api/me")).user_id).toBe(owner.userId);
});

test.each([
  [{}, "Say where from: --from <table>."],
  [{ from: "x" }, "Say what: --drop <slug>, --user <user id> or --everything."],
  [
    { from: "x", drop: "Ab3dE6g", everything: true },
    "Say what: --drop <slug>, --user <user id> or --everything.",
  ],
])("%j says what to write", async (options, message) => {
  await expect(restore(options as Record<string, string>)).rejects.toThrow(message);
});
