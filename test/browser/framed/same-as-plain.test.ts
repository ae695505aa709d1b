// @module-tag slow

import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount } from "../../support/accounts.ts";
import { complaintsOf } from "../../support/browser.ts";
import { publishFolder } from "../../support/folders.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { longMs } from "../../support/patience.ts";
import { comparedFolder, comparedPages } from "./compared-pages.ts";
import { type PlainServer, servePlainly } from "./plain-server.ts";

const passcode = "open sesame";

let browser: Browser;
let plain: PlainServer;
const outcomes = new Map<string, Promise<string>>();

beforeAll(async () => {
  [browser, plain] = await Promise.all([openBrowser(), servePlainly(comparedFolder)]);
});
afterAll(async () => {
  await browser.close();
  plain.close();
});

describe.each(["open", "locked"] as const)("in the viewer's frame, a folder that is %s", (kind) => {
  let page: Page;
  let frame: Frame;
  let top: string;
  let complaints: readonly string[];

  beforeAll(async () => {
    const { api } = await newAccount("compared");
    const drop = await publishFolder(api, comparedFolder);
    if (kind === "locked")
      await api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
    page = await browser.newPage();
    complaints = complaintsOf(page);
    await page.goto(drop.url);
    if (kind === "locked") {
      await page.getByLabel("Passcode").fill(passcode);
      await page.getByRole("button", { name: "Open" }).click();
    }
    await page.frameLocator("iframe").getByText("here").waitFor();
    frame = page.frames()[1] as Frame;
    top = frame.url();
  }, longMs);

  test.each(comparedPages)("shows %s like a static server", { timeout: longMs }, async (name) => {
    if (!outcomes.has(name)) outcomes.set(name, openPlainly(name));
    await frame.goto(top + name);

    expect(await outcomeOf(frame)).toBe(await outcomes.get(name));
  });

  test("sends no SVG request that the browser refuses", () => {
    expect(complaints.filter((complaint) => complaint.includes("svg"))).toEqual([]);
  });
});

async function openPlainly(name: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(plain.address + name);
  return outcomeOf(page.mainFrame());
}

async function outcomeOf(frame: Frame): Promise<string> {
  const outcome = frame.locator("#o", { hasText: ":" });
  await outcome.waitFor({ timeout: longMs });
  return outcome.innerText();
}
