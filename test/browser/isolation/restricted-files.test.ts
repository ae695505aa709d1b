// @module-tag slow

import type { Browser, BrowserContext, FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlobResponse } from "../../../functions/blobs/schemas.ts";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../../support/accounts.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { ownerName } from "../../support/owner-address.ts";
import { commonWays, type ReadingWay } from "./reading-ways.ts";

/** Width in pixels by which the tests recognise the image. */
const widthOfImage = 3;
const image = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthOfImage}" height="1"><script>document.title="ran"</script></svg>`;

let browser: Browser;
/** Context of a signed-in reader. */
let reader: BrowserContext;
let account: Account;
let file: BlobResponse;
let shared: DropResponse;
let hostile: DropResponse;

beforeAll(async () => {
  [browser, account] = await Promise.all([openBrowser(), newAccount("images")]);
  file = await account.api.succeed("upload-blob", {
    // Restricted to another person: the page's readers see it because they may read the page.
    query: { filename: "image.svg", visibility: "people", readers: "nobody-we-know" },
    text: image,
    headers: { "content-type": "image/svg+xml" },
  });
  shared = await publish(account.api, { html: pageWith(file), visibility: "members" });
  hostile = await publish(account.api, { html: pageWith(file) });
  reader = await browser.newContext();
  await signInToRead(await reader.newPage());
});

afterAll(() => browser.close());

describe("a restricted image in a restricted page", () => {
  test("is shown in the viewer by its path, by its full URL and by srcset", async () => {
    const page = await reader.newPage();

    await page.goto(shared.url);

    for (const id of ["path", "whole", "listed"])
      await expect.poll(() => widthIn(page.frameLocator("iframe"), id)).toBe(widthOfImage);
    await page.close();
  });

  test("is shown in the page on its own", async () => {
    const page = await reader.newPage();

    await page.goto(shared.raw_url);

    await expect.poll(() => widthIn(page, "path")).toBe(widthOfImage);
    expect(await page.evaluate("window.origin")).toBe("null");
    await page.close();
  });

  test("is not shown in its owner's public pages, not even to readers of the restricted page", async () => {
    const page = await reader.newPage();

    for (const [address, place] of [
      [hostile.raw_url, page],
      [hostile.url, page.frameLocator("iframe")],
    ] as const) {
      await page.goto(address);
      await place.locator("#path").waitFor({ state: "attached" });
      await page.waitForLoadState("networkidle");
      expect(await widthIn(place, "path")).toBe(0);
    }
    await page.close();
  });
});

test.each(commonWays)("with $name, a page of the same owner cannot read a restricted image", async (way) => {
  const read = await tryWay(way, file.url);

  expect(read).not.toContain('document.title="ran"');
  expect(read).not.toMatch(/X-Amz-|\/k[A-Za-z0-9_-]{40}/);
});

test("a restricted image in its own window requires a sign-in, and is shown inert to its readers", async () => {
  const mine = await account.api.succeed("edit-blob", {
    params: { id: file.id },
    body: { visibility: "members" },
  });
  const nobody = await browser.newContext();
  const missing = await (await nobody.newPage()).goto(mine.url);
  expect([missing?.status(), new URL(missing?.url() ?? "").pathname]).toEqual([
    404,
    `/files/${ownerName(mine.url)}/${mine.id}`,
  ]);
  await nobody.close();
  const page = await reader.newPage();

  const shown = await page.goto(mine.url);

  expect([shown?.status(), new URL(page.url()).origin]).toEqual([200, baseUrl()]);
  expect(await page.locator("svg").count()).toBe(1);
  expect(await page.title()).not.toBe("ran");
  expect(await page.evaluate("window.origin")).toBe("null");
  await page.close();
});

test("the sign-in host does not serve a restricted image to its owner's pages, in an image or a frame", async () => {
  const address = `${baseUrl()}/files/${ownerName(file.url)}/${file.id}`;
  const page = await reader.newPage();
  await page.goto(hostile.raw_url);

  const outcome = await page.evaluate(`new Promise((resolve) => {
    const image = Object.assign(new Image(), { src: "${address}" });
    image.onload = () => resolve("loaded");
    image.onerror = () => resolve("refused");
  })`);
  const framed = page.waitForResponse(address);
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("iframe"), { src: "${address}" }))`,
  );

  expect([outcome, (await framed).status()]).toEqual(["refused", 404]);
  await page.close();
});

function pageWith({ url }: BlobResponse): string {
  const path = new URL(url).pathname;
  return `<!doctype html><body><img id="path" src="${path}"><img id="whole" src="${url}"><img id="listed" srcset="${path} 1x"><p>embeds`;
}

/** Returns the natural width of an image, which is 0 until it has loaded. */
function widthIn(place: Page | FrameLocator, id: string): Promise<number> {
  return place
    .locator(`#${id}`)
    .evaluate((found) => (found as unknown as { naturalWidth: number }).naturalWidth);
}

async function tryWay({ script }: ReadingWay, address: string): Promise<string> {
  const page = await reader.newPage();
  await page.goto(hostile.raw_url);
  const read = String(await page.evaluate(script(address)));
  await page.close();
  return read;
}

async function signInToRead(page: Page): Promise<void> {
  await page.goto(shared.url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("User name").fill("Grace Hopper");
  await page.getByRole("button").click();
  await page.frameLocator("iframe").getByText("embeds").waitFor();
  await page.close();
}
