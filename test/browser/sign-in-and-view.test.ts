import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { complaintsOf, pressArmed } from "../support/browser.ts";
import { ApiClient } from "../support/client.ts";
import { openBrowser } from "../support/open-browser.ts";
import { pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";

let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

beforeEach(async () => {
  page = await browser.newPage();
  complaints = complaintsOf(page);
});

describe("a person with a browser", () => {
  test("can sign in from the verify page, and the agent gets a token for their account", async () => {
    const username = unusedUsername("visitor");
    const start = await startSignIn("The agent in the test");
    await page.goto(start.verification_url);
    const shown = await page.getByRole("main").innerText();

    await pressArmed(page.getByRole("link", { name: /continue/i }));
    await page.getByLabel("User name").fill(username);
    await page.getByRole("button").click();
    await page.getByRole("heading", { name: /connected/i }).waitFor();

    expect(shown).toContain(start.code);
    expect(shown).toContain("The agent in the test");
    expect(await page.getByRole("main").innerText()).toContain(username);
    const { api_token: token } = await pollSignIn(start.poll_token);
    const drop = await publish(new ApiClient(token));
    expect(new URL(drop.url).hostname).toMatch(/^visitor-/);
    expect(complaints).toEqual([]);
  });

  test("can type a code at /login", { tags: "slow" }, async () => {
    const start = await startSignIn();
    await page.goto(new URL("/login", start.verification_url).href);

    await page.getByLabel(/code/i).fill(start.code.toLowerCase());
    await page.getByRole("button").click();
    await page.getByRole("link", { name: /continue/i }).waitFor();

    expect(await page.getByRole("main").innerText()).toContain(start.code);
    expect(complaints).toEqual([]);
  });
});

describe("the viewer", () => {
  let drop: DropResponse;

  beforeAll(async () => {
    const { api } = await newAccount("viewer");
    const first = await publish(api, {
      html: pageOf("the first page"),
      title: "A title",
      context: "Why <b>first</b>",
    });
    const body = { html: pageOf("the second page") };
    drop = await api.succeed("publish-version", { params: { slug: first.slug }, body });
  });

  test("shows the title, and the latest page in its frame", async () => {
    await page.goto(drop.url);

    await page.frameLocator("iframe").getByText("the second page").waitFor();

    expect(await page.title()).toContain("A title");
    expect(await page.getByRole("heading", { name: "A title" }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("shows a version picked from the list, and returns to the latest with one click", {
    tags: "slow",
  }, async () => {
    await page.goto(drop.url);

    await page.locator("summary", { hasText: "Version 2" }).click();
    await page.getByRole("link", { name: /^(Version )?1\b/ }).click();
    await page.frameLocator("iframe").getByText("the first page").waitFor();
    const pinned = page.url();
    await page
      .getByRole("link", { name: /latest/i })
      .first()
      .click();
    await page.frameLocator("iframe").getByText("the second page").waitFor();

    expect(pinned).toBe(`${drop.url}?v=1`);
    expect(complaints).toEqual([]);
  });

  test("shows the version's context as text, and hides it again", {
    tags: "slow",
  }, async () => {
    await page.goto(`${drop.url}?v=1`);
    const panel = page.getByRole("complementary", { name: "Context" });
    const wasHidden = await panel.isHidden();

    await toggleContext();
    await panel.getByText("Why <b>first</b>").waitFor();
    await toggleContext();
    await panel.waitFor({ state: "hidden" });

    expect(wasHidden).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("has no sideways scrolling at a width of 360 pixels", { tags: "slow" }, async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(drop.url);
    await page.frameLocator("iframe").getByText("the second page").waitFor();

    const widths = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");

    expect(widths).toEqual([360, 360]);
  });

  /** Clicks the toggle, which may be in the bar's menu. The click closes the menu. */
  async function toggleContext(): Promise<void> {
    const toggle = page.getByRole("button", { name: "Context", exact: true });
    if (await toggle.isHidden()) await page.getByLabel("More").click();
    await toggle.click();
  }
});
