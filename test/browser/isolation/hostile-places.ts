import type { Frame, Page } from "playwright-core";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { baseUrl } from "../../support/http.ts";

/** A place where a hostile page's script runs. */
export interface HostilePlace {
  readonly name: string;
  /** The page has the origin of its owner's host; otherwise it has none. */
  readonly hasOrigin: boolean;
  readonly isFramed: boolean;
  /** Leads a window there; the frame is the hostile page's. */
  readonly open: (page: Page, hostile: DropResponse) => Promise<Frame>;
}

/** Places that run a published page's script, with each defence alone: the viewer on the base host has both sandboxes. */
export const hostilePlaces: readonly HostilePlace[] = [
  {
    name: "framed by the viewer on its owner's host",
    hasOrigin: false,
    isFramed: true,
    open: (page, { url }) => openViewer(page, url),
  },
  {
    name: "with its header's sandbox alone",
    hasOrigin: false,
    isFramed: false,
    open: (page, { slug }) => openWithoutAttribute(page, `${baseUrl()}/p/${slug}`),
  },
  {
    name: "by itself on its owner's host",
    hasOrigin: true,
    isFramed: false,
    open: (page, { raw_url }) => openRawPage(page, raw_url),
  },
];

async function openViewer(page: Page, address: string): Promise<Frame> {
  await page.goto(address);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error(`The viewer at ${address} has no frame.`);
  await frame.waitForLoadState();
  return frame;
}

/** In a frame, since no window stays at the base host: it is led to the owner's. */
async function openWithoutAttribute(page: Page, address: string): Promise<Frame> {
  const frame = await openViewer(page, address);
  await page.locator("iframe").evaluate(
    (element: HTMLIFrameElement) =>
      new Promise((resolve) => {
        element.removeAttribute("sandbox");
        element.onload = resolve;
        element.src += "";
      }),
  );
  return frame;
}

async function openRawPage(page: Page, address: string): Promise<Frame> {
  await page.goto(address);
  return page.mainFrame();
}
