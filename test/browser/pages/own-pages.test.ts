import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anotherToken, newAccount, publish } from "../../support/accounts.ts";
import { launchBrowser } from "../../support/browser.ts";
import { expectError } from "../../support/expect-error.ts";
import { baseUrl } from "../../support/http.ts";
import { toOwnPage } from "./page-walks.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

/** Opens a window without scripts and as narrow as a phone. */
async function openNarrow(): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  return context.newPage();
}

test("an owner can rename, share, lock, upload, delete and revoke, on a phone without scripts", {
  tags: "nightly",
}, async () => {
  const account = await newAccount("phone");
  const { api, username } = account;
  const { slug } = await publish(api, { title: "Before" });
  const agent = await anotherToken(account, "An agent");
  const look = () => api.succeed("get-drop", { params: { slug } });
  const page = await openNarrow();
  const press = (name: string) => page.getByRole("button", { name }).click();
  const done = (words: string) => page.getByRole("status").getByText(words).waitFor();

  await toOwnPage(page, `${baseUrl()}/account`, username);
  await page.getByRole("link", { name: "Before" }).click();

  await page.getByLabel("Title").fill("After");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await done("Saved.");

  const people = page.getByLabel("People", { exact: true });
  expect(await page.getByRole("button", { name: "Copy link" }).isVisible()).toBe(false);
  expect(await people.isVisible()).toBe(false);
  await page.getByLabel("Named people").check();
  expect(await page.getByLabel("Search engines may list it").isVisible()).toBe(false);
  await people.fill("not a name");
  await press("Save sharing settings");
  await page.getByRole("alert").getByText("“not a name” is no").waitFor();
  expect(await people.evaluate((box) => box === document.activeElement)).toBe(true);
  await people.fill("ada@example.com\n@example.org");
  await press("Save sharing settings");
  await done("Saved.");
  await page.getByText("ada@example.com and anyone at example.org").waitFor();
  expect(await look()).toMatchObject({
    title: "After",
    visibility: "people",
    readers: ["ada@example.com", "@example.org"],
  });

  expect(await page.getByLabel("New passcode").isVisible()).toBe(false);
  await page.getByLabel("Ask for a passcode").check();
  await page.getByLabel("New passcode").fill("open sesame");
  await press("Save sharing settings");
  await done("The page is locked.");
  expect((await look()).locked).toBe(true);

  await page.getByRole("link", { name: "Files" }).click();
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the plan") });
  await press("Upload");
  await done("Uploaded.");
  await page.getByText("Change plan.txt").click();
  await press("Make it unlisted");
  await done("Saved.");
  await page.getByText("Change plan.txt").click();
  await page.getByLabel("Delete it permanently").check();
  await press("Delete");
  await done("The file was deleted.");
  expect(await page.getByRole("link", { name: "plan.txt" }).count()).toBe(0);

  await page.getByRole("link", { name: "Tokens" }).click();
  await press("Revoke An agent");
  await done("The token was revoked and no longer works.");
  expectError(await agent.call("get-me"), "unauthorized");

  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("link", { name: "After" }).click();
  await page.getByText("Delete…").click();
  await press("Move the page to the trash");
  await done("The page and all its versions are in the trash");
  expectError(await api.call("get-drop", { params: { slug } }), "not_found");

  await press("Sign out");
  await page.getByRole("heading", { name: "signed out" }).waitFor();
  await page.goto(`${baseUrl()}/account`);
  expect(page.url()).not.toContain("/account");
  await page.context().close();
});

test("an owner can copy the link of a page with a button", { tags: "slow" }, async () => {
  const account = await newAccount("copies");
  const { slug, url } = await publish(account.api, { title: "To share" });
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await toOwnPage(page, `${baseUrl()}/account/drops/${slug}`, account.username);

  await page.getByRole("button", { name: "Copy link" }).click();

  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await context.close();
});

test("a page of an owner's host cannot change its visitor's drops", { tags: "slow" }, async () => {
  const account = await newAccount("victim");
  const { slug, raw_url: rawUrl } = await publish(account.api, { title: "Mine" });
  const page = await browser.newPage();
  await toOwnPage(page, `${baseUrl()}/account`, account.username);
  // Replaces the published page, whose policy allows forms only to HTTPS, which the local service does not have.
  await page.route(rawUrl, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Harmless</title>
        <form method="post" action="${baseUrl()}/account/drops/${slug}">
          <input name="title" value="Taken over"><button>Play</button></form>`,
    }),
  );
  await page.goto(rawUrl);

  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().method() === "POST"),
    page.getByRole("button", { name: "Play" }).click(),
  ]);

  // Each name below localhost is a separate site, so the browser sends no cookie. test/abuse/own-pages-attacks.test.ts sends it.
  expect((await response.request().allHeaders()).origin).toBe(new URL(rawUrl).origin);
  expect(response.status()).toBe(403);
  expect((await account.api.succeed("get-drop", { params: { slug } })).title).toBe("Mine");
  await page.close();
});
