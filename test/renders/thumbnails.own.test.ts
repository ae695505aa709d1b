// @module-tag nightly

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pictureBytesMax } from "../../functions/renders/report.ts";
import { InspectedPage } from "../browser/pages/inspected-page.ts";
import { toToken } from "../browser/pages/page-walks.ts";
import { launchBrowser } from "../support/browser.ts";
import { patienceMs } from "../support/patience.ts";
import { type RunningService, startService } from "../support/running-service.ts";

const username = "mara";
const publicCount = 40;
const waiting = { timeout: patienceMs, interval: 300 };
const titles = [
  "Quarterly numbers for the board",
  "What we learned from forty interviews",
  "Étude de marché, printemps",
  "تقرير المبيعات",
  "3 ways to load a map",
];

let browser: Browser;
let service: RunningService;
let token: string;
const published: { slug: string; raw_url: string; url: string }[] = [];
let restricted: string;
let locked: string;

beforeAll(async () => {
  browser = await launchBrowser();
  const thumbnail = await drawThumbnail();
  service = await startService({
    fileSettings: { renders: true },
    unsafeDrawPageCode: `
      const thumbnail = { mediaType: "image/webp", widthPx: 320, heightPx: 200, bytes: ${JSON.stringify(thumbnail)} };
      const weight = { pageBytes: 1, fileBytes: 0, requests: 0 };
      export const drawPage = async () => ({ report: { views: [], weight }, pictures: { thumbnail }, milliseconds: 1 });`,
  });
  const page = await browser.newPage();
  await toToken(page, service.address, username);
  token = await page.locator("#token").innerText();
  await page.close();
  for (let index = 0; index < publicCount; index += 1) {
    published.push(await publish({ title: `${titles[index % titles.length]} ${index + 1}` }));
  }
  restricted = (await publish({ title: "For the team", visibility: "members" })).slug;
  locked = (await publish({ title: "The plan", passcode: "open sesame" })).slug;
  for (const { slug } of published) {
    const address = `${service.address}/p/${slug}/raw?drawn=thumbnail&v=1`;
    await vi.waitFor(async () => expect((await fetch(address)).status).toBe(200), waiting);
  }
});

afterAll(async () => {
  await browser.close();
  await service.stop();
});

test.each([
  [360, "dark"],
  [1_440, "light"],
] as const)(
  "an owner's page with 40 pictures is small and has no layout shift, %i pixels wide, %s",
  async (width, colorScheme) => {
    const view = { viewport: { width, height: 900 }, colorScheme };
    const inspected = await InspectedPage.open(browser, view);
    const { page } = inspected;
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      sizes.push(
        request
          .sizes()
          .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    });

    await page.goto(new URL("/", published[0]?.url).href);
    const pictures = page.locator("img.thumbnail");
    for (const picture of await pictures.all()) await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => pictures.evaluateAll(countShown), waiting).toBe(publicCount);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);

    expect(bytes).toBeLessThan(300_000);
    expect(await inspected.layoutShifts()).toEqual([]);
    expect(inspected.complaints).toEqual([]);
    const sideways = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(sideways).toBe(0);
    await inspected.close();
  },
);

test("an owner's list and the library show pictures of restricted pages without a public URL", async () => {
  const inspected = await InspectedPage.open(browser, { viewport: { width: 1_440, height: 900 } });
  const { page } = inspected;
  await page.goto(`${service.address}/account`);
  await page.getByLabel("User name").fill(username);
  await page.getByRole("button").click();
  await page.locator(".own").waitFor();
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator('img.thumbnail[src^="data:image/webp"]').count();
    }, waiting)
    .toBe(2);

  const rows = page.locator(".own > li");
  const sourceOf = (slug: string) =>
    rows
      .filter({ has: page.locator(`a[href$="${slug}"]`) })
      .locator("img")
      .getAttribute("src");
  expect(await sourceOf(restricted)).toMatch(/^data:/);
  expect(await sourceOf(locked)).toMatch(/^data:/);
  expect(await sourceOf(published[0]?.slug ?? "")).toMatch(/^http/);
  expect(await rows.locator("img").evaluateAll(countShown)).toBeGreaterThan(0);
  await page.goto(`${service.address}/library`);
  await expect.poll(() => page.locator(".shelf img.thumbnail").count(), waiting).toBeGreaterThanOrEqual(1);
  expect(inspected.complaints).toEqual([]);
  expect(await inspected.layoutShifts()).toEqual([]);
  for (const slug of [restricted, locked]) {
    const answer = await fetch(`${service.address}/p/${slug}/raw?drawn=thumbnail&v=1`);
    expect(answer.status).toBe(404);
  }
  await inspected.close();
});

function countShown(images: (SVGElement | HTMLElement)[]): number {
  return images.filter((image) => "naturalWidth" in image && Number(image.naturalWidth) > 0).length;
}

async function publish(fields: Readonly<Record<string, string>>) {
  const response = await fetch(`${service.address}/api/drops`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ html: "<!doctype html><p>A page", ...fields }),
  });
  expect(response.status).toBe(201);
  return response.json();
}

/** A picture with the size of a thumbnail, and close to the maximum number of bytes. */
async function drawThumbnail(): Promise<string> {
  const page = await browser.newPage();
  const drawn: string = await page.evaluate(`(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 200 });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 320, 200);
    context.fillStyle = "#345";
    context.font = "bold 18px sans-serif";
    context.fillText("Quarterly numbers", 16, 34);
    for (let bar = 0; bar < 12; bar += 1) {
      context.fillStyle = "hsl(" + bar * 30 + " 60% 55%)";
      context.fillRect(16 + bar * 24, 180 - bar * 9, 18, bar * 9 + 8);
    }
    for (let dot = 0; dot < 900; dot += 1) {
      context.fillStyle = "hsl(" + ((dot * 37) % 360) + " 30% 70%)";
      context.fillRect((dot * 53) % 320, 44 + ((dot * 29) % 50), 3, 2);
    }
    for (let quality = 1; quality > 0; quality -= 0.02) {
      const source = canvas.toDataURL("image/webp", quality).split(",")[1];
      if (atob(source).length <= ${pictureBytesMax.thumbnail}) return source;
    }
  })()`);
  await page.close();
  return drawn;
}
