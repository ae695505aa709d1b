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

/** A window without scripts, as narrow as a phone. */
async function openNarrow(): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 360, height: 740 },
  });
  return context.newPage();
}

test("an owner renames, shares, locks, uploads, deletes and revokes, on a phone without scripts", async () => {
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
  await page.getByLabel("Who may read it").selectOption({ label: "The people named below, signed in" });
  await page.getByLabel("People").fill("not a name");
  await press("Save");
  await page.getByRole("alert").getByText("“not a name” is no").waitFor();
  expect(await page.getByLabel("Title").inputValue()).toBe("After");
  await page.getByLabel("People").fill("ada@example.com\n@example.org");
  await press("Save");
  await done("Saved.");
  expect(await look()).toMatchObject({
    title: "After",
    visibility: "people",
    readers: ["ada@example.com", "@example.org"],
  });

  await page.getByLabel("New passcode").fill("open sesame");
  await press("Lock");
  await done("Locked.");
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
  await page.getByLabel("Delete it for ever").check();
  await press("Delete");
  await done("The file is deleted.");
  expect(await page.getByRole("link", { name: "plan.txt" }).count()).toBe(0);

  await page.getByRole("link", { name: "Tokens" }).click();
  await press("Revoke An agent");
  await done("Revoked.");
  expectError(await agent.call("get-me"), "unauthorized");

  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("link", { name: "After" }).click();
  await page.getByLabel(`Type ${slug} to confirm`).fill(slug);
  await press("Delete for ever");
  await done("The page is deleted");
  expectError(await api.call("get-drop", { params: { slug } }), "not_found");

  await press("Sign out");
  await page.getByRole("heading", { name: "signed out" }).waitFor();
  await page.goto(`${baseUrl()}/account`);
  expect(page.url()).not.toContain("/account");
  await page.context().close();
});

test("a page of an owner cannot change what its visitor owns, though its forms bring the visitor's cookies along", async () => {
  const account = await newAccount("victim");
  const { slug } = await publish(account.api, { title: "Mine" });
  const attacker = await newAccount("attacker");
  const target = `${baseUrl()}/account/drops/${slug}`;
  const { raw_url: rawUrl } = await publish(attacker.api, {
    title: "Harmless",
    html: `<!doctype html><title>Harmless</title><form method="post" action="${target}">
      <input name="title" value="Taken over"><input name="visibility" value="public">
      <button>Play</button></form>`,
  });
  const page = await browser.newPage();
  await toOwnPage(page, `${baseUrl()}/account`, account.username);

  for (const address of [rawUrl, rawUrl.replace(new URL(rawUrl).origin, baseUrl())]) {
    await page.goto(address);
    // Where the page's own policy keeps it from sending a form, there is no answer to wait for.
    const sent = page.waitForResponse((response) => response.request().method() === "POST", {
      timeout: 3_000,
    });
    await page.getByRole("button", { name: "Play" }).click();
    const response = await sent.catch(() => undefined);
    expect([undefined, 403]).toContain(response?.status());
  }

  expect((await account.api.succeed("get-drop", { params: { slug } })).title).toBe("Mine");
  await page.close();
});
