import { setTimeout as wait } from "node:timers/promises";
import { onInit } from "../core/start-up.ts";
import { type RunningBrowser, startBrowser } from "./browser/browser.ts";
import { Observation, observe } from "./browser/observation.ts";
import { ownerFiles } from "./browser/owner-files.ts";
import { unpackBrowser } from "./browser/program.ts";
import { interceptRequests } from "./browser/requests.ts";
import { createThumbnails, type Screens, thumbnailWindow } from "./browser/small-pictures.ts";
import { captureScreen, printPage, renderView } from "./browser/view.ts";
import {
  cardSize,
  type Drawing,
  type DrawnFile,
  type DrawnPicture,
  type DrawRequest,
  type PictureName,
  type Stop,
  type ViewName,
  type ViewReport,
  views,
} from "./report.ts";

/** Time limits of a page and of one view. The function's timeout is a minute. */
const drawMsMax = 40_000;
const viewMsMax = 12_000;
/** Minimum remaining time for starting a view, in milliseconds. */
const viewMsMin = 4_000;

onInit(unpackBrowser);

/**
 * Renders a page as card and thumbnail, or prints it as a PDF. For a report, renders and checks every view too. If a page is stopped,
 * renders the page again without scripts in a new browser, so that the result always has a report.
 *
 * @throws Error if the browser cannot be unpacked or started
 */
export async function drawPage(request: DrawRequest): Promise<Drawing> {
  const startedAtMs = performance.now();
  const drawn: Drawn = {
    request: { ...request, url: request.url.replace(/#.*/s, "") },
    files: ownerFiles(filesOf(request), request.url),
    endMs: startedAtMs + drawMsMax,
    reports: new Map(),
    pictures: {},
    finished: new Set(),
    screens: {},
    pdf: undefined,
    requestsMax: 0,
  };
  const names = namesOf(request);
  let stopped = await drawIn(drawn, { withoutScripts: false });
  if (stopped !== undefined && performance.now() + viewMsMin < drawn.endMs) {
    // If this render is stopped too, only the reason of the first stop is reported.
    await drawIn(drawn, { withoutScripts: true });
  }
  stopped ??= drawn.reports.size < names.length ? "time" : undefined;
  return {
    report: {
      views: views.flatMap(({ name }) => drawn.reports.get(name) ?? []),
      stopped,
      weight: {
        pageBytes: Buffer.byteLength(request.page, "base64"),
        fileBytes: drawn.files.fetchedBytes(),
        requests: drawn.requestsMax,
      },
    },
    pictures: drawn.pictures,
    ...(drawn.pdf === undefined ? {} : { pdf: drawn.pdf }),
    milliseconds: Math.round(performance.now() - startedAtMs),
  };
}

/** Results of a render so far. */
interface Drawn {
  readonly request: DrawRequest;
  readonly files: ReturnType<typeof ownerFiles>;
  readonly endMs: number;
  readonly reports: Map<ViewName, ViewReport>;
  readonly pictures: Partial<Record<PictureName, DrawnPicture>>;
  readonly finished: Set<ViewName>;
  screens: Screens;
  pdf: string | undefined;
  requestsMax: number;
}

/** Returns the views to render. Card, thumbnail and PDF need only the first view. A report needs all views. */
function namesOf({ extent }: Pick<DrawRequest, "extent">): readonly ViewName[] {
  return extent === "report"
    ? ["desktop-light", "phone-light", "phone-dark", "desktop-dark"]
    : ["desktop-light"];
}

/** Renders the missing pictures in a new browser. Returns the reason if the page was stopped. */
async function drawIn(
  drawn: Drawn,
  { withoutScripts }: { readonly withoutScripts: boolean },
): Promise<Stop | undefined> {
  const browser = await startBrowser();
  let observation = new Observation();
  try {
    observe(browser, () => observation, { hasConsole: !withoutScripts });
    const answers = { request: drawn.request, files: drawn.files, withoutScripts };
    await interceptRequests(browser.context, answers, () => observation);
    const makeMissingThumbnails = async () => {
      Object.assign(drawn.pictures, await createThumbnails(browser.page, drawn.screens));
      drawn.screens = {};
    };
    const makeThumbnails = () => {
      observation = new Observation();
      const msMax = Math.max(viewMsMin, drawn.endMs - performance.now());
      return stopOf(browser, makeMissingThumbnails(), msMax);
    };
    for (const name of namesOf(drawn.request)) {
      observation = new Observation();
      const stop = await drawMissingView(browser, drawn, name, observation, withoutScripts);
      if (stop !== undefined) return stop;
      // The thumbnails are made before the other views, which may use up the remaining time.
      if (name === "desktop-light") await makeThumbnails();
    }
    return await makeThumbnails();
  } finally {
    await browser.end();
  }
}

/** Renders a view within its time limit, unless the view was finished in an earlier browser. Returns the reason if the page was stopped. */
async function drawMissingView(
  browser: RunningBrowser,
  drawn: Drawn,
  name: ViewName,
  observation: Observation,
  withoutScripts: boolean,
): Promise<Stop | undefined> {
  if (drawn.finished.has(name)) return undefined;
  if (performance.now() + viewMsMin > drawn.endMs) return "time";
  const work = drawView(browser, drawn, name, observation, withoutScripts);
  const stop = await stopOf(browser, work, Math.min(viewMsMax, drawn.endMs - performance.now()));
  drawn.requestsMax = Math.max(drawn.requestsMax, observation.requests);
  if (stop !== undefined)
    noteReport(drawn, name, observation, {
      loadMs: undefined,
      overflow: undefined,
      accessibility: [],
      isUnjudged: true,
      isWithoutScripts: withoutScripts || undefined,
    });
  return stop;
}

async function drawView(
  browser: RunningBrowser,
  drawn: Drawn,
  name: ViewName,
  observation: Observation,
  withoutScripts: boolean,
): Promise<void> {
  const view = views.find((one) => one.name === name);
  if (view === undefined) throw new Error(`Unknown view ${name}.`);
  const { extent, url } = drawn.request;
  const { picture, report } = await renderView(browser, view, { url, observation, extent });
  if (extent === "pdf") {
    drawn.pdf = await printPage(browser.page);
  } else if (name === "desktop-light") {
    const thumbnail = await captureScreen(browser.page, thumbnailWindow);
    drawn.screens = { thumbnail, card: await captureScreen(browser.page, cardSize) };
  }
  // The view is marked as finished last, so that an unfinished view is rendered again.
  if (picture !== undefined) drawn.pictures[name] = picture;
  drawn.finished.add(name);
  noteReport(drawn, name, observation, { ...report, isWithoutScripts: withoutScripts || undefined });
}

/** Adds the report of a view. A report without scripts keeps the console messages, requests and attempts of the view's first report. */
function noteReport(
  { reports }: Drawn,
  name: ViewName,
  observation: Observation,
  seen: Omit<ViewReport, "name" | "console" | "requests" | "attempts">,
): void {
  const before = reports.get(name);
  const { console, requests, attempts } = before ?? observation.report();
  reports.set(name, { name, ...seen, console, requests, attempts });
}

/** Waits for the work. Returns the reason for a stop if the work failed, ran out of time, or ended the browser. */
async function stopOf(
  browser: RunningBrowser,
  work: Promise<void>,
  msMax: number,
): Promise<Stop | undefined> {
  const ending = new AbortController();
  const late = wait(msMax, "time" as const, { signal: ending.signal }).catch(() => undefined);
  const done = work.then(
    () => undefined,
    // The page did not respond. If the cause is that the browser has ended, `ended` resolves a moment later.
    async () => Promise.race([browser.ended, wait(100, "time" as const)]),
  );
  try {
    return await Promise.race([browser.ended, done, late]);
  } finally {
    ending.abort();
  }
}

/** Returns the request's files. Replaces each index into `sources` by the URL. */
function filesOf({ files, sources = [] }: DrawRequest): readonly DrawnFile[] {
  return files.map((file) => ({
    ...file,
    source: typeof file.source === "number" ? sources[file.source] : file.source,
  }));
}
