import type { Frame, Page } from "playwright-core";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { baseUrl } from "../../support/http.ts";

/** Place where a hostile page's script runs. */
export interface HostilePlace {
  readonly name: string;
  /** True if the page has the origin of its owner's host, false if it has none. */
  readonly hasOrigin: boolean;
  readonly isFramed: boolean;
  /** Navigates a window there and returns the hostile page's frame. */
  readonly open: (page: Page, hostile: DropResponse) => Promise<Frame>;
}

/** Places that run a published page's script, each with a single defence. The viewer on the base host has both sandboxes. */
export const hostilePlaces: readonly HostilePlace[] = [
  {
    name: "in the viewer on its owner's host",
    hasOrigin: false,
    isFramed: true,
    open: (page, { url }) => openViewer(page, url),
  },
  {
    name: "with only the sandbox of its header",
    hasOrigin: false,
    isFramed: false,
    open: (page, { slug }) => openWithoutAttribute(page, `${baseUrl()}/p/${slug}`),
  },
  {
    name: "opened directly on its owner's host",
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

/** Opens the page in a frame, because the base host redirects a window to the owner's host. */
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
