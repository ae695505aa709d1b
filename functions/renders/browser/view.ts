import { setTimeout as wait } from "node:timers/promises";
import type { Page, PageScreenshotOptions, ViewportSize } from "playwright-core";
import {
  type DrawnPicture,
  type DrawRequest,
  pdfLimits,
  pictureBytesMax,
  type ViewReport,
  type views,
} from "../report.ts";
import type { RunningBrowser } from "./browser.ts";
import type { Observation } from "./observation.ts";
import { openPageChecks, type PageChecks } from "./page-checks.ts";

type View = (typeof views)[number];

/** Picture of a page in one view, and results of its checks. `Observation` records the page's behaviour. */
interface ObservedView {
  /** Picture of the view. @default - no report was requested */
  readonly picture: DrawnPicture | undefined;
  readonly report: Pick<ViewReport, "loadMs" | "overflow" | "accessibility" | "forms" | "isUnjudged">;
}

/** Time limit for the load event. After this time, the page is rendered even if it is still loading. */
const loadMsMax = 4_000;
/** Maximum waits after the load event: for scripts' requests, and for fonts. */
const idleMsMax = 1_500;
const fontsMsMax = 1_000;
/** Time without requests after which a page counts as idle. */
const idleMs = 150;
/** Pause after everything is loaded, so that scripts can paint. */
const restMs = 300;
const pictureMsMax = 4_000;

/** Maximum height of a picture, in screens. */
const screens = 2;

/** Loads a page in a view. For a report, also captures and checks the page. @throws Error if the page does not respond */
export async function renderView(
  { context, page }: RunningBrowser,
  view: View,
  { url, observation, extent }: Pick<DrawRequest, "url" | "extent"> & { readonly observation: Observation },
): Promise<ObservedView> {
  await page.setViewportSize({ width: view.widthPx, height: view.heightPx });
  await page.emulateMedia({ colorScheme: view.scheme });
  // Does not wait for the load event. If the page redirected before it, Playwright would wait for a refused request.
  await page.goto(url, { waitUntil: "commit", timeout: loadMsMax });
  const checks = await openPageChecks(context, page);
  const loadMs = await checks.loaded(loadMsMax);
  await settle(observation);
  await checks.fonts(fontsMsMax);
  await wait(restMs);
  if (extent !== "report")
    return {
      picture: undefined,
      report: { loadMs, overflow: undefined, accessibility: [], isUnjudged: true },
    };
  const picture = await takePicture(page, view, checks);
  const overflow = await checks.overflow();
  const forms = await checks.postForms();
  const accessibility = await checks.accessibility();
  return {
    picture,
    report: {
      loadMs,
      overflow,
      accessibility: accessibility ?? [],
      forms,
      isUnjudged: accessibility === undefined ? true : undefined,
    },
  };
}

/** Waits until the page has made no request for `idleMs`. */
async function settle(observation: Observation): Promise<void> {
  const endMs = performance.now() + idleMsMax;
  for (let before = -1; before !== observation.requests && performance.now() < endMs; ) {
    before = observation.requests;
    await wait(idleMs);
  }
}

/** JPEG qualities, tried in this order until the picture is small enough. */
const jpegQualities = [80, 60, 40, 20, 5];

async function takePicture(page: Page, view: View, checks: PageChecks): Promise<DrawnPicture> {
  const most = view.heightPx * screens;
  const heightPx = Math.min(Math.max(await checks.height(), view.heightPx), most);
  let bytes: Buffer = Buffer.alloc(0);
  for (const quality of jpegQualities) {
    bytes = await shoot(page, { type: "jpeg", quality, width: view.widthPx, height: heightPx });
    if (bytes.byteLength <= pictureBytesMax[view.name]) break;
  }
  return {
    mediaType: "image/jpeg",
    widthPx: view.widthPx,
    heightPx,
    bytes: bytes.toString("base64"),
  };
}

/** Captures the first screen of the loaded page as a PNG of the given size. */
export async function captureScreen(
  page: Page,
  { widthPx: width, heightPx: height }: Pick<DrawnPicture, "widthPx" | "heightPx">,
): Promise<Buffer> {
  const size = { width, height };
  await page.setViewportSize(size);
  await wait(restMs);
  return shoot(page, { type: "png", ...size });
}

/**
 * Prints the loaded page with its print styles, on A4 unless the styles set another size. Returns undefined if the PDF exceeds `pdfLimits`.
 */
export async function printPage(page: Page): Promise<string | undefined> {
  const margin = "1cm";
  const bytes = await page.pdf({
    format: "A4",
    preferCSSPageSize: true,
    // Charts and tables lose their meaning without colours.
    printBackground: true,
    margin: { top: margin, right: margin, bottom: margin, left: margin },
    // Tags are for screen readers. The outline contains the headings as bookmarks.
    tagged: true,
    outline: true,
    // Prints one page more than allowed, so that a document above the limit is detected.
    pageRanges: `1-${pdfLimits.pagesMax + 1}`,
  });
  const pages = bytes.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  const isWithin = bytes.byteLength <= pdfLimits.bytesMax && pages <= pdfLimits.pagesMax;
  return isWithin ? bytes.toString("base64") : undefined;
}

async function shoot(
  page: Page,
  { width, height, ...format }: Pick<PageScreenshotOptions, "type" | "quality"> & ViewportSize,
): Promise<Buffer> {
  return page.screenshot({
    ...format,
    // The position of the clip is relative to the top of the page, not to the scroll position.
    fullPage: true,
    clip: { x: 0, y: 0, width, height },
    animations: "disabled",
    timeout: pictureMsMax,
  });
}
