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
      /** Report up to the failure. @default - none */
      readonly report: PageReport | undefined;
      readonly askAgainAtMs: number;
      /** Lifetime of the pictures' addresses, which is not longer than the drop's. */
      readonly pictureSeconds: number;
    };

/** A render that has ended. */
type FinishedRender = Exclude<RenderStatus, { readonly state: "asked" }>;

/** The longest lifetime of a picture's address. */
const pictureUrlSeconds = 900;

/** Time after which a failed render can be requested again. */
const failedForMs = 60 * 60 * 1000;

/**
 * Status of the render of an owner's drop. A missing one is requested, at most as often as `renders.request` allows, and after a failure
 * once an hour. A new version has only card and thumbnail, so its report is requested too.
 *
 * @throws ApiError `not_found` for a drop of another owner, and if rendering is off
 */
export async function getRenderStatus(asked: AskedVersion, nowMs: number): Promise<RenderStatus> {
  const { drop, found } = await publicDrops.requireVersion(asked, nowMs);
  const { slug } = drop;
  const { version, pageKey } = found;
  requireRendering();
  const render = await renders.find(slug, version);
  const seen = render && (await seeOf(render, drop, nowMs));
  if (seen !== undefined) return seen;
  const isNew = await renders.request({ slug, version, pageKey }, nowMs);
  return { state: "asked", slug, version, isNew };
}

/** Status of the latest version's render for its owner; undefined without one. It requests nothing. */
export async function getLatestRenderStatus(drop: Drop, nowMs: number): Promise<FinishedRender | undefined> {
  const render = await renders.find(drop.slug, drop.latest.version);
  const seen = render && (await seeOf(render, drop, nowMs));
  return seen?.state === "asked" ? undefined : seen;
}

const notRendered =
  "This service renders no pages: its operator has set `renders` to false. Look at the page in a browser.";

/** @throws ApiError `not_found` if the operator has turned rendering off */
export function requireRendering(): void {
  if (!hasRenders())
    throw new ApiError("not_found", { message: notRendered, details: { setting: "renders" } });
}

/** State of a render for its drop's present readers, with the time until which a failure stays; undefined if a new one has to be requested. */
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
      // Its readers have changed, and may not get all files that were rendered.
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

/** Status by the row of a render; undefined if a new render has to be requested. */
async function seeOf(render: Render, drop: Drop, nowMs: number): Promise<RenderStatus | undefined> {
  const { slug, version } = render;
  const pictureSeconds = secondsUntilExpiry(drop, nowMs, pictureUrlSeconds);
  const judged = judgeRender(render, drop, nowMs);
  switch (judged?.state) {
    case "asked":
      return { state: "asked", slug, version, isNew: false };
    case "rendered": {
      if (render.extent === "pictures") return undefined;
      // A version that is deleted during the call is not found.
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
