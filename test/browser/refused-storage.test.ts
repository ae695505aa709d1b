// @module-tag nightly

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { viewerText } from "../../functions/viewer/viewer-text.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { openBrowser } from "../support/open-browser.ts";

const { refusals } = viewerText;

let browser: Browser;
let account: Account;

beforeAll(async () => {
  browser = await openBrowser();
  account = await newAccount("storage");
});

afterAll(() => browser.close());

const writes = [
  ["localStorage", "<script>localStorage.best = 1</script>"],
  ["a cookie", "<script>document.cookie = 'best=1'</script>"],
  ["a database", "<script>indexedDB.open('games')</script>"],
  [
    "storage in a promise that is not awaited",
    "<script>(async () => sessionStorage.setItem('best', 1))()</script>",
  ],
] as const;

describe("a page in the viewer whose script writes to", () => {
  test.each(writes)(
    "%s shows a notice with a link that opens the page on its own, where storage works",
    async (_what, script) => {
      const page = await openViewer(script);

      const link = page.getByRole("link", { name: refusals.storage.alone });
      await link.waitFor();

      const [alone] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
      const errors: string[] = [];
      alone.on("pageerror", ({ message }) => errors.push(message));
      // A reload during the first load would abort it, and no other load would follow.
      await alone.getByText("Here").waitFor();
      await alone.reload();
      await alone.getByText("Here").waitFor();
      expect(errors).toEqual([]);
    },
  );

  test("storage shows the notice only once", async () => {
    const page = await openViewer(
      `<script>localStorage.best = 1</script><button onclick="sessionStorage.again = 1; this.textContent = 'Written'">Write</button>`,
    );
    await page.getByRole("link", { name: refusals.storage.alone }).click();
    await page.locator("#way-out").waitFor({ state: "hidden" });

    await page.frameLocator("iframe").getByText("Write").click();
    await page.frameLocator("iframe").getByText("Written").waitFor();
    await page.waitForTimeout(500);

    expect(await page.locator("#way-out").isVisible()).toBe(false);
  });

  test("storage shows the notice without a link if the page has no storage on its own either", async () => {
    const page = await openLocked(writes[0][1]);

    const notice = page.getByText(refusals.storage.here);
    await notice.waitFor();

    expect(await notice.getAttribute("href")).toBeNull();
  });
});

test("a page that reads storage, only tests it, or has its own error shows no notice and continues", async () => {
  const page = await openViewer(`<script>
      document.cookie; localStorage.best; sessionStorage.length; navigator.serviceWorker.getRegistrations(); window.caches; new Set(indexedDB.databases());
      localStorage.setItem("__test__", "1"); localStorage.removeItem("__test__");
      document.cookie = "test=1"; document.cookie = "test=; max-age=0";
      navigator.serviceWorker.register("sw.js").catch(() => {});
    </script>
    <script>setTimeout(() => { throw new Error('mine') })</script>
    <script>setTimeout(() => document.body.append("Later"), 700)</script>`);

  await page.frameLocator("iframe").getByText("Later").waitFor();

  expect(await page.locator("#way-out").isVisible()).toBe(false);
});

const frame = `<iframe id="inner" srcdoc="<p>Inner" onload="read()"></iframe>`;

/** Features that the viewer refuses, each with its notice. */
const needs = [
  ["a service worker", "service-worker", `<script>navigator.serviceWorker.register("sw.js")</script>`],
  ["a worker of another site", "worker", `<script>new Worker("https://elsewhere.example/w.js")</script>`],
  ["a PDF", "pdf", `<embed src="report.pdf" width="300" height="100">`],
  [
    "a PDF that a script adds",
    "pdf",
    `<script>onload = () => document.body.append(Object.assign(document.createElement("iframe"), { src: "a.pdf#page=2" }))</script>`,
  ],
  [
    "the document of a frame",
    "frame",
    `<script>function read() { inner.contentDocument.body.append("read") }</script>${frame}`,
  ],
  [
    "the window of a frame",
    "frame",
    `<script>function read() { inner.contentWindow.document.body.append("read") }</script>${frame}`,
  ],
  [
    "another refused feature",
    "other",
    `<script>Promise.reject(new DOMException("No.", "SecurityError"))</script>`,
  ],
] as const;

describe("a page in the viewer that needs", () => {
  test.each(needs)(
    "%s shows a notice for it, with a link to the raw page if that helps",
    async (_what, need, body) => {
      const { here, alone }: { readonly here: string; readonly alone?: string } = refusals[need];

      const page = await openViewer(body);

      const notice = page.getByText(alone ?? here);
      await notice.waitFor();
      if (alone === undefined) expect(await notice.getAttribute("href")).toBeNull();
      else expect(await notice.getAttribute("href")).toMatch(/\/raw$/);
    },
  );
});

function htmlOf(body: string): string {
  return `<!doctype html><title>Game</title><p>Here</p>${body}`;
}

async function openViewer(body: string): Promise<Page> {
  const { url } = await publish(account.api, { html: htmlOf(body) });
  const page = await browser.newPage();
  await page.goto(url);
  await page.frameLocator("iframe").first().getByText("Here").waitFor();
  return page;
}

async function openLocked(body: string): Promise<Page> {
  const { url } = await publish(account.api, { html: htmlOf(body), passcode: "open sesame" });
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByLabel(/passcode/i).fill("open sesame");
  await page.keyboard.press("Enter");
  return page;
}
