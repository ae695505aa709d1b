import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { contextKey } from "../../functions/domain/drop.ts";
import { toBlobItem } from "../../functions/store/blob-items.ts";
import { type Key, keys } from "../../functions/store/keys.ts";
import type { Item } from "../../functions/store/table.ts";
import { givenDrop, ownerId, versionItem } from "./items.ts";
import { streamEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

// Much is stored, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

/** What CloudFront was asked for, and how it answers. */
const invalidations: { readonly paths: string[]; readonly reference: string | undefined }[] = [];
let cloudFrontStatus = 201;
let cloudFront: Server;
let worker: RunningWorker;

beforeAll(async () => {
  cloudFront = await startCloudFront();
  process.env.AWS_ENDPOINT_URL_CLOUDFRONT = `http://127.0.0.1:${(cloudFront.address() as AddressInfo).port}`;
  worker = await runWorker("janitor");
}, 20_000);
afterAll(async () => {
  await worker.stop();
  cloudFront.close();
});
beforeEach(() => {
  invalidations.length = 0;
  cloudFrontStatus = 201;
});

describe("a removed drop", () => {
  test("loses every version's row and its views, and leaves the edge", async () => {
    const { version, dropItem } = givenDrop("dropone");
    const versions = Array.from({ length: 60 }, (_, index) => ({ ...version, version: index + 1 }));
    for (const one of versions) await worker.putItem(versionItem(one));
    await worker.putItem({ ...keys.views(ownerId, "dropone"), viewCount: 3 });
    await worker.putItem({ ...keys.pointer("dropone"), ownerId });

    const answer = await worker.invoke(streamEvent({ before: dropItem }));

    expect(answer.batchItemFailures).toEqual([]);
    for (const one of versions)
      expect(await worker.getItem(keys.version("dropone", one.version))).toBeUndefined();
    expect(await worker.getItem(keys.views(ownerId, "dropone"))).toBeUndefined();
    expect(await worker.getItem(keys.pointer("dropone"))).toBeDefined();
    expect(invalidations.map(({ paths }) => paths)).toEqual([["/p/dropone/*"]]);
  });

  test("leaves other drops' versions alone", async () => {
    const { dropItem } = givenDrop("dropone");
    const { versionItem: other } = givenDrop("droptwo");
    await worker.putItem(other);

    await worker.invoke(streamEvent({ before: dropItem }));

    expect(await worker.getItem(other)).toEqual(other);
  });
});

describe("a removed version", () => {
  test("loses its page and its context, and no other version's", async () => {
    const { version, versionItem: item } = givenDrop("dropone", { context: "why" });
    const other = version.pageKey.replace("1.html", "2.html");
    for (const key of [version.pageKey, contextKey(version.pageKey), other]) {
      await worker.putObject(worker.pagesBucket, key);
    }

    const answer = await worker.invoke(streamEvent({ before: item }));

    expect(answer.batchItemFailures).toEqual([]);
    expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(false);
    expect(await worker.hasObject(worker.pagesBucket, contextKey(version.pageKey))).toBe(false);
    expect(await worker.hasObject(worker.pagesBucket, other)).toBe(true);
    expect(invalidations.map(({ paths }) => paths)).toEqual([["/p/dropone/*"]]);
  });

  test("may be told of twice", async () => {
    const event = streamEvent({ before: givenDrop("dropone").versionItem });

    await worker.invoke(event);
    const again = await worker.invoke(event);

    expect(again.batchItemFailures).toEqual([]);
    expect(invalidations[1]).toEqual(invalidations[0]);
  });
});

test("a removed file loses its object, and leaves the edge under both addresses", async () => {
  await worker.putObject(worker.blobsBucket, "owner/hijklmn");

  await worker.invoke(streamEvent({ before: givenBlob("hijklmn") }));

  expect(await worker.hasObject(worker.blobsBucket, "owner/hijklmn")).toBe(false);
  expect(invalidations.map(({ paths }) => paths)).toEqual([["/b/hijklmn", "/owner/hijklmn"]]);
});

test("what an operator has restored meanwhile loses nothing", async () => {
  const { dropItem, versionItem: item, version } = givenDrop("dropbak");
  const blob = givenBlob("hijkbak");
  for (const row of [dropItem, item, blob]) await worker.putItem(row);
  await worker.putObject(worker.pagesBucket, version.pageKey);
  await worker.putObject(worker.blobsBucket, "owner/hijkbak");

  await worker.invoke(streamEvent({ before: dropItem }, { before: item }, { before: blob }));

  expect(await worker.getItem(item)).toEqual(item);
  expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(true);
  expect(await worker.hasObject(worker.blobsBucket, "owner/hijkbak")).toBe(true);
});

test("a drop whose gate changed leaves the edge and loses nothing", async () => {
  const { dropItem, versionItem: item, version } = givenDrop("dropgat");
  await worker.putItem(item);
  await worker.putObject(worker.pagesBucket, version.pageKey);

  await worker.invoke(streamEvent({ before: dropItem, after: { ...dropItem, gateEpoch: 1 } }));

  expect(invalidations.map(({ paths }) => paths)).toEqual([["/p/dropgat/*"]]);
  expect(await worker.getItem(item)).toEqual(item);
  expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(true);
});

test("the edge is told again when no answer is under way any more that was made before", async () => {
  const before = worker.delayedMessageCount("INVALIDATIONS_QUEUE_URL");
  const { dropItem } = givenDrop("dropgat");

  await worker.invoke(
    streamEvent({ before: dropItem, after: { ...dropItem, gateEpoch: 1 } }, { before: givenBlob("hijklmn") }),
  );

  expect(worker.delayedMessageCount("INVALIDATIONS_QUEUE_URL")).toBe(before + 2);
});

describe("a batch", () => {
  test("of many changes is one request to the edge", async () => {
    const drops = Array.from({ length: 20 }, (_, index) => givenDrop(`drop${100 + index}`));

    await worker.invoke(
      streamEvent(
        ...drops.map(({ dropItem }) => ({ before: dropItem, after: { ...dropItem, gateEpoch: 1 } })),
      ),
    );

    expect(invalidations.map(({ paths }) => paths)).toEqual([["/p/*"]]);
  });

  test("whose invalidation fails is handed over again from its first change on, with its other work done", async () => {
    const { version, versionItem: item, dropItem } = givenDrop("dropone");
    await worker.putObject(worker.pagesBucket, version.pageKey);
    cloudFrontStatus = 400;

    const answer = await worker.invoke(
      streamEvent(
        { before: dropItem, after: { ...dropItem, title: "T" } },
        { before: item },
        { before: dropItem },
      ),
    );

    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: "101" }]);
    expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(false);
  });

  test("of which one removal fails is handed over again from that one on", async () => {
    const { versionItem: item } = givenDrop("dropone");
    vi.stubEnv("BLOBS_BUCKET", "no-such-bucket");

    const answer = await worker.invoke(
      streamEvent({ before: item }, { before: givenBlob("hijklmn") }, { before: item }),
    );

    vi.unstubAllEnvs();
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: "101" }]);
  });

  test("is not held up by a row that nobody can read", async () => {
    const { versionItem: item } = givenDrop("dropone");
    const lines = captureLog();

    const answer = await worker.invoke(
      streamEvent({ before: { ...item, pageKey: undefined } }, { before: item }),
    );

    expect(answer.batchItemFailures).toEqual([]);
    expect(lines()[0]).toMatchObject({ level: "error", event: "unreadable-record", sequenceNumber: "100" });
  });

  test("is one line in the log, which says nothing of what was removed", async () => {
    const { dropItem } = givenDrop("dropone");
    const lines = captureLog();

    await worker.invoke(streamEvent({ before: dropItem }));

    const [line, ...others] = lines();
    expect(others).toEqual([]);
    expect(line).toEqual({
      level: "info",
      operation: "janitor",
      requestId: "test",
      records: 1,
      failed: 0,
      durationMs: expect.any(Number),
    });
  });
});

function givenBlob(id: string): Item & Key {
  const facts = { filename: "a.png", contentType: "image/png", sizeBytes: 1, createdAtMs: 1 };
  return toBlobItem({ id, ownerId, namespace: "owner", objectKey: `owner/${id}`, ...facts }) as Item & Key;
}

function captureLog(): () => Record<string, unknown>[] {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => {
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    return lines;
  };
}

/** Answers CreateInvalidation as CloudFront does; Amazon CloudFront API reference. */
function startCloudFront(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const paths = [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, path]) => path ?? "");
    const reference = /<CallerReference>([^<]*)</.exec(body)?.[1];
    invalidations.push({ paths, reference });
    response.writeHead(cloudFrontStatus, { "content-type": "text/xml" });
    response.end(
      cloudFrontStatus === 201
        ? "<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>"
        : "<ErrorResponse><Error><Type>Sender</Type><Code>TooManyInvalidationsInProgress</Code><Message>m</Message></Error></ErrorResponse>",
    );
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
