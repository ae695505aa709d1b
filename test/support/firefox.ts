import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import puppeteer, {
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type Frame,
  type Page,
} from "puppeteer-core";
import { patienceMs } from "./patience.ts";

/** Debian's package name first: https://packages.debian.org/firefox-esr. */
const programs = ["firefox-esr", "firefox"];

/** Firefox's program: the one named by `FIREFOX`, or one on the path; undefined where neither exists. */
export const firefoxProgram: string | undefined = process.env.FIREFOX || onPath();

/** Time allowed for Firefox to exit before its process is killed. */
const endsWithinMs = 10_000;
const lookAgainMs = 50;
const pressAgainMs = 3_000;

/** Firefox, driven over WebDriver BiDi. Playwright can only drive its own build of Firefox. */
export class Firefox {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Starts Firefox with a new profile. */
  static async start(): Promise<Firefox> {
    if (firefoxProgram === undefined) throw new Error("Firefox is not installed.");
    const browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: firefoxProgram,
      timeout: patienceMs,
      protocolTimeout: patienceMs,
    });
    return new Firefox(browser);
  }

  /** Opens a window with its own cookies. */
  async open(): Promise<FirefoxWindow> {
    const context = await this.#browser.createBrowserContext();
    return new FirefoxWindow(context, await context.newPage());
  }

  /** Closes the browser and its process. */
  async close(): Promise<void> {
    const program = this.#browser.process();
    await Promise.race([this.#browser.close(), setTimeout(endsWithinMs, undefined, { ref: false })]);
    if (program?.exitCode === null && program.signalCode === null) program.kill("SIGKILL");
  }
}

/**
 * A window of Firefox. It polls for the expected content and ignores the driver's load events: after a viewer, the
 * event for the next page is missing.
 */
export class FirefoxWindow {
  readonly context: BrowserContext;
  readonly page: Page;

  constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.setDefaultTimeout(patienceMs);
  }

  /** Opens an address and follows its redirects. */
  async goTo(address: string): Promise<void> {
    const before = await this.#document();
    // It may fail although the page is loaded. The displayed address decides.
    void this.page.goto(address).catch(() => undefined);
    await until(`a page after ${before}`, async () => (await this.#document()) !== before);
  }

  /** Waits until a page at a matching address is loaded. */
  async standsAt(address: string | RegExp): Promise<void> {
    const fits = (at: string) => (typeof address === "string" ? at === address : address.test(at));
    await until(`the address ${address}`, async () => fits(String(await this.evaluate("location.href"))));
    await until("a whole page", async () => (await this.evaluate("document.readyState")) === "complete");
  }

  /** Waits until a page at another address is loaded. */
  async leaves(address: string): Promise<void> {
    const isThere = `location.href !== ${JSON.stringify(address)} && document.readyState === "complete"`;
    await until(`something else than ${address}`, async () => (await this.evaluate(isThere)) === true);
  }

  /** Waits until the page, or one of its frames, shows these words. Returns that frame. */
  async shows(words: string): Promise<Frame> {
    const text = `document.body?.innerText ?? ""`;
    return until(`“${words}” at ${this.page.url()}`, async () => {
      for (const frame of this.page.frames())
        if (String(await frame.evaluate(text).catch(() => "")).includes(words)) return frame;
      return undefined;
    });
  }

  /** Replaces the value of the field whose label starts with this text. */
  async fill(label: string, value: string): Promise<void> {
    const labelled = `[...document.querySelectorAll("label")].find((one) => one.textContent.trim().startsWith(${JSON.stringify(label)}))?.control`;
    const field = await this.#element(`the field ${label}`, labelled);
    await field.focus();
    await this.page.evaluate("document.activeElement.select()");
    await this.page.keyboard.type(value);
  }

  /** Presses the link or button whose text starts with these words. */
  async press(words: string): Promise<void> {
    const named = `[...document.querySelectorAll("a, button, summary")].find((one) => one.textContent.trim().startsWith(${JSON.stringify(words)}))`;
    await (await this.#element(`the button ${words}`, named)).click();
  }

  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown> {
    return this.page.evaluate(expression);
  }

  /**
   * Presses the back button until this address is shown, because a frame may go back first. If a slow machine went
   * back too far, opens the address instead: pressing forward might skip it.
   */
  async backTo(address: string): Promise<void> {
    const isThere = `location.href === ${JSON.stringify(address)} && document.readyState === "complete"`;
    const from = await this.#document();
    let pressedAtMs = 0;
    await until(`${address} again`, async () => {
      if ((await this.evaluate(isThere)) === true) return true;
      if (Date.now() - pressedAtMs > pressAgainMs) {
        pressedAtMs = Date.now();
        const now = await this.#document();
        if (now === from) void this.page.goBack().catch(() => undefined);
        else if (now !== "" && !now.startsWith(`${address} since`))
          void this.page.goto(address).catch(() => undefined);
      }
      return false;
    });
  }

  /** Closes the person's other windows. */
  async closeOthers(): Promise<void> {
    const others = (await this.context.pages()).filter((one) => one !== this.page);
    await Promise.all(others.map((one) => one.close()));
  }

  async #element(what: string, expression: string): Promise<ElementHandle<Element>> {
    return until(
      what,
      async () => (await this.page.evaluateHandle(expression)).asElement() as ElementHandle<Element> | null,
    );
  }

  /** Identifies a document by its address and its start time. */
  async #document(): Promise<string> {
    return String(await this.evaluate("location.href + ' since ' + performance.timeOrigin").catch(() => ""));
  }
}

async function until<Found>(
  what: string,
  find: () => Promise<Found | undefined | null | false>,
): Promise<Found> {
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs; await setTimeout(lookAgainMs)) {
    // Between two pages, no document exists.
    const found = await find().catch(() => undefined);
    if (found) return found;
  }
  throw new Error(`Firefox did not come to show ${what}.`);
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
