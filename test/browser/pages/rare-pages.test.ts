// @module-tag nightly

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { InspectedPage, narrowWindow, nothingFound, wideWindow } from "./inspected-page.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { framedPages, fullPages, rarePages } from "./rare-pages.ts";

let browser: Browser;
let server: PageServer;
let inspected: InspectedPage;

beforeAll(async () => {
  const pages = { ...rarePages, ...fullPages, ...framedPages };
  [browser, server] = await Promise.all([openBrowser(), startPageServer(pages)]);
  inspected = await InspectedPage.open(browser, {});
});

beforeEach(() => inspected.clear(narrowWindow));

afterAll(() => Promise.all([browser.close(), server.stop()]));

test.each(Object.keys(rarePages))(
  "%s is accessible in light, in dark and in print, stable, small, self-contained and fits any window",
  async (path) => {
    await inspected.page.goto(server.address + path);

    expect(await inspected.inspectBothWidths()).toEqual([nothingFound, nothingFound]);
  },
);

test.each(Object.keys(fullPages))("%s is small, and fits any window", async (path) => {
  await inspected.page.goto(server.address + path);

  expect(await inspected.inspect(undefined, [])).toEqual(nothingFound);
});

/** Tests one page of each kind. */
test.each([...Object.keys(fullPages), "/feedback-with-long-words", "/gate-wait", "/fault"])(
  "%s does not shift while its parts load",
  async (path) => {
    await inspected.page.setViewportSize(wideWindow);

    await inspected.page.goto(`${server.address}${path}?slowly`);

    expect(await inspected.layoutShifts()).toEqual([]);
  },
);

test("50 answers of 50 fields fit a narrow window, and keep names and numbers in sight in a wide one", async () => {
  const { page } = inspected;
  const answers = page.locator(".answers");
  const [name, number] = [
    page.getByRole("columnheader", { name: "question_1", exact: true }),
    page.getByRole("rowheader").first(),
  ];

  await page.goto(`${server.address}/own-answers-50`);
  expect(await answers.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);

  await page.setViewportSize(wideWindow);
  const [before, left] = [await name.boundingBox(), (await number.boundingBox())?.x];
  await answers.evaluate((part) => part.scrollBy(300, 300));
  expect((await name.boundingBox())?.y).toBe(before?.y);
  expect((await number.boundingBox())?.x).toBe(left);
  expect((await name.boundingBox())?.x).toBe((before?.x ?? 0) - 300);
});

test("an inspection finds unreadable text, layout shifts, overflow, a blocked script and heavy documents", async () => {
  const incompressible = Array.from({ length: 4_000 }, () => Math.random().toString(36)).join("");
  await inspected.page.route("**/wrong", (route) =>
    route.fulfill({
      headers: { "content-type": "text/html", "content-security-policy": "script-src 'nonce-abc'" },
      body: `<!doctype html><html lang="en"><title>Wrong</title><main><h1>Wrong</h1>
          <p style="color: #ddd; background: #fff; width: 500px">Pale and wide</p>
          <script>alert("not ours")</script>
          <script nonce="abc">
            console.warn("careful");
            new PerformanceObserver((list, painted) => {
              painted.disconnect();
              document.body.prepend(document.createElement("hr"));
            }).observe({ type: "paint", buffered: true });
          </script>
          <!-- ${incompressible} --></main></html>`,
    }),
  );

  await inspected.page.goto(`${server.address}/wrong`);
  await inspected.page.locator("hr").waitFor();
  const findings = await inspected.inspect();

  expect(findings.accessibility).toEqual(
    expect.arrayContaining([expect.stringMatching(/^light: color-contrast at p/)]),
  );
  for (const complaint of ["Content Security Policy", "ContentSecurityPolicyIssue", "careful"])
    expect(
      findings.complaints.filter((one) => one.includes(complaint)),
      complaint,
    ).toHaveLength(1);
  expect(findings.complaints).toHaveLength(3);
  expect(findings.layoutShifts.length).toBeGreaterThan(0);
  expect(findings.sidewaysPixels).toBeGreaterThan(100);
  expect(findings.heavyDocuments).toHaveLength(1);
});
