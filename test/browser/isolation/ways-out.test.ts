// @module-tag slow

import type { Browser, BrowserContext, Download, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAccount, publish } from "../../support/accounts.ts";
import type { ApiClient } from "../../support/client.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";

// A hostile page's ways out of the viewer's frame: docs/adr/0057-framed-pages.md.

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

/** Publishes a page whose button runs `onPress`, opens it in its viewer and returns its URL. */
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

/** Expects the viewer at its URL, with a working bar and without errors. */
async function expectViewerAtWork(url: string): Promise<void> {
  expect(page.url()).toBe(url);
  await page.locator(".about summary").click();
  await page.locator(".about .panel").waitFor();
  expect(errors).toEqual([]);
}

describe("one click opens one tab without an opener, even if the page", () => {
  test.each([
    ["opens a named window nine times", `for (let n = 0; n < 9; n += 1) open("${elsewhere}" + n, "mine")`],
    [
      "opens popups and keeps their references",
      `for (let n = 0; n < 9; n += 1) say(open("${elsewhere}" + n, "", "popup,width=99"))`,
    ],
    [
      "sends the viewer messages of its own",
      `for (let n = 0; n < 99; n += 1) parent.postMessage({ dropleaf: "open", url: "${elsewhere}" + n }, "*")`,
    ],
    [
      "clicks its own links",
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

test("one click starts one external program, however often the page requests it", {
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
  // This message arrives after those that were sent before.
  await frame.locator("body").evaluate(() => parent.postMessage({ dropleaf: "height", px: 77 }, "*"));
  const height = () => page.locator("iframe").evaluate((element) => element.style.cssText);
  await expect.poll(height).toBe("--page-height: 77px;");

  expect(context.pages()).toHaveLength(1);
  expect(await page.locator("#way-out").isVisible()).toBe(false);
  await expectViewerAtWork(url);
});

test("the viewer ignores messages from a nested page and from its own window", {
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

test("without a click, a page cannot use the clipboard, full screen or the viewer's storage", async () => {
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

  // `TypeError`: full screen requires a click.
  expect(await frame.locator("#said").innerText()).toBe(
    "NotAllowedError,NotAllowedError,TypeError,SecurityError,got 0,NotAllowedError",
  );
  await expectViewerAtWork(url);
});

test("a page can go full screen after a click, and the viewer works after it exits", {
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

test("after a page has shown many dialogs, the viewer works and the reader can leave it", {
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

describe("a file that a page in the viewer downloads", () => {
  let downloads: Download[];

  beforeEach(() => {
    downloads = [];
    page.on("download", (download) => downloads.push(download));
  });

  const made = `{ download: "made.html", href: URL.createObjectURL(new Blob(["<p>made"], { type: "text/html" })) }`;

  test("is saved without a new window if the page made its data, with or without a click", {
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
    ["the account page", (): string => `${baseUrl()}/account`],
    ["another site", (): string => `${elsewhere}file.zip`],
  ] as const)(
    "is not saved if it is from %s, whether its link is in the document or not",
    async (_what, address) => {
      const attributes = `{ download: "x", href: "${address()}" }`;
      const url = await openPage(
        `link(${attributes}).click();
       setTimeout(() => Object.assign(document.createElement("a"), ${attributes}).click(), 50)`,
      );

      await press();
      // The link in the page is opened or offered. The other one navigates the frame away, and the viewer restores it.
      await page.locator("#way-out a", { hasText: /on its own/ }).waitFor();
      await frame.getByText("Here").waitFor();

      expect(downloads).toEqual([]);
      await expectViewerAtWork(url);
    },
  );
});
