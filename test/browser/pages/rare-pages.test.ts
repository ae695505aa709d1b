// @module-tag slow

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { InspectedPage, narrowWindow, nothingFound, wideWindow } from "./inspected-page.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { framedPages, rarePages } from "./rare-pages.ts";

let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  [browser, server] = await Promise.all([openBrowser(), startPageServer({ ...rarePages, ...framedPages })]);
});

afterAll(() => Promise.all([browser.close(), server.stop()]));

const paths = Object.keys(rarePages);

describe.concurrent("in light, in dark and in print", () => {
  test.each(paths)(
    "%s is accessible, still, small, our own alone, and as wide as any window",
    async (path) => {
      const inspected = await InspectedPage.open(browser, { viewport: narrowWindow });

      await inspected.page.goto(server.address + path);
      const findings = await inspected.inspectBothWidths();

      expect(findings).toEqual([nothingFound, nothingFound]);
      await inspected.close();
    },
  );
});

test.concurrent.each(paths)("%s does not move while its parts arrive", async (path) => {
  const inspected = await InspectedPage.open(browser, { viewport: wideWindow });

  await inspected.page.goto(`${server.address}${path}?slowly`);
  const shifts = await inspected.layoutShifts();

  expect(shifts).toEqual([]);
  await inspected.close();
});

describe("an inspection", () => {
  test("finds what is wrong: unreadable text, movement, overflow, a script that is not ours, and weight", async () => {
    const inspected = await InspectedPage.open(browser, { viewport: { width: 360, height: 740 } });
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
    await inspected.close();
  });
});
