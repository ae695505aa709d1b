import { hasRenders } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { type AskedVersion, publicDrops } from "../drops/public-drops.ts";
import { secondsUntilExpiry } from "../http/response.ts";
import { isExpired, isVisiblePicture, type Render, type RenderFailure, reportKey } from "./render.ts";
import type { PageReport } from "./report.ts";
import { renders, requestedAgainAfterMs } from "./store.ts";

/** Status of a version's render for its owner. */
export type RenderStatus =
  | { readonly state: "asked"; readonly slug: string; readonly version: number; readonly isNew: boolean }
  | {
      readonly state: "rendered";
      readonly render: Render;
      readonly report: PageReport;
      readonly pictureSeconds: number;
    }
  | {
      readonly state: "failed";
      readonly render: Render;
      readonly why: RenderFailure;
      /** Report on the views that were rendered before the failure. @default - no report */
      readonly report: PageReport | undefined;
      readonly askAgainAtMs: number;
      /** Lifetime of the pictures' URLs. They expire no later than the drop. */
      readonly pictureSeconds: number;
    };

const pictureUrlSeconds = 900;

/** Time after which a failed render can be requested again. */
const failedForMs = 60 * 60 * 1000;

/**
 * Returns the status of a render for the drop's owner. Requests a missing render or report, at most as often as `renders.request` allows,
 * and once an hour after a failure.
 *
 * @throws ApiError `not_found` for a drop of another owner, and if rendering is off
 */
export async function getRenderStatus(asked: AskedVersion, nowMs: number): Promise<RenderStatus> {
  const { drop, found } = await publicDrops.requireVersion(asked, nowMs);
  const { version, pageKey } = found;
  requireRendering();
  const render = await renders.find(drop.slug, version);
  const seen = render && (await seeOf(render, drop, nowMs));
  if (seen !== undefined) return seen;
  const isNew = await renders.request({ slug: drop.slug, version, pageKey }, nowMs);
  return { state: "asked", slug: drop.slug, version, isNew };
}

/** Returns the status of the latest version's finished render, or undefined if it has not been rendered. Does not request a render. */
export async function getLatestRenderStatus(drop: Drop, nowMs: number) {
  const render = await renders.find(drop.slug, drop.latest.version);
  const seen = render && (await seeOf(render, drop, nowMs));
  return seen?.state === "asked" ? undefined : seen;
}

/** @throws ApiError `not_found` if the operator has turned rendering off */
export function requireRendering(): void {
  if (hasRenders()) return;
  const message =
    "This service renders no pages: its operator has set `renders` to false. Look at the page in a browser.";
  throw new ApiError("not_found", { message, details: { setting: "renders" } });
}

/** Returns the state of a render for the drop's current readers. Returns undefined if the render must be requested again. */
export function judgeRender(
  render: Render,
  drop: Drop,
  nowMs: number,
):
  | { readonly state: "asked" | "rendered" }
  | { readonly state: "failed"; readonly askAgainAtMs: number }
  | undefined {
  const { state, atMs } = render;
  switch (state) {
    case "asked":
      return nowMs < atMs + requestedAgainAfterMs ? { state } : undefined;
    case "rendered": {
      // The drop has become public, but the pictures show restricted files.
      const isWithheld = !isVisiblePicture(render, drop);
      return isWithheld || isExpired(render, nowMs + pictureUrlSeconds * 1000) ? undefined : { state };
    }
    case "failed": {
      const askAgainAtMs = atMs + failedForMs;
      return nowMs < askAgainAtMs ? { state, askAgainAtMs } : undefined;
    }
    case "superseded":
      return undefined;
  }
}

/** Returns the status of a stored render. Returns undefined if the render must be requested again. */
async function seeOf(render: Render, drop: Drop, nowMs: number): Promise<RenderStatus | undefined> {
  const { slug, version } = render;
  const pictureSeconds = secondsUntilExpiry(drop, nowMs, pictureUrlSeconds);
  const judged = judgeRender(render, drop, nowMs);
  switch (judged?.state) {
    case "asked":
      return { state: "asked", slug, version, isNew: false };
    case "rendered": {
      if (render.extent === "pictures") return undefined;
      // The report is missing if its version has just been deleted.
      const report = await findReport(render);
      return report && { state: "rendered", render, report, pictureSeconds };
    }
    case "failed": {
      const report = await findReport(render);
      return { ...judged, render, why: render.why ?? "stopped", report, pictureSeconds };
    }
    default:
      return undefined;
  }
}

async function findReport({ folder }: Render): Promise<PageReport | undefined> {
  if (folder === undefined) return undefined;
  const bytes = await pages.getBytes(reportKey(folder));
  return bytes && (JSON.parse(bytes.toString()) as PageReport);
}
