import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBrowser } from "../../support/open-browser.ts";
import { type ChatOptions, type ChatServer, hostNames, startChatServer } from "./chat-host.ts";
import { answering, givenDrop, succeeded } from "./given-drop.ts";

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

describe.each(hostNames)("in the host %s", (host) => {
  let server: ChatServer;
  beforeAll(async () => {
    server = await startChatServer(host);
  });
  afterAll(() => server.stop());

  const published = (options: Partial<ChatOptions> = {}): ChatOptions => ({
    tool: "publish_drop",
    result: succeeded(givenDrop()),
    callTool: answering({}),
    ...options,
  });

  test("a published page is shown with its title, version and link", async () => {
    const { app, inner, record } = await server.open(page, published());

    await inner.getByRole("heading", { name: "The report" }).waitFor();
    await app.getByRole("heading", { name: "Quarterly report" }).waitFor();
    await app.getByText("Change 2").waitFor();
    await app.getByRole("link", { name: "Open page" }).click();
    await expect.poll(async () => (await record()).links).toEqual(["https://drops.example.com/p/aB3dE5f"]);
  });
});
