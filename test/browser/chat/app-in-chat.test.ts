import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { slowAndNightly } from "../../support/quick-and-slow.ts";
import { type Chat, type ChatOptions, type ChatServer, hostNames, startChatServer } from "./chat-host.ts";
import {
  answering,
  givenAnswers,
  givenComments,
  givenDrop,
  givenVersions,
  refusal,
  succeeded,
} from "./given-drop.ts";

const url = "https://drops.example.com/p/aB3dE5f";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 760, height: 900 } });
});
afterEach(() => page.close());

for (const { cases, options } of slowAndNightly(hostNames, (host) => host === "reference"))
  describe.each(cases)("in the host %s", options, (host) => {
    let server: ChatServer;
    beforeAll(async () => {
      server = await startChatServer(host);
    });
    afterAll(() => server.stop());

    const open = (
      answers: Record<string, object | string> = {},
      options: Partial<ChatOptions> = {},
    ): Promise<Chat> =>
      server.open(page, {
        tool: "publish_drop",
        result: succeeded(givenDrop()),
        callTool: answering(answers),
        ...options,
      });
    const callsOf = async ({ record }: Chat, tool: string) =>
      (await record()).calls.filter(({ name }) => name === tool).map((call) => call.arguments);

    test("a published page is shown with its title, its changes, its readers and its link", async () => {
      const chat = await open();

      await chat.inner.getByRole("heading", { name: "The report" }).waitFor();
      await chat.app.getByRole("heading", { name: "Quarterly report" }).waitFor();
      await chat.app.getByText("What changed Change 2").waitFor();
      await chat.app.getByText("Who can read it Anyone with the link").waitFor();
      await chat.app.getByRole("link", { name: "Open page" }).click();
      await expect.poll(async () => (await chat.record()).links).toEqual([url]);
    });

    test("the owner sets the readers, and the app confirms when they are saved", async () => {
      const chat = await open({
        page_readers: givenDrop({ visibility: "people" }),
      });

      await chat.app.getByText("Who can read it Anyone with the link").click();
      await chat.app.getByText("Named people").click();
      await chat.app.getByLabel("People", { exact: true }).fill("ada@example.org, @corp.example\n\n");
      await chat.app.getByRole("button", { name: "Save" }).click();
      await chat.app.getByText("Saved.").waitFor();

      expect(await callsOf(chat, "page_readers")).toEqual([
        { slug: "aB3dE5f", visibility: "people", readers: ["ada@example.org", "@corp.example"] },
      ]);
    });

    test("an older version is opened, and restored once however often the person clicks", async () => {
      const chat = await open({
        page_restore: givenDrop({ latest_version: 3 }),
        page_versions: givenVersions(3),
      });

      await chat.app.getByLabel("Version").selectOption("1");
      await chat.app.getByText("What changed Change 1").waitFor();
      await chat.app.getByRole("button", { name: "Restore this version" }).evaluate((button) => {
        // The second click happens before the button is disabled.
        for (const _ of ["first", "second"]) button.dispatchEvent(new Event("click"));
      });
      await chat.app.getByText("Restored as the latest version.").waitFor();

      expect(await callsOf(chat, "page_restore")).toEqual([{ slug: "aB3dE5f", version: 1 }]);
      expect(await callsOf(chat, "page_html")).toContainEqual({ slug: "aB3dE5f", version: 1 });
      await expect.poll(() => chat.app.getByLabel("Version").inputValue()).toBe("3");
    });

    test("versions published in the meantime do not replace the displayed one until the person chooses", async () => {
      let latest = 2;
      const callTool: ChatOptions["callTool"] = (name, given) =>
        answering({
          page_details: givenDrop({ latest_version: latest }),
          page_versions: givenVersions(latest),
          page_readers: {},
        })(name, given);
      const { app, inner } = await open({}, { callTool });

      await inner.locator("h1").evaluate((heading) => {
        heading.textContent = "In the middle of something";
      });
      latest = 4;
      await app.locator("summary").first().click();
      await app.getByRole("button", { name: "Save" }).click();
      await app.getByText("Saved.").waitFor();
      expect(await app.getByLabel("Version").inputValue()).toBe("2");
      await inner.getByText("In the middle of something").waitFor();
      await app.getByRole("button", { name: "Go to the latest" }).click();

      await expect.poll(() => app.getByLabel("Version").inputValue()).toBe("4");
      await inner.getByText("The report").waitFor();
    });

    test("a comment is resolved, and another is sent to the agent in words that the person can edit first", async () => {
      const chat = await open({ page_comments: givenComments(2), page_resolve_comment: {} });

      await chat.app.getByText("2 open comments").click();
      await chat.app.getByRole("button", { name: "Resolve" }).first().click();
      await chat.app.getByText("Resolved.").waitFor();
      expect(await callsOf(chat, "page_resolve_comment")).toEqual([{ slug: "aB3dE5f", thread: 1 }]);
      await chat.app.getByRole("button", { name: "Ask the agent" }).first().click();
      const box = chat.app.getByLabel("Ask the agent to change this");
      expect(await box.inputValue()).toBe(
        "About this passage from the page:\n> Total: 12\n\nGrace commented:\n> The total of row 1 is wrong.\n\nPlease change the page accordingly.",
      );
      expect((await chat.record()).messages).toEqual([]);
      await box.fill("Correct the total.");
      await chat.app.getByRole("button", { name: "Send" }).click();
      await chat.app.getByText("Sent to the chat.").waitFor();

      expect((await chat.record()).messages).toEqual([
        `Correct the total.\n\nThe page is ${url} (version 2).`,
      ]);
      expect(await box.inputValue()).toBe("");
    });

    test("the newest answers are shown as text with their senders, and refreshed when the person returns", async () => {
      const marked = "<img src=x onerror=alert(1)><b>bold</b>";
      let given = givenAnswers(
        { day: ["Monday", "Friday"], why: "First line\nSecond line" },
        { [marked]: marked },
      );
      const { app } = await open(
        {},
        { callTool: (name, sent) => answering({ page_answers: given })(name, sent) },
      );

      await app.getByText("2 answers").click();
      const rows = app.locator("details", { hasText: "2 answers" }).getByRole("listitem");
      expect(await rows.allInnerTexts()).toEqual([
        expect.stringMatching(/^vote #2 grace, .+\sday\sMonday\sFriday\swhy\sFirst line\nSecond line$/u),
        expect.stringMatching(/^vote #1 No name, /),
      ]);
      expect(await rows.nth(1).locator("dd").innerText()).toBe(marked);
      expect(await app.locator("img, dd b").count()).toBe(0);

      given = { ...givenAnswers({ day: "Sunday" }, { day: "Monday" }), has_more: true };
      const comeBack = () => app.locator("body").evaluate(() => dispatchEvent(new Event("focus")));
      await expect
        .poll(() => comeBack().then(() => app.getByText("The newest 2 answers").count()), { timeout: 10_000 })
        .toBe(1);
      await app.getByText("To see all answers, open this page in your account").waitFor();
    });

    test("the app mentions answers only for a page with forms, and says if there are none yet", async () => {
      const silent = await open();
      await silent.app.getByText("No open comments").waitFor();
      expect(await silent.app.getByText("answers").count()).toBe(0);

      const waiting = await open({ page_details: givenDrop({ answers: "readers" }) });
      await waiting.app.getByText("No answers yet").waitFor();
    });

    test("if the chat refuses messages and links, the text and the URL stay visible for copying", async () => {
      const { app, refuse } = await open();
      const box = app.getByLabel("Ask the agent to change this");
      await box.fill("Correct the total.");
      await refuse();

      await app.getByRole("button", { name: "Send" }).click();
      await app.getByText("The message was not sent. Copy it into the chat yourself.").waitFor();
      expect(await box.inputValue()).toBe("Correct the total.");
      await app.getByRole("link", { name: "Open page" }).click();
      await app.getByRole("alert").getByText(url).waitFor();
    });

    test("a selected passage is quoted for the agent", async () => {
      const chat = await open();

      await chat.inner.getByRole("heading", { name: "The report" }).selectText();
      await chat.app.getByRole("button", { name: "Quote the selection" }).click();

      await expect
        .poll(() => chat.app.getByLabel("Ask the agent to change this").inputValue())
        .toBe("About this passage from the page:\n> The report\n\n");
    });

    test("the app names blocked resources and links, and the page's fragments, storage and scripts work", async () => {
      const html = `<!doctype html><html><head><title>Site</title></head><body><a href="#low">Down</a> <a href="https://elsewhere.example/">Out</a>
      <img src="https://pictures.example/a.png"><p id="mode"></p><div style="height: 5000px"></div><h2 id="low">Low</h2>
      <script>localStorage.kept = "stored"; mode.textContent = document.compatMode + " " + localStorage.kept;</script></body></html>`;
      const chat = await open({ page_html: { html } });

      await chat.inner.getByText("CSS1Compat stored").waitFor();
      await chat.app.getByText("Not loaded in this chat: pictures.example.").waitFor();
      await chat.inner.getByText("Down").click();
      await expect.poll(() => chat.inner.locator("body").evaluate(() => scrollY)).toBeGreaterThan(1_000);
      await chat.inner.locator("body").evaluate(() => scrollTo(0, 0));
      await chat.inner.getByText("Out").click();
      await chat.app.getByText("The page’s links and forms don’t work in this chat.").waitFor();
      await chat.inner.getByText("CSS1Compat stored").waitFor();
      expect((await chat.record()).links).toEqual([]);
    });

    test("a folder is shown as an image", async () => {
      const picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      const chat = await open({
        page_html: { omitted: "folder" },
        page_picture: { content: [{ type: "image", data: picture, mimeType: "image/png" }] },
      });

      await chat.app.getByAltText("Picture of the page").waitFor();
      await chat.app.getByText("This page is a folder with several files").waitFor();
      expect(await chat.app.locator("iframe").count()).toBe(0);
    });

    test("the app follows the host's theme, language and time zone, and stays within the host's height", async () => {
      const context = {
        theme: "dark",
        locale: "de-DE",
        timeZone: "Asia/Tokyo",
        containerDimensions: { maxHeight: 420, maxWidth: 760 },
      } as const;
      const chat = await open(
        { page_versions: givenVersions(2), page_comments: givenComments(1) },
        { context },
      );
      const color = () => chat.app.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);

      await chat.app.getByLabel("Version").waitFor();
      expect(await chat.app.locator("option").first().innerText()).toBe("Version 2, 04.03.2026, 22:05");
      expect(await color()).toBe("rgb(23, 31, 26)");
      await chat.app.getByText("1 open comment").click();
      await chat.change({ theme: "light" });
      await expect.poll(color).toBe("rgb(253, 254, 252)");
      expect(Math.max(...(await chat.record()).heights)).toBe(420);
    });

    test.each([
      ["a deleted drop", { page_details: "not_found" }, "This page doesn’t exist or was deleted."],
      [
        "too many calls",
        { page_versions: "rate_limited" },
        "Too many changes at once. Wait a minute, then try again.",
      ],
      ["an expired token", { page_details: "unauthorized" }, "The chat is not connected to Dropleaf."],
    ])("%s is reported in plain words", async (_what, answers, words) => {
      const { app } = await open(answers);

      await app.getByRole("alert").getByText(words).waitFor();
      await app.getByRole("heading", { name: "Quarterly report" }).waitFor();
    });

    test("a call that fails in the chat can be retried", async () => {
      let isBroken = true;
      const callTool = answering({});
      const { app, inner } = await open(
        {},
        {
          callTool: (name, given) =>
            isBroken ? Promise.reject(new Error("offline")) : callTool(name, given),
        },
      );

      await app.getByText("No response. Check your connection, then try again.").waitFor();
      isBroken = false;
      await app.getByRole("button", { name: "Try again" }).click();
      await inner.getByRole("heading", { name: "The report" }).waitFor();
    });

    test("refused readers stay in the form, with the service's message", async () => {
      const words = "“example.com” matches no one. Enter @example.com.";
      const { app } = await open({ page_readers: refusal("invalid_arg", words) });

      await app.getByText("Who can read it Anyone with the link").click();
      await app.getByText("Named people").click();
      await app.getByLabel("People", { exact: true }).fill("example.com");
      await app.getByRole("button", { name: "Save" }).click();

      await app.getByRole("alert").getByText(words).waitFor();
      expect(await app.getByLabel("People", { exact: true }).inputValue()).toBe("example.com");
    });

    test("a failed tool call and a result without a page each show a message", async () => {
      const refused = await open({}, { result: refusal("invalid_arg") });
      await refused.app.getByText("The tool failed. The agent has the details.").waitFor();
      expect((await refused.record()).calls).toEqual([]);

      const empty = await open({}, { result: succeeded({}) });
      await empty.app.getByText("There is no page to show here.").waitFor();
    });

    test("long titles and words, 200 versions and 100 comments fit in 360 pixels and pass axe, in dark and light", async () => {
      await page.setViewportSize({ width: 360, height: 800 });
      const drop = givenDrop({
        title: "تقرير ".repeat(33),
        latest_version: 200,
        expires_at: 1,
        locked: true,
      });
      const part = { ...givenComments(50), has_more: true };
      const callTool = answering({
        page_details: drop,
        page_versions: givenVersions(200),
        page_comments: givenComments(100),
        page_answers: givenAnswers({ ["x".repeat(200)]: "y".repeat(500) }, { note: "Short" }),
      });
      const { app, inner, change, violations } = await open(
        {},
        {
          callTool: (name, given) =>
            name === "page_comments" && given.since === 0
              ? Promise.resolve(succeeded(part))
              : callTool(name, given),
        },
      );

      await inner.getByRole("heading", { name: "The report" }).waitFor();
      expect(await app.locator("option").count()).toBe(200);
      await app.getByText("Who can read it Anyone with the link").click();
      await app.getByText("100 open comments").click();
      await app.getByText("2 answers").click();
      await app.getByText("Locked: opens with a passcode").waitFor();
      await app.getByText("Expired on 1 Jan 1970").waitFor();
      for (const theme of ["light", "dark"] as const) {
        await change({ theme });
        expect(await app.locator("html").evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
        expect(await violations()).toEqual([]);
      }
    });
  });
