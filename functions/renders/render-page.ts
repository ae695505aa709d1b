import { randomInt } from "node:crypto";
import { invokedWorker } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { writeFault, writeLog } from "../core/log.ts";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { readSite } from "../http/site.ts";
import { createObjectId } from "../table/identifiers.ts";
import { type Lease, takeLease } from "../table/lease.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { renderRule } from "../table/rate-rules.ts";
import { drawPage, drawRequestOf } from "./draw-request.ts";
import type { Render, RenderFailure } from "./render.ts";
import { discardRender, putRender } from "./render-objects.ts";
import { parseRenderRequest, type QueuedRender, renderQueue } from "./render-queue.ts";
import type { Drawing, DrawRequest, RenderExtent } from "./report.ts";
import { renders } from "./store.ts";

/** Name of the lease (a lock that expires) that lets only one execution process the queue. */
export const renderLeaseName = "renders";

/** Duration of the lease. The lease ends before Lambda repeats the event of a crashed execution, which is after a minute. */
const leaseSeconds = 30;

export interface RenderRunOptions {
  /** Number of concurrent renders. */
  readonly lanes: number;
  /** Time after which no further render is started, in Unix milliseconds. */
  readonly endMs: number;
  readonly render: (version: QueuedRender) => Promise<void>;
}

/** Maximum number of attempts at a version. After the last attempt, the version is rendered only if its owner requests it again. */
const triesMax = 3;

/**
 * Number of failures after which an execution ends, because AWS would probably refuse its other calls too. The next execution continues.
 */
const failuresMax = 5;

/**
 * Processes the queue until it is empty. Does nothing if another execution holds the lease. After releasing the lease, that execution reads
 * the queue once more, so it finds versions that were added in the meantime.
 *
 * @throws Error if a version failed or time ran out, so that Lambda delivers the event again
 */
export async function processRenderQueue(options: RenderRunOptions): Promise<void> {
  const failures = new Map<string, unknown>();
  let hasMore = true;
  while (hasMore) {
    const lease = await takeLease(renderLeaseName, { seconds: leaseSeconds, isRenewed: true });
    if (lease === undefined) return;
    try {
      const passed = new Set(failures.keys());
      const lane = () => workInLane(options, lease, passed, failures);
      await Promise.all(Array.from({ length: options.lanes }, lane));
    } finally {
      await lease.release();
    }
    hasMore = (await renderQueue.first(failures.size + 1)).some(({ key }) => !failures.has(key.sk));
    if (hasMore && isOver(options, lease, failures)) {
      const [error = new Error("The queue still has versions to render.")] = failures.values();
      throw error;
    }
  }
  for (const error of failures.values()) throw error;
}

function isOver({ endMs }: RenderRunOptions, lease: Lease, failures: ReadonlyMap<string, unknown>): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

/** Processes versions one after another. Skips versions that a concurrent lane has taken. */
async function workInLane(
  options: RenderRunOptions,
  lease: Lease,
  passed: Set<string>,
  failures: Map<string, unknown>,
): Promise<void> {
  while (!isOver(options, lease, failures)) {
    // Reads enough versions to find a free one, even if every other lane takes a version during this read.
    const waiting = await renderQueue.first(passed.size + options.lanes);
    const next = waiting.find(({ key }) => !passed.has(key.sk));
    if (next === undefined) return;
    passed.add(next.key.sk);
    try {
      await tryOnce(next, options.render);
      passed.delete(next.key.sk);
    } catch (error) {
      failures.set(next.key.sk, error);
    }
  }
}

/** Counts an attempt and renders the version. Gives up on a page that crashes this function at every attempt. */
async function tryOnce(version: QueuedRender, render: RenderRunOptions["render"]): Promise<void> {
  const tries = version.tries + 1;
  if (tries > triesMax) return giveUp(version);
  if (!(await renderQueue.countAttempt(version))) return;
  try {
    await render(version);
  } catch (error) {
    writeFault(
      { level: "error", operation: "render-page", event: "not-rendered", ...nameOf(version), tries },
      error,
    );
    if (tries === triesMax) await giveUp(version);
    throw error;
  }
  await renderQueue.remove(version);
}

async function giveUp(version: QueuedRender): Promise<void> {
  await renderQueue.remove(version);
  writeLog({ level: "error", operation: "render-page", event: "given-up", ...nameOf(version) });
}

function nameOf({ slug, version }: QueuedRender) {
  return { slug, version };
}

/** Time limit of one version. It covers two calls of the drawing function, the pauses between attempts, and reading and storing. */
const renderMsMax = 180_000;

/**
 * Adds the event's versions to the queue. Processes the queue unless another execution is doing so.
 *
 * @throws Error if versions remain in the queue, so that Lambda repeats the event
 */
export const renderPage = invokedWorker("render-page", async (event, context) => {
  await renderQueue.add(parseRenderRequest(event));
  await processRenderQueue({
    lanes: Number(readEnvironment(environmentNames.renderConcurrency)),
    endMs: Date.now() + context.getRemainingTimeInMillis() - renderMsMax,
    render: (version) => renderVersion(version, Date.now()),
  });
});

/**
 * Renders a version. Stores the objects in a new folder, then writes the render's item. Removes the objects if the version was deleted
 * during the render. Does not render pages of suspended owners.
 */
async function renderVersion({ slug, version, isPdf }: QueuedRender, nowMs: number): Promise<void> {
  const [found, seen] = await Promise.all([
    publicDrops.findVersion(slug, version),
    renders.find(slug, version, isPdf ? "pdf" : "report"),
  ]);
  // A PDF is rendered only on request, so its item must exist.
  if (isPdf && seen === undefined) return;
  // The version was deleted, or has already been rendered for an earlier request.
  if (found === undefined || (seen !== undefined && seen.state !== "asked")) return;
  const drop = await publicDrops.findShownDrop(await publicDrops.findPointer(slug), slug, nowMs);
  if (drop === undefined) return;
  // A version without a render item was queued at its publication.
  const extent = isPdf ? "pdf" : seen === undefined ? "pictures" : "report";
  const before: Render = {
    slug,
    version,
    pageKey: found.pageKey,
    state: "asked",
    extent,
    folder: seen?.folder,
    pictures: seen?.pictures ?? [],
    hasRestrictedFiles: seen?.hasRestrictedFiles,
    atMs: nowMs,
    milliseconds: undefined,
  };
  if (seen === undefined && version < drop.latest.version) return settle({ ...before, state: "superseded" });
  if (!(await isWithinDay(drop, before, seen?.atMs, nowMs))) {
    return settle({ ...before, state: "failed", why: "daily-limit" });
  }
  const page = await pages.getChunks(found.pageKey);
  if (page === undefined) return;
  const site = readSite({ serviceHost: undefined, host: "" });
  const { request, hasRestrictedFiles } = await drawRequestOf(drop, found, page, { site, nowMs });
  const drawing = await draw({ ...request, extent }, drop.ownerId);
  const { report, pictures, pdf, milliseconds } = drawing;
  const why = failureOf(drawing, extent);
  const stored =
    isPdf && why !== undefined
      ? { folder: undefined, pictures: [] }
      : await putRender(`${slug}/${createObjectId(randomInt)}`, {
          pictures,
          pdf,
          ...(extent === "report" || (!isPdf && why !== undefined) ? { report } : {}),
        });
  await settle({
    ...before,
    ...stored,
    state: why === undefined ? "rendered" : "failed",
    why,
    hasRestrictedFiles: hasRestrictedFiles || undefined,
    atMs: Date.now(),
    milliseconds,
  });
}

/** Returns why a render has no result, or undefined if it has pictures or a PDF. */
function failureOf({ report, pictures, pdf }: Drawing, extent: RenderExtent): RenderFailure | undefined {
  if (extent !== "pdf" && Object.keys(pictures).length > 0) return undefined;
  if (extent === "pdf" && pdf !== undefined) return undefined;
  if (report.stopped !== undefined) return "stopped";
  return extent === "pdf" ? "too-large" : undefined;
}

async function settle(render: Render): Promise<void> {
  const { slug, version, state, why, milliseconds } = render;
  const isStillWanted = await renders.settle(render);
  const event = isStillWanted ? state : "not-wanted";
  writeLog({ level: "info", operation: "render-page", event, slug, version, why, milliseconds });
  // Removes only objects that this execution has stored. Other objects belong to the existing item.
  const hasMade = state === "rendered" || why === "stopped";
  if (!isStillWanted && hasMade) await discardRender(render);
}

/** Counts a render against the daily limit once, regardless of attempts. At publication, `askedAtMs` is undefined. */
async function isWithinDay(
  { ownerId }: Drop,
  { slug, version, extent }: Pick<Render, "slug" | "version" | "extent">,
  askedAtMs: number | undefined,
  nowMs: number,
): Promise<boolean> {
  try {
    const useId = `${slug}#${version}#${askedAtMs ?? "published"}${extent === "pdf" ? "#pdf" : ""}`;
    await rateLimiter.spendOnce(renderRule, ownerId, useId, nowMs);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === renderRule.code) return false;
    throw error;
  }
}

/** Maximum number of drawing calls. An earlier page may have broken the first environment, so a failed call is repeated in another. */
const drawAttemptsMax = 2;

async function draw(request: DrawRequest, ownerId: string): Promise<Drawing> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await drawPage(request, ownerId);
    if (outcome.kind === "drawn") return outcome.drawing;
    const { stop: stopped, errorType } = outcome;
    writeLog({ level: "warn", operation: "render-page", event: "function-ended", errorType });
    if (tries < drawAttemptsMax) continue;
    const pageBytes = Buffer.byteLength(request.page, "base64");
    const weight = { pageBytes, fileBytes: 0, requests: 0 };
    return { report: { views: [], stopped, weight }, pictures: {}, milliseconds: 0 };
  }
}
