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

/** Starts Chromium with its web security as people have it, and with further arguments. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { args = [], ...options } = await howToLaunch();
  return patient(await chromium.launch({ ...options, args: [...args, ...more] }));
}

/** The same for all tests of a run: to start one takes as much as most of them do. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await howToLaunch()), host: "127.0.0.1" });
}

/** One of those who look through a browser that runs: its windows and cookies are nobody else's, and end with it. */
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
 * The browser's program: the one that `CHROMIUM` names, else the one that comes with `npm ci`, which is built for Linux x64.
 *
 * @throws Error that says in a line what to install on another machine
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

/** Collects what the page complains of: uncaught errors, refused resources, breaches of its own policy, and what the browser warns of. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/^(error|warning)$/.test(message.type())) complaints.push(message.text());
  });
  return complaints;
}

/** Presses a button as a person does, who points at it first: it takes no click of a pointer that was not there before. */
export async function pressArmed(button: Locator): Promise<void> {
  await button.hover({ force: true });
  // A click that is tried before scrolls the page from under the pointer.
  await becomeArmed(button);
  await button.click();
}

/** Waits until a button takes clicks. */
export async function becomeArmed(button: Locator): Promise<void> {
  // Asked from here: a page without scripts cannot wait by itself.
  while ((await button.evaluate((element) => getComputedStyle(element).pointerEvents)) !== "auto") {
    await button.page().waitForTimeout(50);
  }
}
