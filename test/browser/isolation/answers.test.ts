// @module-tag slow

import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../../support/accounts.ts";
import { pressArmed } from "../../support/browser.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { rawPageOf } from "../../support/owner-address.ts";
import { signedBody } from "../../support/sent-answers.ts";
import { toOwnPage } from "../pages/page-walks.ts";

// Hostile pages attack a drop's form, and the buttons with which a signed-in reader signs. test/abuse/answers-from-elsewhere.test.ts
// sends requests with a reader's cookies, which hosts below localhost do not share.

const poll = (script = "") =>
  `<!doctype html><html lang="en"><title>Approval</title><form data-answers="vote"><select name="choice"><option>No<option>Yes</select>
  <label>Why? <input name="why"></label><button>Send</button></form><script>${script}</script></html>`;

const tried = "https://elsewhere.invalid/tried";
/** Sends the form repeatedly. It requests the image after the viewer has replied. */
const persistent = `let tries = 0;
  setInterval(() => {
    document.forms[0].requestSubmit();
    if (document.querySelector("[role=status]") && ++tries === 10) new Image().src = "${tried}";
  }, 20);`;

let browser: Browser;
let owner: Account;
let reader: Account;
let signedIn: BrowserContext;

beforeAll(async () => {
  [browser, owner, reader] = await Promise.all([openBrowser(), newAccount("hostile"), newAccount("reader")]);
  signedIn = await browser.newContext();
  const page = await signedIn.newPage();
  await toOwnPage(page, `${baseUrl()}/account`, reader.username);
  await page.close();
});

afterAll(() => browser.close());

const publishForm = (script?: string) => publish(owner.api, { html: poll(script), answers: "readers" });

async function openViewer({ slug }: DropResponse): Promise<{ page: Page; frame: Frame }> {
  const page = await signedIn.newPage();
  await page.goto(`${baseUrl()}/p/${slug}`);
  await page.frameLocator("#page").getByRole("button").waitFor();
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error("The viewer has no frame.");
  return { page, frame };
}

async function answersOf({ slug }: DropResponse) {
  const { answers } = await owner.api.succeed("list-answers", { params: { slug } });
  return answers.map(({ fields, author }) => ({ ...fields, name: author.name }));
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Your answer" });
const signButton = (page: Page) => page.getByRole("button", { name: `Send as ${reader.username}` });

/** Returns a script that sends the viewer a message and resolves to its reply. Evaluating it counts as a click of the reader. */
function asks(address: string, text: string): string {
  return `new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data.message);
    parent.postMessage({ dropleaf: "answer", address: ${JSON.stringify(address)}, text: ${JSON.stringify(text)} }, "*", [port2]);
  })`;
}

describe("a page in the viewer", () => {
  test.each(["name", "none"])("cannot choose as=%s for its reader in a message of its form", async (as) => {
    const drop = await publishForm();
    const { page, frame } = await openViewer(drop);

    for (const query of [`?form=vote&as=${as}`, `?as=${as}&form=vote`, `?form=vote&%61s=${as}`])
      await frame.evaluate(asks(`https://x.example/${query}`, signedBody("choice=Yes", reader.username)));

    expect(await answersOf(drop)).toEqual([]);
    await page.close();
  });

  test("cannot send an answer for a visitor who has not clicked anything", async () => {
    const drop = await publishForm(persistent);
    const visitor = await browser.newContext();
    const page = await visitor.newPage();

    // This test evaluates no script, because that would count as a click.
    await Promise.all([page.waitForRequest(tried), page.goto(`${baseUrl()}/p/${drop.slug}`)]);

    expect(await answersOf(drop)).toEqual([]);
    await visitor.close();
  });

  test("cannot use a click or a key press meant for itself to sign", async () => {
    const drop = await publishForm();
    const { page, frame } = await openViewer(drop);
    await stopTime(page);
    await frame.getByLabel("Why?").fill("because");

    await frame.getByLabel("Why?").press("Enter");
    await dialogOf(page).waitFor();
    for (const key of ["Enter", "Space", "Enter"]) await page.keyboard.press(key);
    await pressAt(page, signButton(page));
    await pressAt(page, page.getByRole("button", { name: "Send without my name" }));

    expect(await dialogOf(page).isVisible()).toBe(true);
    expect(await answersOf(drop)).toEqual([]);
    await page.close();
  });

  test("cannot make its reader sign values that they do not see", async () => {
    const drop = await publishForm();
    const { page, frame } = await openViewer(drop);

    const sent = frame.evaluate(asks("https://x.example/?form=vote", "choice=Yes&why=%3Cb%3Ebold%3C%2Fb%3E"));
    await dialogOf(page).waitFor();

    expect(await dialogOf(page).getByRole("definition").allInnerTexts()).toEqual(["Yes", "<b>bold</b>"]);
    await pressArmed(signButton(page));

    expect(await sent).toMatch(/^Sent\./);
    expect(await answersOf(drop)).toEqual([{ choice: "Yes", why: "<b>bold</b>", name: reader.username }]);
    await page.close();
  });

  test("cannot cover or close the signing dialog, click in it, or read the keys typed into it", async () => {
    const drop = await publishForm();
    const { page, frame } = await openViewer(drop);
    await frame.getByRole("button").click();
    await dialogOf(page).waitFor();

    await frame.evaluate(`(() => {
      const cover = Object.assign(document.createElement("dialog"), { style: "position: fixed; inset: 0; width: 100vw; height: 100vh; z-index: 2147483647" });
      document.body.append(cover);
      cover.showModal();
      document.forms[0].why.focus();
      window.focus();
      document.documentElement.requestFullscreen().catch(() => {});
      for (const message of ["open", "kept", "used", "ready"]) parent.postMessage({ dropleaf: message, url: "https://elsewhere.invalid/" }, "*");
    })()`);
    await page.keyboard.type("typed");
    const box = await signButton(page).boundingBox();
    const onTop = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest("dialog")?.id, [
      (box?.x ?? 0) + (box?.width ?? 0) / 2,
      (box?.y ?? 0) + (box?.height ?? 0) / 2,
    ] as const);

    expect(onTop).toBe("sign");
    expect(await frame.evaluate("document.forms[0].why.value")).toBe("");
    expect(await answersOf(drop)).toEqual([]);
    await pressArmed(signButton(page));
    await expect.poll(() => answersOf(drop)).toEqual([{ choice: "No", name: reader.username }]);
    await page.close();
  });
});

describe("a page of another owner", () => {
  /** Returns a script that sends a form in several ways without a click. It sets `sent` when all have ended. */
  const sending = (address: string) => `
    const address = ${JSON.stringify(address)}, body = "choice=Yes";
    const frame = Object.assign(document.createElement("iframe"), { name: "f" });
    const sandbox = Object.assign(document.createElement("iframe"), { sandbox: "allow-forms allow-scripts",
      srcdoc: "<form method=post action='" + address + "'><input name=choice value=Yes></form><script>document.forms[0].submit()</scr" + "ipt>" });
    document.body.append(frame, sandbox);
    const loaded = Promise.all([frame, sandbox].map((one) => new Promise((done) => { one.onload = done; })));
    const form = Object.assign(document.createElement("form"), { method: "post", action: address, target: "f" });
    form.innerHTML = "<input name=choice value=Yes>";
    document.body.append(form);
    form.submit();
    navigator.sendBeacon(address, new Blob([body], { type: "application/x-www-form-urlencoded" }));
    Promise.allSettled([loaded, ...["omit", "include"].map((credentials) => fetch(address,
      { method: "POST", mode: "no-cors", credentials, headers: { "content-type": "application/x-www-form-urlencoded" }, body }))])
      .then(() => { document.body.dataset.sent = "all"; });`;

  test("cannot send answers for its visitors with scripts, beacons or frames", async () => {
    const asked = await publishForm();
    const { api } = await newAccount("neighbour");
    const html = poll(sending(`${baseUrl()}/p/${asked.slug}/answers?form=vote`));
    const hostile = await publish(api, { html, answers: "readers" });
    const page = await signedIn.newPage();
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "POST") statuses.push(response.status());
    });

    await page.goto(rawPageOf(hostile));
    await page.locator("body[data-sent]").waitFor();

    // Of the frames only: the browser hides responses from scripts of another origin.
    expect(statuses).toEqual([403, 403]);
    expect(await answersOf(asked)).toEqual([]);
    await page.close();
  });

  test("cannot read the window in which a reader signs, or click in it", async () => {
    const asked = await publishForm();
    const page = await signedIn.newPage();
    await page.goto(rawPageOf(asked));

    const [opened] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate(`{
        globalThis.opened = open("", "w");
        const form = document.forms[0];
        form.target = "w";
        HTMLFormElement.prototype.submit.call(form);
      }`),
    ]);
    await opened.getByRole("heading", { name: "Send your answer?" }).waitFor();

    expect(await opened.evaluate("window.opener")).toBeNull();
    expect(await page.evaluate("opened.closed")).toBe(true);
    await pressArmed(opened.getByRole("button", { name: "Send with my name" }));
    await pressArmed(signButton(opened));
    await opened.getByRole("heading", { name: "Sent" }).waitFor();
    expect(await answersOf(asked)).toEqual([{ choice: "No", name: reader.username }]);
    await opened.close();
    await page.close();
  });
});

test("the signing page ignores a click that began on the page before", async () => {
  const drop = await publishForm();
  const page = await signedIn.newPage();
  await stopTime(page);
  await page.goto(rawPageOf(drop));
  await page.evaluate("HTMLFormElement.prototype.submit.call(document.forms[0])");
  const choice = page.getByRole("heading", { name: "Send your answer?" });
  await choice.waitFor();

  for (const name of ["Send with my name", "Send without my name"])
    await pressAt(page, page.getByRole("button", { name }));
  await page.waitForTimeout(300);

  expect(await choice.isVisible()).toBe(true);
  expect(await signButton(page).count()).toBe(0);
  expect(await answersOf(drop)).toEqual([]);
  await page.close();
});

/** Stops the page's animations, so that a slow machine does not delay a click past them. */
async function stopTime(page: Page): Promise<void> {
  const animations = await page.context().newCDPSession(page);
  await animations.send("Animation.enable");
  await animations.send("Animation.setPlaybackRate", { playbackRate: 0 });
}

/** Clicks at a button's position, without waiting until the button is enabled. */
async function pressAt(page: Page, button: ReturnType<Page["locator"]>): Promise<void> {
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(width).toBeGreaterThan(0);
  await page.mouse.click(x + width / 2, y + height / 2);
}
