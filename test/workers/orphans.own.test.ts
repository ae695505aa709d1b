import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextKey, sourceKey } from "../../functions/drops/drop.ts";
import { pageTextKey } from "../../functions/feedback/feedback.ts";
import { keys } from "../../functions/table/keys.ts";
import { givenDrop, ownerId } from "./items.ts";
import { objectCreatedMessage, queueEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await runWorker("follow-up");
  await worker.putItem({ ...keys.namespace("owner"), userId: ownerId });
});
afterAll(() => worker.stop());

/** Stores an object, runs the orphan check, and returns true if the object still exists. */
async function survives(bucket: string, key: string): Promise<boolean> {
  await worker.putObject(bucket, key);
  const response = await worker.invoke(queueEvent(objectCreatedMessage(bucket, key)));
  expect(response.batchItemFailures).toEqual([]);
  return worker.hasObject(bucket, key);
}

describe("a page", () => {
  test("stays with its context, Markdown and search text while any version refers to it", async () => {
    const { version, versionItem } = givenDrop("dropone", { context: "why" });
    await worker.putItem({ ...versionItem, ...keys.version("dropone", 1), pageKey: "dropone/Other.html" });
    await worker.putItem({ ...versionItem, ...keys.version("dropone", 7) });

    expect(await survives(worker.pagesBucket, version.pageKey)).toBe(true);
    expect(await survives(worker.pagesBucket, contextKey(version.pageKey))).toBe(true);
    expect(await survives(worker.pagesBucket, sourceKey(version.pageKey))).toBe(true);
    expect(await survives(worker.pagesBucket, pageTextKey(version.pageKey))).toBe(true);
  });

  test("without a version is removed with its context, Markdown and search text", async () => {
    const { version, versionItem } = givenDrop("droptwo");
    await worker.putItem({ ...versionItem, pageKey: "droptwo/Other00000000001.html" });

    expect(await survives(worker.pagesBucket, version.pageKey)).toBe(false);
    expect(await survives(worker.pagesBucket, contextKey(version.pageKey))).toBe(false);
    expect(await survives(worker.pagesBucket, sourceKey(version.pageKey))).toBe(false);
    expect(await survives(worker.pagesBucket, pageTextKey(version.pageKey))).toBe(false);
  });
});

describe("a file", () => {
  test("stays if its owner's item refers to it", async () => {
    await worker.putItem({
      ...keys.blob(ownerId, "hijklmn"),
      namespace: "owner",
      objectKey: "owner/hijklmn",
    });

    expect(await survives(worker.blobsBucket, "owner/hijklmn")).toBe(true);
  });

  test("that is restricted stays at its stored location, and is removed everywhere else", async () => {
    const [kept, other, open] = [
      "_restricted/owner/hijkapt/Object0000000001",
      "_restricted/owner/hijkapt/Object0000000002",
      "owner/hijkapt",
    ];
    const row = { namespace: "owner", objectKey: kept, visibility: "members" };
    await worker.putItem({ ...keys.blob(ownerId, "hijkapt"), ...row });

    expect(await survives(worker.blobsBucket, kept)).toBe(true);
    expect(await survives(worker.blobsBucket, other)).toBe(false);
    expect(await survives(worker.blobsBucket, open)).toBe(false);
  });

  test("that was transferred stays only while its current owner's item refers to it", async () => {
    const heirId = "Heir000000000001";
    await worker.putItem({ ...keys.filePointer("owner", "movedon"), ownerId: heirId, transferCount: 1 });
    const row = { ...keys.blob(heirId, "movedon"), namespace: "owner", objectKey: "owner/movedon" };
    await worker.putItem(row);

    expect(await survives(worker.blobsBucket, "owner/movedon")).toBe(true);
    await worker.putItem({ ...row, ...keys.blob(ownerId, "movedon"), namespace: "owner" });
    await worker.putItem({ ...row, namespace: "heir", objectKey: "heir/movedon" });

    expect(await survives(worker.blobsBucket, "owner/movedon")).toBe(false);
  });

  test("of an unassigned namespace stays while an owner's item refers to it", async () => {
    const heirId = "Heir000000000001";
    await worker.putItem({ ...keys.namespace("gone"), deletedAtMs: 1 });
    await worker.putItem({ ...keys.filePointer("gone", "movedon"), ownerId: heirId, transferCount: 1 });
    await worker.putItem({ ...keys.blob(heirId, "movedon"), namespace: "gone", objectKey: "gone/movedon" });

    expect(await survives(worker.blobsBucket, "gone/movedon")).toBe(true);
    expect(await survives(worker.blobsBucket, "gone/another")).toBe(false);
  });

  test("without an item is removed", async () => {
    await worker.putItem({ ...keys.blob("Another000000001", "opqrstu"), objectKey: "owner/opqrstu" });
    await worker.putItem({ ...keys.blob(ownerId, "vwxyzab"), objectKey: "elsewhere/vwxyzab" });

    expect(await survives(worker.blobsBucket, "owner/opqrstu")).toBe(false);
    expect(await survives(worker.blobsBucket, "owner/vwxyzab")).toBe(false);
    expect(await survives(worker.blobsBucket, "nobody/hijklmn")).toBe(false);
  });
});

test("a staged upload is removed", async () => {
  expect(await survives(worker.blobsBucket, `staging/${ownerId}/upload-1`)).toBe(false);
  expect(await survives(worker.pagesBucket, `staging/${ownerId}/upload-1`)).toBe(false);
});

test.each([
  "index.html",
  "dropone/notes.txt",
  "reports/2026/a b+c.html",
  "dropone/Object0000000001.html.bak",
])("an object that the service did not create stays: %s", async (key) => {
  expect(await survives(worker.pagesBucket, key)).toBe(true);
});

test("a message about a removed object is accepted", async () => {
  const message = objectCreatedMessage(worker.pagesBucket, "dropsix/Object0000000001.html");

  expect((await worker.invoke(queueEvent(message, message))).batchItemFailures).toEqual([]);
});

test("a bucket's test message to the queue is accepted", async () => {
  const message = JSON.stringify({ Service: "Amazon S3", Event: "s3:TestEvent", Bucket: worker.pagesBucket });

  expect((await worker.invoke(queueEvent(message))).batchItemFailures).toEqual([]);
});

test("invalid messages, and messages of other buckets, are returned to the queue", async () => {
  const elsewhere = objectCreatedMessage("another-bucket", "dropone/Object0000000001.html");

  const response = await worker.invoke(queueEvent("{", "{}", elsewhere));

  expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["m0", "m1", "m2"]);
});
