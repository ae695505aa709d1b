// @module-tag slow

import pLimit from "p-limit";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Account, newAccount, publish } from "../../support/accounts.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { patiently } from "../../support/patience.ts";
import { hostileFiles } from "./hostile-files.ts";

const binding = "tellTest";

/**
 * Ways in which a page of the files' owner loads a file, so that a browser runs any script that it would run. The script's value is awaited,
 * except in `isFramed` ways: a frame whose file is downloaded fires no event.
 */
const ways = [
  ["in frames", added("iframe", "src"), { isFramed: true }],
  ["as objects", added("object", "data"), { isFramed: true }],
  ["embedded", added("embed", "src"), { isFramed: true }],
  ["as pictures", ended(added("img", "src")), { isFramed: false }],
  ["as videos", ended(added("video", "src")), { isFramed: false }],
  ["as scripts", ended(added("script", "src")), { isFramed: false }],
  ["as modules", "import(address).catch(() => {})", { isFramed: false }],
  // A worker has no binding, so its script ends with an error, too.
  ["as workers", ended("new Worker(address)"), { isFramed: false }],
  ["as service workers", "navigator.serviceWorker.register(address).catch(() => {})", { isFramed: false }],
] as const;

describe("an uploaded file", () => {
  let browser: Browser;
  let visitor: BrowserContext;
  let account: Account;
  let addresses: readonly string[];
  /** Files that ran, as `<way>: <file>`. */
  const ran = new Set<string>();
  /** The way that each window tries. */
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
    await Promise.all(ways.map((way) => takeUp(raw_url, way)));
  });

  afterAll(() => browser.close());

  describe.each(hostileFiles.map((file, index) => ({ ...file, index })))("$name", ({ index }) => {
    test.each(ways)("runs nothing when a page loads it %s", (way) => {
      expect(ran).not.toContain(`${way}: ${index}`);
    });

    test("runs nothing and has no origin in its own window", async () => {
      const page = await visitor.newPage();

      const shown = await page.goto(addresses[index] ?? "").catch((error: Error) => error.message);

      // A file that is not shown is downloaded, which aborts the navigation.
      if (typeof shown === "string") expect(shown).toContain("Download is starting");
      else expect(await page.evaluate("origin")).toBe("null");
      expect([...ran].filter((one) => one.endsWith(`: ${index}`))).toEqual([]);
      await page.close();
    });
  });

  test.each(ways)("control: the page that loads the files %s runs its own script", (way) => {
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

  /** Loads all files in one way, and waits until their scripts have run. */
  async function takeUp(address: string, [way, script, { isFramed }]: (typeof ways)[number]): Promise<void> {
    const page = await visitor.newPage();
    wayOf.set(page, way);
    const answered = new Set<string>();
    for (const event of ["requestfinished", "requestfailed"] as const)
      page.on(event as "requestfinished", (request) => answered.add(request.url()));
    await page.goto(address);
    await page.evaluate(
      `Promise.all(${JSON.stringify(addresses)}.map((address) => ${script})).then(() => {})`,
    );
    if (!isFramed) return;
    await vi.waitFor(() => expect(addresses.filter((one) => !answered.has(one))).toEqual([]), patiently);
    const shown = page.frames().filter((frame) => addresses.includes(frame.url()));
    await Promise.all(shown.map((frame) => frame.waitForLoadState()));
  }
});

/** Returns a script that reports a file, without double quotation marks so that it fits in an attribute. */
function telling(file: string): string {
  return `globalThis.${binding}('${file}')`;
}

function added(element: string, attribute: string): string {
  return `document.body.appendChild(Object.assign(document.createElement("${element}"), { ${attribute}: address }))`;
}

/** Returns a script that waits until an element or worker has loaded its file or failed to. */
function ended(made: string): string {
  return `new Promise((resolve) => {
    const made = ${made};
    made.onload = made.onloadeddata = made.onerror = resolve;
  })`;
}
