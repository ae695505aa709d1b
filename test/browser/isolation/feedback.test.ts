// @module-tag slow

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { newAccount, pageOf, publish } from "../../support/accounts.ts";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { commonWays, type ReadingWay } from "./reading-ways.ts";

const said = "words of a reader";
const inPage = "zebra";

let browser: Browser;
/** Context of a reader who has written feedback and opens a hostile page of the same owner. */
let reader: BrowserContext;
let hostile: DropResponse;
/** Drop that anyone can read. */
let open: DropResponse;
/** Drop that only members can read. */
let shared: DropResponse;

beforeAll(async () => {
  const { api } = await newAccount("words");
  hostile = await publish(api, { html: pageOf("a hostile page") });
  open = await publish(api, { html: pageOf(inPage), feedback: "readers" });
  shared = await publish(api, { html: pageOf(inPage), visibility: "members" });
  browser = await openBrowser();
  reader = await browser.newContext();
  for (const drop of [open, shared]) await writeSomething(drop);
});

afterAll(() => browser.close());

const places = ["open", "shared"] as const;
const readings = new Map<string, string>();

describe("a page of the same owner", () => {
  beforeAll(async () => {
    await Promise.all(commonWays.map(tryWay));
  });

  describe.each(commonWays)("with $name", ({ name }) => {
    test.each(places)("cannot read the comments on a drop that is %s, or the proof in its form", (place) => {
      const read = readings.get(`${name} of ${place}`);

      expect(read).toEqual(expect.any(String));
      expect(read).not.toContain(said);
      expect(read).not.toContain("proof");
      expect(read).not.toBe("no result");
    });
  });
});

test("a page of the same owner that frames a restricted page gets no reply to its messages", {
  tags: "nightly",
}, async () => {
  const page = await reader.newPage();
  await page.goto(hostile.raw_url);
  const ask = (message: object) =>
    page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement("iframe");
      const heard = [];
      addEventListener("message", ({ data }) => {
        heard.push(data.dropleaf);
        if (data.dropleaf === "ready") frame.contentWindow.postMessage(${JSON.stringify(message)}, "*");
      });
      frame.sandbox = "allow-scripts";
      frame.src = ${JSON.stringify(`${new URL(shared.url).origin}/p/${shared.slug}/raw?v=1&framed=1`)};
      document.body.append(frame);
      frame.onload = () => setTimeout(resolve, 500, heard);
    })`) as Promise<string[]>;

  const heard = [
    await ask({ dropleaf: "quote", text: inPage }),
    await ask({ dropleaf: "quote", text: inPage, proof: "" }),
    await ask({ dropleaf: "selection", proof: "x".repeat(43) }),
  ].flat();

  expect(heard).toEqual([]);
  await page.close();
});

/** Has the hostile page read the comments on both drops in one way. */
async function tryWay({ name, script }: ReadingWay): Promise<void> {
  const page = await reader.newPage();
  await page.goto(hostile.raw_url);
  for (const [place, drop] of [
    ["open", open],
    ["shared", shared],
  ] as const)
    readings.set(`${name} of ${place}`, String(await page.evaluate(script(feedbackOf(drop)))));
  await page.close();
}

function feedbackOf({ slug }: DropResponse): string {
  return `${baseUrl()}/p/${slug}/feedback`;
}

/** Signs in with the page's link if necessary, and writes a comment. */
async function writeSomething(drop: DropResponse): Promise<void> {
  const page: Page = await reader.newPage();
  await page.goto(feedbackOf(drop));
  const signIn = page.getByRole("link", { name: /^Sign in to/ });
  const text = page.getByLabel("Your comment");
  await signIn.or(text).first().waitFor();
  if (await signIn.isVisible()) {
    await signIn.click();
    const name = page.getByLabel("User name");
    await name.or(text).first().waitFor();
    if (await name.isVisible()) {
      await name.fill("Grace Hopper");
      await page.getByRole("button").click();
    }
  }
  await text.fill(said);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("article").getByText(said).waitFor();
  await page.close();
}
