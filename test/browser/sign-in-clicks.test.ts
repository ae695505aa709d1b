// @module-tag slow

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { becomeArmed, pressArmed } from "../support/browser.ts";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

const continueLink = (page: Page) => page.getByRole("link", { name: /continue/i });

const devices = [
  ["a mouse", {}],
  ["a finger", { hasTouch: true, isMobile: true }],
] as const;

describe.each(devices)("a click on the verify page with %s", (_, device) => {
  let page: Page;

  beforeEach(async () => {
    page = await browser.newPage(device);
  });

  test("does nothing until the page has been visible for a moment", async () => {
    // Stops the page's animations, so that a slow machine does not delay the click past them.
    const animations = await page.context().newCDPSession(page);
    await animations.send("Animation.enable");
    await animations.send("Animation.setPlaybackRate", { playbackRate: 0 });
    await page.goto((await startSignIn()).verification_url);
    const { x, y } = await centerOf(continueLink(page));
    // The requests show a navigation before the URL changes, which may take a while.
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));

    await press(page, x, y);
    await page.waitForTimeout(300);

    expect(asked).toEqual([]);
    const arming = continueLink(page).evaluate((link) =>
      parseFloat(getComputedStyle(link).animationDuration),
    );
    expect(await arming, "seconds").toBeGreaterThanOrEqual(0.8);
  });

  test("continues the sign-in after that moment", async () => {
    await page.goto((await startSignIn()).verification_url);
    const { x, y } = await centerOf(continueLink(page));
    await page.mouse.move(x, y);
    await becomeArmed(continueLink(page));

    await Promise.all([page.waitForURL((url) => url.origin !== baseUrl()), press(page, x, y)]);
  });

  async function press(on: Page, x: number, y: number): Promise<void> {
    await ("hasTouch" in device ? on.touchscreen.tap(x, y) : on.mouse.click(x, y));
  }
});

test("the keyboard continues from the verify page without a delay", { tags: "nightly" }, async () => {
  const page = await browser.newPage();
  await page.goto((await startSignIn()).verification_url);

  await continueLink(page).focus();
  await Promise.all([page.waitForURL((url) => url.origin !== baseUrl()), page.keyboard.press("Enter")]);
});

test("a person whom a page sends to an attacker's verify page has to type the code", async () => {
  const start = await startSignIn("attacker");
  const { api } = await newAccount("clicks");
  const popup = `<button onmousedown="opener.location='${start.verification_url}';window.close()">Play</button>`;
  const html = `<!doctype html><title>Game</title><button onclick="const w=open('','','width=400,height=400');w.document.write(decodeURIComponent('${encodeURIComponent(popup).replaceAll("'", "%27")}'))">Start</button>`;
  const { raw_url: url } = await publish(api, { html });
  const page = await browser.newPage();
  await page.goto(url);
  const [game] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Start" }).click(),
  ]);

  const { x, y } = await centerOf(game.getByRole("button", { name: "Play" }));
  await game.mouse.move(x, y);
  // The window closes before or after the mouse press resolves.
  await Promise.all([game.waitForEvent("close"), game.mouse.down().catch(() => {})]);
  await page.getByRole("textbox").waitFor();

  expect(page.url()).toBe(start.verification_url);
  expect(await continueLink(page).count()).toBe(0);
  await page.getByRole("textbox").fill(start.code.slice(-4));
  await page.getByRole("button", { name: /continue/i }).click();
  await continueLink(page).waitFor();
});

test("a person can revoke a confirmed sign-in with a button, and the agent gets no token", async () => {
  const start = await startSignIn();
  const page = await browser.newPage();
  await page.goto(start.verification_url);
  await pressArmed(continueLink(page));
  await page.getByLabel("User name").fill(unusedUsername("sorry"));
  await page.getByRole("button").click();

  await page.getByRole("button", { name: /revoke access/i }).click();
  await page.getByRole("heading", { name: /access revoked/i }).waitFor();

  expect(await pollSignIn(start.poll_token)).toEqual({ status: "expired" });
});

test("embedded requests to the sign-in are refused, but its own window works", async () => {
  const start = await startSignIn();
  const { api } = await newAccount("embeds");
  const html = `<!doctype html><title>Embeds</title><img src="${start.verification_url}"><script>
    window.seen = Promise.all([
      fetch("${baseUrl()}/api/auth/start", { method: "POST", mode: "no-cors" }),
      fetch("${baseUrl()}${routes["poll-sign-in"].path}?token=${start.poll_token}", { mode: "no-cors" }),
    ]).catch(() => "refused");
  </script>`;
  const { raw_url: url } = await publish(api, { html });
  const page = await browser.newPage();
  const statuses: number[] = [];
  await page.goto("about:blank");
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  // The page cannot read these statuses. Only the browser's network log has them.
  network.on("Network.responseReceivedExtraInfo", ({ statusCode }) => statuses.push(statusCode));

  await page.goto(url);
  await page.evaluate("window.seen");

  // The log may be later than the page.
  await expect.poll(() => statuses.toSorted()).toEqual([200, 400, 400, 400]);
  const window = await browser.newPage();
  await window.goto(start.verification_url);
  await continueLink(window).waitFor();
});

async function centerOf(target: Locator): Promise<{ x: number; y: number }> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("The button is not shown.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
