import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import type { Artefact } from "./artefact.ts";
import { contentOf, frameBox, type Look, OpenRequests, type Surface, takeLook } from "./look.ts";

/** The window's width and the height of its content. */
const widths = { 1280: 800, 390: 780 } as const;
export type Width = keyof typeof widths;
export const allWidths: readonly Width[] = [1280, 390];

/** The ways of opening a published artefact. */
export const wayNames = ["viewer", "raw", "locked", "restricted"] as const;
export type WayName = (typeof wayNames)[number];

/** Steps of a reader, in order. */
export const steps = ["open", "inner", "back", "click"] as const;
export type Step = (typeof steps)[number];

/** A failed request: the end of its path, and the reason. */
interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** Observations during a reader's visit. */
export interface Visit {
  readonly looks: Readonly<Partial<Record<Step, Look>>>;
  /** Errors in the browser's console. */
  readonly errors: readonly string[];
  readonly failures: readonly Failure[];
  /** Notices of the viewer. */
  readonly notices: readonly string[];
  /** Steps that failed, with the reason. */
  readonly problems: Readonly<Partial<Record<Step, string>>>;
}

/** The address of an artefact in one way. */
export interface Way {
  readonly address: string;
  readonly isFramed: boolean;
  /** Opens a gate in the window. @default - there is no gate */
  readonly enter?: (page: Page) => Promise<void>;
}

const clickMsMax = 15_000;
const stepMsMax = 60_000;
/** Size of the viewer's bar around the frame, by window width. */
const barHeights = new Map<number, number>();

/** Opens an artefact in a new window, reads its inner page, goes back and clicks. `truth` is the result on the plain server. */
export async function visit(
  context: BrowserContext,
  way: Way,
  width: Width,
  { inner, click }: Pick<Artefact, "inner" | "click">,
  truth?: Visit,
): Promise<Visit> {
  const page = await context.newPage();
  const { errors, failures } = noteTroubles(page);
  const requests = new OpenRequests(page);
  const surface: Surface = { page, isFramed: way.isFramed };
  const looks: Partial<Record<Step, Look>> = {};
  const problems: Partial<Record<Step, string>> = {};
  const notices = new Set<string>();
  const note = async (step: Step, act: () => Promise<unknown>) => {
    // A step that fails on the plain page is not compared.
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
    await note("open", () => open(page, way, width));
    if (inner !== undefined) {
      await note("inner", () => press(surface, inner));
      // The window may navigate before it responds.
      if (looks.inner) await note("back", () => page.evaluate(() => history.back()).catch(() => {}));
    }
    if (click !== undefined) await note("click", () => press(surface, click));
    return { looks, errors: [...errors], failures, notices: [...notices], problems };
  } finally {
    await page.close();
  }
}

/** Opens the artefact in a window whose content has the given size, regardless of the viewer's bar. */
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

/** A window that hangs never responds, so its step fails. */
async function inTime<Value>(act: () => Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  const late = wait(stepMsMax, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no end after ${stepMsMax / 1000} s`);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    ended.abort();
    late.catch(() => {});
  }
}

/** Moves the pointer to a corner, since elements under the pointer look different. */
async function restPointer({ page, isFramed }: Surface): Promise<void> {
  const { x, y } = isFramed ? await frameBox(page) : { x: 0, y: 0 };
  await page.mouse.move(x + 1, y + 1);
}

async function press(surface: Surface, selector: string): Promise<void> {
  const target = contentOf(surface).locator(selector).filter({ visible: true }).first();
  await target.click({ timeout: clickMsMax });
}

/** Records failures in a window, without the parts of addresses that differ between servers. */
function noteTroubles(page: Page): { readonly errors: Set<string>; readonly failures: Failure[] } {
  const errors = new Set<string>();
  const failures: Failure[] = [];
  page.on("pageerror", ({ message }) => errors.add(`Uncaught ${withoutAddresses(message)}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const text = withoutAddresses(message.text());
    // The list of failed requests already has it.
    if (!text.startsWith("Failed to load resource")) errors.add(text);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "failed";
    // A navigation aborts the unfinished requests of its page.
    if (reason !== "net::ERR_ABORTED") failures.push({ name: nameOf(request.url()), reason });
  });
  page.on("response", (response) => {
    if (response.status() >= 400)
      failures.push({ name: nameOf(response.url()), reason: String(response.status()) });
  });
  return { errors, failures };
}

/** Removes the parts of addresses in a console's text that differ between servers. Browsers shorten long addresses in their middle. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?:https?|blob|data):[^\s'")]+/g, nameOf).slice(0, 300);
}

/** The end of an address's path. */
function nameOf(address: string): string {
  if (!address.startsWith("http")) return address.slice(0, 5);
  const [path = ""] = address.replace(/^https?:\/\/[^/?#]*/, "").split(/[?#]/);
  return path.split("/").filter(Boolean).at(-1) ?? "/";
}

/** Texts of the viewer's visible notices. */
async function shownNotices(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".notices > :not([hidden])")]
      .map(({ innerText }) => innerText.trim())
      .filter((text) => text !== ""),
  );
}
