// @module-tag slow

import type { Browser, BrowserContext, Download, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAccount, publish } from "../../support/accounts.ts";
import type { ApiClient } from "../../support/client.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";

// What a page does with the ways that lead out of the viewer's frame, where it means ill: docs/adr/0057-framed-pages.md.

const elsewhere = "https://elsewhere.example/";

let browser: Browser;
let api: ApiClient;
let context: BrowserContext;
let page: Page;
let frame: FrameLocator;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("ways-out"));
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  await context.route(`${elsewhere}**`, (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>Elsewhere" }),
  );
  page = await context.newPage();
  errors = [];
  page.on("pageerror", ({ message }) => errors.push(message));
});
afterEach(() => context.close());

/** Publishes a page that runs this when its button is pressed, and opens it in its viewer. */
async function openPage(onPress: string, atOnce = ""): Promise<string> {
  const { url } = await publish(api, {
    html: `<!doctype html><title>Hostile</title><p>Here</p><button>Go</button><p id="said"></p><script>
      const link = (attributes) => document.body.appendChild(Object.assign(document.createElement("a"), attributes));
      const say = (what) => { said.textContent = String(what); };
      const attempt = async (what) => { try { say(await what()); } catch (error) { say(error.name); } };
      document.querySelector("button").onclick = () => { ${onPress} };
      ${atOnce}
    </script>`,
  });
  await page.goto(url);
  frame = page.frameLocator("iframe");
  await frame.getByText("Here").waitFor();
  return url;
}

const press = () => frame.getByText("Go").click();
const said = (words: string | RegExp) => frame.locator("#said", { hasText: words }).waitFor();

/** The bar does what it is for, whatever the page has done. */
async function expectViewerAtWork(url: string): Promise<void> {
  expect(page.url()).toBe(url);
  await page.locator(".about summary").click();
  await page.locator(".about .panel").waitFor();
  expect(errors).toEqual([]);
}

describe("one click gives a page one tab, which has no reference to its opener:", () => {
  test.each([
    ["by a name", `for (let n = 0; n < 9; n += 1) open("${elsewhere}" + n, "mine")`],
    [
      "with a window to hold",
      `for (let n = 0; n < 9; n += 1) say(open("${elsewhere}" + n, "", "popup,width=99"))`,
    ],
    [
      "by messages of its own",
      `for (let n = 0; n < 99; n += 1) parent.postMessage({ dropleaf: "open", url: "${elsewhere}" + n }, "*")`,
    ],
    [
      "by links that it presses itself",
      `for (let n = 0; n < 9; n += 1) link({ href: "${elsewhere}" + n, target: "t" + n, rel: "opener" }).click()`,
    ],
  ])("%s", async (_what, script) => {
    const url = await openPage(`${script}; open("${elsewhere}last", "_blank")`);

    const [opened] = await Promise.all([context.waitForEvent("page"), press()]);
    await opened.waitForLoadState();
    await page.locator("#way-out a").waitFor();

    expect(context.pages()).toHaveLength(2);
    expect(await opened.evaluate("[opener, document.referrer, name, history.length]")).toEqual([
      null,
      "",
      "",
      1,
    ]);
    await expectViewerAtWork(url);
  });
});

test("one click starts one other program, however often a page requests it", {
  tags: "nightly",
}, async () => {
  const started: string[] = [];
  const session = await context.newCDPSession(page);
  session.on("Page.frameRequestedNavigation", ({ url }) => url.startsWith("mailto:") && started.push(url));
  await session.send("Page.enable");
  const url = await openPage(`let n = 0; const timer = setInterval(() => {
    parent.postMessage({ dropleaf: "open", url: "mailto:ada@example.com?subject=" + (n += 1) }, "*");
    if (n === 4) { clearInterval(timer); say("asked"); }
  }, 700)`);

  await press();
  await said("asked");
  await expectViewerAtWork(url);

  expect(started).toEqual(["mailto:ada@example.com?subject=1"]);
  expect(await page.locator("#way-out a").getAttribute("href")).toBe("mailto:ada@example.com?subject=4");
});

test("messages of any shape do not affect the viewer", async () => {
  const url = await openPage(`
    const post = (message) => { try { parent.postMessage(message, "*"); } catch { /* It does not get so far. */ } };
    const cyclic = {}; cyclic.url = cyclic; cyclic.dropleaf = cyclic;
    const deep = (levels) => Array.from({ length: levels }).reduce((inner) => [inner], []);
    const odd = [undefined, null, true, 0, -1, NaN, Infinity, 10n, "", "x".repeat(100_000), [], {}, cyclic, new Date(NaN), new Map(),
      /x/, new Error("x"), new ArrayBuffer(9), new Blob(["x"]), deep(100)];
    const kinds = ["open", "height", "ready", "fragment", "print", "constructor", "__proto__", "toString"];
    odd.forEach(post);
    for (const dropleaf of [...odd, ...kinds]) for (const one of odd) post({ dropleaf, url: one, px: one, hash: one });
    post({ dropleaf: "open" });
    for (const scheme of ["javascript:alert(1)", "data:text/html,x", "blob:null/1", "file:///etc/passwd", "about:blank", "chrome://settings", "//"])
      post({ dropleaf: "open", url: scheme });
    post({ dropleaf: "height", px: -5 });
    post({ dropleaf: "height", px: "9px; background: url(//elsewhere.example)" });
    say("sent")`);

  await press();
  await said("sent");
  // What was sent before has arrived when this has.
  await frame.locator("body").evaluate(() => parent.postMessage({ dropleaf: "height", px: 77 }, "*"));
  const height = () => page.locator("iframe").evaluate((element) => element.style.cssText);
  await expect.poll(height).toBe("--page-height: 77px;");

  expect(context.pages()).toHaveLength(1);
  expect(await page.locator("#way-out").isVisible()).toBe(false);
  await expectViewerAtWork(url);
});

test("a nested page can only report its links' targets to the viewer, and a separate window nothing", {
  tags: "nightly",
}, async () => {
  const message = `{ dropleaf: "open", url: "${elsewhere}" }`;
  const ofInner = "{ dropleaf: 'refused' }, { dropleaf: 'height', px: 77 }";
  const url = await openPage(
    `const inner = document.createElement("iframe");
     inner.srcdoc = "<script>for (const one of [${ofInner}]) top.postMessage(one, '*'); parent.postMessage('done', '*')<\\/script>";
     addEventListener("message", ({ data }) => data === "done" && say("done"));
     document.body.append(inner);`,
  );

  await press();
  await said("done");
  await page.evaluate(`postMessage(${message}, "*")`);
  await page.evaluate(
    "new Promise((done) => { addEventListener('message', done, { once: true }); postMessage(0, '*'); })",
  );

  expect(context.pages()).toHaveLength(1);
  expect(await page.locator("#way-out").isVisible()).toBe(false);
  expect(await page.locator("#page").evaluate(({ style }) => style.cssText)).not.toContain("77px");
  await expectViewerAtWork(url);
});

test("without a click a page cannot write the clipboard, go full screen, or use the viewer's storage", async () => {
  const url = await openPage(
    "",
    `(async () => {
      const got = [];
      for (const what of [
        () => navigator.clipboard.writeText("paste me"),
        () => navigator.clipboard.readText(),
        () => document.documentElement.requestFullscreen(),
        () => parent.document.documentElement.requestFullscreen(),
        () => localStorage.length,
        () => document.requestStorageAccess(),
      ]) got.push(await (async () => { try { return "got " + await what(); } catch (error) { return error.name; } })());
      say(got.join());
    })()`,
  );

  await said(/Error/);

  // `TypeError`: to fill the screen needs a click.
  expect(await frame.locator("#said").innerText()).toBe(
    "NotAllowedError,NotAllowedError,TypeError,SecurityError,got 0,NotAllowedError",
  );
  await expectViewerAtWork(url);
});

test("a page in full screen after a click leaves it on Escape, and the viewer is unchanged", {
  tags: "nightly",
}, async () => {
  const url = await openPage(
    "attempt(() => document.documentElement.requestFullscreen().then(() => 'full'))",
  );

  await press();
  await said("full");
  await page.evaluate("document.exitFullscreen()");

  await expectViewerAtWork(url);
});

test("endless dialogs block the reader only while they appear, and the bar works after them", {
  tags: "nightly",
}, async () => {
  let dialogs = 0;
  page.on("dialog", async (dialog) => {
    dialogs += 1;
    await dialog.accept();
  });
  const url = await openPage(
    `for (let n = 0; n < 5; n += 1) { alert(n); confirm(n); prompt(n); }
     for (let n = 0; n < 50; n += 1) print();
     onbeforeunload = (event) => event.preventDefault();
     say("shown")`,
  );

  await press();
  await said("shown");
  await expectViewerAtWork(url);
  await page.goto(`${baseUrl()}/`);

  expect(dialogs).toBeGreaterThanOrEqual(15);
  expect(page.url()).toBe(`${baseUrl()}/`);
});

describe("a page can save files within its sandbox, and nothing with another's permissions:", () => {
  let downloads: Download[];

  beforeEach(() => {
    downloads = [];
    page.on("download", (download) => downloads.push(download));
  });

  const made = `{ download: "made.html", href: URL.createObjectURL(new Blob(["<p>made"], { type: "text/html" })) }`;

  test("its own data is saved as a file with or without a click, and no window shows it", {
    tags: "nightly",
  }, async () => {
    const first = page.waitForEvent("download");
    const url = await openPage(`link(${made}).click()`, `link(${made}).click()`);
    await first;
    const second = page.waitForEvent("download");

    await press();
    await second;

    const saved = ["made.html", expect.stringMatching(/^blob:null\//)];
    expect(downloads.map((one) => [one.suggestedFilename(), one.url()])).toEqual([saved, saved]);
    expect(context.pages()).toHaveLength(1);
    await expectViewerAtWork(url);
  });

  test.each([
    ["an account's pages", (): string => `${baseUrl()}/account`],
    ["a page elsewhere", (): string => `${elsewhere}file.zip`],
  ] as const)("%s is not saved, whether the viewer sees the link or not", async (_what, address) => {
    const attributes = `{ download: "x", href: "${address()}" }`;
    const url = await openPage(
      `link(${attributes}).click();
       setTimeout(() => Object.assign(document.createElement("a"), ${attributes}).click(), 50)`,
    );

    await press();
    // The link in the page is opened or offered; the one beside it leads the frame away, which comes back.
    await page.locator("#way-out a", { hasText: /on its own/ }).waitFor();
    await frame.getByText("Here").waitFor();

    expect(downloads).toEqual([]);
    await expectViewerAtWork(url);
  });
});
