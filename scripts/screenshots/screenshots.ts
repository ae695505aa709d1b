/**
 * `npm run screenshots` updates the files in docs/screenshots: it runs the service with sample content, opens the service's pages in
 * Chromium as a person would, and captures each page. With `-- --all <folder>`, it captures the whole of every page at every width and in
 * both colour schemes, for review. `PORT` is the service's port, as for `npm start`.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { LocalCloud } from "@dropleaf/local-cloud";
import { requireFreePort } from "@dropleaf/local-cloud/free-port";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { findOrSynthesize } from "../../local/assembly-cache.ts";
import { parseLocalSettings } from "../../local/local-settings.ts";
import { renderingProblem } from "../../local/stack-settings.ts";
import { startDropleaf } from "../../local/start-dropleaf.ts";
import { type PageWalk, pageWalks, toToken } from "../../test/browser/pages/page-walks.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { startSampleChat } from "./sample-chat.ts";
import { publishSamples } from "./samples.ts";

const bytesMax = 200 * 1024;
/** Window heights by window width, in pixels. */
const heights = { 360: 740, 768: 1024, 1440: 900 };

/** User name of the samples' owner. */
const ownerUsername = "Mara";

const isAll = process.argv.includes("--all");
const [folder = "docs/screenshots"] = process.argv.slice(2).filter((argument) => argument !== "--all");
await renew(resolve(folder));

async function renew(outputFolder: string): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  const directory = await mkdtemp(join(tmpdir(), "dropleaf-screenshots-"));
  const cloud = await start(directory);
  const browser = await launchBrowser();
  try {
    await takeAll(cloud, browser, outputFolder);
  } finally {
    await browser.close();
    await cloud.stop();
    await rm(directory, { recursive: true });
  }
}

async function start(directory: string): Promise<LocalCloud> {
  const { port } = parseLocalSettings(process.env);
  await requireFreePort(port);
  const assetsDirectory = join(directory, "cdk.out");
  const identityProvider = { kind: "oidc", issuer: `http://localhost:${port + 1}` } as const;
  const settings = { baseUrl: `http://localhost:${port}`, identityProvider, stage: "throwaway" } as const;
  const contact = { securityContact: "mailto:security@example.com" };
  const features = { renders: renderingProblem === undefined, members: "anyone", ...contact } as const;
  await findOrSynthesize({ ...settings, ...features }, assetsDirectory, { port });
  return startDropleaf({ assetsDirectory, port, dataDirectory: join(directory, "data"), log: () => {} });
}

async function takeAll(cloud: LocalCloud, browser: Browser, outputFolder: string): Promise<void> {
  const { address } = cloud;
  const token = await takeToken(browser, address);
  const samples = await publishSamples(cloud, token);
  // `pageWalks` does not contain the documentation page, which is longer than any other page and has its own tests.
  const docs: PageWalk = { name: "docs", open: (page) => page.goto(`${address}/docs`) };
  const chat = await startSampleChat({ address, token, url: samples.dropUrl });
  for (const walk of [...pageWalks({ address, ...samples, ownerUsername }), docs, chat.walk]) {
    for (const [width, height] of Object.entries(heights))
      for (const colorScheme of ["light", "dark"] as const) {
        const path = join(outputFolder, `${walk.name}-${width}-${colorScheme}.png`);
        if (!isAll && !existsSync(path)) continue;
        await capture(browser, walk, path, { viewport: { width: Number(width), height }, colorScheme });
      }
  }
  await chat.stop();
}

/** Opens a page in a new window, and writes a screenshot of its visible part or of the whole page. */
async function capture(browser: Browser, walk: PageWalk, path: string, window: BrowserContextOptions) {
  const context = await browser.newContext({ ...window, reducedMotion: "reduce" });
  const page = await context.newPage();
  await walk.open(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path, fullPage: isAll });
  await context.close();
  const { size } = await stat(path);
  console.log(`${path} ${Math.round(size / 1024)} KB`);
  if (!isAll && size > bytesMax) throw new Error(`${path} has ${size} bytes; the limit is ${bytesMax}.`);
}

async function takeToken(browser: Browser, address: string): Promise<string> {
  const page = await browser.newPage();
  await toToken(page, address, ownerUsername);
  const token = await page.locator("#token").innerText();
  await page.close();
  return token;
}
