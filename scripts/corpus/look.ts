import { setTimeout as wait } from "node:timers/promises";
import type { Frame, Page } from "playwright-core";

/** Picture, text and size of a page after a step. */
export interface Look {
  /** PNG of the visible part of the page. */
  readonly picture: Buffer;
  /** True if two consecutive pictures were equal. If false, the page never stops changing, and its picture is not compared. */
  readonly isStill: boolean;
  /** Visible text of the page and its frames, without the page's own address. */
  readonly text: string;
  /** Width and height of the whole page in pixels. */
  readonly size: readonly [width: number, height: number];
}

/** Window that shows the published page, directly or in the viewer's frame. */
export interface Surface {
  readonly page: Page;
  readonly isFramed: boolean;
}

const quietMs = 400;
const quietMsMax = 10_000;
const pictureMsMax = 4_000;
const betweenPicturesMs = 150;

/** Matches durations, which differ between two visits. */
const duration = /\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|minutes?|hours?)\b/g;

/** Counts a window's pending requests. */
export class OpenRequests {
  #open = 0;
  #changedAtMs = Date.now();

  constructor(page: Page) {
    const count = (by: number) => () => {
      this.#open += by;
      this.#changedAtMs = Date.now();
    };
    page.on("request", count(1));
    page.on("requestfinished", count(-1));
    page.on("requestfailed", count(-1));
  }

  /** Waits until no request has been sent for a moment. Gives up after ten seconds, because some pages never stop sending requests. */
  async whenQuiet(): Promise<void> {
    const endMs = Date.now() + quietMsMax;
    this.#changedAtMs = Date.now();
    while (Date.now() < endMs && (this.#open > 0 || Date.now() - this.#changedAtMs < quietMs)) await wait(50);
  }
}

/** Returns the frame that contains the published page. */
export function contentOf({ page, isFramed }: Surface): Frame {
  if (!isFramed) return page.mainFrame();
  const [framed] = page.mainFrame().childFrames();
  if (framed === undefined) throw new Error(`The viewer has no frame at ${page.url()}`);
  return framed;
}

/**
 * Waits until the page no longer changes, and captures it. The page has stopped changing when its picture equals the expected picture, or
 * when two consecutive pictures are equal.
 */
export async function takeLook(surface: Surface, requests: OpenRequests, expected?: Look): Promise<Look> {
  await requests.whenQuiet();
  const frame = contentOf(surface);
  await inTime(frame.evaluate(() => document.fonts.ready.then(() => undefined)));
  const pictured = await stillPicture(surface, expected?.picture);
  const base = new URL(".", frame.url()).href;
  const text = (await textOf(frame)).replaceAll(base, "").replaceAll(new URL(base).host, "");
  const measured = frame.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight] as const;
  });
  const size = await inTime(measured);
  return { ...pictured, text: text.replace(duration, "…").replace(/\s+/g, " ").trim(), size: size ?? [0, 0] };
}

/** Takes pictures until one equals the expected picture, or until two consecutive pictures are equal. */
async function stillPicture(
  { page, isFramed }: Surface,
  expected?: Buffer,
): Promise<Pick<Look, "picture" | "isStill">> {
  const clip = isFramed ? await frameBox(page) : undefined;
  const take = () => page.screenshot({ animations: "disabled", caret: "hide", ...(clip ? { clip } : {}) });
  const endMs = Date.now() + pictureMsMax;
  let picture = await take();
  if (expected?.equals(picture)) return { picture, isStill: true };
  while (Date.now() < endMs) {
    await wait(betweenPicturesMs);
    const last = picture;
    picture = await take();
    if (picture.equals(expected ?? last) || picture.equals(last)) return { picture, isStill: true };
  }
  return { picture, isStill: false };
}

/** Returns the position of the viewer's frame in the window. Hides the viewer's notices, which would cover the page. */
export async function frameBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  return page.evaluate(() => {
    for (const notices of document.querySelectorAll<HTMLElement>(".notices")) notices.style.opacity = "0";
    const frame = document.querySelector("iframe") as HTMLIFrameElement;
    const { x, y, width, height } = frame.getBoundingClientRect();
    return { x, y, width, height };
  });
}

async function textOf(frame: Frame): Promise<string> {
  const read = frame.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    const shadows = all.flatMap(({ shadowRoot }) => [...(shadowRoot?.children ?? [])]);
    const parts = [document.body, ...shadows].map((part) => (part as HTMLElement | null)?.innerText ?? "");
    return parts.join("\n");
  });
  const own = await inTime(read);
  const inner = await Promise.all(frame.childFrames().map(textOf));
  return [own ?? "", ...inner].join("\n");
}

/** Waits for a result. Returns undefined after five seconds, because a frame that is navigating never responds. */
async function inTime<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([value.catch(() => undefined), wait(5_000, undefined)]);
}
