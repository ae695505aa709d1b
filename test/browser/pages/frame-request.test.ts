import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { page as pageResponse } from "../../../functions/html/page.ts";
import { renderViewerPage } from "../../../functions/viewer/viewer-page.tsx";
import { someVersions, viewerProps } from "../../html/page-fixtures.ts";
import { openBrowser } from "../../support/open-browser.ts";

const versionsMax = 200;
const frameUrl = `/raw?v=${versionsMax}`;

let browser: Browser;
let server: Server;
let address: string;
const asked: string[] = [];
let noteFrameRequest: () => void;
const frameRequested = new Promise<void>((resolve) => {
  noteFrameRequest = resolve;
});

/** Sends the end of the viewer only after the page in its frame has been requested. */
beforeAll(async () => {
  const { headers, body } = pageResponse("viewer", (nonce) => {
    const versions = someVersions(versionsMax);
    return renderViewerPage(viewerProps({ versions, version: versionsMax, frameUrl, nonce }));
  });
  const html = String(body);
  const frameEnd = html.indexOf("</iframe>");
  server = createServer(async ({ url = "" }, response) => {
    asked.push(url);
    if (url === "/view") {
      response.writeHead(200, headers).write(html.slice(0, frameEnd));
      await frameRequested;
      response.end(html.slice(frameEnd));
      return;
    }
    if (url === frameUrl) noteFrameRequest();
    // Not cached, so that a second request would reach the server.
    response
      .writeHead(200, { "content-type": "text/html", "cache-control": "no-store" })
      .end("<h1>Page</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  address = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

test("a view requests the framed page once, as soon as its frame exists, and logs no warnings", {
  tags: "slow",
}, async () => {
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on("console", (message) => messages.push(message.text()));

  await page.goto(`${address}/view`);
  await page.frameLocator("iframe").getByText("Page").waitFor();

  // A browser may request other files of the host, such as an icon.
  expect(
    asked.filter((url) => url === frameUrl),
    asked.join(" "),
  ).toEqual([frameUrl]);
  expect(messages).toEqual([]);
});
