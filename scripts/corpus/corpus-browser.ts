import type { Browser, BrowserContextOptions } from "playwright-core";
import { toOwnPage, toToken } from "../../test/browser/pages/page-walks.ts";
import { launchBrowser } from "../../test/support/browser.ts";

const ownHostsOnly =
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE localhost, EXCLUDE 127.0.0.1";

/** Starts a browser that can reach only this machine, because content from other sites would distort the comparison. */
export function launchCorpusBrowser(): Promise<Browser> {
  return launchBrowser([ownHostsOnly]);
}

/** Signs in the corpus's owner. Returns an API token. */
export async function signInOwner(browser: Browser, address: string): Promise<string> {
  const page = await browser.newPage();
  await toToken(page, address, "corpus");
  const token = await page.locator("#token").innerText();
  await page.close();
  return token;
}

/** Signs in a reader of restricted drops. Returns the reader's cookies. */
export async function signInReader(
  browser: Browser,
  address: string,
): Promise<BrowserContextOptions["storageState"]> {
  const context = await browser.newContext();
  await toOwnPage(await context.newPage(), `${address}/account`, "corpus-reader");
  const state = await context.storageState();
  await context.close();
  return state;
}
