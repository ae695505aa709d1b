import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Queue } from "@dropleaf/local-cloud/aws/sqs/queue";
import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { tagItem } from "../../functions/background/invalidation.ts";
import type { Blob } from "../../functions/blobs/blob.ts";
import { toBlobItem } from "../../functions/blobs/store.ts";
import { contextKey, type Drop, sourceKey } from "../../functions/drops/drop.ts";
import { pageTextKey } from "../../functions/feedback/feedback.ts";
import { dropTag, entityTag, fileTag, ownerTag } from "../../functions/http/response.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { dropItem, givenDrop, ownerId, versionItem } from "./items.ts";
import { streamEvent } from "./messages.ts";
import { type RunningWorker, runWorker } from "./running-worker.ts";

/** Invalidations that CloudFront received. */
const invalidations: { readonly items: string[]; readonly reference: string | undefined }[] = [];
let refuses: { status: number; code: string } | undefined;
let cloudFront: Server;
let worker: RunningWorker;
let send: MockInstance<Queue["send"]>;

beforeAll(async () => {
  cloudFront = await startCloudFront();
  process.env.AWS_ENDPOINT_URL_CLOUDFRONT = `http://127.0.0.1:${(cloudFront.address() as AddressInfo).port}`;
  worker = await runWorker("janitor");
  send = vi.spyOn(worker.queue("FOLLOW_UPS_QUEUE_URL"), "send");
});
afterAll(async () => {
  await worker.stop();
  cloudFront.close();
});
beforeEach(() => {
  invalidations.length = 0;
  refuses = undefined;
  send.mockClear();
});

const page = (slug: string) => tagItem(dropTag(slug));
const file = (id: string) => tagItem(fileTag({ namespace: "owner", id }));

test("a new version removes those beyond keepVersions and their bytes from the counters, and keeps the entity tag", async () => {
  const { version, drop } = givenDrop("dropmany");
  const numbers = [1, 2, 4, 5, 7];
  const last = versionItem({ ...version, slug: "dropmany", version: 7 });
  const item = dropItem({ ...drop, latest: { ...drop.latest, version: 7 }, nextVersion: 8, versionCount: 5 });
  for (const number of numbers) await worker.putItem(versionItem({ ...version, version: number }));
  await worker.putItem(item);
  await worker.putItem({ ...keys.pointer("dropmany"), ownerId, namespace: "owner" });
  await worker.putItem({ ...keys.account(ownerId), pageBytes: 100, countsRevision: 1 });
  process.env.KEEP_VERSIONS = "2";

  const results = [
    await worker.invoke(streamEvent({ after: last })),
    await worker.invoke(streamEvent({ after: last })),
  ];

  delete process.env.KEEP_VERSIONS;
  expect(results.map(({ batchItemFailures }) => batchItemFailures)).toEqual([[], []]);
  const there = await Promise.all(numbers.map((number) => worker.getItem(keys.version("dropmany", number))));
  expect(numbers.filter((_, index) => there[index])).toEqual([5, 7]);
  const left = await worker.getItem(item);
  expect(left).toMatchObject({ versionCount: 2, latestVersion: 7, updatedAtMs: item.updatedAtMs });
  expect(entityTag(left as unknown as Drop)).toBe(entityTag(drop));
  expect(await worker.getItem(keys.account(ownerId))).toMatchObject({
    pageBytes: 100 - 3 * version.sizeBytes,
    countsRevision: 2,
  });
});

describe("a removed drop", () => {
  test("loses its versions and views, and is removed from the edge", { tags: "slow" }, async () => {
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
    expect(invalidations.map(({ items }) => items)).toEqual([[page("dropone")]]);
  });

  test("loses its comments and answers, and other drops keep theirs", async () => {
    const written = (slug: string) => [
      keys.feedback(slug),
      keys.thread(slug, 1),
      ...Array.from({ length: 30 }, (_, index) => keys.comment(slug, 1, index + 1)),
      keys.sentForm(slug, "f1"),
      keys.answers(slug),
      keys.answer(slug, 1),
      keys.answerOf(slug, "vote", "hash"),
    ];
    const { dropItem } = givenDrop("dropone");
    for (const key of [...written("dropone"), ...written("droptwo")]) await worker.putItem({ ...key });

    const answer = await worker.invoke(streamEvent({ before: dropItem }));

    expect(answer.batchItemFailures).toEqual([]);
    for (const key of written("dropone")) expect(await worker.getItem(key), key.sk).toBeUndefined();
    for (const key of written("droptwo")) expect(await worker.getItem(key), key.sk).toBeDefined();
  });

  test("does not affect other drops' versions", async () => {
    const { dropItem } = givenDrop("dropone");
    const { versionItem: other } = givenDrop("droptwo");
    await worker.putItem(other);

    await worker.invoke(streamEvent({ before: dropItem }));

    expect(await worker.getItem(other)).toEqual(other);
  });
});

describe("a trashed drop", () => {
  test("keeps its versions, views and comments, and is removed from the edge", async () => {
    const { dropItem, versionItem: item } = givenDrop("dropbin");
    const kept = [
      item,
      { ...keys.views(ownerId, "dropbin"), viewCount: 3 },
      { ...keys.thread("dropbin", 1) },
    ];
    const pointer = { ...keys.pointer("dropbin"), ownerId, namespace: "owner" };
    for (const row of [...kept, pointer, { ...dropItem, ...keys.trashedDrop(ownerId, "dropbin") }])
      await worker.putItem(row);

    const answer = await worker.invoke(streamEvent({ before: dropItem }));

    expect(answer.batchItemFailures).toEqual([]);
    for (const row of kept) expect(await worker.getItem(row), row.sk).toEqual(row);
    expect(invalidations.map(({ items }) => items)).toEqual([[page("dropbin")]]);
  });

  test("loses them when it is purged, and nothing when it is undeleted", async () => {
    const [purged, back] = [givenDrop("droppur"), givenDrop("dropret")];
    for (const { drop, versionItem: item } of [purged, back]) {
      await worker.putItem({ ...keys.pointer(drop.slug), ownerId, namespace: "owner" });
      await worker.putItem(item);
    }
    await worker.putItem(back.dropItem);
    const trashed = ({ dropItem, drop }: typeof purged) => ({
      before: { ...dropItem, ...keys.trashedDrop(ownerId, drop.slug) },
    });

    const answer = await worker.invoke(streamEvent(trashed(purged), trashed(back)));

    expect(answer.batchItemFailures).toEqual([]);
    expect(await worker.getItem(purged.versionItem)).toBeUndefined();
    expect(await worker.getItem(back.versionItem)).toEqual(back.versionItem);
    expect(invalidations).toEqual([]);
  });
});

describe("a removed version", () => {
  test("loses its page, context, Markdown and search text, and other versions keep theirs", async () => {
    const { version, versionItem } = await givenStoredDrop("dropone", { context: "why" });
    const item = { ...versionItem, source: { sizeBytes: 2, sha256: "5c".repeat(32) } };
    const other = version.pageKey.replace("1.html", "2.html");
    const own = [contextKey, sourceKey, pageTextKey].map((keyOf) => keyOf(version.pageKey));
    for (const key of [version.pageKey, ...own, other]) {
      await worker.putObject(worker.pagesBucket, key);
    }

    const answer = await worker.invoke(streamEvent({ before: item }));

    expect(answer.batchItemFailures).toEqual([]);
    expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(false);
    for (const key of own) expect(await worker.hasObject(worker.pagesBucket, key), key).toBe(false);
    expect(await worker.hasObject(worker.pagesBucket, other)).toBe(true);
    expect(invalidations.map(({ items }) => items)).toEqual([[page("dropone")]]);
  });

  test("is not invalidated if its drop was removed, because the drop's record is", async () => {
    const { version } = givenDrop("dropgon");
    await worker.putItem({ ...keys.pointer("dropgon"), ownerId, namespace: "owner" });
    const versions = [1, 2, 3].map((number) => ({ before: versionItem({ ...version, version: number }) }));

    const answer = await worker.invoke(streamEvent(...versions));

    expect(answer.batchItemFailures).toEqual([]);
    expect(invalidations).toEqual([]);
    expect(send).not.toHaveBeenCalled();
  });

  test("is not invalidated while its account is being deleted, because the drop is removed last", async () => {
    const { dropItem, versionItem: item } = givenDrop("dropacc");
    await worker.putItem(dropItem);
    await worker.putItem({ ...keys.pointer("dropacc"), deletedAtMs: 1 });

    await worker.invoke(streamEvent({ before: item }));

    expect(invalidations).toEqual([]);
  });

  test("can be processed twice", async () => {
    const event = streamEvent({ before: (await givenStoredDrop("dropone")).versionItem });

    await worker.invoke(event);
    const again = await worker.invoke(event);

    expect(again.batchItemFailures).toEqual([]);
    expect(invalidations).toHaveLength(2);
    expect(invalidations[1]).toEqual(invalidations[0]);
  });
});

test("a removed file loses its object, and is removed from the edge", async () => {
  await worker.putObject(worker.blobsBucket, "owner/hijklmn");

  await worker.invoke(streamEvent({ before: givenBlob("hijklmn") }));

  expect(await worker.hasObject(worker.blobsBucket, "owner/hijklmn")).toBe(false);
  expect(invalidations.map(({ items }) => items)).toEqual([[file("hijklmn")]]);
});

test("a removed drop that an operator has restored in the meantime keeps everything", async () => {
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

describe("a transferred drop", () => {
  const heirId = "Heir000000000001";

  test("keeps everything, without an invalidation", async () => {
    const { dropItem, versionItem: item, version } = givenDrop("dropmov");
    const blob = givenBlob("hijkmov");
    const transferred = { ownerId: heirId, transferCount: 1 };
    await worker.putItem({ ...keys.pointer("dropmov"), ...transferred, namespace: "owner" });
    await worker.putItem({ ...keys.filePointer("owner", "hijkmov"), ...transferred });
    for (const row of [{ ...dropItem, ...keys.drop(heirId, "dropmov") }, item]) await worker.putItem(row);
    await worker.putItem({ ...blob, ...keys.blob(heirId, "hijkmov") });
    await worker.putObject(worker.pagesBucket, version.pageKey);
    await worker.putObject(worker.blobsBucket, "owner/hijkmov");

    const answer = await worker.invoke(streamEvent({ before: dropItem }, { before: blob }));

    expect(answer.batchItemFailures).toEqual([]);
    expect(await worker.getItem(item)).toEqual(item);
    expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(true);
    expect(await worker.hasObject(worker.blobsBucket, "owner/hijkmov")).toBe(true);
    expect(invalidations).toEqual([]);
  });

  test("is removed after its new owner has deleted it, even if the transfer's record is processed last", async () => {
    const { dropItem, versionItem: item } = givenDrop("dropdel");
    const blob = givenBlob("hijkdel");
    const transferred = { ownerId: heirId, transferCount: 1 };
    await worker.putItem({ ...keys.pointer("dropdel"), ...transferred, namespace: "owner" });
    await worker.putItem({ ...keys.filePointer("owner", "hijkdel"), ...transferred });
    await worker.putItem({ ...keys.namespace("owner"), userId: ownerId });
    await worker.putItem(item);
    await worker.putObject(worker.blobsBucket, "owner/hijkdel");

    await worker.invoke(
      streamEvent(
        { before: { ...dropItem, ...keys.drop(heirId, "dropdel") } },
        { before: { ...blob, ...keys.blob(heirId, "hijkdel") } },
        { before: dropItem },
        { before: blob },
      ),
    );

    expect(await worker.getItem(item)).toBeUndefined();
    expect(await worker.hasObject(worker.blobsBucket, "owner/hijkdel")).toBe(false);
    expect(invalidations.flatMap(({ items }) => items).sort()).toEqual([page("dropdel"), file("hijkdel")]);
  });
});

test("a locked drop is removed from the edge and keeps everything", async () => {
  const { dropItem, versionItem: item, version } = givenDrop("dropgat");
  await worker.putItem(item);
  await worker.putObject(worker.pagesBucket, version.pageKey);

  await worker.invoke(streamEvent({ before: dropItem, after: locked(dropItem) }));

  expect(invalidations.map(({ items }) => items)).toEqual([[page("dropgat")]]);
  expect(await worker.getItem(item)).toEqual(item);
  expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(true);
});

describe("a file whose visibility changed", () => {
  const apart = (id: string) => `_restricted/owner/${id}/Object0000000001`;
  const openKey = (id: string) => `owner/${id}`;
  const isAt = (key: unknown) => worker.hasObject(worker.blobsBucket, String(key));
  /** Stores a file's item, and an object at its location. */
  const given = async (id: string, visibility: Visibility, objectKey = openKey(id)) => {
    const row = givenBlob(id, { visibility, objectKey });
    await worker.putItem({ ...keys.namespace("owner"), userId: ownerId });
    await worker.putItem(row);
    await worker.putObject(worker.blobsBucket, objectKey);
    return row;
  };
  const opened = (row: Item & Key) => ({ ...row, visibility: undefined });
  const restricted = (row: Item & Key) => ({ ...row, visibility: "members" });

  test.each([1, 2])(
    "is moved out of the edge's reach and invalidated, if its record is processed %i times",
    async (times) => {
      const row = await given(`hijk00${times}`, { kind: "members" });
      const change = { before: opened(row), after: row };

      for (let time = 0; time < times; time += 1)
        expect((await worker.invoke(streamEvent(change, change))).batchItemFailures).toEqual([]);

      const now = await worker.getItem(row);
      expect(now?.objectKey).toMatch(/^_restricted\/owner\/hijk00\d\/[A-Za-z0-9]{16}$/);
      expect([await isAt(now?.objectKey), await isAt(row.objectKey)]).toEqual([true, false]);
      expect(invalidations.map((one) => one.items)).toEqual(Array(times).fill([file(`hijk00${times}`)]));
    },
  );

  test("has no public object left by a crashed attempt or a late record", async () => {
    const row = await given("hijkdie", { kind: "members" }, apart("hijkdie"));
    await worker.putObject(worker.blobsBucket, openKey("hijkdie"));

    await worker.invoke(streamEvent({ before: restricted(row), after: opened(row) }));

    expect([await isAt(row.objectKey), await isAt(openKey("hijkdie"))]).toEqual([true, false]);
    expect(await worker.getItem(row)).toEqual(row);
  });

  test("is moved within the edge's reach when it becomes public, without an invalidation", async () => {
    const row = await given("hijkopn", { kind: "unlisted" }, apart("hijkopn"));

    await worker.invoke(streamEvent({ before: restricted(row), after: row }));

    expect(await worker.getItem(row)).toEqual({ ...row, objectKey: openKey("hijkopn") });
    expect([await isAt(row.objectKey), await isAt(openKey("hijkopn"))]).toEqual([false, true]);
    expect(invalidations).toEqual([]);
  });

  test("stays out of reach if its owner is suspended in the meantime", async () => {
    const row = await given("hijksus", { kind: "public" }, apart("hijksus"));
    await worker.putItem({ ...keys.account(ownerId), suspendedAtMs: 1 });

    await worker.invoke(streamEvent({ before: restricted(row), after: row }));

    await worker.putItem({ ...keys.account(ownerId) });
    expect([await isAt(row.objectKey), await isAt(openKey("hijksus"))]).toEqual([true, false]);
  });

  test("keeps its object while its owner is suspended, even if its expiry changes", async () => {
    // The object is missing, so an attempt to rewrite it would fail and postpone the change.
    const row = givenBlob("hijkexp", { visibility: { kind: "public" }, objectKey: openKey("hijkexp") });
    const expiring = { ...row, expiresAtMs: Date.now() + 3_600_000 };
    await worker.putItem({ ...keys.namespace("owner"), userId: ownerId });
    await worker.putItem(expiring);
    await worker.putItem({ ...keys.account(ownerId), suspendedAtMs: 1 });

    await worker.invoke(streamEvent({ before: row, after: expiring }));

    await worker.putItem({ ...keys.account(ownerId) });
    expect(send.mock.calls.map((call) => JSON.stringify(call)).join()).not.toMatch(/kind[^,]*change/);
  });

  test("is moved, and its new owner's item changed, if it was transferred in the meantime", async () => {
    const row = await given("hijkmov", { kind: "members" });
    const theirs = { ...row, ...keys.blob("Heir000000000001", "hijkmov") };
    await worker.putItem(theirs);
    await worker.putItem({
      ...keys.filePointer("owner", "hijkmov"),
      ownerId: "Heir000000000001",
      transferCount: 1,
    });

    await worker.invoke(streamEvent({ before: opened(row), after: row }, { before: row }));

    const now = await worker.getItem(theirs);
    expect([await isAt(now?.objectKey), await isAt(openKey("hijkmov"))]).toEqual([true, false]);
  });

  test("that was deleted in the meantime delays nothing, and all its objects are removed", async () => {
    const row = givenBlob("hijkdlt", { visibility: { kind: "public" }, objectKey: apart("hijkdlt") });
    for (const key of [apart("hijkdlt"), openKey("hijkdlt")]) await worker.putObject(worker.blobsBucket, key);

    const answer = await worker.invoke(streamEvent({ before: restricted(row), after: row }, { before: row }));

    expect(answer.batchItemFailures).toEqual([]);
    expect([await isAt(apart("hijkdlt")), await isAt(openKey("hijkdlt"))]).toEqual([false, false]);
  });

  test("that cannot be moved is postponed, and delays nothing else", async () => {
    const [broken, whole] = [
      givenBlob("hijkbrk", { visibility: { kind: "members" } }),
      await given("hijkwhl", { kind: "members" }),
    ];
    await worker.putItem(broken);

    const answer = await worker.invoke(
      streamEvent({ before: opened(broken), after: broken }, { before: opened(whole), after: whole }),
    );

    expect(answer.batchItemFailures).toEqual([]);
    expect(send.mock.calls.map(([{ body }]) => JSON.parse(body))).toContainEqual(
      expect.objectContaining({ kind: "table-change", feature: "files", tries: 1 }),
    );
    expect(await isAt(openKey("hijkwhl"))).toBe(false);
    expect(invalidations.flatMap(({ items }) => items)).toContain(file("hijkwhl"));
  });
});

test("a second invalidation is queued for each item, after one to two minutes", async () => {
  const { dropItem } = givenDrop("dropgat");

  await worker.invoke(
    streamEvent({ before: dropItem, after: locked(dropItem) }, { before: givenBlob("hijklmn") }),
  );

  const queued = send.mock.calls.map(([{ body, delaySeconds }]) => ({ ...JSON.parse(body), delaySeconds }));
  const [ofPage, ofFile] = invalidations;
  const again = (reference = "") => `${reference}-again`;
  expect(queued.sort((a, b) => a.items[0].localeCompare(b.items[0]))).toMatchObject([
    { items: [page("dropgat")], reference: again(ofPage?.reference), refusals: 0 },
    { items: [file("hijklmn")], reference: again(ofFile?.reference), refusals: 0 },
  ]);
  for (const { delaySeconds } of queued) {
    expect(delaySeconds).toBeGreaterThanOrEqual(60);
    expect(delaySeconds).toBeLessThanOrEqual(120);
  }
});

describe("while CloudFront has too many invalidations in progress", () => {
  const tooMany = { status: 400, code: "TooManyInvalidationsInProgress" };
  const { dropItem } = givenDrop("dropgat");

  test("the tags wait in the queue, and the stream continues", async () => {
    const { version, versionItem: item } = await givenStoredDrop("dropone");
    await worker.putObject(worker.pagesBucket, version.pageKey);
    refuses = tooMany;

    const answer = await worker.invoke(
      streamEvent({ before: dropItem, after: locked(dropItem) }, { before: item }),
    );

    expect(answer.batchItemFailures).toEqual([]);
    expect(await worker.hasObject(worker.pagesBucket, version.pageKey)).toBe(false);
    const [waiting, again] = send.mock.calls.map(([message]) => message);
    const items = [page("dropgat"), page("dropone")];
    expect([JSON.parse(waiting?.body ?? ""), waiting?.delaySeconds]).toEqual([
      { kind: "invalidation", items, reference: invalidations[0]?.reference, refusals: 1 },
      5,
    ]);
    expect(JSON.parse(again?.body ?? "")).toMatchObject({ items, refusals: 0 });
  });
});

describe("a batch", () => {
  test("of several drops is one invalidation with a tag for each drop", async () => {
    const drops = Array.from({ length: 20 }, (_, index) => givenDrop(`drop${100 + index}`));

    await worker.invoke(
      streamEvent(...drops.map(({ dropItem }) => ({ before: dropItem, after: locked(dropItem) }))),
    );

    expect(invalidations.map(({ items }) => items)).toEqual([drops.map(({ drop }) => page(drop.slug))]);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("of very many drops of one owner is invalidated by the owner's tag", async () => {
    const drops = Array.from({ length: 100 }, (_, index) => givenDrop(`drop${100 + index}`));

    await worker.invoke(
      streamEvent(...drops.map(({ dropItem }) => ({ before: dropItem, after: locked(dropItem) }))),
    );

    expect(invalidations.map(({ items }) => items)).toEqual([[tagItem(ownerTag("owner"))]]);
  });

  test("is not delayed by an unreadable record", async () => {
    const { versionItem: item } = givenDrop("dropone");
    const lines = captureLog();

    const answer = await worker.invoke(
      streamEvent({ before: { ...item, pageKey: undefined } }, { before: item }),
    );

    expect(answer.batchItemFailures).toEqual([]);
    expect(lines()[0]).toMatchObject({ level: "error", event: "unreadable-record", sequenceNumber: "100" });
  });

  test("writes one log entry, without the names of removed items", async () => {
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

/** Stores a drop's item and its pointer, as after the removal of one of several versions. */
async function givenStoredDrop(slug: string, options: { readonly context?: string } = {}) {
  const given = givenDrop(slug, options);
  await worker.putItem(given.dropItem);
  await worker.putItem({ ...keys.pointer(slug), ownerId, namespace: "owner" });
  return given;
}

function locked(dropItem: Item & Key): Item & Key {
  return { ...dropItem, gateEpoch: 1, passcodeHash: "scrypt$" };
}

function givenBlob(id: string, more: Partial<Pick<Blob, "visibility" | "objectKey">> = {}): Item & Key {
  const facts = { filename: "a.png", contentType: "image/png", sizeBytes: 1, createdAtMs: 1 };
  const place = { id, ownerId, namespace: "owner", objectKey: `owner/${id}` };
  return toBlobItem({ ...place, ...facts, visibility: { kind: "public" }, ...more }) as Item & Key;
}

function captureLog(): () => Record<string, unknown>[] {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  return () => {
    const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
    write.mockRestore();
    return lines;
  };
}

/** Starts a server that responds to CreateInvalidation like CloudFront: Amazon CloudFront API reference. */
function startCloudFront(): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const items = [...body.matchAll(/<Path>([^<]*)<\/Path>/g)].map(([, item]) => item ?? "");
    const reference = /<CallerReference>([^<]*)</.exec(body)?.[1];
    invalidations.push({ items, reference });
    const isRefused = refuses !== undefined;
    response.writeHead(isRefused ? (refuses?.status ?? 400) : 201, { "content-type": "text/xml" });
    response.end(
      isRefused
        ? `<ErrorResponse><Error><Type>Sender</Type><Code>${refuses?.code}</Code><Message>m</Message></Error></ErrorResponse>`
        : "<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>",
    );
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
