import type { Browser, FrameLocator, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import type { DropState } from "../../functions/viewer/drop-state.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { fetchPage } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { within } from "../support/promised-time.ts";
import { InspectedPage } from "./pages/inspected-page.ts";

let browser: Browser;
let api: ApiClient;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("tabs"));
});
afterAll(() => browser.close());

const long = (words: string) =>
  `<!doctype html><title>News</title><h1>${words}</h1><div style="height: 9000px"></div>`;
const html = long("First");
const publishVersion = ({ slug }: DropResponse, words: string) =>
  api.succeed("publish-version", { params: { slug }, body: { html: long(words) } });
const setPasscode = ({ slug }: DropResponse, passcode: string) =>
  api.succeed("set-passcode", { params: { slug }, body: { passcode } });

/** A reader's tab with the viewer of a page. */
class Tab {
  readonly page: Page;
  readonly frame: FrameLocator;
  readonly news: Locator;
  /** Paths of the tab's requests. */
  readonly asked: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => this.asked.push(new URL(request.url()).pathname));
    this.frame = page.frameLocator("iframe");
    this.news = page.locator("#news");
  }

  static async open(): Promise<Tab> {
    return new Tab(await (await browser.newContext()).newPage());
  }

  statesAsked(): number {
    return this.asked.filter((path) => path.endsWith("/state")).length;
  }

  /** Sends a request and waits for its response, which arrives after all earlier requests. */
  async endRequests(): Promise<void> {
    await this.page.evaluate(() => fetch("/favicon.ico").catch(() => {}));
  }

  /** Returns the state that the viewer would get. The edge caches it in real time, separately for each encoding that a client accepts. */
  async stateAtEdge(): Promise<DropState> {
    const address = new URL((await this.news.getAttribute("data-url")) ?? "", this.page.url());
    const headers = { "accept-encoding": "gzip, deflate, br" };
    return JSON.parse((await fetchPage(address, { headers })).text) as DropState;
  }

  scrollTop(): Promise<number> {
    return this.frame.locator("html").evaluate((element) => element.scrollTop);
  }

  async openPage(fields: object = {}): Promise<DropResponse> {
    const drop = await publish(api, { html, ...fields });
    await this.page.goto(drop.url);
    await this.frame.getByText("First").waitFor();
    return drop;
  }

  /** Scrolls the page with the mouse wheel. */
  async scroll(px: number): Promise<void> {
    await this.page.mouse.move(200, 300);
    const before = await this.scrollTop();
    await this.page.mouse.wheel(0, px);
    while ((await this.scrollTop()) === before) await this.page.waitForTimeout(20);
  }

  /** Starts counting the viewer's timers for its next poll, which are the only ones of a second or more. */
  async countTimers(): Promise<void> {
    await this.page.evaluate(() => {
      const { setTimeout: set } = window;
      let timers = 0;
      Object.assign(window, {
        timersSet: () => timers,
        setTimeout: (act: () => void, ms: number) => {
          if (ms >= 1_000) timers += 1;
          return set(act, ms);
        },
      });
    });
  }

  timersSet(): Promise<number> {
    return this.page.evaluate("timersSet()");
  }

  /** Simulates that the tab is hidden or shown, because a headless browser never hides a tab. */
  async setVisibility(state: "visible" | "hidden"): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      Object.defineProperty(document, "hidden", { value: value === "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
  }

  async unlock(word: string): Promise<void> {
    await this.page.locator("input[name=passcode]").fill(word);
    await this.page.keyboard.press("Enter");
    await this.frame.getByText("First").waitFor();
  }
}

// Concurrent, because the tests mostly wait.
describe.concurrent("the viewer", () => {
  test("an open tab reports a new version within five seconds, and keeps its position when it shows it", {
    tags: "slow",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, frame, news } = tab;
    const complaints = complaintsOf(page);
    const drop = await tab.openPage();
    await tab.scroll(4321);
    await expect.poll(() => tab.scrollTop()).toBe(4321);
    expect(await news.isVisible()).toBe(false);
    const framesBefore = tab.asked.filter((path) => path.endsWith("/raw")).length;

    await publishVersion(drop, "Second");
    await news.getByText("Version 2 is available.").waitFor(within(5));

    expect(await tab.scrollTop()).toBe(4321);
    expect(tab.asked.filter((path) => path.endsWith("/raw"))).toHaveLength(framesBefore);
    expect(await frame.getByText("First").count()).toBe(1);
    await page.getByRole("link", { name: "Reload" }).click();
    await frame.getByText("Second").waitFor();
    await expect.poll(() => tab.scrollTop()).toBe(4321);
    expect(await news.isVisible()).toBe(false);
    await page.reload();
    await frame.getByText("Second").waitFor();
    expect(complaints).toEqual([]);
  });

  test("on a phone, the notice is accessible, fits the window and does not overlap the offered link", {
    tags: "nightly",
  }, async ({ expect }) => {
    const inspected = await InspectedPage.open(browser, { viewport: { width: 360, height: 640 } });
    const drop = await publish(api, {
      html: `${html}<form id="f" method="post" action="/x"><button>Send</button></form>`,
    });
    await inspected.page.goto(drop.url);
    await inspected.page.frameLocator("iframe").getByText("Send").click();
    await inspected.page.locator("#way-out").waitFor();

    await publishVersion(drop, "Second");
    await inspected.page.getByText("Version 2 is available.").waitFor();

    const [above, below] = await Promise.all(
      ["#news", "#way-out"].map((id) => inspected.page.locator(id).boundingBox()),
    );
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    expect(await inspected.inspect()).toMatchObject({
      accessibility: [],
      complaints: [],
      sidewaysPixels: 0,
    });
    await inspected.close();
  });

  test("an unused page is replaced with a new version, at the same scroll position", {
    tags: "slow",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, frame, news } = tab;
    const drop = await tab.openPage();
    await page.goto(`${drop.url}?tab=2#end`);
    await frame.getByText("First").waitFor();
    // A script scrolls, which does not count as use by the reader.
    await frame.locator("html").evaluate(() => scrollTo(0, 4321));

    await publishVersion(drop, "Second");
    await frame.getByText("Second").waitFor(within(10));

    expect(page.url()).toBe(`${drop.url}?tab=2#end`);
    await expect.poll(() => tab.scrollTop()).toBe(4321);
    expect(await news.isVisible()).toBe(false);
  });

  test("a link to a version shows that version, and a notice reports a newer one", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const drop = await tab.openPage();
    await tab.page.goto(`${drop.url}?v=1`);
    await tab.frame.getByText("First").waitFor();

    await publishVersion(drop, "Second");
    await tab.news.getByText("Version 2 is available.").waitFor(within(10));

    expect(await tab.frame.getByText("First").count()).toBe(1);
  });

  test("a wall screen shows a new version even after it was scrolled", { tags: "slow" }, async ({
    expect,
  }) => {
    const tab = await Tab.open();
    const drop = await tab.openPage();
    await tab.page.goto(`${drop.url}?live=1`);
    await tab.frame.getByText("First").waitFor();
    expect(await tab.frame.locator("html").evaluate(() => location.search)).not.toContain("live");
    await tab.scroll(500);

    await publishVersion(drop, "Second");
    await tab.frame.getByText("Second").waitFor(within(10));

    expect(tab.page.url()).toBe(`${drop.url}?live=1`);
    await expect.poll(() => tab.scrollTop()).toBe(500);
  });

  test("the deletion of a newer version is reported, and so is the next version", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, frame, news } = tab;
    const drop = await tab.openPage();
    await publishVersion(drop, "Second");
    await page.goto(`${drop.url}?v=1`);
    await frame.getByText("First").waitFor();

    await api.succeed("delete-version", { params: { slug: drop.slug, n: 2 } });
    await news.getByText("Version 2 was deleted.").waitFor();
    await news.getByRole("button", { name: "Close" }).click();
    expect(await news.isVisible()).toBe(false);
    await publishVersion(drop, "Third");

    await news.getByText("Version 3 is available.").waitFor();
  });

  test("a hidden tab does not poll, and shows news as soon as it becomes visible", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, frame, news } = tab;
    await page.clock.install();
    const drop = await tab.openPage();
    await expect.poll(() => tab.statesAsked()).toBeGreaterThan(0);
    await tab.setVisibility("hidden");
    // Waits for the end of earlier requests.
    await page.waitForLoadState("networkidle");
    const before = tab.statesAsked();
    await api.succeed("delete-drop", { params: { slug: drop.slug } });

    await page.clock.runFor(60_000);
    await expect.poll(() => tab.stateAtEdge()).toMatchObject({ state: "gone" });
    expect(tab.statesAsked()).toBe(before);
    await tab.setVisibility("visible");

    await news.getByText("This page is no longer available.").waitFor();
    expect(tab.statesAsked()).toBe(before + 1);
    // The viewer stops polling after the deletion.
    await page.clock.runFor(60_000);
    await tab.endRequests();
    expect(tab.statesAsked()).toBe(before + 1);
    expect(await frame.getByText("First").count()).toBe(1);
  });

  test("a tab polls every 2 s for two minutes, then every 7 s, and every 2 s after a change or when shown", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, news } = tab;
    await page.clock.install({ time: 0 });
    // Far enough ahead for a busy machine, because a clock cannot be set back.
    await page.clock.pauseAt(30_000);
    const drop = await tab.openPage();
    await tab.countTimers();
    let asked = 0;
    /** Waits for further requests, and for the timers that their responses set. */
    const asks = async (requests: number) => {
      asked += requests;
      await expect.poll(() => tab.statesAsked()).toBe(asked);
      await expect.poll(() => tab.timersSet()).toBe(asked);
    };
    /** Advances the tab's clock, and waits for the requests that are due. */
    const passes = async (ms: number, requests: number) => {
      await page.clock.runFor(ms);
      await asks(requests);
    };

    for (let time = 0; time < 3; time += 1) await passes(2_000, 1);
    await page.clock.fastForward(116_000);
    await asks(1);
    await passes(6_000, 0);
    await passes(1_000, 1);
    await tab.scroll(500);
    await publishVersion(drop, "Second");
    await expect.poll(() => tab.stateAtEdge()).toMatchObject({ latest_version: 2 });
    await passes(7_000, 1);
    await news.getByText("Version 2 is available.").waitFor();
    await passes(2_000, 1);
    await page.clock.fastForward(120_000);
    await asks(1);
    await passes(6_000, 0);
    await tab.setVisibility("hidden");
    await tab.setVisibility("visible");
    await asks(1);
    await passes(2_000, 1);
  });

  test("a tab that was offline shows the news when it is online again", { tags: "nightly" }, async ({
    expect,
  }) => {
    const tab = await Tab.open();
    const { page, news } = tab;
    const drop = await tab.openPage();
    await expect.poll(() => tab.statesAsked()).toBeGreaterThan(0);
    await page.context().setOffline(true);
    await api.succeed("delete-drop", { params: { slug: drop.slug } });

    await page.context().setOffline(false);

    await news.getByText("This page is no longer available").waitFor();
  });

  test("if the service is busy, a tab polls less often, and never before Retry-After", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, news } = tab;
    const refusedMs: number[] = [];
    await page.route("**/state", (route) => {
      refusedMs.push(performance.now());
      // Longer than the tab's own back-off after a first failure, and shorter than after a second.
      return route.fulfill({ status: 429, headers: { "retry-after": "6" }, json: { error: {} } });
    });
    await tab.openPage();

    await expect.poll(() => refusedMs.length).toBe(3);

    const [first = 0, second = 0, third = 0] = refusedMs;
    expect(second - first).toBeGreaterThan(5_900);
    expect(third - second).toBeGreaterThan(7_900);
    expect(await news.isVisible()).toBe(false);
  });

  describe("a locked page", () => {
    const passcode = "open sesame";

    test("that was open reports the lock, and links to the passcode form", { tags: "nightly" }, async ({
      expect,
    }) => {
      const tab = await Tab.open();
      const { news } = tab;
      const drop = await tab.openPage();

      await setPasscode(drop, passcode);
      await news.getByText("This page is now locked.").waitFor();
      await news.getByRole("link", { name: "Reload" }).click();
      await tab.unlock(passcode);

      expect(await news.isVisible()).toBe(false);
    });

    test("reports a new version or passcode to readers who have unlocked it", {
      tags: "nightly",
    }, async () => {
      const tab = await Tab.open();
      const { page, news } = tab;
      const drop = await publish(api, { html, passcode });
      await page.goto(drop.url);
      await tab.unlock(passcode);
      await tab.scroll(500);

      await publishVersion(drop, "Second");
      await news.getByText("Version 2 is available.").waitFor();
      await setPasscode(drop, "another one");

      await news.getByText("This page is now locked.").waitFor();
    });
  });

  test("a page that forges its scroll position or news does not affect the viewer", {
    tags: "nightly",
  }, async ({ expect }) => {
    const tab = await Tab.open();
    const { page, frame, news } = tab;
    const lies = `<script>
    for (const px of [1e99, -5, NaN, "x", {}, null])
      parent.postMessage({ dropleaf: "place", px }, "*");
    parent.postMessage({ dropleaf: "gone" }, "*");
    parent.postMessage({ state: "gone" }, "*");
  </script>`;
    const complaints = complaintsOf(page);
    const drop = await tab.openPage({ html: html + lies });
    await tab.scroll(500);

    await publishVersion(drop, "Second");
    await news.getByText("Version 2 is available.").waitFor();
    await page.getByRole("link", { name: "Reload" }).click();

    await frame.getByText("Second").waitFor();
    expect(complaints).toEqual([]);
  });
});
