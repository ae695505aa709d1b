import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { writeFault } from "../core/log.ts";
import { keys } from "../table/keys.ts";
import { dynamodb, getItem, type Item, RetryableError, retryConflicts, tableName } from "../table/table.ts";
import { isUnchanged, transact, updateItem } from "../table/table-writes.ts";
import type { ViewSampling } from "./drop.ts";
import { findKeptDrop } from "./trash-store.ts";

/** A view of a drop's page. */
export interface View {
  readonly ownerId: string;
  readonly slug: string;
  /** Number of actual views that this sampled view represents. @default 1 */
  readonly views?: number;
}

/** Writes the queue message of a view. */
export function toViewMessage({ ownerId, slug, views = 1 }: View): string {
  return JSON.stringify({ owner_id: ownerId, slug, ...(views === 1 ? {} : { views }) });
}

/** Parses a queue message of a view. @throws Error for other messages */
export function parseViewMessage(text: string): View {
  const { owner_id: ownerId, slug, views } = Object(JSON.parse(text));
  if (!isIdentifier(ownerId) || !isIdentifier(slug) || !Number.isSafeInteger(views ?? 1))
    throw new Error("The message is not a view of a drop.");
  return { ownerId, slug, ...(views === undefined ? {} : { views }) };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9]+$/.test(value);
}

/** Highest sampling level that the edge assigns to a request; see functions/edge/viewer-request.ts. */
const levelMax = 9;

/** View rate below which each view is counted individually. */
const busyViewsPerSecond = 20;

/** Minimum rate of counted requests per second under sampling, for drops with at least twice as many views. */
const countedPerSecondMin = 100;

/** Lifetime of a sampling level, in milliseconds. It is renewed while the drop is busy. */
const heldMs = 20_000;
const renewedBeforeMs = 10_000;

/** Maximum time that the edge caches a viewer response, in seconds. Equals the cache time of the latest version's raw page. */
const edgeSecondsMax = 2;

/** Returns a new sampling for a drop's view rate. Returns undefined if the current sampling is still suitable, or should be left to expire. */
export function changedSampling(
  current: ViewSampling | undefined,
  viewsPerSecond: number,
  nowMs: number,
): ViewSampling | undefined {
  if (viewsPerSecond < busyViewsPerSecond) return undefined;
  const held = isHeld(current, nowMs) ? current.level : 0;
  const needed = Math.floor(Math.log2(viewsPerSecond / countedPerSecondMin));
  const level = Math.max(1, held, Math.min(levelMax, needed));
  const isGood = level === held && current !== undefined && current.untilMs - nowMs > renewedBeforeMs;
  return isGood ? undefined : { level, untilMs: nowMs + heldMs };
}

/** Number of views that a viewer request represents, and how long the edge may cache its response, in seconds. */
interface SampledView {
  readonly views: number;
  readonly edgeSeconds: number;
}

/** Decides how a viewer request is counted and cached. @param requestLevel undefined for a request that always reaches the function */
export function sampleView(
  sampling: ViewSampling | undefined,
  requestLevel: number | undefined,
  nowMs: number,
): SampledView {
  if (requestLevel === undefined || !isHeld(sampling, nowMs)) return { views: 1, edgeSeconds: 0 };
  if (requestLevel >= sampling.level) return { views: 2 ** sampling.level, edgeSeconds: 0 };
  const edgeSeconds = Math.min(edgeSecondsMax, Math.floor((sampling.untilMs - nowMs) / 1000));
  return { views: 0, edgeSeconds };
}

function isHeld(sampling: ViewSampling | undefined, nowMs: number): sampling is ViewSampling {
  return sampling !== undefined && nowMs < sampling.untilMs;
}

/** Stores the view counts of drops. Each count is a separate item, so that counting never conflicts with writes of the drop. */
export const viewCounts = {
  /**
   * Adds views to a drop's count. Moves the count of a transferred drop, and removes the count of a deleted drop.
   *
   * @throws ApiError `unavailable` if the drop is transferred at every attempt
   */
  async add(ownerId: string, slug: string, views: number, nowMs = Date.now()): Promise<void> {
    const { Attributes: counted = {} } = await dynamodb.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.views(ownerId, slug),
        UpdateExpression: "ADD viewCount :views",
        ExpressionAttributeValues: { ":views": views },
        ReturnValues: "ALL_NEW",
      }),
    );
    // The count of a missing drop must be moved or removed here. A condition on the drop's item would cause write conflicts, so the drop is
    // read after the view is counted. The removal of a drop that still exists removes its count.
    const drop = await getItem(keys.drop(ownerId, slug));
    if (drop === undefined) return takeAlong(ownerId, slug);
    if (views < measuredViewsMin) return;
    // The views are counted, so a failure here must not return their messages to the queue.
    await measureRate(ownerId, slug, counted, nowMs).catch((error: unknown) => {
      writeFault({ level: "warn", event: "views-not-measured" }, error);
    });
  },

  async remove(ownerId: string, slug: string): Promise<void> {
    await dynamodb.send(new DeleteCommand({ TableName: tableName(), Key: keys.views(ownerId, slug) }));
  },
};

/** Minimum number of views in a batch that triggers a measurement of the rate. Only busy drops have that many views in a batch. */
const measuredViewsMin = 5;

const measuredMsMin = 3_000;

/** Measures the rate of views since the last measurement, in one of several concurrent batches. Starts or renews sampling for a busy drop. */
async function measureRate(ownerId: string, slug: string, counted: Item, nowMs: number): Promise<void> {
  const { viewCount = 0, measuredAtMs, measuredViews = 0 } = counted as Record<string, number | undefined>;
  const elapsedMs = nowMs - (measuredAtMs ?? 0);
  if (elapsedMs < measuredMsMin) return;
  const measured = await updateItem({
    key: keys.views(ownerId, slug),
    update: "SET measuredAtMs = :now, measuredViews = :count",
    condition: `attribute_exists(viewCount) AND ${isUnchanged("measuredAtMs", measuredAtMs)}`,
    values: {
      ":now": nowMs,
      ":count": viewCount,
      ...(measuredAtMs === undefined ? {} : { ":seen": measuredAtMs }),
    },
  });
  if (!measured.updated) return;
  const pointer = await getItem(keys.pointer(slug));
  const viewsPerSecond = ((viewCount - measuredViews) / elapsedMs) * 1000;
  const changed =
    pointer && changedSampling(pointer.viewSampling as ViewSampling | undefined, viewsPerSecond, nowMs);
  if (changed === undefined) return;
  await updateItem({
    key: keys.pointer(slug),
    update: "SET viewSampling = :sampling",
    condition: "attribute_exists(ownerId)",
    values: { ":sampling": changed },
  });
}

/** Moves a count to its drop's current account, in one transaction, so that no view is lost or counted twice. */
async function takeAlong(formerOwnerId: string, slug: string): Promise<void> {
  await retryConflicts(async () => {
    const kept = await findKeptDrop(slug);
    if (kept === undefined) return viewCounts.remove(formerOwnerId, slug);
    const { ownerId, isTrashed } = kept;
    const left = await getItem(keys.views(formerOwnerId, slug));
    // Another batch has already moved the count, or the drop was transferred back.
    if (left === undefined || ownerId === formerOwnerId) return;
    const views = left.viewCount as number;
    const outcome = await transact([
      {
        remove: keys.views(formerOwnerId, slug),
        condition: "viewCount = :seen",
        values: { ":seen": views },
      },
      { key: keys.views(ownerId, slug), update: "ADD viewCount :seen", values: { ":seen": views } },
      {
        check: isTrashed ? keys.trashedDrop(ownerId, slug) : keys.drop(ownerId, slug),
        condition: "attribute_exists(pk)",
      },
    ]);
    if (!outcome.committed)
      throw new RetryableError(
        "The view counts were not moved: the drop was transferred again during every attempt.",
      );
  });
}
