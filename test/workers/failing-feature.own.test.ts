import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Queue } from "@dropleaf/local-cloud/aws/sqs/queue";
import type { Context } from "aws-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, test, vi } from "vitest";
import { toBlobItem } from "../../functions/blobs/store.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import type { followUp } from "../../functions/table-stream/follow-up.ts";
import { givenDrop, ownerId } from "./items.ts";
import { queueEvent, streamEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

/** A CloudFront API that never responds while `isSilent` is true. */
let cloudFront: Server;
let isSilent = false;
let worker: RunningWorker;
let runFollowUp: typeof followUp;
let send: MockInstance<Queue["send"]>;
let lines: string[];

beforeAll(async () => {
  cloudFront = createServer((_, response) => {
    if (!isSilent) response.writeHead(201).end("<Invalidation><Id>I1</Id></Invalidation>");
  });
  await new Promise<void>((resolve) => cloudFront.listen(0, "127.0.0.1", resolve));
  process.env.AWS_ENDPOINT_URL_CLOUDFRONT = `http://127.0.0.1:${(cloudFront.address() as AddressInfo).port}`;
  worker = await runWorker("janitor");
  ({ followUp: runFollowUp } = await import("../../functions/table-stream/follow-up.ts"));
  send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
});
afterAll(async () => {
  await worker.stop();
  cloudFront.closeAllConnections();
  cloudFront.close();
});
beforeEach(() => {
  isSilent = false;
  send.mockClear();
  lines = [];
  vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const file = toBlobItem({
  id: "hijklmn",
  ownerId,
  namespace: "owner",
  objectKey: "owner/hijklmn",
  filename: "a.png",
  contentType: "image/png",
  sizeBytes: 1,
  createdAtMs: 1,
  visibility: { kind: "public" },
}) as Item & Key;

test("a change that fails for one feature is postponed for that feature, and the batch's other work is done", async () => {
  const { version, versionItem, dropItem } = givenDrop("dropone");
  await worker.putObject(worker.pagesBucket, version.pageKey);
  await worker.putItem({ ...keys.views(ownerId, "dropone"), viewCount: 3 });
  vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");

  const response = await worker.invoke(
    streamEvent({ before: file }, { before: versionItem }, { before: dropItem }),
  );

  expect(response.batchItemFailures).toEqual([]);
  expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(false);
  expect(await worker.getItem(keys.views(ownerId, "dropone"))).toBeUndefined();
  expect(postponed()).toMatchObject([
    { feature: "files", record: { dynamodb: { SequenceNumber: "100" } }, tries: 1, delaySeconds: 5 },
  ]);
});

test("a postponed change is retried only for its feature, until it succeeds", async () => {
  await worker.putObject(worker.blobsBucket, "owner/hijklmn");
  vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");
  await worker.invoke(streamEvent({ before: file }));
  const [first] = postponed();

  const failed = await followUpWith(first, { isDue: true });
  const [, second] = postponed();
  vi.unstubAllEnvs();
  const early = await followUpWith(second, { isDue: false });
  const done = await followUpWith(second, { isDue: true });

  expect([failed, early, done]).toEqual([[], [], []]);
  expect(second).toMatchObject({ feature: "files", tries: 2, delaySeconds: 10 });
  // A message that is not due yet is sent to the queue again, unchanged.
  expect(postponed()[2]).toMatchObject({ feature: "files", tries: 2 });
  expect(await worker.hasObject(worker.blobsBucket, "owner/hijklmn")).toBe(false);
});

test("a change that has failed for an hour is sent to the dead-letter queue", async () => {
  vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");
  await worker.invoke(streamEvent({ before: file }));
  const [first] = postponed();

  const failed = await followUpWith({ ...first, sinceMs: Date.now() - 3_600_000 }, { isDue: true });

  expect(failed).toEqual([{ itemIdentifier: "m0" }]);
  expect(postponed()).toHaveLength(1);
});

test("a change of an unknown feature is sent to the dead-letter queue", async () => {
  vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");
  await worker.invoke(streamEvent({ before: file }));

  const failed = await followUpWith({ ...postponed()[0], feature: "no-such" }, { isDue: true });

  expect(failed).toEqual([{ itemIdentifier: "m0" }]);
});

test("a batch is retried from the first change that could be neither done nor postponed", async () => {
  const { versionItem } = givenDrop("dropone");
  vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");
  vi.stubEnv("FOLLOW_UPS_QUEUE_URL", "http://127.0.0.1/000000000000/no-such-queue");

  const response = await worker.invoke(streamEvent({ before: versionItem }, { before: file }));

  expect(response.batchItemFailures).toEqual([{ itemIdentifier: "101" }]);
});

test("work that hangs is postponed before the function times out", async () => {
  const { dropItem } = givenDrop("dropone");
  isSilent = true;

  const response = await worker.invoke(
    streamEvent({ before: dropItem, after: { ...dropItem, passcodeHash: "scrypt$" } }),
    10_500,
  );

  expect(response.batchItemFailures).toEqual([]);
  expect(postponed()).toMatchObject([{ feature: "drops" }]);
});

/** Returns the changes that wait in the follow-up queue, with their delays. */
function postponed() {
  const messages = send.mock.calls.map(([{ body, delaySeconds }]) => ({ ...JSON.parse(body), delaySeconds }));
  return messages.filter(({ kind }) => kind === "table-change");
}

async function followUpWith(message: object | undefined, { isDue }: { readonly isDue: boolean }) {
  const dueAtMs = isDue ? 1 : Date.now() + 60_000;
  const event = queueEvent(JSON.stringify({ ...message, dueAtMs }));
  const { batchItemFailures } = await runFollowUp(event, { awsRequestId: "test" } as Context);
  return batchItemFailures;
}
