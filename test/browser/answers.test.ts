import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { complaintsOf, pressArmed } from "../support/browser.ts";
import { openBrowser } from "../support/open-browser.ts";
import { onBaseHost } from "../support/owner-address.ts";
import { unusedUsername } from "../support/sign-in.ts";

const poll =
  '<!doctype html><html lang="en"><title>Poll</title><h1>Which day?</h1><form data-answers="vote">' +
  '<label><input type="radio" name="day" value="Monday" checked> Monday</label><label><input type="radio" name="day" value="Friday"> Friday</label>' +
  '<label>Why? <textarea name="why"></textarea></label><button>Vote</button></form><p data-answers-results="vote">No votes yet</p></html>';

let browser: Browser;
let account: Account;
/** Cookies and user name of a signed-in reader. */
let session: BrowserContextOptions["storageState"];
const username = unusedUsername("voter");

beforeAll(async () => {
  [browser, account] = await Promise.all([openBrowser(), newAccount("polls")]);
  const { url } = await publish(account.api, { html: poll, feedback: "readers" });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${onBaseHost(url).replace("/d/", "/p/")}/feedback`);
  await page.getByRole("link", { name: "Sign in to comment" }).click();
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.getByLabel("Your comment").waitFor();
  session = await page.context().storageState();
  await page.context().close();
});

afterAll(() => browser.close());

async function open(address: (url: string) => string, options: BrowserContextOptions = {}, html = poll) {
  const drop = await publish(account.api, { html, answers: "readers", answers_results: true });
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(address(drop.url));
  return { page, slug: drop.slug, drop };
}
const onOwnerHost = (url: string) => url;
const onBase = (url: string) => onBaseHost(url).replace("/d/", "/p/");

/** Returns the answers that an agent reads. */
async function answersOf(slug: string) {
  const { answers } = await account.api.succeed("list-answers", { params: { slug } });
  return answers.map(({ fields, author }) => ({ fields, author }));
}

const formOf = (page: Page) => page.frameLocator("#page").locator("form");

describe("a reader in the viewer", () => {
  test("can vote in place, change the vote, and see the counts", { tags: "slow" }, async () => {
    const { page, slug } = await open(onOwnerHost);
    const complaints = complaintsOf(page);
    const form = formOf(page);

    await form.getByLabel("Why?").fill("It is quiet");
    await form.getByRole("button").dblclick();
    await form.getByText("Sent.").waitFor();
    await page.frameLocator("#page").getByText("Monday 1").waitFor();
    expect(await form.getByLabel("Why?").inputValue()).toBe("It is quiet");
    await form.getByLabel("Friday").check();
    await form.getByRole("button").click();
    await page.frameLocator("#page").getByText("Friday 1").waitFor();

    expect(await answersOf(slug)).toEqual([
      { fields: { day: "Friday", why: "It is quiet" }, author: { name: null, signed_in: false } },
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("who has signed in can choose to send the answer with their name", { tags: "slow" }, async () => {
    const { page, slug } = await open(onBase, { storageState: session });
    const form = formOf(page);

    await form.getByRole("button").click();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await answersOf(slug)).toEqual([]);
    await form.getByRole("button").click();
    await pressArmed(page.getByRole("button", { name: `Send as ${username}` }));
    await form.getByText("Sent.").waitFor();

    expect(await answersOf(slug)).toEqual([
      { fields: { day: "Monday" }, author: { name: username, signed_in: true } },
    ]);
    await page.context().close();
  });
});

describe("an answer", () => {
  test("from a second window replaces the first one, and the reader is notified", {
    tags: "slow",
  }, async () => {
    const { page, slug, drop } = await open(onOwnerHost);
    const second = await page.context().newPage();
    await second.goto(drop.url);

    await formOf(page).getByRole("button").click();
    await formOf(page).getByText("Sent.").waitFor();
    await formOf(second).getByLabel("Friday").check();
    await formOf(second).getByRole("button").click();
    await formOf(second).getByText("This answer replaces your earlier one.").waitFor();

    expect(await answersOf(slug)).toEqual([
      { fields: { day: "Friday" }, author: { name: null, signed_in: false } },
    ]);
    await page.context().close();
  });

  test("to a form with many answers per person is sent once by a slow double click", {
    tags: "slow",
  }, async () => {
    const html =
      '<!doctype html><title>Log</title><form data-answers="log" data-answers-many><input name="entry" value="One"><button>Add</button></form>';
    const { page, slug } = await open(onOwnerHost, {}, html);
    const { x, y, width, height } = (await formOf(page).getByRole("button").boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };

    await page.mouse.move(x + width / 2, y + height / 2);
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await formOf(page).getByText("Sent.").waitFor();
    }
    expect(await answersOf(slug)).toHaveLength(1);
    await page.mouse.click(x + width / 2, y + height / 2);

    await expect.poll(() => answersOf(slug)).toHaveLength(2);
    await page.context().close();
  });

  test.each([
    ["in the viewer", onOwnerHost, formOf],
    [
      "on the raw page",
      (url: string) => `${url.replace("/d/", "/p/")}/raw`,
      (page: Page) => page.locator("form"),
    ],
  ] as const)(
    "that cannot be sent offline %s stays in the form, and can be sent again",
    { tags: "slow" },
    async (_, address, locate) => {
      const { page, slug } = await open(address);
      await locate(page).getByLabel("Why?").fill("It is quiet");
      await page.context().setOffline(true);

      await locate(page).getByRole("button").click();
      await locate(page).getByText("Check your connection").waitFor();
      await page.context().setOffline(false);
      expect(await locate(page).getByLabel("Why?").inputValue()).toBe("It is quiet");
      await locate(page).getByRole("button").click();
      await locate(page)
        .getByText(/^Sent\./)
        .waitFor();

      expect(await answersOf(slug)).toHaveLength(1);
      await page.context().close();
    },
  );
});

test("without scripts, a form in the viewer is submitted in its frame", { tags: "slow" }, async () => {
  const { page, slug } = await open(onBase, { javaScriptEnabled: false, storageState: session });

  await formOf(page).getByRole("button").click();
  await page.frameLocator("#page").getByText("Sent.").waitFor();

  expect(await answersOf(slug)).toEqual([
    { fields: { day: "Monday" }, author: { name: null, signed_in: false } },
  ]);
  await page.context().close();
});

describe("on the raw page", () => {
  test("the form is sent without leaving the page", { tags: "slow" }, async () => {
    const { page, slug } = await open((url) => `${url.replace("/d/", "/p/")}/raw`);

    await page.getByRole("button", { name: "Vote" }).click();
    await page.getByText("Sent.").waitFor();

    expect(await answersOf(slug)).toHaveLength(1);
    await page.context().close();
  });

  test("without scripts, the form leads to a confirmation page and back", {
    tags: "slow",
  }, async () => {
    const { page, slug } = await open((url) => `${url.replace("/d/", "/p/")}/raw`, {
      javaScriptEnabled: false,
      storageState: session,
    });

    await page.getByRole("button", { name: "Vote" }).click();
    await page.getByRole("heading", { name: "Send your answer?" }).waitFor();
    expect(await answersOf(slug)).toEqual([]);
    await pressArmed(page.getByRole("button", { name: "Send with my name" }));
    await pressArmed(page.getByRole("button", { name: `Send as ${username}` }));
    await page.getByRole("heading", { name: "Sent" }).waitFor();
    await page.getByRole("link", { name: "Back to the page" }).click();

    expect(await answersOf(slug)).toEqual([
      { fields: { day: "Monday" }, author: { name: username, signed_in: true } },
    ]);
    await page.context().close();
  });

  test("without scripts, going back after sending restores the input and sends nothing again", {
    tags: "slow",
  }, async () => {
    const { page, slug } = await open((url) => `${url.replace("/d/", "/p/")}/raw`, {
      javaScriptEnabled: false,
    });
    const raw = page.url();
    await page.getByLabel("Why?").fill("It is quiet");
    await page.getByRole("button", { name: "Vote" }).click();
    await pressArmed(page.getByRole("button", { name: "Send without my name" }));
    await page.getByRole("heading", { name: "Sent" }).waitFor();

    await page.reload();
    await page.getByRole("heading", { name: "Sent" }).waitFor();
    // Two steps back, because the page in between is a form's response, which Chromium shows again only after a confirmation.
    // The page may be gone before the script returns.
    await Promise.all([page.waitForURL(raw), page.evaluate("history.go(-2)").catch(() => {})]);

    expect(page.url()).toBe(raw);
    expect(await page.getByLabel("Why?").inputValue()).toBe("It is quiet");
    expect(await answersOf(slug)).toHaveLength(1);
    await page.context().close();
  });
});
