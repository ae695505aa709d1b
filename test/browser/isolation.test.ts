import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DropAnswer } from "../../functions/contract/answers.ts";
import { newAccount, pageOf, publish } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { baseUrl } from "../support/http.ts";
import { startSignIn } from "../support/sign-in.ts";

let browser: Browser;
let page: Page;
let drop: DropAnswer;
let strangersDrop: DropAnswer;

beforeAll(async () => {
  const [owner, stranger] = await Promise.all([newAccount("script"), newAccount("script-stranger")]);
  drop = await publish(owner.api, { html: pageOf("a page with a script") });
  strangersDrop = await publish(stranger.api, { html: pageOf("another's page") });
  browser = await launchBrowser();
});

afterAll(() => browser.close());

beforeEach(async () => {
  page = await browser.newPage();
});

describe("a script in a published page", () => {
  test("in the viewer has an opaque origin: no storage, no cookies, no parent", async () => {
    await page.goto(drop.url);
    await page.frameLocator("iframe").getByText("a page with a script").waitFor();
    const frame = page.frames()[1];

    const found = {
      origin: await frame?.evaluate("window.origin"),
      storage: await frame?.evaluate(outcomeOf("localStorage.length")),
      cookies: await frame?.evaluate(outcomeOf("document.cookie")),
      parent: await frame?.evaluate(outcomeOf("parent.document.title")),
    };

    expect(found).toEqual({
      origin: "null",
      storage: "SecurityError",
      cookies: "SecurityError",
      parent: "SecurityError",
    });
  });

  test("on the base host has an opaque origin too, even when the page is opened by itself", async () => {
    await page.goto(`${baseUrl()}/p/${drop.slug}/raw`);

    expect(await page.evaluate("window.origin")).toBe("null");
    expect(await page.evaluate(outcomeOf("document.cookie"))).toBe("SecurityError");
    expect(await page.evaluate(fetched(`${baseUrl()}/login`))).toBe("TypeError");
  });

  test("on its owner's host can store things of its own", async () => {
    await page.goto(drop.raw_url);

    expect(await page.evaluate("localStorage.setItem('key', 'value'), localStorage.getItem('key')")).toBe(
      "value",
    );
  });

  test("on its owner's host cannot read another owner's page, a sign-in page or the API", async () => {
    const { verification_url, poll_token } = await startSignIn();
    await page.goto(drop.raw_url);

    for (const address of [
      strangersDrop.raw_url,
      strangersDrop.url,
      verification_url,
      `${baseUrl()}/login`,
      `${baseUrl()}/api/auth/poll?token=${poll_token}`,
    ]) {
      expect(await page.evaluate(fetched(address)), address).toBe("TypeError");
    }
  });

  test.each(["/login", "/verify"])("cannot frame %s to trick people into pressing on it", async (path) => {
    const { verification_url } = await startSignIn();
    const address = path === "/verify" ? verification_url : baseUrl() + path;
    await page.goto(drop.raw_url);

    await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = resolve;
      frame.src = ${JSON.stringify(address)};
      document.body.append(frame);
    })`);

    const framed = page.frames()[1];
    expect(framed?.url()).not.toBe(address);
    expect(await framed?.evaluate("document.querySelectorAll('a, form').length")).toBe(0);
  });
});

/** Evaluates the expression in the page; the name of what it throws, or "allowed". */
function outcomeOf(expression: string): string {
  return `(() => { try { void (${expression}); return "allowed"; } catch (error) { return error.name; } })()`;
}

/** Fetches the address from the page with its cookies; the name of what is thrown, or what could be read. */
function fetched(address: string): string {
  const options = '{ credentials: "include" }';
  return `fetch(${JSON.stringify(address)}, ${options}).then((answer) => answer.text(), (error) => error.name)`;
}
