// @module-tag nightly

import { resolve } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import type { Context } from "aws-lambda";
import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toTableChange } from "../../functions/background/table-change.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import type { FolderStartResponse } from "../../functions/drops/schemas.ts";
import { sha256Of } from "../../functions/folders/pack-folder.ts";
import { renderLeaseName } from "../../functions/renders/render-page.ts";
import { indexLeaseName } from "../../functions/search/index-drops.ts";
import { keys } from "../../functions/table/keys.ts";
import { deleteItems } from "../../functions/table/table-writes.ts";
import { type WorkerId, workerIds } from "../../functions/workers.ts";
import { workerSource } from "../../lib/bundle/function-source.ts";
import { callOperation } from "../support/operation-caller.ts";
import { objectCreatedMessage, queueEvent } from "../workers/messages.ts";
import { type Fault, faults } from "./fault.ts";
import { execute, type PlannedFault } from "./faulty-aws.ts";
import { postponedChanges, startFaultyService } from "./faulty-service.ts";
import { givenDrop, givenFolder, givenWorld, type World } from "./given-world.ts";
import { faultPlans, meetEach } from "./plan-faults.ts";
import { changesBetween, expectPromisesHeld, readState } from "./stored-state.ts";
import { type PreparedBatch, type WorkerRecipe, workerRecipes } from "./worker-recipes.ts";

interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
type Batch = PreparedBatch["event"];

let stop: () => Promise<void>;

beforeAll(async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  stop = await startFaultyService();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await stop();
});

describe.concurrent("after any failure of any AWS call, a repeated batch completes the work", () => {
  const known = workerIds.flatMap((id) =>
    workerRecipes[id].map((recipe, index) => [`${id}: ${recipe.variant}`, id, recipe, index > 0] as const),
  );

  // Workers that process all pending work run one case at a time, which takes longer than all other cases together.
  for (const { plan, hasVariants, options } of faultPlans)
    test.for(known.filter(([, id, , isVariant]) => hasVariants || (!isVariant && !takesAll(id))))(
      hasVariants ? "%s, with all faults" : "%s, with some faults",
      options,
      async ([name, id, recipe]) => {
        const calls = await inTurn(id, async () => {
          const { world, prepared } = await prepare(recipe);
          const executed = await execute(() => invoke(id, prepared.event));
          expect(executed.result?.batchItemFailures).toEqual([]);
          await expectAllDone(world, prepared);
          return executed.calls;
        });

        const failures: string[] = [];
        await meetEach(plan(calls), (one) =>
          inTurn(id, () => expectDoneInTheEnd(id, recipe, one)).catch((error: Error) => {
            failures.push(`${name}: ${one.call.label} ${one.fault.name}: ${error.message}`);
          }),
        );

        expect(failures).toEqual([]);
      },
    );
});

test("a folder's publication that is killed before a write leaves nothing after its objects are checked", async () => {
  const reference = await givenPublication();
  const { calls } = await execute(() => callOperation("publish-folder", reference.call));
  const writes = calls.filter(({ isRead }) => !isRead);
  expect(writes.map(({ command }) => command)).toEqual(
    expect.arrayContaining(["PutObject", "TransactWriteItems"]),
  );

  for (const call of writes) {
    const publication = await givenPublication();
    const died = await execute(() => callOperation("publish-folder", publication.call), {
      call,
      fault: death,
    });
    expect([call.label, died.isHit, died.result]).toEqual([call.label, true, undefined]);
    const stray = async () =>
      (await publication.listObjects()).filter((key) => !publication.objectsBefore.includes(key));
    expect(await stray()).not.toEqual([]);

    await expect
      .poll(async () => {
        const messages = (await stray()).map((key) => objectCreatedMessage(pagesBucket(), key));
        expect((await invoke("follow-up", queueEvent(...messages))).batchItemFailures).toEqual([]);
        return stray();
      })
      .toEqual([]);
    expect(await publication.listObjects()).toEqual(publication.objectsBefore);
    expect(changesBetween(publication.rowsBefore, await readState(publication.world))).toEqual([]);
  }
});

const death = faults.find(({ name }) => name === "is not sent, because the process ends") as Fault;
const pagesBucket = () => process.env.PAGES_BUCKET ?? "";

/** Creates a folder and starts to publish another version, whose files were all uploaded. */
async function givenPublication() {
  const world = await givenWorld(1);
  const slug = await givenFolder(world);
  const prefixes = [`${slug}/`, `_files/${slug}/`, `staging/${world.userId}/`];
  const listObjects = async () => {
    const lists = prefixes.map((Prefix) =>
      s3.send(new ListObjectsV2Command({ Bucket: pagesBucket(), Prefix })),
    );
    return (await Promise.all(lists)).flatMap(({ Contents = [] }) => Contents.map(({ Key = "" }) => Key));
  };
  const [rowsBefore, objectsBefore] = [await readState(world), await listObjects()];
  const bytes = Buffer.from("<title>Another</title>");
  const drop = { token: world.token, params: { slug } };
  const files = { "index.html": { sha256: sha256Of(bytes), bytes: bytes.byteLength } };
  const { text } = await callOperation("start-folder", { ...drop, body: { files } });
  const { missing, publication_id: publication } = JSON.parse(text) as FolderStartResponse;
  for (const { upload_url: url, headers } of missing)
    await fetch(url, { method: "PUT", headers, body: bytes });
  const call = { ...drop, params: { slug, publication } };
  return { world, rowsBefore, objectsBefore, listObjects, call };
}

async function expectDoneInTheEnd(id: WorkerId, recipe: WorkerRecipe, planned: PlannedFault): Promise<void> {
  const { world, prepared } = await prepare(recipe);
  const executed = await execute(() => invoke(id, prepared.event), planned, { hasDeadline: false });
  expect(executed.isHit, `${planned.call.label} was called`).toBe(true);
  await expectPromisesHeld(await readState(world));
  const left = batchLeft(prepared.event, executed.result);
  if (planned.fault.outcome === "refused" && !isPutOff(id, planned))
    expect([left, ...postponedOf(prepared.event)].filter((one) => one !== undefined)).not.toEqual([]);
  if (left !== undefined) {
    // Lambda repeats an event after a minute, when a lease that was not released has expired.
    if (id === "render-page") await deleteItems([keys.lease(renderLeaseName)]);
    if (id === "index-drops") await deleteItems([keys.lease(indexLeaseName)]);
    expect((await invoke(id, left)).batchItemFailures).toEqual([]);
  }
  await retryPostponed(prepared.event);
  await expectAllDone(world, prepared);
}

/** Returns the messages with a batch's changes that failed for a feature. */
function postponedOf(event: Batch) {
  const records = new Set(("Records" in event ? event.Records : []).map((record) => JSON.stringify(record)));
  return postponedChanges().filter(({ record }) => records.has(JSON.stringify(record)));
}

/** Passes postponed changes to their features as due, after the leases of dead processes have expired. */
async function retryPostponed(event: Batch): Promise<void> {
  for (const message of postponedOf(event)) {
    const { subject, before } = toTableChange(message.record);
    if (subject?.kind === "blob") await deleteItems([keys.lease(`file#${before?.namespace}/${subject.id}`)]);
    const due = queueEvent(JSON.stringify({ ...message, dueAtMs: 1 }));
    expect((await invoke("follow-up", due)).batchItemFailures).toEqual([]);
  }
}

const turns = pLimit(1);

/** Runs one case at a time for workers that process all pending work, or that add work for the index. */
function inTurn<Result>(id: WorkerId, run: () => Promise<Result>): Promise<Result> {
  return takesAll(id) || id === "follow-up" || id === "track-drops" ? turns(run) : run();
}

/** Recognizes workers that process all pending work, including that of other cases. */
function takesAll(id: WorkerId): boolean {
  return id === "render-page" || id === "index-drops" || id === "do-due-work";
}

/**
 * Recognizes calls that a batch succeeds without: refused events are queued, versions whose rendering could not be requested are
 * rendered on request, and drops that could not be indexed together are indexed one by one.
 */
function isPutOff(id: WorkerId, { call }: PlannedFault): boolean {
  return (
    call.service === "EventBridge" || (id === "janitor" && call.label === "Invoke") || id === "index-drops"
  );
}

async function prepare(recipe: WorkerRecipe) {
  const world = await givenWorld(1);
  await givenDrop(world);
  return { world, prepared: await recipe.prepare(world) };
}

/** Expects the batch's work to be done, and every reference to be valid. */
async function expectAllDone(world: World, { expectDone }: PreparedBatch): Promise<void> {
  await expectDone();
  await expectPromisesHeld(await readState(world));
}

async function invoke(id: WorkerId, event: Batch): Promise<BatchResponse> {
  const { file, exportName } = workerSource(id);
  const module = await import(resolve(import.meta.dirname, "../..", file));
  const context = { awsRequestId: "faults", getRemainingTimeInMillis: () => 15 * 60_000 } as Context;
  if ("Records" in event) return module[exportName](event, context);
  // An asynchronous invocation returns nothing, or fails.
  return module[exportName](event, context).then(
    () => ({ batchItemFailures: [] }),
    () => ({ batchItemFailures: [{ itemIdentifier: "the event" }] }),
  );
}

/** Returns the records that AWS redelivers: all without a response, and those of a stream from the first failure on. */
function batchLeft(event: Batch, response: BatchResponse | undefined): Batch | undefined {
  if (response === undefined) return event;
  if (!("Records" in event)) return response.batchItemFailures.length > 0 ? event : undefined;
  const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const records = event.Records as readonly { messageId?: string; dynamodb?: { SequenceNumber?: string } }[];
  const isFailed = ({ messageId, dynamodb }: (typeof records)[number]) =>
    failed.has(messageId ?? dynamodb?.SequenceNumber ?? "");
  const first = records.findIndex(isFailed);
  if (first < 0) return undefined;
  return { Records: records[first]?.dynamodb ? records.slice(first) : records.filter(isFailed) };
}
