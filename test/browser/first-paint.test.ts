// @module-tag nightly
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAccount, publish } from "../support/accounts.ts";
import { median } from "../support/median.ts";
import { openBrowser } from "../support/open-browser.ts";

const paints = 9;
const ratioMax = 1.4;

/** A report of 150 KB. */
const row = "<tr><td>Harbour</td><td>Late ferries</td><td>17</td></tr>";
const report = `<!doctype html><title>Report</title><style>td{padding:4px}</style><table>${row.repeat(2_600)}</table>`;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

/** Returns the median time from the start of a navigation to the first paint, in milliseconds. */
async function firstPaintOf(url: string): Promise<number> {
  const times: number[] = [];
  while (times.length < paints) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => resolve(list.getEntries()[0]?.startTime ?? 0)).observe({
              type: "paint",
              buffered: true,
            });
          }),
      ),
    );
    await context.close();
  }
  return median(times);
}

test("the viewer of a report takes at most 1.4 times as long to paint as a plain server's page", async () => {
  const { api } = await newAccount("paint");
  const { url } = await publish(api, { html: report });
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(report);
  }).listen(0);
  await once(server, "listening");
  // The first views include cold starts.
  await firstPaintOf(url);

  const viewer = await firstPaintOf(url);
  const plain = await firstPaintOf(`http://localhost:${(server.address() as AddressInfo).port}/`);

  server.close();
  expect(viewer / plain).toBeLessThan(ratioMax);
});
