import type { Drop } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { noSuchVersion } from "../drops/stored-bytes.ts";
import { environmentNames, findEnvironment } from "../http/environment.ts";
import { ApiError } from "../http/errors.ts";
import { isExpired, isVisiblePicture, type Render, type RenderFailure, reportKey } from "./render.ts";
import type { PageReport } from "./report.ts";
import { renders, requestedAgainAfterMs } from "./store.ts";

/** How it stands with the render of a version, as its owner may know it. */
export type RenderStatus =
  | { readonly state: "asked"; readonly slug: string; readonly version: number; readonly isNew: boolean }
  | { readonly state: "rendered"; readonly render: Render; readonly report: PageReport }
  | {
      readonly state: "failed";
      readonly render: Render;
      readonly why: RenderFailure;
      /** What was seen until it was stopped. @default - nothing */
      readonly report: PageReport | undefined;
      readonly askAgainAtMs: number;
    };

/** One that is not to be waited for. */
type FinishedRender = Exclude<RenderStatus, { readonly state: "asked" }>;

/** Which version of which drop, and who asks. */
interface AskedVersion {
  readonly ownerId: string;
  readonly slug: string;
  /** @default - the latest */
  readonly version: number | undefined;
  readonly nowMs: number;
}

/** An address of a picture is good for so long. */
export const pictureUrlSeconds = 900;

/** What has failed is tried again after so long, if somebody asks. */
const failedForMs = 60 * 60 * 1000;

/**
 * How it stands with the render of an owner's drop. One that there is none of any more, or was none of yet, is asked for: no
 * more often than `renders.request` lets it, and after a failure once an hour. Of a version that was just published there is at first
 * what links and lists show, and no report: that is asked for too.
 *
 * @throws ApiError `not_found` for what is not the owner's, and where pages are not rendered
 */
export async function getRenderStatus({
  ownerId,
  slug,
  version,
  nowMs,
}: AskedVersion): Promise<RenderStatus> {
  const { drop, page } = await findVersion(ownerId, slug, version);
  if (findEnvironment(environmentNames.renders) !== "1")
    throw new ApiError("not_found", { message: notRendered, details: { setting: "renders" } });
  const render = await renders.find(slug, page.version);
  const seen = render && (await seeOf(render, drop, nowMs));
  if (seen !== undefined) return seen;
  const isNew = await renders.request(page, nowMs);
  return { state: "asked", slug, version: page.version, isNew };
}

/** What there is of a drop's latest version, for its owner; undefined where that is nothing. Nobody is asked to render it. */
export async function getLatestRenderStatus(drop: Drop, nowMs: number): Promise<FinishedRender | undefined> {
  const render = await renders.find(drop.slug, drop.latest.version);
  const seen = render && (await seeOf(render, drop, nowMs));
  return seen?.state === "asked" ? undefined : seen;
}

const notRendered =
  "This service renders no pages, and has no report of any: its operator has set `renders` to false. Look at the page in a browser.";

async function findVersion(ownerId: string, slug: string, version: number | undefined) {
  const [drop, found] = await Promise.all([
    publicDrops.findDrop(ownerId, slug),
    version === undefined ? undefined : publicDrops.findVersion(slug, version),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  if (version !== undefined && found === undefined) throw noSuchVersion(drop, version);
  const { version: number, pageKey } = found ?? drop.latest;
  return { drop, page: { slug, version: number, pageKey } };
}

/** Undefined where it is to be asked for. */
async function seeOf(render: Render, drop: Drop, nowMs: number): Promise<RenderStatus | undefined> {
  const { state, slug, version, atMs } = render;
  switch (state) {
    case "asked":
      return nowMs < atMs + requestedAgainAfterMs ? { state, slug, version, isNew: false } : undefined;
    case "rendered": {
      if (render.extent === "pictures") return undefined;
      // What is gone while somebody looks at it is no more than what is gone.
      if (isExpired(render, nowMs + pictureUrlSeconds * 1000)) return undefined;
      // Its readers are others now, who do not get all the files that were drawn.
      if (!isVisiblePicture(render, drop)) return undefined;
      const report = await findReport(render);
      return report && { state, render, report };
    }
    case "failed": {
      const askAgainAtMs = atMs + failedForMs;
      if (nowMs >= askAgainAtMs) return undefined;
      return { state, render, why: render.why ?? "stopped", report: await findReport(render), askAgainAtMs };
    }
    case "superseded":
      return undefined;
  }
}

async function findReport({ folder }: Render): Promise<PageReport | undefined> {
  if (folder === undefined) return undefined;
  const found = await pages.getRange(reportKey(folder), undefined);
  return found === undefined || found === "unsatisfiable"
    ? undefined
    : (JSON.parse(found.bytes.toString()) as PageReport);
}
