import { setTimeout as wait } from "node:timers/promises";
import type { Frame, Page } from "playwright-core";

/** Picture, text and size of a page at one moment. */
export interface Look {
  /** A PNG of the visible part. */
  readonly picture: Buffer;
  /** Two pictures in a row were alike: what moves all the time is not compared. */
  readonly isStill: boolean;
  /** Visible text of the page and its frames, with the page's own address left out. */
  readonly text: string;
  /** Width and height of the whole page in pixels. */
  readonly size: readonly [width: number, height: number];
}

/** The frame that shows a published page: the window's own, or the viewer's frame in it. */
export interface Surface {
  readonly page: Page;
  readonly isFramed: boolean;
}

const quietMs = 400;
const quietMsMax = 10_000;
const pictureMsMax = 4_000;
const betweenPicturesMs = 150;

/** Time that has passed since something: it goes on between two visits. */
const duration = /\b\d+(?:\.\d+)? ?(?:ms|s|seconds?|minutes?|hours?)\b/g;

/** Requests of a window that have not ended. */
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

  /** Waits until no request is open for a moment, at most ten seconds: some pages never end to ask. */
  async whenQuiet(): Promise<void> {
    const endMs = Date.now() + quietMsMax;
    this.#changedAtMs = Date.now();
    while (Date.now() < endMs && (this.#open > 0 || Date.now() - this.#changedAtMs < quietMs)) await wait(50);
  }
}

/** Frame in which the published page is. */
export function contentOf({ page, isFramed }: Surface): Frame {
  if (!isFramed) return page.mainFrame();
  const [framed] = page.mainFrame().childFrames();
  if (framed === undefined) throw new Error(`The viewer has no frame at ${page.url()}`);
  return framed;
}

/** Waits until the page stands still, and looks at it. A picture like the expected one is taken once. */
export async function takeLook(surface: Surface, requests: OpenRequests, expected?: Look): Promise<Look> {
  await requests.whenQuiet();
  const frame = contentOf(surface);
  await within(
    5_000,
    frame.evaluate(() => document.fonts.ready.then(() => undefined)),
  );
  const pictured = await stillPicture(surface, expected?.picture);
  const base = new URL(".", frame.url()).href;
  const text = (await textOf(frame)).replaceAll(base, "").replaceAll(new URL(base).host, "");
  const size = await within(
    5_000,
    frame.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth, scrollHeight] as const;
    }),
  );
  return { ...pictured, text: text.replace(duration, "…").replace(/\s+/g, " ").trim(), size: size ?? [0, 0] };
}

/** Takes pictures until one is the expected, or two in a row are alike. */
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

/** Place of the viewer's frame in the window; its notices lie over it and are taken out of the picture. */
export async function frameBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  return page.evaluate(() => {
    for (const notices of document.querySelectorAll<HTMLElement>(".notices")) notices.style.opacity = "0";
    const { x, y, width, height } = (
      document.querySelector("iframe") as HTMLIFrameElement
    ).getBoundingClientRect();
    return { x, y, width, height };
  });
}

async function textOf(frame: Frame): Promise<string> {
  const own = await within(
    5_000,
    frame.evaluate(() => {
      const shadows = [...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => [
        ...(shadowRoot?.children ?? []),
      ]);
      const parts = [document.body, ...shadows].map((part) => (part as HTMLElement | null)?.innerText ?? "");
      return parts.join("\n");
    }),
  );
  const inner = await Promise.all(frame.childFrames().map(textOf));
  return [own ?? "", ...inner].join("\n");
}

/** Result in time, or nothing: a frame that is leaving never answers. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([
    value.catch(() => undefined),
    new Promise<undefined>((done) => setTimeout(() => done(undefined), ms)),
  ]);
}
