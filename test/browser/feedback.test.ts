import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import { publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { unusedUsername } from "../support/sign-in.ts";

const prose =
  '<!doctype html><html lang="en"><head><title>x</title></head><body><h1>Harbour</h1>' +
  "<p>Twelve <b>green</b>\n leaves fell.</p>".padEnd(60) +
  `${"<p>And more of them.</p>".repeat(60)}<p id="street" style="text-transform:uppercase">Straße, οδός</p><p id="last">The last leaf.</p></body></html>`;
/** Returns a script that selects an element's text. */
const selecting = (selector: string) =>
  `getSelection().selectAllChildren(document.querySelector("${selector}"))`;

let browser: Browser;
let account: Account;
let session: BrowserContextOptions["storageState"];

beforeAll(async () => {
  [browser, account] = await Promise.all([openBrowser(), newAccount("beside")]);
});

afterAll(() => browser.close());

/** Publishes a drop that accepts feedback, and returns the address of its feedback page. */
async function given(html: string, fields: object = {}): Promise<string> {
  const drop = await publish(account.api, { html, feedback: "readers", ...fields });
  return `${ownerAddress(drop.url)}/p/${drop.slug}/feedback`;
}

/** Opens a page as a signed-in reader. The first call signs in with the page's link, later calls reuse the cookies. */
async function signedIn(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...options, ...(session && { storageState: session }) });
  const page = await context.newPage();
  await page.goto(address);
  if (session === undefined) {
    await page.getByRole("link", { name: "Sign in to comment" }).click();
    await page.getByLabel("User name").fill(unusedUsername("reader"));
    await page.getByRole("button").click();
  }
  await page.getByLabel("Your comment").first().waitFor();
  session ??= await context.storageState();
  return page;
}

/** Returns the frame after its page has loaded. */
async function framed(page: Page) {
  await page.frameLocator("iframe").locator("p").first().waitFor();
  const frame = page.frame({ url: /\/raw\?/ });
  if (!frame) throw new Error("The page has no frame.");
  return frame;
}

async function send(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Send/ }).click();
  await page.locator("li:target").waitFor();
}

describe("a reader", () => {
  test("can select a passage, comment on it, and see it marked in the unchanged page", {
    tags: "slow",
  }, async () => {
    const page = await signedIn(await given(prose));
    const complaints = complaintsOf(page);
    const frame = await framed(page);
    await frame.evaluate(selecting("p"));

    await page.getByRole("button", { name: "Quote the selection" }).click();
    await page.getByText("Quoted.").waitFor();
    expect(await page.getByLabel("Quote").inputValue()).toBe("Twelve green leaves fell.");
    await page.getByLabel("Your comment").fill("Were there?");
    await send(page);
    const again = await framed(page);
    const before = await again.evaluate("document.documentElement.outerHTML");
    await again.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("blockquote").click();
    await page.getByText("Marked on the page.").waitFor();

    expect(await again.evaluate(`[...CSS.highlights.get("dropleaf-mark")].join()`)).toBe(
      "Twelve green\n leaves fell.",
    );
    expect(await again.evaluate("document.documentElement.outerHTML")).toBe(before);
    await expect.poll(() => again.evaluate("scrollY")).toBe(0);

    // A browser returns a selection as it is displayed, here in capitals. The service finds the passage nevertheless.
    await again.evaluate(selecting("#street"));
    await page.getByText("Write a comment").click();
    await page.getByRole("button", { name: "Quote the selection" }).click();
    await page.getByText("Quoted.").waitFor();
    await page.getByLabel("Your comment").first().fill("Which one?");
    await send(page);
    await framed(page);
    const quoted = page.getByRole("blockquote").filter({ hasText: "STRASSE" });
    await quoted.click();
    await page.getByText("Marked on the page.").waitFor();
    const last = await framed(page);
    expect(await last.evaluate(`[...CSS.highlights.get("dropleaf-mark")].join()`)).toBe("Straße, οδός");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("can comment on the displayed page of a folder, and return to it from the comment", {
    tags: "nightly",
  }, async () => {
    const { slug, url } = await publishFolder(account.api, {
      "index.html": `<!doctype html><title>Site</title><p>Entry</p><a href="docs/">Docs</a>`,
      "docs/index.html": "<!doctype html><title>Docs</title><p>Green leaves</p>",
    });
    await account.api.succeed("edit-drop", { params: { slug }, body: { feedback: "readers" } });
    const page = await signedIn(`${ownerAddress(url)}/p/${slug}/feedback`);
    const frame = page.frameLocator("iframe");

    await frame.getByRole("link", { name: "Docs" }).click();
    await frame.getByText("Green leaves").waitFor();
    await expect.poll(() => page.getByLabel("Page", { exact: true }).inputValue()).toBe("docs/");
    await page.getByLabel("Your comment").fill("Why green?");
    await send(page);
    await frame.getByText("Entry").waitFor();
    await page.getByRole("link", { name: "docs/index.html" }).click();

    await frame.getByText("Green leaves").waitFor();
    await page.context().close();
  });

  test("gets a message if nothing is selected, or if a passage cannot be found", {
    tags: "nightly",
  }, async () => {
    const page = await signedIn(await given(prose));

    await page.getByRole("button", { name: "Quote the selection" }).click();
    await page.getByText("Nothing is selected on the page.").waitFor();
    await page.getByLabel("Quote").fill("No such words.");
    await page.getByLabel("Your comment").fill("Where?");
    await send(page);
    await page.getByRole("button", { name: "Show on the page" }).click();

    await page.getByText("These words were not found").waitFor();
    await page.context().close();
  });

  test("can write a comment by keyboard alone, and Escape keeps the input", {
    tags: "slow",
  }, async () => {
    const page = await signedIn(await given(prose));

    await page.reload();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the comments");
    await page.keyboard.press("Enter");
    for (let index = 0; index < 20; index += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.name")) === "text") break;
    }
    await page.keyboard.type("By keys alone.");
    await page.keyboard.press("Escape");
    expect(await page.getByLabel("Your comment").inputValue()).toBe("By keys alone.");
    for (let index = 0; index < 5; index += 1) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.type")) === "submit") break;
    }
    await page.keyboard.press("Enter");
    await page.locator("li:target").getByText("By keys alone.").waitFor();
    await page.context().close();
  });

  test("can quote, comment and reply without scripts on a phone, and a double click sends once", {
    tags: "nightly",
  }, async () => {
    const phone = { javaScriptEnabled: false, viewport: { width: 360, height: 640 } };
    const page = await signedIn(await given(prose), phone);

    expect(await page.getByRole("button", { name: "Quote the selection" }).isVisible()).toBe(false);
    await page.getByLabel("Quote").fill("green leaves");
    await page.getByLabel("Your comment").fill("Twice pressed.");
    await page.getByRole("button", { name: "Send", exact: true }).dblclick();
    await page.getByRole("article").waitFor();
    await page.reload();

    expect(await page.getByRole("article").count()).toBe(1);
    await page.getByText("Reply", { exact: true }).click();
    await page.getByRole("article").getByLabel("Your comment").fill("And a reply.");
    await page.getByRole("button", { name: "Send reply" }).click();
    await page.getByText("And a reply.").waitFor();
    await page.context().close();
  });
});

/** Hostile comments: markup, bidirectional controls and a very long word. */
const hostileWords = [
  `"'></textarea></title></script><script>document.title="run"</script><img src=x onerror=document.title="run">`,
  `\u202eevil\u2066\u2067 https://elsewhere.example/ javascript:alert(1)\u001b[2J`,
  "M".repeat(2_000),
];

describe("a hostile reader", () => {
  for (const { cases, options } of slowAndNightly([360, 1440], (width) => width === 360))
    test.each(cases)(
      "cannot run scripts, add links or break the layout with comments, at %i pixels",
      options,
      async (width) => {
        const address = await given(prose, { passcode: "open sesame" });
        const page = await (await browser.newContext({ viewport: { width, height: 740 } })).newPage();
        await page.goto(address);
        await page.getByLabel("Passcode").fill("open sesame");
        await page.getByRole("button").click();
        for (const words of hostileWords) {
          await page.goto(address);
          const start = page.getByText("Write a comment");
          if (await start.isVisible()) await start.click();
          const form = page.locator("form").first();
          await form.getByLabel("Quote").fill(words.slice(0, 500));
          await form.getByLabel("Your comment").fill(words);
          await form.getByLabel("Your name").fill(words.slice(0, 60));
          await form.getByRole("button", { name: "Send", exact: true }).click();
          await page.locator("li:target").waitFor();
        }

        expect(await page.getByRole("article").count()).toBe(3);
        expect(await page.title()).not.toContain("run");
        expect(await page.getByRole("article").locator("script, img, li a").count()).toBe(0);
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
        const panel = page.locator("#feedback");
        expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
        const turned = page.locator("p.text", { hasText: "evil" });
        expect(await turned.textContent()).not.toContain("\u001b");
        expect(await turned.evaluate((element) => getComputedStyle(element).unicodeBidi)).toMatch(
          /isolate|plaintext/,
        );
        await page.context().close();
      },
    );
});

/** Page that sends forged replies before and after each request of the service, and unrequested messages. */
const lyingPage = `<!doctype html><html lang="en"><head><title>x</title></head><body><p>Lies</p><script>
window.getSelection = () => "</textarea><b>" + "W\\n ".repeat(1e5);
const lie = (message) => parent.postMessage(message, "*");
addEventListener("message", ({ data }) => {
  lie({ dropleaf: "shown", isFound: { toString() {} } + "" });
  if (data.dropleaf === "selection") lie({ dropleaf: "selected", text: "once more" });
});
for (const dropleaf of ["selected", "shown", "open", "kept", "ready", "height", "__proto__", "constructor"])
  for (const text of ["unasked", 7, null, { length: 9 }, ["x"]])
    lie({ dropleaf, text, isFound: true, url: "https://elsewhere.example/", px: 1e9 });
lie(null); lie("x"); lie(undefined); lie([]);
</script></body></html>`;

test("a page that forges messages can only fill the quote field, and only on request", {
  tags: "slow",
}, async () => {
  const page = await signedIn(await given(lyingPage));
  const complaints = complaintsOf(page);
  await page.reload();
  await framed(page);
  await page.waitForTimeout(300);
  const field = page.getByLabel("Quote");
  expect(await field.inputValue()).toBe("");

  await page.getByRole("button", { name: "Quote the selection" }).click();
  await page.getByText("Quoted.").waitFor();

  const value = await field.inputValue();
  expect(value.startsWith("</textarea><b>W W W")).toBe(true);
  expect([...value].length).toBe(500);
  expect(page.context().pages()).toHaveLength(1);
  expect(await page.evaluate("document.querySelectorAll('b').length")).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a click on a link in the page shows where links and forms work", { tags: "slow" }, async () => {
  const page = await signedIn(await given(pageOf('<a href="https://elsewhere.example/">away</a>')));

  await page.frameLocator("iframe").getByText("away").click();

  await page.getByText("To use links and forms, go back to the page.").waitFor();
  await page.context().close();
});
