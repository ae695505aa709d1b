// @module-tag nightly

import { text } from "node:stream/consumers";
import type { Browser, BrowserContext, Download, FrameLocator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { publishFolder } from "../support/folders.ts";
import { fetchPage } from "../support/http.ts";
import { openBrowser } from "../support/open-browser.ts";

const low = `<div style="height: 5000px"></div><h2 id="low">Low</h2>`;
const largeBytes = 5 * 1024 * 1024;
const files = {
  "index.html": "<!doctype html><title>Site</title><h1>Entry</h1>",
  "blank.html": `<!doctype html><title>Blank</title><base target="_blank"><a href="#low">Down</a> <a href="">Again</a>
<a href="index.html">Apart</a> <a href="index.html" target="_self">Here</a>${low}`,
  "top.html": `<!doctype html><title>Top</title><base target="_top"><a href="#low">Down</a> <a href="index.html">Here</a>
<form action="index.html"><input type="hidden" name="q" value="1"><button>Ask</button></form>${low}`,
  "save.html": `<!doctype html><title>Save v1.2</title><a download href="img/chart%C3%A4.svg">Picture</a>
<a download="my table; &quot;1&quot;.csv" href="table.csv">Table</a> <a download href="large.bin">Large</a>
<a download="page.html" href="">Page</a> <a download="made.txt" id="made">Made</a> <a id="apart" target="_blank">Made apart</a>
<button onclick="window.open(made.href)">Opened</button> <a href="data:text/plain,data" target="_blank">Data</a>
<script>made.href = apart.href = URL.createObjectURL(new Blob(["made here"], { type: "text/html" }))</script>`,
  "img/chartä.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "table.csv": "a,b",
  "large.bin": Buffer.alloc(largeBytes, 7),
  "set.html": `<!doctype html><title>Set</title><script>onmessage = ({ data }) => { said.textContent += JSON.stringify(data) }</script>
<p id="said"></p><a href="inner.html" target="content">By the page</a><iframe name="list" src="list.html"></iframe>
<iframe name="content" src="index.html"></iframe>`,
  "list.html": `<!doctype html><title>List</title><a href="inner.html" target="content">Beside</a> <a href="index.html" target="_top">Up</a>
<a href="https://elsewhere.example/" target="_blank">Out</a>${low}`,
  "inner.html": "<!doctype html><title>Inner</title><h1>Inner page</h1>",
};

let browser: Browser;
let api: ApiClient;
let folder: string;
let context: BrowserContext;
let page: Page;
let frame: FrameLocator;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("windows"));
  folder = (await publishFolder(api, files)).url;
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext();
  await context.route("https://elsewhere.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>Elsewhere" }),
  );
  page = await context.newPage();
  frame = page.frameLocator("#page");
});
afterEach(() => context.close());

/** Opens a page of the folder in its viewer. */
async function openPage(path: string, link: string): Promise<void> {
  await page.goto(folder);
  await frame.getByText("Entry").waitFor();
  await frame.locator("body").evaluate((_, to) => {
    location.href = to;
  }, path);
  await frame.getByText(link).first().waitFor();
}

function click(name: string, within = frame): Promise<void> {
  return within.getByText(name, { exact: true }).click();
}

async function openedBy(name: string, within = frame): Promise<Page> {
  const [opened] = await Promise.all([context.waitForEvent("page"), click(name, within)]);
  await opened.waitForLoadState();
  return opened;
}

async function savedBy(name: string): Promise<Download> {
  const [saved] = await Promise.all([page.waitForEvent("download"), click(name)]);
  return saved;
}

const isLow = () =>
  frame.locator("#low").evaluate((heading) => heading.getBoundingClientRect().top < innerHeight);

test("a fragment link scrolls despite the page's base target, and other links follow the base target", async () => {
  for (const path of ["blank.html", "top.html"]) {
    await openPage(path, "Down");
    for (const _ of ["first", "again"]) {
      await frame.locator("body").evaluate(() => scrollTo(0, 0));
      await click("Down");
      await expect.poll(isLow).toBe(true);
    }
  }
  await click("Here");
  await frame.getByText("Entry").waitFor();
  await openPage("top.html", "Down");
  await click("Ask");
  await frame.getByText("Entry").waitFor();
  expect(await frame.locator("h1").evaluate(() => location.search)).toBe("?q=1");
  expect(context.pages()).toHaveLength(1);

  await openPage("blank.html", "Down");
  const again = await openedBy("Again");
  expect(again.url()).toMatch(/(\/raw\/@1|-v1\.localhost:\d+)\/blank\.html$/);
  // The viewer opens at most one tab per half second.
  await page.waitForTimeout(500);
  const apart = await openedBy("Apart");
  await apart.getByText("Entry").waitFor();
  await click("Here");
  await frame.getByText("Entry").waitFor();
  expect(context.pages()).toHaveLength(3);
});

test("a page with a base target scrolls to its fragments, and opens raw in a new tab", async () => {
  const html = `<!doctype html><title>One</title><base target="_blank"><a href="#low">Down</a> <a href="">Again</a>${low}`;
  const { url, slug } = await publish(api, { html });
  await page.goto(url);

  await click("Down");
  await expect.poll(isLow).toBe(true);
  const again = await openedBy("Again");

  expect(again.url()).toMatch(new RegExp(`/p/${slug}/raw\\?v=1$`));
  expect(await again.locator("script").count()).toBe(0);
});

test("a download saves a folder's file under its name or the link's, and data that the page has created", async () => {
  await openPage("save.html", "Picture");

  for (const [link, name, content] of [
    ["Picture", "chartä.svg", files["img/chartä.svg"]],
    ["Table", /^my table; .1.\.csv$/, "a,b"],
    ["Page", "page.html", /^<!doctype html>.*Save v1\.2/],
    ["Made", "made.txt", "made here"],
    ["Made apart", /^Save v1-2(\.html?)?$/, "made here"],
    ["Opened", /^Save v1-2(\.html?)?$/, "made here"],
    ["Data", /^Save v1-2(\.txt)?$/, "data"],
  ] as const) {
    const saved = await savedBy(link);
    const sent = await text(await saved.createReadStream());
    expect(saved.suggestedFilename(), link).toMatch(name);
    if (typeof content === "string") expect(sent, link).toBe(content);
    else expect(sent, link).toMatch(content);
    // The saved file does not contain the viewer's script.
    expect(sent).not.toContain("postMessage");
  }
  const large = await savedBy("Large");
  expect([large.suggestedFilename(), (await text(await large.createReadStream())).length]).toEqual([
    "large.bin",
    largeBytes,
  ]);
  expect(context.pages()).toHaveLength(1);
  await frame.getByText("Picture").waitFor();
});

test("frames of a page can navigate their siblings, the page and a new tab, without messages to the page", async () => {
  // This test is only about links. Other tests cover whether a folder's pages may be framed by its pages.
  await context.route(/-framed\//, async (route) => {
    const { status, text: body } = await fetchPage(route.request().url(), {
      headers: { "sec-fetch-dest": "iframe" },
    });
    await route.fulfill({ status, body, contentType: "text/html; charset=utf-8" });
  });
  await openPage("set.html", "By the page");
  const list = frame.frameLocator("[name=list]");
  const content = frame.frameLocator("[name=content]");
  await content.getByText("Entry").waitFor();
  await list.locator("body").evaluate(() => scrollTo(0, 900));

  await click("By the page");
  await content.getByText("Inner page").waitFor();
  await content.locator("body").evaluate(() => {
    location.href = "index.html";
  });
  await content.getByText("Entry").waitFor();
  await click("Beside", list);
  await content.getByText("Inner page").waitFor();
  const out = await openedBy("Out", list);
  expect(out.url()).toBe("https://elsewhere.example/");
  expect(await frame.locator("#said").innerText()).toBe("");

  await click("Up", list);
  await frame.getByText("Entry").waitFor();
  expect(context.pages()).toHaveLength(2);
});

test("a page receives its own messages with its URL as their origin, and none of the viewer's", async () => {
  const html = `<!doctype html><title>Said</title><p id="said"></p><script>
    const say = (how) => ({ data, origin, source }) => {
      said.textContent += \`\${how} \${JSON.stringify(data)} \${origin === location.origin} \${source === window}; \`;
    };
    onmessage = say("by property");
    addEventListener("message", say("early"), true);
    addEventListener("load", () => addEventListener("message", say("late")));
    postMessage("x", location.origin);
    window.postMessage({ by: "options" }, { targetOrigin: location.origin + "/" });
    postMessage("nobody", "https://elsewhere.example");
    onload = () => postMessage("all", "*");
  </script><div style="height: 5000px"></div>`;
  const { url } = await publish(api, { html });

  // The viewer sends the fragment, the scroll position and, after a click on the button, a request to print.
  await page.goto(`${url}#said`);
  await frame.getByText("all").first().waitFor();
  await page.evaluate(() => document.getElementById("print")?.click());
  await page.waitForTimeout(300);

  const said = (await frame.locator("#said").innerText())
    .split(";")
    .map((line) => line.trim())
    .filter(Boolean)
    .sort();
  expect(said).toEqual(
    ['"x"', '{"by":"options"}', '"all"']
      .flatMap((data) => ["by property", "early", "late"].map((how) => `${how} ${data} true true`))
      // The first two messages may arrive before the page has loaded.
      .filter((line) => !line.startsWith("late") || said.includes(line))
      .sort(),
  );
});

test("a frame without a URL stays the source of its messages to the page", async () => {
  const html = `<!doctype html><title>Said</title><p id="said"></p><iframe id="inner"
    srcdoc="<script>parent.postMessage('from inside', '*')</script>"></iframe><script>
    onmessage = ({ data, source }) => { said.textContent = data + " " + (source === inner.contentWindow); };</script>`;
  const { url } = await publish(api, { html });

  await page.goto(url);

  await frame.getByText("from inside true").waitFor();
});
