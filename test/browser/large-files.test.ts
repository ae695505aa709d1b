// @module-tag nightly

import { randomBytes } from "node:crypto";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAccount } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { publishFolder } from "../support/folders.ts";
import { openBrowser } from "../support/open-browser.ts";
import { rawPageOf } from "../support/owner-address.ts";
import { longMs } from "../support/patience.ts";

/** Number of bytes of samples: more than a function sends and a browser reads ahead. */
const samplesCount = 6_291_456;
const passcode = "open sesame";

/** Returns a WAV file with 786 seconds of noise. */
function noise(): Buffer {
  const header = Buffer.from(
    "RIFF____WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data____",
    "latin1",
  );
  header.writeUInt32LE(samplesCount + 36, 4);
  header.writeUInt32LE(samplesCount, 40);
  return Buffer.concat([header, randomBytes(samplesCount)]);
}

const entry = `<!doctype html><title>Lecture</title><link rel="icon" href="data:,"><audio src="lecture.wav" preload="metadata"></audio>`;

let browser: Browser;
let api: ApiClient;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("seek"));
});
afterAll(() => browser.close());

/** Seeks in the recording, and returns "seeked" or the error. */
function seek(page: Page, seconds: number): Promise<string> {
  return page.locator("audio").evaluate(async (element, to) => {
    const audio = element as HTMLAudioElement;
    const ended = new Promise<string>((resolve) => {
      audio.addEventListener("seeked", () => resolve("seeked"), { once: true });
      audio.addEventListener("error", () => resolve(`error: ${audio.error?.message}`), { once: true });
    });
    audio.currentTime = to;
    return ended;
  }, seconds);
}

test("a reader of a guarded folder can seek in a long recording after its signed URL has expired", async () => {
  const drop = await publishFolder(api, { "index.html": entry, "lecture.wav": noise() });
  await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  const page = await (await browser.newContext()).newPage();
  const redirects: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 302) redirects.push(new URL(response.url()).pathname);
  });
  await page.goto(rawPageOf(drop));
  await page.locator("[name=passcode]").fill(passcode);
  await page.locator("[name=passcode]").press("Enter");
  const audio = page.locator("audio");
  await expect
    .poll(() => audio.evaluate((element) => (element as HTMLAudioElement).duration))
    .toBeGreaterThan(700);
  redirects.length = 0;

  await page.waitForTimeout(9_000);
  const sought = await seek(page, 700);

  expect(sought).toBe("seeked");
  // The browser requested the expired URL, and then a new one from the service.
  expect(redirects).toContainEqual(expect.stringMatching(/^\/_files\//));
  expect(redirects).toContainEqual(expect.stringMatching(/^\/p\/\w{7}\/raw\/@k/));
});

test(
  "a page too large for a function has its charset, scripts, links and default style, in the viewer and raw",
  async () => {
    const noise = randomBytes(4_700_000).toString("base64");
    const large = `<!doctype html><html><head><meta charset="iso-8859-1"><title>Large</title><link rel="icon" href="data:,"></head><body><!--${noise}-->
<p id="o"></p><script src="app.js"></script><a href="next.html">Größe</a></body></html>`;
    const drop = await publishFolder(api, {
      "index.html": Buffer.from(large, "latin1"),
      "app.js":
        "o.textContent = [document.title, document.querySelectorAll('style').length, typeof localStorage]",
      "next.html": "<!doctype html><title>Next</title><p>the next page",
    });
    for (const address of [drop.url, rawPageOf(drop)]) {
      const page = await (await browser.newContext()).newPage();
      const complaints = complaintsOf(page);
      await page.goto(address);
      const shown = address === drop.url ? page.frameLocator("iframe") : page;

      await shown.getByText("Large,1,object").waitFor();
      await shown.getByRole("link", { name: "Größe" }).click();
      await shown.getByText("the next page").waitFor();

      expect(complaints).toEqual([]);
    }
  },
  longMs,
);

test("the viewer of a locked folder renews its key while it is open", async () => {
  const drop = await publishFolder(api, { "index.html": "<!doctype html><title>T</title><p>open" });
  await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
  const page = await (await browser.newContext()).newPage();
  await page.clock.install();
  await page.goto(drop.url);
  await page.locator("[name=passcode]").fill(passcode);
  await page.locator("[name=passcode]").press("Enter");
  await page.frameLocator("iframe").getByText("open").waitFor();

  const renewal = page.waitForResponse(
    (response) => /@k/.test(response.url()) && !response.request().frame().parentFrame(),
  );
  await page.clock.fastForward(400_000);

  expect((await renewal).status()).toBe(200);
});
