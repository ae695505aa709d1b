import type { Browser } from "playwright-core";
import type { PageWalk } from "../../test/browser/pages/page-walks.ts";

/** A width in pixels and a colour scheme: the end of a photograph's name. */
export type View = `${keyof typeof heights}-${"light" | "dark"}`;

const heights = { 360: 740, 768: 1024, 1440: 900 } as const;

/** Every view that the pages are made for. */
export const allViews: readonly View[] = [
  "360-light",
  "360-dark",
  "768-light",
  "768-dark",
  "1440-light",
  "1440-dark",
];

/** The photographs that are kept, by the name of the page. */
export const keptViews: Readonly<Record<string, readonly View[]>> = {
  home: ["1440-light", "1440-dark", "360-light"],
  docs: ["1440-light", "360-dark"],
  login: ["768-light"],
  verify: ["1440-light", "360-dark"],
  confirmation: ["1440-light"],
  "token-request": ["360-light"],
  "browser-sign-in": ["360-light"],
  token: ["1440-light", "360-dark"],
  viewer: ["1440-light", "1440-dark", "768-light", "360-light"],
  "viewer-versions": ["1440-light", "360-dark"],
  "viewer-context": ["1440-dark", "360-light"],
  "viewer-more": ["1440-dark", "360-light"],
  "viewer-keys": ["1440-light", "360-dark"],
  "viewer-older": ["1440-light"],
  compare: ["1440-light", "360-dark"],
  "compare-pages": ["1440-dark", "360-light"],
  feedback: ["1440-light", "1440-dark", "360-light"],
  gate: ["360-light"],
  "gate-wrong": ["1440-dark"],
  owner: ["1440-light", "1440-dark", "360-light"],
  account: ["1440-light", "1440-dark", "360-light"],
  "account-drop": ["1440-light", "360-dark"],
  "account-files": ["1440-light", "360-light"],
  "account-tokens": ["1440-light"],
  consent: ["1440-light", "360-dark"],
  "not-found": ["1440-light"],
};

/** Walks to a page in a window of its own, and writes a photograph of what the window shows, or of the whole page. */
export async function captureView(
  browser: Browser,
  walk: PageWalk,
  { view, isWhole, path }: { readonly view: View; readonly isWhole: boolean; readonly path: string },
): Promise<void> {
  const [width, colorScheme] = view.split("-") as ["360" | "768" | "1440", "light" | "dark"];
  const viewport = { width: Number(width), height: heights[width] };
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await walk.open(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path, fullPage: isWhole });
  await context.close();
}
