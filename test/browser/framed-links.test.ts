import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { baseUrl } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";

const elsewhere = "https://elsewhere.example/reports?q=1#end";

let browser: Browser;
let api: ApiClient;
let context: BrowserContext;
let page: Page;
let frame: FrameLocator;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("links"));
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  await context.route("https://elsewhere.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>Elsewhere" }),
  );
  page = await context.newPage();
});
afterEach(() => context.close());

/** Publishes a page with this body, opens it in the viewer and returns its URL. */
async function openPage(body: string, fragment = ""): Promise<string> {
  const { url } = await publish(api, { html: `<!doctype html><title>Links</title><p>Here</p>${body}` });
  await page.goto(url + fragment);
  frame = page.frameLocator("iframe");
  await frame.getByText("Here").waitFor();
  return url;
}

async function expectFrameKept(url: string): Promise<void> {
  await frame.getByText("Here").waitFor();
  expect(page.url()).toBe(url);
}

/** Elements that navigate to another site when they are clicked. */
const openers = [
  ["a link", `<a href="${elsewhere}">Go</a>`],
  ["a link to a new window", `<a href="${elsewhere}" target="_blank">Go</a>`],
  ["a link out of the frame", `<a href="${elsewhere}" target="_top">Go</a>`],
  ["an element in a link", `<a href="${elsewhere}"><b><i>Go</i></b></a>`],
  ["a link in an SVG", `<svg width="99" height="40"><a href="${elsewhere}"><text y="20">Go</text></a></svg>`],
  [
    "a GET form",
    `<form action="https://elsewhere.example/reports"><input name="q" value="1"><button>Go</button></form>`,
  ],
  ["a script that opens a window", `<button onclick="window.open('${elsewhere}')">Go</button>`],
  [
    "a link in an open shadow root",
    `<x-go></x-go><script>customElements.define("x-go", class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = '<a href="${elsewhere}">Go</a>'; }
    })</script>`,
  ],
] as const;

test("a click on a link, form or script opens its target in a new tab without an opener, and the page stays", {
  tags: "nightly",
}, async () => {
  const url = await openPage(
    openers.map(([, body], index) => `<div id="way${index}">${body}</div>`).join(""),
  );

  for (const [index, [what]] of openers.entries()) {
    const click = frame.locator(`#way${index}`).getByText("Go").click();
    const [opened] = await Promise.all([context.waitForEvent("page"), click]);
    await opened.waitForLoadState();

    expect(opened.url(), what).toMatch(/^https:\/\/elsewhere\.example\/reports\?q=1/);
    expect(await opened.evaluate("[window.opener, document.referrer]"), what).toEqual([null, ""]);
    await opened.close();
    // The viewer opens at most one tab per half second.
    await page.waitForTimeout(500);
  }
  await expectFrameKept(url);
});

test("a link whose click the page handles itself opens no tab", {
  tags: "slow",
}, async () => {
  const url = await openPage(
    `<a href="${elsewhere}">Go</a><p id="said"></p>
    <script>addEventListener("click", (event) => { event.preventDefault(); said.textContent = "Handled"; })</script>`,
  );

  await frame.getByText("Go").click();

  await frame.getByText("Handled").waitFor();
  expect(context.pages()).toHaveLength(1);
  await expectFrameKept(url);
});

test("a link within the page scrolls, and so does a fragment in the viewer's URL", {
  tags: "slow",
}, async () => {
  const body = `<a href="#low">Go</a><div style="height: 5000px"></div><h2 id="low">Low</h2>`;
  const url = await openPage(body, "#low");
  const isLow = () => frame.locator("h2").evaluate((heading) => heading.getBoundingClientRect().top < 800);

  await expect.poll(isLow).toBe(true);
  await frame.locator("body").evaluate(() => scrollTo(0, 0));
  await frame.getByText("Go").click();

  await expect.poll(isLow).toBe(true);
  expect(context.pages()).toHaveLength(1);
  expect(page.url()).toBe(`${url}#low`);
});

for (const { cases, options } of slowAndNightly(
  [
    ["a script", `<button onclick="location = '${elsewhere}'">Go</button>`],
    [
      "a form submitted by a script",
      `<form id="f" method="post" action="${elsewhere}"></form><button onclick="f.submit()">Go</button>`,
    ],
    ["a script that opens the sign-in page", `<button onclick="location = '/login'">Go</button>`],
    [
      "a link in a closed shadow root",
      `<x-go></x-go><script>customElements.define("x-go", class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: "closed" }).innerHTML = '<a href="${elsewhere}">Go</a>'; }
  })</script>`,
    ],
  ],
  ([what]) => what === "a script",
))
  test.each(cases)(
    "if %s navigates the frame away, the viewer restores the page and links to it on its own",
    options,
    async (_what, body) => {
      const url = await openPage(body);

      await frame.locator("button, x-go").click();

      await page.getByRole("link", { name: "Open the page on its own to do this" }).waitFor();
      await expectFrameKept(url);
    },
  );

test("a POST form does not replace the page, and the viewer links to the page on its own", {
  tags: "nightly",
}, async () => {
  const url = await openPage(
    '<form method="post" action="https://elsewhere.example/"><input name="q" value="1"><button>Go</button></form>',
  );

  await frame.getByText("Go").click();

  const offer = page.getByRole("link", { name: "Open the page on its own to do this" });
  expect(await offer.getAttribute("href")).toMatch(/\/raw$/);
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => offer.isVisible()).toBe(false);
  await expectFrameKept(url);
});

test("a page cannot open a tab without a click; the viewer offers its target as a link", {
  tags: "slow",
}, async () => {
  const { url } = await publish(api, {
    html: `<!doctype html><p>Here<script>addEventListener("load", () => setTimeout(() => {
      if (name) return;
      name = "tried";
      window.open("https://elsewhere.example/1");
      Object.assign(document.createElement("a"), { href: "https://elsewhere.example/2" }).click();
      parent.postMessage({ dropleaf: "open", url: "https://elsewhere.example/3" }, "*");
      setTimeout(() => { location = "${elsewhere}"; }, 500);
    }, 500))</script>`,
  });
  frame = page.frameLocator("iframe");
  let views = 0;
  const isBack = new Promise<void>((resolve) => {
    page.on("request", (request) => {
      if (request.url().includes("/raw?") && ++views === 2) resolve();
    });
  });

  await page.goto(url);
  // Evaluating a script in the page would count as a click for five seconds: HTML Standard, "Tracking user activation".
  await isBack;

  expect(context.pages()).toHaveLength(1);
  await page.locator("#way-out a").waitFor();
  await expectFrameKept(url);
});

test("a page that navigates away at every load is restored three times at most", {
  tags: "nightly",
}, async () => {
  const { url } = await publish(api, {
    html: `<!doctype html><p>Here<script>location = "${elsewhere}"</script>`,
  });
  let times = 0;
  page.on("request", (request) => {
    times += request.url().includes("/raw?") ? 1 : 0;
  });
  const complaints = complaintsOf(page);
  await page.clock.install();

  await page.goto(url);
  // The page is loaded once and restored three times.
  await expect.poll(() => complaints.filter((one) => one.includes("frame-src"))).toHaveLength(4);
  await page.clock.runFor(10_000);
  await page.evaluate(() => fetch("/favicon.ico").catch(() => {}));

  expect(times).toBe(4);
  expect(context.pages()).toHaveLength(1);
});

test("a click opens the service's home page, but the viewer only offers a link to the sign-in page", {
  tags: "slow",
}, async () => {
  await openPage(`<a href="${baseUrl()}/login">Sign in</a><a href="${baseUrl()}/">Home</a>`);

  const [home] = await Promise.all([context.waitForEvent("page"), frame.getByText("Home").click()]);
  await frame.getByText("Sign in").click();
  await page.getByRole("link", { name: `Open ${baseUrl()}/login` }).waitFor();

  expect(home.url()).toBe(`${baseUrl()}/`);
  expect(context.pages()).toHaveLength(2);
});

test("a URL with a user name or a password is neither opened nor linked, and its site is named", {
  tags: "slow",
}, async () => {
  const url = await openPage(
    `<a href="https://drops.company.example%2Flogin%3Fcontinue@elsewhere.example/">Named</a>
    <a href="https://:drops.company.example@elsewhere.example/">Secret</a>`,
  );
  const bar = page.locator("#way-out");

  for (const link of ["Named", "Secret"]) {
    await frame.getByText(link).click();

    await expect
      .poll(() => bar.innerText())
      .toMatch(/^This link contains a user name, .* elsewhere\.example$/);
    expect(await bar.getByRole("link").count()).toBe(0);
    await bar.getByRole("button", { name: "Close" }).click();
    await bar.waitFor({ state: "hidden" });
  }
  expect(context.pages()).toHaveLength(1);
  await expectFrameKept(url);
});

test("the real site of an offered URL is visible in a narrow window, however the URL disguises it", {
  tags: "nightly",
}, async () => {
  const host = `${"drops.company.example.".repeat(8)}login.evil.example`;
  const address = `https://${host}:8443/\u202emoc.elpmaxe\u2215@drops.company.example${"/x".repeat(500)}`;
  await page.setViewportSize({ width: 360, height: 640 });
  await openPage(
    `<button onclick="window.open('${elsewhere}'); window.open('${address}')">Go</button>
    <button onclick="window.open('${elsewhere}'); window.open('https://dr\u043eps.company.example/')">Look-alike</button>`,
  );
  const bar = page.locator("#way-out");
  const site = bar.locator("b");

  await frame.getByText("Go").click();
  await expect.poll(() => site.innerText()).toMatch(/^….{62}\.evil\.example:8443$/);

  const box = await bar.boundingBox();
  expect(box?.height).toBeLessThan(200);
  expect(await bar.innerText()).toMatch(/^Open …[\x20-\x7e]{80}\/%E2%80%AE[\x21-\x7e]{30}$/);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await bar.getByRole("button").click();
  await frame.getByText("Look-alike").click();
  await expect.poll(() => site.innerText()).toBe("https://xn--drps-65d.company.example");
});

test("the viewer opens no javascript: URL", { tags: "nightly" }, async () => {
  const url = await openPage(
    `<button onclick='for (const message of [{ dropleaf: "open", url: "javascript:alert(1)" }, { dropleaf: "height", px: 77 }])
      parent.postMessage(message, "*")'>Go</button>`,
  );

  await frame.getByText("Go").click();
  // This message arrives last.
  await expect
    .poll(() => page.locator("iframe").evaluate(({ style }) => style.cssText))
    .toBe("--page-height: 77px;");

  expect(context.pages()).toHaveLength(1);
  expect(await page.locator("#way-out").isVisible()).toBe(false);
  await expectFrameKept(url);
});

test("a page of forty screens is printed completely", { tags: "nightly" }, async () => {
  await openPage(
    Array.from({ length: 400 }, (_, index) => `<p style="height: 70px">Line ${index}</p>`).join(""),
  );
  await expect
    .poll(() => page.locator("iframe").evaluate((element) => element.style.length))
    .toBeGreaterThan(0);

  const printed = (await page.pdf()).toString("latin1").match(/\/Type \/Page\b/g) ?? [];

  expect(printed.length).toBeGreaterThan(25);
});

test("without scripts, the viewer shows a link to the page on its own", { tags: "nightly" }, async () => {
  const { url, raw_url } = await publish(api);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const window = await plain.newPage();

  await window.goto(url);

  expect(await window.getByRole("link", { name: "Page only" }).getAttribute("href")).toBe(raw_url);
  await plain.close();
});
