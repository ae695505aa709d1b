// @module-tag slow

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaintsOf, pressArmed } from "../support/browser.ts";
import { callback, discover, registerClient, startAuthorization } from "../support/oauth.ts";
import { openBrowser } from "../support/open-browser.ts";
import { unusedUsername } from "../support/sign-in.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser.close());

test.each(["cursor://anysphere.cursor-mcp/oauth/callback", callback])(
  "a browser continues from the consent page to a client at %s",
  async (redirectUri) => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const client = await registerClient(await discover(), { redirect_uris: [redirectUri] });
    await page.goto((await startAuthorization(client, { redirect_uri: redirectUri })).url.href);
    await page.getByLabel("User name").fill(unusedUsername("oauth-browser"));
    await page.getByRole("button").click();
    const allow = page.getByRole("button", { name: "Allow", exact: true });
    await allow.waitFor();

    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().method() === "POST"),
      page.waitForRequest((one) => one.url().startsWith(`${redirectUri}?code=`)),
      pressArmed(allow),
    ]);

    expect(response.headers().location).toContain(`${redirectUri}?code=`);
    expect(complaints.filter((one) => one.includes("form-action"))).toEqual([]);
  },
);
