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
import type { Render } from "./render.ts";
import { discardRender, putRender } from "./render-objects.ts";
import { parseRenderRequest, type QueuedRender, renderQueue } from "./render-queue.ts";
import type { Drawing, DrawRequest } from "./report.ts";
import { renders } from "./store.ts";

/** The name of the lease of the one execution that works through the queue. */
export const renderLeaseName = "renders";

/** Shorter than the minute after which Lambda brings an event of a dead execution again. */
const leaseSeconds = 30;

export interface RenderRunOptions {
  /** Number of concurrent renders. */
  readonly lanes: number;
  /** From then on no other version is begun, in Unix milliseconds. */
  readonly endMs: number;
  readonly render: (version: QueuedRender) => Promise<void>;
}

/** Attempts at one version. After the last, it is rendered when its owner asks again. */
const triesMax = 3;

/** Failures after which a run ends and leaves the rest to the next: AWS refuses, and would refuse them too. */
const failuresMax = 5;

/**
 * Works through the queue until it is empty. Does nothing if another execution holds the lease: that one looks once more after it
 * has released the lease, and so finds everything that was added before.
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
      await lease.giveBack();
    }
    hasMore = (await renderQueue.first(failures.size + 1)).some(({ key }) => !failures.has(key.sk));
    if (hasMore && isOver(options, lease, failures)) {
      const [error = new Error("Versions are left that are to be rendered.")] = failures.values();
      throw error;
    }
  }
  for (const error of failures.values()) throw error;
}

function isOver({ endMs }: RenderRunOptions, lease: Lease, failures: ReadonlyMap<string, unknown>): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

/** Takes one version after another that no other lane has. */
async function workInLane(
  options: RenderRunOptions,
  lease: Lease,
  passed: Set<string>,
  failures: Map<string, unknown>,
): Promise<void> {
  while (!isOver(options, lease, failures)) {
    // Each other lane may take one while this one looks.
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

/** One that ends this function whenever it is tried is given up too. */
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

/** Time limit of one version: two calls of the drawing function, the waits, and reading and storing. */
const renderMsMax = 180_000;

/**
 * Adds the versions that it is invoked with to the queue, and works through the queue unless another execution does.
 *
 * @throws Error when something is left, so that Lambda brings the event again
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
 * Objects first, under a folder that no other run has, then the row; where the version is gone by then, neither stays. Suspended
 * owners' pages are not rendered.
 */
async function renderVersion(
  { slug, version }: Pick<QueuedRender, "slug" | "version">,
  nowMs: number,
): Promise<void> {
  const [found, seen] = await Promise.all([
    publicDrops.findVersion(slug, version),
    renders.find(slug, version),
  ]);
  // It was requested twice, and the first time did it.
  if (found === undefined || (seen !== undefined && seen.state !== "asked")) return;
  const drop = await publicDrops.findShownDrop(await publicDrops.findPointer(slug), slug, nowMs);
  if (drop === undefined) return;
  // Where nobody has asked, the version was published.
  const extent = seen === undefined ? "pictures" : "report";
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
  const { report, pictures, milliseconds } = await draw({ ...request, extent }, drop.ownerId);
  const isStopped = report.stopped !== undefined && Object.keys(pictures).length === 0;
  const stored = await putRender(`${slug}/${createObjectId(randomInt)}`, {
    pictures,
    ...(extent === "report" || isStopped ? { report } : {}),
  });
  await settle({
    ...before,
    ...stored,
    state: isStopped ? "failed" : "rendered",
    why: isStopped ? "stopped" : undefined,
    hasRestrictedFiles: hasRestrictedFiles ? true : undefined,
    atMs: Date.now(),
    milliseconds,
  });
}

async function settle(render: Render): Promise<void> {
  const { slug, version, state, why, milliseconds } = render;
  const isStillWanted = await renders.settle(render);
  const event = isStillWanted ? state : "not-wanted";
  writeLog({ level: "info", operation: "render-page", event, slug, version, why, milliseconds });
  // Where it has made no objects, the row that is there has them.
  const hasMade = state === "rendered" || why === "stopped";
  if (!isStillWanted && hasMade) await discardRender(render);
}

/** Counts each request for a render once, however often it is tried: publication is one, and `askedAtMs` tells others apart. */
async function isWithinDay(
  { ownerId }: Drop,
  { slug, version }: Pick<Render, "slug" | "version">,
  askedAtMs: number | undefined,
  nowMs: number,
): Promise<boolean> {
  try {
    const useId = `${slug}#${version}#${askedAtMs ?? "published"}`;
    await rateLimiter.spendOnce(renderRule, ownerId, useId, nowMs);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === renderRule.code) return false;
    throw error;
  }
}

/** Another environment may fare better than the one that a page before has spoilt; one that ends both is told of. */
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
