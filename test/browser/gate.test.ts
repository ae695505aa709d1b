import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { renderGatePage } from "../../functions/gate/gate-page.tsx";
import { page as pageResponse } from "../../functions/html/page.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { complaintsOf } from "../support/browser.ts";
import type { ApiClient } from "../support/client.ts";
import { openBrowser } from "../support/open-browser.ts";
import { onBaseHost } from "../support/owner-address.ts";
import { unusedUsername } from "../support/sign-in.ts";

const passcode = "open sesame";
/** Page that shows its query and fragment. The fragment arrives in a message of the viewer. */
const html = `<!doctype html><title>Asked</title><p>Here</p><p id="asked"></p><script>
const say = () => { asked.textContent = location.search + location.hash; };
addEventListener("hashchange", say);
say();
</script>`;
const asked = "x=1;2&x=%20+y&from=d&query=q#part-%C3%A9";

let browser: Browser;
let context: BrowserContext;
let page: Page;
let api: ApiClient;
let drop: DropResponse;

beforeAll(async () => {
  browser = await openBrowser();
  ({ api } = await newAccount("gate-browser"));
  drop = await publish(api, { html, passcode });
});
afterAll(() => browser.close());

beforeEach(async () => {
  context = await browser.newContext({ timezoneId: "Asia/Tokyo", viewport: { width: 360, height: 740 } });
  page = await context.newPage();
});
afterEach(() => context.close());

const field = () => page.getByLabel("Passcode");
const open = () => page.getByRole("button", { name: "Open" });

describe("a URL's query and fragment reach the page", () => {
  test("through the passcode form, also after a wrong passcode", async () => {
    const complaints = complaintsOf(page);
    await page.goto(`${drop.url}?${asked}`);

    await field().fill("close sesame");
    await open().click();
    await page.getByText("Wrong passcode").waitFor();
    await field().fill(passcode);
    // The browser logs the 403 of a wrong passcode.
    const atTheGate = complaints.filter((one) => !one.includes("403"));
    await open().click();

    await page.frameLocator("iframe").getByText(`?v=1&framed=1&${asked}`).waitFor();
    expect(page.url()).toBe(`${onBaseHost(drop.url)}?${asked}`);
    expect(atTheGate).toEqual([]);
  });

  test("through the passcode form of a raw page", { tags: "slow" }, async () => {
    await page.goto(`${drop.raw_url}?${asked}`);

    await field().fill(passcode);
    await open().click();

    await page.getByText(`?${asked}`, { exact: true }).waitFor();
    expect(page.url()).toBe(`${onBaseHost(drop.raw_url)}?${asked}`);
  });

  test("through the sign-in, with the fragment if no account has to be chosen", {
    tags: "slow",
  }, async () => {
    const name = unusedUsername("asking");
    const [first, second] = await Promise.all(
      [1, 2].map(() => publish(api, { html, visibility: "people", readers: [name] })),
    );
    await page.goto(`${first?.url}?${asked}`);

    await page.getByRole("link", { name: /sign in/i }).click();
    await page.getByLabel("User name").fill(name);
    await page.getByRole("button").click();
    await page
      .frameLocator("iframe")
      .getByText(`?v=1&framed=1&${asked.replace(/#.*/, "")}`, { exact: true })
      .waitFor();
    await page.goto(`${second?.url}?${asked}`);

    await page.frameLocator("iframe").getByText(`?v=1&framed=1&${asked}`).waitFor();
  });
});

test("a passcode can be shown without moving the caret, and is hidden when it is sent", {
  tags: "nightly",
}, async () => {
  await page.goto(drop.url);
  await field().pressSequentially("open sesam");
  await field().press("ArrowLeft");
  const show = page.getByLabel("Show what I type");

  await page.getByText("Show what I type").click();
  expect(await field().getAttribute("type")).toBe("text");
  await page.keyboard.type("e");
  expect(await field().inputValue()).toBe("open sesaem");
  await show.press("Space");
  expect(await field().getAttribute("type")).toBe("password");
  await show.press("Space");
  expect(await field().getAttribute("type")).toBe("text");
  await field().fill(passcode);
  const sentAs = page.evaluate(
    `new Promise((tell) => addEventListener("submit", () => setTimeout(() => tell(passcode.type))))`,
  );
  await Promise.all([expect(sentAs).resolves.toBe("password"), field().press("Enter")]);

  await page.frameLocator("iframe").getByText("Here").waitFor();
});

test("a reader who has to wait sees the end in their own time zone, and can try again then", {
  tags: "nightly",
}, async () => {
  const untilMs = Date.UTC(2026, 0, 2, 14, 5);
  await page.clock.install({ time: untilMs - 700_000 });
  await page.goto(drop.url);
  const { headers, body, status } = pageResponse(
    "gate",
    (nonce) => renderGatePage({ action: "/unlock", wrong: false, wait: { seconds: 700, untilMs }, nonce }),
    { status: 429 },
  );
  await context.route("**/unlock?**", (route) =>
    route.fulfill({ status, headers: { ...headers }, body: String(body) }),
  );

  await field().fill(passcode);
  await open().click();
  await page.getByText(/Wait 12 minutes, until\s*2 Jan 2026, 23:05$/).waitFor();
  const offered = [await open().isDisabled()];
  await field().fill(passcode);
  await field().press("Enter");
  await page.clock.fastForward(701_000);
  await page.getByText("You can try again now.").waitFor();
  offered.push(await open().isDisabled());

  expect(offered).toEqual([true, false]);
  expect(await field().inputValue()).toBe(passcode);
});
