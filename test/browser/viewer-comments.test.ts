import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FeedbackListResponse } from "../../functions/feedback/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import { openBrowser } from "../support/open-browser.ts";
import { onBaseHost } from "../support/owner-address.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { narrowWindow } from "./pages/inspected-page.ts";

const html =
  '<!doctype html><html lang="en"><title>Harbour</title><h1>Harbour</h1><p id="lead">Twelve <b>green</b>\n leaves fell.</p>' +
  '<svg id="chart" width="200" height="100"><rect width="40" height="80"/><rect id="bar" x="60" width="40" height="50"/></svg>' +
  `${"<p>And more of them.</p>".repeat(60)}</html>`;

let browser: Browser;
let account: Account;
/** Cookies of a signed-in reader. */
let session: BrowserContextOptions["storageState"];

beforeAll(async () => {
  [browser, account] = await Promise.all([openBrowser(), newAccount("marks")]);
  const { url } = await publish(account.api, { html, feedback: "readers" });
  const page = await (await browser.newContext()).newPage();
  await page.goto(onBaseHost(url).replace("/d/", "/p/"));
  await page.getByRole("button", { name: "Comments" }).click();
  await page.getByRole("link", { name: "Sign in to comment" }).click();
  await page.getByLabel("User name").fill(unusedUsername("reader"));
  await page.getByRole("button").click();
  await page.locator("#page").waitFor();
  session = await page.context().storageState();
  await page.context().close();
});

afterAll(() => browser.close());

/** Opens the viewer of a drop with comments on the base host as a signed-in reader. */
async function openViewer(
  fields: object = {},
  options: BrowserContextOptions = {},
): Promise<{ readonly page: Page; readonly slug: string }> {
  const { url, slug } = await publish(account.api, { html, feedback: "readers", ...fields });
  const context = await browser.newContext({ storageState: session, ...options });
  const page = await context.newPage();
  await page.goto(onBaseHost(url).replace("/d/", "/p/"));
  await page.frameLocator("#page").locator("#lead").waitFor();
  return { page, slug };
}

/** Selects text with a triple click. */
function select(page: Page): Promise<void> {
  return page.frameLocator("#page").locator("#lead").click({ clickCount: 3 });
}

async function commentsOf(slug: string): Promise<FeedbackListResponse["comments"]> {
  const { comments } = await account.api.succeed("list-feedback", { query: { slug } });
  return comments;
}

async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel("Your comment").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.locator("#comments").getByText(text).waitFor();
}

describe("a reader", () => {
  test("can comment on a selected passage beside the page, and the agent gets the quote and its position", {
    tags: "slow",
  }, async () => {
    const { page, slug } = await openViewer();
    const complaints = complaintsOf(page);
    await select(page);

    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect.poll(() => page.getByLabel("Quote").inputValue()).toBe("Twelve green leaves fell.");
    await write(page, "Were there?");

    expect(new URL(page.url()).pathname).toBe(`/p/${slug}`);
    const [comment, ...others] = await commentsOf(slug);
    expect(others).toEqual([]);
    expect(comment).toMatchObject({
      text: "Were there?",
      author: { signed_in: true },
      thread: { quote: "Twelve green leaves fell.", selector: "#lead", passage: { state: "kept" } },
    });
    const { x, y, width, height } = comment?.thread.region ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(x).toBeLessThan(0.1);
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(0.2);
    expect(width).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("can mark a bar of a chart, and find it again from the comment", { tags: "slow" }, async () => {
    const { page, slug } = await openViewer();
    const frame = page.frameLocator("#page");
    await page.keyboard.press("m");

    await page.getByText("Mark a place").click();
    await page.getByText("Click a place on the page").waitFor();
    await frame.locator("#bar").click();
    await page.getByText("Your comment is about the highlighted place.").waitFor();
    await write(page, "Why so low?");

    const [comment] = await commentsOf(slug);
    expect(comment?.thread).toMatchObject({ quote: null, selector: "#bar" });
    await page.locator("#outline").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Show on the page" }).click();
    await page.getByText("Marked on the page.").waitFor();
    const [outline, bar] = await Promise.all([
      page.locator("#outline").boundingBox(),
      frame.locator("#bar").boundingBox(),
    ]);
    expect(outline).toEqual(bar);
    await page.context().close();
  });

  test("on an owner's host keeps the selected passage through the redirect and the sign-in", {
    tags: "slow",
  }, async () => {
    const { url, slug } = await publish(account.api, { html, feedback: "readers" });
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    await select(page);

    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("link", { name: "Sign in to comment" }).click();
    await page.getByLabel("User name").fill(unusedUsername("visitor"));
    await page.getByRole("button").click();
    await expect.poll(() => page.getByLabel("Quote").inputValue()).toBe("Twelve green leaves fell.");
    await write(page, "Were there?");

    expect((await commentsOf(slug))[0]?.thread.selector).toBe("#lead");
    await page.context().close();
  });

  test("can reply, and keeps the input when the connection fails", { tags: "slow" }, async () => {
    const { page, slug } = await openViewer();
    await page.keyboard.press("m");
    await write(page, "First");
    await page.getByText("Reply", { exact: true }).click();
    await page.getByLabel("Your comment").last().fill("Second");
    await page.context().setOffline(true);

    await page.getByRole("button", { name: "Send reply" }).click();
    await page.getByText("That didn’t work.").waitFor();
    expect(await page.getByLabel("Your comment").last().inputValue()).toBe("Second");
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Send reply" }).dblclick();
    await page.locator("li").getByText("Second").waitFor();

    expect((await commentsOf(slug)).map(({ text }) => text)).toEqual(["First", "Second"]);
    await page.context().close();
  });

  test("on a phone can open, close and reopen the comments with keys only, and keeps the input", {
    tags: "slow",
  }, async () => {
    const { page } = await openViewer({}, { viewport: narrowWindow });
    const panel = page.locator("#comments");

    await page.keyboard.press("m");
    await page.getByLabel("Your comment").waitFor();
    expect(await panel.evaluate((element) => element === document.activeElement)).toBe(true);
    const { x = -1, width = 0 } = (await panel.boundingBox()) ?? {};
    expect([x, width]).toEqual([0, narrowWindow.width]);
    await page.getByLabel("Your comment").focus();
    await page.keyboard.type("m is a letter");
    expect(await page.getByLabel("Your comment").inputValue()).toBe("m is a letter");
    await page.keyboard.press("Escape");

    await panel.waitFor({ state: "hidden" });
    await page.keyboard.press("m");
    expect(await page.getByLabel("Your comment").inputValue()).toBe("m is a letter");
    await page.context().close();
  });
});

describe("a hostile page", () => {
  test("cannot send a comment, open the form, or read a comment or a name", { tags: "slow" }, async () => {
    const spy = `<script>
      window.heard = [];
      addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)), true);
      const box = [10, 10, 50, 20];
      const lie = (more) => parent.postMessage({ dropleaf: "marked", text: "Sent by the page", selector: "body", box, region: [0, 0, 1, 1], ...more }, "*");
      setInterval(() => { lie({ isPicked: true }); lie({ isPicked: false, box: [1e9, -1e9, NaN, 1] }); lie({ isPicked: true, region: ["x"] }); }, 50);
    </script><button id="fake">Comment</button>`;
    const { page, slug } = await openViewer({ html: html.replace("<p", `${spy}<p`) });
    const frame = page.frameLocator("#page");

    await frame.locator("#fake").click();
    await page.waitForTimeout(300);
    expect(await page.locator("#comments").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Comments" }).click();
    await write(page, "A secret opinion");
    await page.waitForTimeout(300);

    const heard = await frame
      .locator("html")
      .evaluate(() => (window as unknown as { heard: string[] }).heard);
    expect(heard.join("\n")).not.toContain("opinion");
    expect(heard.join("\n")).not.toContain("reader");
    expect((await commentsOf(slug)).map(({ text }) => text)).toEqual(["A secret opinion"]);
    await page.context().close();
  });
});
