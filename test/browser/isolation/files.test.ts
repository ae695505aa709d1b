// @module-tag slow

import pLimit from "p-limit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../../support/accounts.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { hostileFiles } from "./hostile-files.ts";

const binding = "tellTest";

/** Ways in which a page of the files' owner loads them all. Each makes a browser run what it would run. */
const ways = [
  ["in frames", added("iframe", "src")],
  ["as objects", added("object", "data")],
  ["embedded", added("embed", "src")],
  ["as pictures", added("img", "src")],
  ["as videos", added("video", "src")],
  ["as scripts", added("script", "src")],
  ["as modules", `addresses.map((address) => import(address).catch(() => {}))`],
  ["as workers", `addresses.map((address) => new Worker(address))`],
  [
    "as service workers",
    `addresses.map((address) => navigator.serviceWorker.register(address).catch(() => {}))`,
  ],
] as const;

describe("files of other types", () => {
  let browser: Browser;
  let visitor: BrowserContext;
  let account: Account;
  let addresses: readonly string[];
  /** Files that ran, as `<way>: <file>`. */
  const ran = new Set<string>();
  /** Which way a window is trying. */
  const wayOf = new Map<Page, string>();

  beforeAll(async () => {
    [browser, account] = await Promise.all([openBrowser(), newAccount("files")]);
    visitor = await browser.newContext();
    await visitor.exposeBinding(binding, ({ page }, file: string) => {
      ran.add(`${wayOf.get(page) ?? "in a window"}: ${file}`);
    });
    addresses = await pLimit(4).map(hostileFiles, upload);
    const { raw_url } = await publish(account.api, {
      html: `<body><script>${telling("control")}</script>`,
    });
    await Promise.all(ways.map(([way, script]) => takeUp(raw_url, way, script)));
  });

  afterAll(() => browser.close());

  describe.each(hostileFiles.map((file, index) => ({ ...file, index })))("$name", ({ index }) => {
    test.each(ways)("runs nothing %s", (way) => {
      expect(ran).not.toContain(`${way}: ${index}`);
    });

    test("runs nothing and has no origin in a window of its own", async () => {
      const page = await visitor.newPage();

      const shown = await page.goto(addresses[index] ?? "").catch((error: Error) => error.message);

      // What is not shown is a download, which ends the way to the page.
      if (typeof shown === "string") expect(shown).toContain("Download is starting");
      else expect(await page.evaluate("origin")).toBe("null");
      expect([...ran].filter((one) => one.endsWith(`: ${index}`))).toEqual([]);
      await page.close();
    });
  });

  test.each(ways)("a page that takes them up %s runs", (way) => {
    expect(ran).toContain(`${way}: control`);
  });

  async function upload(
    { filename, contentType, body }: (typeof hostileFiles)[number],
    index: number,
  ): Promise<string> {
    const options = {
      query: { filename },
      text: body(telling(String(index))),
      headers: { "content-type": contentType },
    };
    return (await account.api.succeed("upload-blob", options)).url;
  }

  async function takeUp(address: string, way: string, script: string): Promise<void> {
    const page = await visitor.newPage();
    wayOf.set(page, way);
    await page.goto(address);
    await page.evaluate(`(() => { const addresses = ${JSON.stringify(addresses)}; ${script}; })()`);
    await page.waitForTimeout(1_000);
  }
});

/** A script, without quotation marks that would end an attribute. */
function telling(file: string): string {
  return `globalThis.${binding}('${file}')`;
}

function added(element: string, attribute: string): string {
  return `addresses.map((address) => {
    const holder = document.createElement("${element}");
    holder.${attribute} = address;
    document.body.append(holder);
  })`;
}
