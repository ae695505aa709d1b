import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import type { Artefact } from "./artefact.ts";
import { contentOf, frameBox, type Look, OpenRequests, type Surface, takeLook } from "./look.ts";

/** Heights of the page's content, by window width, in pixels. */
const widths = { 1280: 800, 390: 780 } as const;
export type Width = keyof typeof widths;
export const allWidths: readonly Width[] = [1280, 390];

/** Ways of opening a published artefact. */
export const wayNames = ["viewer", "raw", "locked", "restricted"] as const;
export type WayName = (typeof wayNames)[number];

/** A reader's steps, in order. */
export const steps = ["open", "inner", "back", "click"] as const;
export type Step = (typeof steps)[number];

/** A failed request: the last part of its URL's path, and the reason. */
type Failure = { readonly name: string; readonly reason: string };

/** Observations during a visit. */
export interface Visit {
  readonly looks: Readonly<Partial<Record<Step, Look>>>;
  /** Errors in the browser's console. */
  readonly errors: readonly string[];
  readonly failures: readonly Failure[];
  /** Texts of the viewer's notices. */
  readonly notices: readonly string[];
  /** Reasons why steps failed, by step. */
  readonly problems: Readonly<Partial<Record<Step, string>>>;
}

/** One way of opening an artefact, with its address. */
export interface Way {
  readonly address: string;
  readonly isFramed: boolean;
  /** Enters the passcode on the passcode page. @default - no passcode page */
  readonly enter?: (page: Page) => Promise<void>;
}

const clickMsMax = 15_000;
const stepMsMax = 60_000;
/** Height of the viewer's bar above the frame, by window width. */
const barHeights = new Map<number, number>();

/** Opens an artefact in a new window, opens its inner page, goes back, and clicks. `truth` is the visit on the plain server. */
export async function visit(
  context: BrowserContext,
  way: Way,
  width: Width,
  { inner, click }: Pick<Artefact, "inner" | "click">,
  truth?: Visit,
): Promise<Visit> {
  const page = await context.newPage();
  const { errors, failures } = recordErrors(page);
  const requests = new OpenRequests(page);
  const surface: Surface = { page, isFramed: way.isFramed };
  const looks: Partial<Record<Step, Look>> = {};
  const problems: Partial<Record<Step, string>> = {};
  const notices = new Set<string>();
  const take = async (step: Step, act: () => Promise<unknown>) => {
    // Skips steps that failed on the plain server.
    if (truth?.problems[step] !== undefined) return;
    try {
      looks[step] = await inTime(async () => {
        await act();
        if (step !== "click") await restPointer(surface);
        return takeLook(surface, requests, truth?.looks[step]);
      });
      for (const notice of way.isFramed ? await shownNotices(page) : []) notices.add(notice);
    } catch (error) {
      problems[step] = (error as Error).message.split("\n")[0] ?? "";
    }
  };
  try {
    await take("open", () => open(page, way, width));
    if (inner !== undefined) {
      await take("inner", () => press(surface, inner));
      // The window may navigate before `evaluate` returns.
      if (looks.inner) await take("back", () => page.evaluate(() => history.back()).catch(() => {}));
    }
    if (click !== undefined) await take("click", () => press(surface, click));
    return { looks, errors: [...errors], failures, notices: [...notices], problems };
  } finally {
    await page.close();
  }
}

/** Opens the artefact. Resizes the window so that the page's content has the same size with and without the viewer's bar. */
async function open(page: Page, { address, isFramed, enter }: Way, width: Width): Promise<void> {
  const height = widths[width];
  const bar = isFramed ? (barHeights.get(width) ?? 48) : 0;
  await page.setViewportSize({ width, height: height + bar });
  await page.goto(address, { waitUntil: "load" });
  await enter?.(page);
  const shown = isFramed ? (await frameBox(page)).height : height;
  const missing = height - Math.round(shown);
  if (missing === 0) return;
  barHeights.set(width, bar + missing);
  await page.setViewportSize({ width, height: height + bar + missing });
  await page.reload({ waitUntil: "load" });
}

/** Runs a step with a time limit, because a window that hangs never responds. */
async function inTime<Value>(act: () => Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  const late = wait(stepMsMax, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`did not end within ${stepMsMax / 1000} s`);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    ended.abort();
    late.catch(() => {});
  }
}

/** Moves the pointer to a corner, because elements under the pointer look different. */
async function restPointer({ page, isFramed }: Surface): Promise<void> {
  const { x, y } = isFramed ? await frameBox(page) : { x: 0, y: 0 };
  await page.mouse.move(x + 1, y + 1);
}

async function press(surface: Surface, selector: string): Promise<void> {
  const target = contentOf(surface).locator(selector).filter({ visible: true }).first();
  await target.click({ timeout: clickMsMax });
}

/** Records a window's console errors and failed requests. Removes the parts of URLs that differ between servers. */
function recordErrors(page: Page) {
  const errors = new Set<string>();
  const failures: Failure[] = [];
  page.on("pageerror", ({ message }) => errors.add(`Uncaught ${withoutAddresses(message)}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const text = withoutAddresses(message.text());
    // Failed requests are recorded separately.
    if (!text.startsWith("Failed to load resource")) errors.add(text);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // A navigation aborts the unfinished requests of the previous page.
    if (reason !== "net::ERR_ABORTED") failures.push({ name: nameOf(request.url()), reason });
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      failures.push({ name: nameOf(response.url()), reason: String(response.status()) });
  });
  return { errors, failures };
}

/** Shortens addresses in console messages to the parts that are the same on all servers. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?:https?|blob|data):[^\s'")]+/g, nameOf).slice(0, 300);
}

/** Returns the last part of an address's path. */
function nameOf(address: string): string {
  if (!address.startsWith("http")) return address.slice(0, 5);
  const [path = ""] = address.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/);
  return path.split("/").filter(Boolean).at(-1) ?? "/";
}

/** Reads the texts of the viewer's visible notices. */
async function shownNotices(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".notices > :not([hidden])")]
      .map(({ innerText }) => innerText.trim())
      .filter((text) => text !== ""),
  );
}
