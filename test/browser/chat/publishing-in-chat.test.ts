import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount } from "../../support/accounts.ts";
import { givenAnswer } from "../../support/given-answers.ts";
import { givenComment } from "../../support/given-feedback.ts";
import type { ToolName } from "../../support/mcp-client.ts";
import { connectMcp, type McpClient } from "../../support/mcp-client.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { slowAndNightly } from "../../support/quick-and-slow.ts";
import { type ChatServer, hostNames, startChatServer } from "./chat-host.ts";

const report = (total: number) =>
  `<!doctype html><html lang="en"><title>Sales</title><h1>Sales</h1><p>Total: ${total}</p></html>`;
const looks = [360, 760].flatMap((width) => (["light", "dark"] as const).map((theme) => ({ width, theme })));

let browser: Browser;
let account: Account;
let mcp: McpClient;
let html: string;

beforeAll(async () => {
  browser = await openBrowser();
  account = await newAccount("chat");
  mcp = await connectMcp(account.api.token);
  const { contents } = await mcp.client.readResource({ uri: "ui://dropleaf/page" });
  html = String((contents[0] as { text?: string }).text);
});
afterAll(() => browser.close());

describe.each(hostNames)("in the host %s", (host) => {
  let server: ChatServer;
  beforeAll(async () => {
    server = await startChatServer(host);
  });
  afterAll(() => server.stop());

  for (const { cases, options } of slowAndNightly(
    looks,
    ({ width, theme }) => width === 360 && theme === "dark",
  ))
    test.each(cases)(
      "a person can view a page, restrict it, switch versions, read an answer and ask the agent: $width px, $theme",
      options,
      async ({ width, theme }) => {
        const result = await mcp.call("publish_drop", {
          html: report(11),
          title: "Sales",
          visibility: "unlisted",
        });
        const { slug, url } = result.structuredContent as { slug: string; url: string };
        await mcp.succeed("update_drop", { slug, html: report(12), note: "Added March" });
        await givenComment(account.userId, slug, { text: "Is that in euros?", quote: "Total: 12" });
        await givenAnswer(account.userId, slug, { fields: [["decision", "Approve"]] });
        const page = await browser.newPage({ viewport: { width, height: 900 } });
        const { app, inner, record } = await server.open(page, {
          html,
          tool: "publish_drop",
          result,
          callTool: (name, given) => mcp.call(name as ToolName, given),
          context: { theme },
        });

        await inner.getByText("Total: 12").waitFor();
        await app.getByText("Who can read it Anyone with the link").click();
        await app.getByRole("radio", { name: "Members" }).check();
        await app.getByRole("button", { name: "Save" }).click();
        await app.getByText("Who can read it Members").waitFor();
        expect((await mcp.succeed("get_drop", { slug })).visibility).toBe("members");

        await app.getByLabel("Version").selectOption("1");
        await inner.getByText("Total: 11").waitFor();
        await app.getByRole("button", { name: "Go to the latest" }).click();
        await inner.getByText("Total: 12").waitFor();

        await app.getByText("1 answer").click();
        await app.getByText("Approve").waitFor();

        await app.getByText("1 open comment").click();
        await app.getByRole("button", { name: "Ask the agent" }).click();
        await app.getByRole("button", { name: "Send" }).click();
        await app.getByText("Sent to the chat.").waitFor();
        expect((await record()).messages[0]).toContain("> Is that in euros?");
        expect((await record()).messages[0]).toContain(`${url} (version 2)`);

        await app.getByRole("button", { name: "Resolve" }).click();
        await app.getByText("No open comments").waitFor();
        await page.close();
      },
    );
});
