import { randomInt } from "node:crypto";
import { invokedWorker } from "../background/invoked-worker.ts";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { served } from "../drops/served.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { ApiError } from "../platform/errors.ts";
import { createObjectId } from "../platform/identifiers.ts";
import { writeLog } from "../platform/log.ts";
import { rateLimiter } from "../platform/rate-limits.ts";
import { renderRule } from "../platform/rate-rules.ts";
import { readSite } from "../platform/site.ts";
import { discardRender, putRender } from "../renders/objects.ts";
import type { Render } from "../renders/render.ts";
import { renderQueue, type WaitingVersion } from "../renders/render-queue.ts";
import { parseRenderRequest } from "../renders/render-request.ts";
import type { Drawing, DrawRequest } from "../renders/report.ts";
import { renders } from "../renders/store.ts";
import { drawPage } from "./draw-function.ts";
import { drawQuestionOf } from "./draw-request.ts";
import { workThroughRenders } from "./render-run.ts";

/** What one version takes at most: twice the function with the browser, the waits for it, and what reading and storing take. */
const renderMsMax = 180_000;

/**
 * Adds the versions that it is invoked with to the queue, and works through the queue unless another execution does.
 *
 * @throws Error when something is left, so that Lambda brings the event again
 */
export const renderPage = invokedWorker("render-page", async (event, context) => {
  await renderQueue.add(parseRenderRequest(event));
  await workThroughRenders({
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
  { slug, version }: Pick<WaitingVersion, "slug" | "version">,
  nowMs: number,
): Promise<void> {
  const [found, seen] = await Promise.all([served.findVersion(slug, version), renders.find(slug, version)]);
  // It was requested twice, and the first time did it.
  if (found === undefined || (seen !== undefined && seen.state !== "asked")) return;
  const drop = await served.findShownDrop(await served.findPointer(slug), slug);
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
  const { request, hasRestrictedFiles } = await drawQuestionOf(drop, version, page, site);
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
  const isSettled = await renders.settle(render);
  const event = isSettled ? state : "not-wanted";
  writeLog({ level: "info", operation: "render-page", event, slug, version, why, milliseconds });
  // Where it has made no objects, the row that is there has them.
  const hasMade = state === "rendered" || why === "stopped";
  if (!isSettled && hasMade) await discardRender(render);
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
