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

/** Puts an object, lets it be checked, and says whether it is still there. */
async function survives(bucket: string, key: string): Promise<boolean> {
  await worker.putObject(bucket, key);
  const response = await worker.invoke(queueEvent(objectCreatedMessage(bucket, key)));
  expect(response.batchItemFailures).toEqual([]);
  return worker.hasObject(bucket, key);
}

describe("a page", () => {
  test("stays with its context, its Markdown and its words as long as a version points at it, whichever it is", async () => {
    const { version, versionItem } = givenDrop("dropone", { context: "why" });
    await worker.putItem({ ...versionItem, ...keys.version("dropone", 1), pageKey: "dropone/Other.html" });
    await worker.putItem({ ...versionItem, ...keys.version("dropone", 7) });

    expect(await survives(worker.pagesBucket, version.pageKey)).toBe(true);
    expect(await survives(worker.pagesBucket, contextKey(version.pageKey))).toBe(true);
    expect(await survives(worker.pagesBucket, sourceKey(version.pageKey))).toBe(true);
    expect(await survives(worker.pagesBucket, pageTextKey(version.pageKey))).toBe(true);
  });

  test("that no version points at goes, and so do its context, its Markdown and its words", async () => {
    const { version, versionItem } = givenDrop("droptwo");
    await worker.putItem({ ...versionItem, pageKey: "droptwo/Other00000000001.html" });

    expect(await survives(worker.pagesBucket, version.pageKey)).toBe(false);
    expect(await survives(worker.pagesBucket, contextKey(version.pageKey))).toBe(false);
    expect(await survives(worker.pagesBucket, sourceKey(version.pageKey))).toBe(false);
    expect(await survives(worker.pagesBucket, pageTextKey(version.pageKey))).toBe(false);
  });
});

describe("a file", () => {
  test("stays as long as its owner's row points at it", async () => {
    await worker.putItem({
      ...keys.blob(ownerId, "hijklmn"),
      namespace: "owner",
      objectKey: "owner/hijklmn",
    });

    expect(await survives(worker.blobsBucket, "owner/hijklmn")).toBe(true);
  });

  test("that only some may read stays where its row points, and nothing of it elsewhere", async () => {
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

  test("stays as long as the row points at it of whoever it went to, and no longer", async () => {
    const heirId = "Heir000000000001";
    await worker.putItem({ ...keys.filePointer("owner", "movedon"), ownerId: heirId, transferCount: 1 });
    const row = { ...keys.blob(heirId, "movedon"), namespace: "owner", objectKey: "owner/movedon" };
    await worker.putItem(row);

    expect(await survives(worker.blobsBucket, "owner/movedon")).toBe(true);
    await worker.putItem({ ...row, ...keys.blob(ownerId, "movedon"), namespace: "owner" });
    await worker.putItem({ ...row, namespace: "heir", objectKey: "heir/movedon" });

    expect(await survives(worker.blobsBucket, "owner/movedon")).toBe(false);
  });

  test("stays, whose namespace is nobody's any more, as long as it is somebody's itself", async () => {
    const heirId = "Heir000000000001";
    await worker.putItem({ ...keys.namespace("gone"), deletedAtMs: 1 });
    await worker.putItem({ ...keys.filePointer("gone", "movedon"), ownerId: heirId, transferCount: 1 });
    await worker.putItem({ ...keys.blob(heirId, "movedon"), namespace: "gone", objectKey: "gone/movedon" });

    expect(await survives(worker.blobsBucket, "gone/movedon")).toBe(true);
    expect(await survives(worker.blobsBucket, "gone/another")).toBe(false);
  });

  test("that no row points at goes", async () => {
    await worker.putItem({ ...keys.blob("Another000000001", "opqrstu"), objectKey: "owner/opqrstu" });
    await worker.putItem({ ...keys.blob(ownerId, "vwxyzab"), objectKey: "elsewhere/vwxyzab" });

    expect(await survives(worker.blobsBucket, "owner/opqrstu")).toBe(false);
    expect(await survives(worker.blobsBucket, "owner/vwxyzab")).toBe(false);
    expect(await survives(worker.blobsBucket, "nobody/hijklmn")).toBe(false);
  });
});

test("an upload that is still staged goes", async () => {
  expect(await survives(worker.blobsBucket, `staging/${ownerId}/upload-1`)).toBe(false);
  expect(await survives(worker.pagesBucket, `staging/${ownerId}/upload-1`)).toBe(false);
});

test.each([
  "index.html",
  "dropone/notes.txt",
  "reports/2026/a b+c.html",
  "dropone/Object0000000001.html.bak",
])("an object that the service did not make stays: %s", async (key) => {
  expect(await survives(worker.pagesBucket, key)).toBe(true);
});

test("a removed object may be told of again", async () => {
  const message = objectCreatedMessage(worker.pagesBucket, "dropsix/Object0000000001.html");

  expect((await worker.invoke(queueEvent(message, message))).batchItemFailures).toEqual([]);
});

test("what a bucket sends to try the queue out is taken", async () => {
  const message = JSON.stringify({ Service: "Amazon S3", Event: "s3:TestEvent", Bucket: worker.pagesBucket });

  expect((await worker.invoke(queueEvent(message))).batchItemFailures).toEqual([]);
});

test("messages that are no notifications, and those of other buckets, are given back", async () => {
  const elsewhere = objectCreatedMessage("another-bucket", "dropone/Object0000000001.html");

  const response = await worker.invoke(queueEvent("{", "{}", elsewhere));

  expect(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(["m0", "m1", "m2"]);
});
