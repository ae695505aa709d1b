import { existsSync } from "node:fs";
import { packedBrowser } from "@dropleaf/renderer/browser";
import {
  type Browser,
  type BrowserServer,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from "playwright-core";
import { patienceMs } from "./patience.ts";

/** Starts Chromium with its default web security and additional arguments. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { args = [], ...options } = await howToLaunch();
  return patient(await chromium.launch({ ...options, args: [...args, ...more] }));
}

/** Starts the browser that all tests of a run share, because starting one takes as long as most tests. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await howToLaunch()), host: "127.0.0.1" });
}

/** Connects to the shared browser. Windows and cookies are isolated and removed when the connection closes. */
export async function connectBrowser(endpoint: string): Promise<Browser> {
  return patient(await chromium.connect(endpoint, { timeout: patienceMs }));
}

async function howToLaunch(): Promise<LaunchOptions> {
  return {
    executablePath: await findChromium(),
    // Not the package's own arguments: they turn web security off.
    args: ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-dev-shm-usage"],
    timeout: patienceMs,
  };
}

function patient(browser: Browser): Browser {
  browser.on("context", (context) => context.setDefaultTimeout(patienceMs));
  return browser;
}

/**
 * Returns the browser's program: the one named by `CHROMIUM`, or the one that `npm ci` installs, built for Linux x64.
 *
 * @throws Error with instructions for installing a browser on another platform
 */
export async function findChromium(
  platform = `${process.platform}-${process.arch}`,
  given = process.env.CHROMIUM ?? "",
): Promise<string> {
  if (given !== "") {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM is ${JSON.stringify(given)}, and there is no such file.`);
  }
  if (platform === "linux-x64") return packedBrowser.executablePath();
  throw new Error(
    `npm brings no browser for ${platform}: install Chrome or Chromium, and set CHROMIUM to its program, such as "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" or /usr/bin/chromium.`,
  );
}

/** Collects the page's uncaught errors, failed resources, policy violations and browser warnings. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/^(error|warning)$/.test(message.type())) complaints.push(message.text());
  });
  return complaints;
}

/** Hovers over a button, then presses it, as a person does. The button ignores clicks without a preceding pointer. */
export async function pressArmed(button: Locator): Promise<void> {
  await button.hover({ force: true });
  // An earlier click would scroll the page away from the pointer.
  await becomeArmed(button);
  await button.click();
}

/** Waits until a button accepts clicks. */
export async function becomeArmed(button: Locator): Promise<void> {
  // Polled from the test: a page without scripts cannot wait by itself.
  while ((await button.evaluate((element) => getComputedStyle(element).pointerEvents)) !== "auto") {
    await button.page().waitForTimeout(50);
  }
}
