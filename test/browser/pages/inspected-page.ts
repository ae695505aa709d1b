import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  Request,
  ViewportSize,
} from "playwright-core";
import { complaintsOf } from "../../support/browser.ts";

/** Findings about a page by kind. All are empty for a good page. */
export interface Findings {
  /** Violated axe rules with their elements, in each look. */
  readonly accessibility: readonly string[];
  /** Errors and warnings in the console, including violations of the page's own policy, and the browser's issues. */
  readonly complaints: readonly string[];
  /** Layout shifts while the page was loading. */
  readonly layoutShifts: readonly number[];
  /** Pixels by which the page is wider than the window. */
  readonly sidewaysPixels: number;
  /** Requested addresses outside the service. */
  readonly foreignRequests: readonly string[];
  /** Documents whose transferred size exceeds the limit. */
  readonly heavyDocuments: readonly string[];
}

const looks = [
  { name: "light", media: "screen", colorScheme: "light", options: {} },
  // In the dark and in print, only the colours differ.
  { name: "dark", media: "screen", colorScheme: "dark", options: { runOnly: "color-contrast" } },
  { name: "printed", media: "print", colorScheme: "dark", options: { runOnly: "color-contrast" } },
] as const;
type LookName = (typeof looks)[number]["name"];

export const narrowWindow = { width: 360, height: 740 } as const;
export const wideWindow = { width: 1440, height: 740 } as const;

const transferredBytesMax = 20_000;

// Added once for all pages of a window, because sending the script takes longer than running it. It skips frames, which contain pages of
// users.
const axeSource = `if (window === top) {
${readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")}
}`;
const runAxe = (options: object) => `axe.run(document, {
  iframes: false,
  preload: false,
  resultTypes: ["violations"],
  rules: { "target-size": { enabled: true } },
  ...${JSON.stringify(options)},
}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " at " + target + ": " + failureSummary)),
)`;

const observeShifts = `
window.layoutShifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
`;

/** Browser issues of every service that redirects between its hosts. */
const issuesOfAny = ["BounceTrackingIssue"];

/** Window that records findings about every page from the start of its navigation. */
export class InspectedPage {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #complaints: string[];
  readonly #requests: Request[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.#complaints = complaintsOf(page);
    page.on("request", (request) => this.#requests.push(request));
  }

  static async open(browser: Browser, options: BrowserContextOptions): Promise<InspectedPage> {
    const context = await browser.newContext(options);
    await context.addInitScript(observeShifts);
    await context.addInitScript(axeSource);
    const inspected = new InspectedPage(context, await context.newPage());
    await inspected.#collectIssues();
    return inspected;
  }

  /** Empties the window, deletes its cookies and findings, and sets its size. */
  async clear(viewport: ViewportSize): Promise<void> {
    await this.page.goto("about:blank");
    await this.#context.clearCookies();
    await this.page.setViewportSize(viewport);
    await this.page.emulateMedia({ media: "screen", colorScheme: "light" });
    this.#complaints.length = 0;
    this.#requests.length = 0;
  }

  /** Inspects the current page. Complaints that are `isExpected` are left out. */
  async inspect(
    isExpected: (complaint: string) => boolean = () => false,
    names: readonly LookName[] = looks.map(({ name }) => name),
  ): Promise<Findings> {
    const { page } = this;
    const layoutShifts = await this.layoutShifts();
    const sidewaysPixels = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    const accessibility: string[] = [];
    for (const { name, media, colorScheme, options } of looks) {
      if (!names.includes(name)) continue;
      await page.emulateMedia({ media, colorScheme });
      const violations = await page.evaluate<string[]>(runAxe(options));
      accessibility.push(...violations.map((violation) => `${name}: ${violation}`));
    }
    return {
      accessibility,
      complaints: this.#complaints.filter((complaint) => !isExpected(complaint)),
      layoutShifts,
      sidewaysPixels,
      foreignRequests: this.#requests.map((request) => request.url()).filter(isForeign),
      heavyDocuments: await this.#heavyDocuments(),
    };
  }

  /** Inspects the current page in a narrow window, and then in a wide one. Layout shifts caused by the resize are left out. */
  async inspectBothWidths(isExpected?: (complaint: string) => boolean): Promise<Findings[]> {
    const narrow = await this.inspect(isExpected);
    await this.page.setViewportSize(wideWindow);
    // The colours are the same as in the narrow window.
    const { layoutShifts: _, ...wide } = await this.inspect(isExpected, ["light"]);
    return [narrow, { ...wide, layoutShifts: [] }];
  }

  /** Complaints of the console and the browser so far. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** Returns the layout shifts since the first paint. */
  layoutShifts(): Promise<number[]> {
    return this.page.evaluate(
      "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.layoutShifts))))",
    );
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Collects the issues of the browser's "Issues" panel: Chrome DevTools Protocol, domain "Audits". */
  async #collectIssues(): Promise<void> {
    const session = await this.#context.newCDPSession(this.page);
    session.on("Audits.issueAdded", ({ issue }) => {
      if (!issuesOfAny.includes(issue.code)) this.#complaints.push(JSON.stringify(issue));
    });
    await session.send("Audits.enable");
  }

  async #heavyDocuments(): Promise<string[]> {
    const ours = this.#requests.filter(
      (request) => request.isNavigationRequest() && request.frame() === this.page.mainFrame(),
    );
    const sizes = await Promise.all(
      ours.map(async (request) => ({ url: request.url(), bytes: (await request.sizes()).responseBodySize })),
    );
    return sizes
      .filter(({ bytes }) => bytes >= transferredBytesMax)
      .map(({ url, bytes }) => `${url} has ${bytes} bytes`);
  }
}

/** Findings of a page without faults. */
export const nothingFound: Findings = {
  accessibility: [],
  complaints: [],
  layoutShifts: [],
  sidewaysPixels: 0,
  foreignRequests: [],
  heavyDocuments: [],
};

/** Returns whether an address is outside the service. The local cloud's identity provider is on the same host. */
function isForeign(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "data:" && hostname !== "localhost" && !hostname.endsWith(".localhost");
}
