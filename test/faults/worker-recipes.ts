import { randomInt, randomUUID } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { expect } from "vitest";
import type { LongAction } from "../../functions/administration/long-action.ts";
import { tagItem, toInvalidationMessage } from "../../functions/background/invalidation.ts";
import {
  type Blob,
  blobObjectKey,
  isInVisibilityFolder,
  stagedObjectKey,
} from "../../functions/blobs/blob.ts";
import { blobs } from "../../functions/blobs/store.ts";
import { environmentNames } from "../../functions/core/environment.ts";
import { contextKey, type Drop } from "../../functions/drops/drop.ts";
import { pages, s3 } from "../../functions/drops/page-objects.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { drops } from "../../functions/drops/store.ts";
import { toViewMessage } from "../../functions/drops/view-counts.ts";
import { endpointIdOf } from "../../functions/events/webhook.ts";
import { webhookRoots } from "../../functions/events/webhook-secrets.ts";
import { type CacheTag, dropTag, fileTag, ownerTag } from "../../functions/http/response.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import { renderObjectKeys } from "../../functions/renders/render.ts";
import type { RenderRequest } from "../../functions/renders/render-queue.ts";
import { renders } from "../../functions/renders/store.ts";
import { indexQueue } from "../../functions/search/index-queue.ts";
import { searchPrefix } from "../../functions/search/search-document.ts";
import { latestSnapshot } from "../../functions/search/snapshot.ts";
import { createSlug } from "../../functions/table/identifiers.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { renderRule } from "../../functions/table/rate-rules.ts";
import { getItem, type Item } from "../../functions/table/table.ts";
import { transact, writeItems } from "../../functions/table/table-writes.ts";
import type { WorkerId } from "../../functions/workers.ts";
import { givenAct } from "../support/given-act.ts";
import { clearIndexQueue, waitingTasks } from "../workers/index-tasks.ts";
import { objectCreatedMessage, queueEvent, streamEvent } from "../workers/messages.ts";
import {
  invalidatedTags,
  postponedEvents,
  queuedDeliveries,
  receivedWebhooks,
  toldEvents,
  webhookUrls,
} from "./faulty-service.ts";
import { givenBlob, givenDrop, givenUpload, type World } from "./given-world.ts";
import { hasObject } from "./stored-state.ts";

/** A batch for a worker. */
export interface PreparedBatch {
  readonly event: { readonly Records: readonly object[] } | RenderRequest | object;
  /** Checks that all work of the batch is done, once or repeatedly. */
  readonly expectDone: () => Promise<void>;
}

/** Recipe of a worker's batch. */
export interface WorkerRecipe {
  readonly variant: string;
  prepare(world: World): Promise<PreparedBatch>;
}

const pagesBucket = () => process.env.PAGES_BUCKET ?? "";
const blobsBucket = () => process.env.BLOBS_BUCKET ?? "";

/** Batches for every worker. */
export const workerRecipes: Readonly<Record<WorkerId, readonly WorkerRecipe[]>> = {
  administer: [
    {
      variant: "the end of a suspension",
      prepare: async (world) => {
        const { userId } = world;
        const { slug } = await givenDrop(world);
        const suspend = { update: "SET suspendedAtMs = :now", values: { ":now": Date.now() } };
        await transact([
          { key: keys.account(userId), ...suspend },
          { key: keys.pointer(slug), ...suspend },
        ]);
        const asked: LongAction = { kind: "unsuspend", userId };
        return {
          event: { asked, act: { ...givenAct(), action: "unsuspend" } },
          expectDone: async () => {
            expect(await getItem(keys.account(userId))).not.toHaveProperty("suspendedAtMs");
            expect(await getItem(keys.pointer(slug))).not.toHaveProperty("suspendedAtMs");
          },
        };
      },
    },
    {
      variant: "a suspension",
      prepare: async (world) => {
        const { userId } = world;
        const { slug, namespace } = await givenDrop(world);
        const asked: LongAction = { kind: "suspend", userId };
        return {
          event: { asked, act: { ...givenAct(), action: "suspend" } },
          expectDone: async () => {
            for (const key of [keys.account(userId), keys.pointer(slug)])
              expect(await getItem(key)).toHaveProperty("suspendedAtMs");
            expect([...invalidatedTags]).toContain(ownerTag(namespace));
          },
        };
      },
    },
    {
      variant: "a takedown",
      prepare: async (world) => {
        const { slug, latest } = await givenDrop(world, { versions: 2 });
        const asked: LongAction = { kind: "takedown", target: { kind: "page", slug } };
        return {
          event: { asked, act: { ...givenAct(), action: "takedown" } },
          expectDone: async () => {
            expect(await getItem(keys.drop(world.userId, slug))).toBeUndefined();
            for (const version of [1, 2]) expect(await getItem(keys.version(slug, version))).toBeUndefined();
            expect(await hasObject(pagesBucket(), latest.pageKey)).toBe(false);
            expect([...invalidatedTags]).toContain(dropTag(slug));
          },
        };
      },
    },
  ],
  "count-views": [
    {
      variant: "views of a drop",
      prepare: async (world) => {
        const { slug, ownerId } = await givenDrop(world);
        const view = toViewMessage({ ownerId, slug });
        return {
          event: queueEvent(view, view),
          expectDone: async () => {
            const { viewCount } = (await drops.find(ownerId, slug)) ?? { viewCount: 0 };
            // Repeated additions cannot be distinguished, so views may be counted twice, but are never lost.
            expect(viewCount).toBeGreaterThanOrEqual(2);
            expect(viewCount % 2).toBe(0);
          },
        };
      },
    },
    {
      variant: "a view of a deleted drop",
      prepare: async ({ userId: ownerId }) => ({
        event: queueEvent(toViewMessage({ ownerId, slug: "gone000" })),
        expectDone: async () => expect(await getItem(keys.views(ownerId, "gone000"))).toBeUndefined(),
      }),
    },
  ],
  "deliver-webhook": [
    {
      variant: "an event for a webhook that accepts it",
      prepare: async () => {
        const { delivery, event } = await givenDelivery(webhookUrls.takes);
        return {
          event: queueEvent(JSON.stringify(delivery)),
          expectDone: async () => expect(receivedWebhooks.get(event.id)?.size).toBe(1),
        };
      },
    },
    {
      variant: "an event for a webhook that refuses it",
      prepare: async () => {
        const { delivery, event } = await givenDelivery(webhookUrls.refuses);
        return {
          event: queueEvent(JSON.stringify(delivery)),
          expectDone: async () => {
            const [again] = queuedDeliveries().filter((one) => one.event.id === event.id);
            expect(again).toEqual({ ...delivery, tries: 1, dueAtMs: expect.any(Number) });
          },
        };
      },
    },
    {
      variant: "an event that was refused for a day",
      prepare: async () => {
        const { delivery, event } = await givenDelivery(webhookUrls.refuses);
        const dayMs = 24 * 60 * 60 * 1000;
        return {
          event: queueEvent(JSON.stringify({ ...delivery, tries: 20, sinceMs: delivery.sinceMs - dayMs })),
          expectDone: async () => {
            expect(queuedDeliveries().filter((one) => one.event.id === event.id)).toEqual([]);
          },
        };
      },
    },
  ],
  "check-reader-way": [
    {
      variant: "the run's service",
      // The worker writes nothing, and fails itself at an unexpected response.
      prepare: async () => ({ event: {}, expectDone: async () => undefined }),
    },
  ],
  "do-due-work": [
    {
      variant: "an expired drop, and its outdated work",
      prepare: async (world) => {
        const { ownerId, slug } = await givenDrop(world);
        const row = await itemAt(keys.drop(ownerId, slug));
        const expiresAtMs = Date.now() - 1000;
        const kinds = [
          { kind: "expired", atMs: expiresAtMs },
          { kind: "expired", atMs: expiresAtMs - 9 },
        ] as const;
        const due = kinds.map((one) => keys.dueWork({ ...one, ownerId, slug }));
        await writeItems({ puts: [{ ...row, expiresAtMs }, ...due.map((key) => ({ ...key }))] });
        return {
          event: {},
          expectDone: async () => {
            for (const key of due) expect(await getItem(key)).toBeUndefined();
            const told = [...toldEvents, ...postponedEvents()].filter((event) => event.slug === slug);
            expect([...new Set(told.map(({ id, number }) => `${id} ${number}`))]).toEqual([
              `${told[0]?.id} 2`,
            ]);
          },
        };
      },
    },
  ],
  "follow-up": [
    {
      variant: "events that the bus refused before",
      prepare: async () => {
        const slug = createSlug(randomInt);
        const event = { id: `evt_${slug}`, kind: "drop.deleted", slug, ownerId: "o", atMs: 0, number: 1 };
        const postponed = { events: [event], tries: 1, sinceMs: Date.now(), dueAtMs: 0 };
        return {
          event: queueEvent(JSON.stringify({ kind: "events", ...postponed })),
          expectDone: async () => {
            const told = [...toldEvents, ...postponedEvents()].filter((one) => one.slug === slug);
            expect([...new Set(told.map(({ id, number }) => `${id} ${number}`))]).toEqual([`${event.id} 1`]);
          },
        };
      },
    },
    {
      variant: "objects with an item and without",
      prepare: async (world) => {
        const [{ latest }, file, upload] = [
          await givenDrop(world),
          await givenBlob(world),
          await givenUpload(world),
        ];
        const orphan = latest.pageKey.replace(/\w+\.html$/, "0000000000000000.html");
        await s3.send(new PutObjectCommand({ Bucket: pagesBucket(), Key: orphan, Body: "orphan" }));
        return {
          event: queueEvent(
            objectCreatedMessage(pagesBucket(), latest.pageKey),
            objectCreatedMessage(pagesBucket(), orphan),
            objectCreatedMessage(blobsBucket(), file.objectKey),
            objectCreatedMessage(blobsBucket(), stagedObjectKey(upload)),
          ),
          expectDone: async () => {
            expect(await hasObject(pagesBucket(), orphan)).toBe(false);
            expect(await hasObject(blobsBucket(), stagedObjectKey(upload))).toBe(false);
          },
        };
      },
    },
    {
      variant: "drops that an earlier version of the service had indexed, and an object of the index",
      prepare: async (world) => {
        const [slug, objectKey] = [createSlug(randomInt), `${searchPrefix}${createSlug(randomInt)}.sqlite`];
        const place = { ownerId: world.userId, slug };
        return {
          event: queueEvent(
            JSON.stringify({ kind: "search", places: [place] }),
            objectCreatedMessage(pagesBucket(), objectKey),
          ),
          expectDone: async () => {
            expect(await waitingTasks()).toEqual(expect.arrayContaining([place, { objectKey }]));
          },
        };
      },
    },
    {
      variant: "tags that were invalidated before",
      prepare: async () => {
        const tags = [dropTag(randomUUID()), dropTag(randomUUID())];
        const message = (tag: CacheTag) =>
          toInvalidationMessage({ items: [tagItem(tag)], reference: tag, refusals: 0 });
        return {
          event: queueEvent(...tags.map(message)),
          expectDone: async () => expect([...invalidatedTags]).toEqual(expect.arrayContaining(tags)),
        };
      },
    },
  ],
  "index-drops": [
    {
      variant: "a drop, a deleted drop, and a segment that is in no manifest",
      prepare: async (world) => {
        const { slug, ownerId } = await givenDrop(world);
        const objectKey = `${searchPrefix}${slug}.sqlite`;
        // Work that other cases left would be indexed as well.
        await clearIndexQueue();
        await s3.send(new PutObjectCommand({ Bucket: pagesBucket(), Key: objectKey, Body: "segment" }));
        await indexQueue.add([{ ownerId, slug }, { ownerId, slug: "gone000" }, { objectKey }], Date.now());
        return {
          event: {},
          expectDone: async () => {
            const rows = (await latestSnapshot()).segments.flatMap(({ segment }) => segment.rows);
            expect(rows.find((row) => row.slug === slug)).toMatchObject({ ownerId, isRemoved: false });
            expect(await hasObject(pagesBucket(), objectKey)).toBe(false);
          },
        };
      },
    },
  ],
  "track-drops": [
    {
      variant: "a new and edited drop",
      prepare: async (world) => {
        const { slug } = await givenDrop(world);
        const after = await itemAt(keys.drop(world.userId, slug));
        const edited = { ...after, title: "Another" };
        const { Records } = streamEvent({ after }, { before: after, after: edited });
        return {
          event: { Records: Records.map((record) => ({ ...record, eventID: `${slug} ${record.eventID}` })) },
          expectDone: async () => {
            expect(await toldNumbers(slug)).toEqual([1, 2]);
            for (const url of Object.values(webhookUrls)) {
              const deliveries = queuedDeliveries().filter(
                (one) => one.event.slug === slug && one.endpointId === endpointIdOf({ url }),
              );
              expect([...new Set(deliveries.map(({ event }) => event.number))]).toEqual([1, 2]);
            }
          },
        };
      },
    },
    {
      variant: "a public drop that became restricted, and a deleted drop",
      prepare: async (world) => {
        const [drop, gone] = [await givenDrop(world), await givenDrop(world)];
        const [before, removed] = [
          await itemAt(keys.drop(world.userId, drop.slug)),
          await itemAt(keys.drop(world.userId, gone.slug)),
        ];
        const readers = [{ kind: "username", username: `ada-${drop.slug}` }] as const;
        const change = (current: Drop) => ({
          drop: {
            ...current,
            visibility: { kind: "people" as const, readers },
            revision: current.revision + 1,
          },
        });
        await drops.change(drop, givenAct(), change);
        const after = await itemAt(keys.drop(world.userId, drop.slug));
        await drops.remove(world.userId, gone.slug, givenAct());
        await writeItems({ puts: [drop, gone].flatMap(entriesOf).map((key) => ({ ...key })), deletes: [] });
        return {
          event: streamEvent({ before, after }, { before: removed }),
          expectDone: async () => {
            for (const key of [drop, gone].flatMap(entriesOf)) expect(await getItem(key)).toBeUndefined();
            const entry = keys.libraryEntry(`people#ada-${drop.slug}`, drop);
            expect(await getItem(entry)).toEqual(entry);
          },
        };
      },
    },
  ],
  janitor: [
    {
      variant: "a deleted drop",
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { versions: 2 });
        const before = await itemAt(keys.drop(world.userId, slug));
        await drops.remove(world.userId, slug, givenAct());
        return {
          event: streamEvent({ before }),
          expectDone: async () => {
            for (const version of [1, 2]) expect(await getItem(keys.version(slug, version))).toBeUndefined();
            expect([...invalidatedTags]).toContain(dropTag(slug));
          },
        };
      },
    },
    {
      variant: "deleted items with their objects",
      prepare: async (world) => {
        const [{ slug, latest }, file] = [await givenDrop(world), await givenBlob(world)];
        const version = await itemAt(keys.version(slug, 1));
        const blob = await itemAt(keys.blob(world.userId, file.id));
        await drops.remove(world.userId, slug, givenAct());
        await blobs.remove(world.userId, file.id, givenAct());
        return {
          // The version belongs to a slug whose items are deleted.
          event: streamEvent({ before: { ...version, pk: keys.pointer("gone000").pk } }, { before: blob }),
          expectDone: async () => {
            expect(await pages.get(latest.pageKey)).toBeUndefined();
            expect(await hasObject(pagesBucket(), contextKey(latest.pageKey))).toBe(false);
            expect(await hasObject(blobsBucket(), file.objectKey)).toBe(false);
            expect([...invalidatedTags]).toContain(fileTag(file));
          },
        };
      },
    },
    {
      variant: "a version that exceeds the number kept",
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { versions: 3 });
        const after = await itemAt(keys.version(slug, 3));
        // Drops of other recipes have no third version.
        process.env[environmentNames.keepVersions] = "1";
        return {
          event: streamEvent({ after }),
          expectDone: async () => {
            const left = await publicDrops.listVersions(slug);
            expect(left.map(({ version }) => version)).toEqual([3]);
          },
        };
      },
    },
    {
      variant: "files with changed visibility",
      prepare: async (world) => {
        const [restricted, opened] = [
          await givenBlob(world),
          await givenBlob(world, { kind: "people", readers: [] }),
        ];
        const changes = [
          await changed(restricted, { kind: "members" }),
          await changed(opened, { kind: "unlisted" }),
        ];
        const openKey = (file: Blob) => blobObjectKey(file.namespace, file.id);
        return {
          event: streamEvent(...changes),
          expectDone: async () => {
            const [one, other] = await Promise.all(
              [restricted, opened].map(({ ownerId, id }) => blobs.find(ownerId, id, Date.now())),
            );
            expect([one, other].map((file) => file && isInVisibilityFolder(file))).toEqual([true, true]);
            expect(await hasObject(blobsBucket(), one?.objectKey ?? "")).toBe(true);
            expect(await hasObject(blobsBucket(), openKey(restricted))).toBe(false);
            expect(await hasObject(blobsBucket(), openKey(opened))).toBe(true);
            expect([...invalidatedTags]).toContain(fileTag(restricted));
          },
        };
      },
    },
  ],
  "render-page": [
    {
      variant: "a new version",
      prepare: async (world) => {
        const { slug } = await givenDrop(world);
        return {
          event: { atMs: Date.now(), versions: [{ slug, version: 1, isAsked: false }] },
          expectDone: async () => {
            const render = await renders.find(slug, 1);
            expect(render?.state).toBe("rendered");
            const objects = render ? renderObjectKeys(render) : [];
            const pictures = objects.filter((key) => !key.endsWith(".json"));
            expect(pictures).toHaveLength(1);
            for (const key of pictures) expect(await hasObject(pagesBucket(), key)).toBe(true);
            const window = await getItem(keys.rateWindow(renderRule.name, world.userId));
            expect(window?.renderCount, "the renders that are counted").toBe(1);
          },
        };
      },
    },
    {
      variant: "a version that is no longer the latest",
      prepare: async (world) => {
        const { slug } = await givenDrop(world, { versions: 2 });
        return {
          event: { atMs: Date.now(), versions: [{ slug, version: 1, isAsked: false }] },
          expectDone: async () => expect((await renders.find(slug, 1))?.state).toBe("superseded"),
        };
      },
    },
  ],
};

/** Creates a delivery of an event that no other case uses. */
async function givenDelivery(url: string) {
  // Creates the secret first, because its creation is not tested here.
  await webhookRoots.read();
  const slug = createSlug(randomInt);
  const event = { id: `evt_${slug}`, kind: "drop.deleted", slug, ownerId: "o", atMs: 0, number: 1 } as const;
  const delivery = { endpointId: endpointIdOf({ url }), event, tries: 0, sinceMs: Date.now(), dueAtMs: 0 };
  return { delivery, event };
}

/** Returns the numbers of a drop's events that were sent or will be. An event may be sent repeatedly, with the same id. */
async function toldNumbers(slug: string): Promise<number[]> {
  const told = [...toldEvents, ...postponedEvents()].filter((event) => event.slug === slug);
  const numbers = new Map(told.map(({ id, number }) => [id, number]));
  const { number: last } = (await getItem(keys.lastEvent(slug))) ?? {};
  expect(last).toBe(numbers.size);
  return [...numbers.values()].sort((one, other) => one - other);
}

async function changed(file: Blob, visibility: Visibility) {
  const key = keys.blob(file.ownerId, file.id);
  const before = await itemAt(key);
  await blobs.setAccess(file, { ...file, visibility }, givenAct());
  return { before, after: await itemAt(key) };
}

async function itemAt(key: Key): Promise<Item & Key> {
  return { ...(await getItem(key)), ...key };
}
