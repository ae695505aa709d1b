// @module-tag slow

import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseUrl } from "../../support/http.ts";
import { openBrowser } from "../../support/open-browser.ts";
import { longMs } from "../../support/patience.ts";
import { pollSignIn } from "../../support/sign-in.ts";
import { reporting } from "./attempts.ts";
import { type HostileGround, passcode, prepareHostileGround } from "./hostile-ground.ts";
import { hostilePlaces } from "./hostile-places.ts";
import { everyWay } from "./reading-ways.ts";

const elsewhere = "https://elsewhere.invalid/";

let browser: Browser;
let visitor: BrowserContext;
let ground: HostileGround;

beforeAll(async () => {
  [browser, ground] = await Promise.all([openBrowser(), prepareHostileGround()]);
  visitor = await browser.newContext();
}, longMs);

afterAll(() => browser.close());

/** Ways out of the viewer's frame, each with its script and outcome. */
const waysOut = [
  ["the window's location", `top.location = "${elsewhere}"`, "SecurityError"],
  ["the viewer's location", `parent.location.replace("${elsewhere}")`, "SecurityError"],
  ["the target _top", `open("${elsewhere}", "_top")`, "null"],
  ["the target _parent", `open("${elsewhere}", "_parent")`, "null"],
  ["a new window", `open("${elsewhere}")`, "null"],
  ["a link", clicked("a", "href"), "undefined"],
  ["a form", clicked("form", "action"), "undefined"],
  ["the viewer's document", "parent.document.title", "SecurityError"],
  ["the viewer's frame", "parent.frames[0].frameElement.sandbox.add('allow-same-origin')", "TypeError"],
  ["the viewer's functions", "parent.fetch('/')", "SecurityError"],
  ["the window's close()", "top.close()", "undefined"],
  ["its frame element", "frameElement", "null"],
  ["a meta refresh", refreshed(), "undefined"],
] as const;

describe.each(hostilePlaces.filter(({ isFramed }) => isFramed))("a page $name", (place) => {
  let page: Page;
  let frame: Frame;
  let viewer: string;

  beforeAll(async () => {
    page = await visitor.newPage();
    frame = await place.open(page, ground.hostile);
    viewer = page.url();
  });

  test.each(waysOut)("cannot leave the viewer's frame with %s", async (_way, expression, outcome) => {
    const before = visitor.pages();

    expect(await frame.evaluate(reporting(expression))).toBe(outcome);

    await page.locator("h1", { hasText: "A page" }).waitFor();
    expect(page.url()).toBe(viewer);
    // Evaluating the script counts as a click, so the viewer opens the target in a tab of its own.
    for (const one of visitor.pages().filter((one) => !before.includes(one))) {
      expect(await one.evaluate("window.opener")).toBeNull();
      await one.close();
    }
  });
});

describe.each(hostilePlaces)("a page $name", (place) => {
  let frame: Frame;

  beforeAll(async () => {
    frame = await place.open(await visitor.newPage(), ground.hostile);
  });

  test.each([
    [
      "a stranger's passcode form with the right passcode",
      () => `${new URL(ground.strangersLocked.url).origin}/p/${ground.strangersLocked.slug}/unlock`,
    ],
    [
      "a passcode form of the base host with the right passcode",
      () => `${baseUrl()}/p/${ground.strangersLocked.slug}/unlock`,
    ],
    ["the form that starts a sign-in", () => `${baseUrl()}/login`],
    ["the form that shows a token", () => `${baseUrl()}/login/token`],
  ])("can submit %s, which sets no cookie", async (_what, address) => {
    const body = `new URLSearchParams({ passcode: "${passcode}", code: "BBBB-BBBB" })`;
    const options = `{ method: "POST", mode: "no-cors", credentials: "include", body: ${body} }`;

    const sent = await frame.evaluate(
      reporting(`fetch("${address()}", ${options}).then(({ type }) => type)`),
    );

    expect(sent).toBe("opaque");
    expect((await visitor.cookies()).filter(({ name }) => /_own_|_[A-Za-z0-9]{7}$/.test(name))).toEqual([]);
  });

  test.each([
    ["a stranger's page", () => ground.strangersOpen.raw_url],
    ["a stranger's viewer", () => ground.strangersOpen.url],
    ["a stranger's owner page", () => new URL("/", ground.strangersOpen.url).href],
    ["a passcode form", () => ground.strangersLocked.url],
    ["the login page", () => `${baseUrl()}/login`],
    ["the token page", () => `${baseUrl()}/login/token`],
    ["the verify page", () => ground.verificationUrl],
  ])("cannot frame %s for clickjacking", async (_what, address) => {
    const { length } = frame.childFrames();
    await frame.evaluate(`new Promise((resolve) => {
      const element = document.createElement("iframe");
      element.onload = resolve;
      element.src = ${JSON.stringify(address())};
      document.body.append(element);
    })`);

    const framed = frame.childFrames()[length];

    expect(await framed?.evaluate("[document.querySelectorAll('a, form, p').length, origin]")).toEqual([
      0,
      "null",
    ]);
  });
});

describe("a page on its owner's host", () => {
  test.each([
    ["the window's location", `void (top.location = "${elsewhere}")`],
    ["a link", clicked("a", "href")],
    ["a form", clicked("form", "action")],
    ["a meta refresh", refreshed()],
  ])("can navigate its own window with %s", async (_way, expression) => {
    const page = await openHostilePage();
    const request = page.waitForRequest((one) => one.url().startsWith(elsewhere));

    await page.evaluate(expression);

    expect((await request).isNavigationRequest()).toBe(true);
  });

  test.each([
    ["a stranger's page", () => ground.strangersOpen.raw_url],
    ["a stranger's viewer", () => ground.strangersOpen.url],
    ["the login page", () => `${baseUrl()}/login`],
    ["the verify page", () => ground.verificationUrl],
  ])("cannot read a window that shows %s", async (_what, address) => {
    const windows = everyWay.filter(({ name }) => name.startsWith("a window"));

    const seen = await Promise.all(
      windows.map(async ({ script }) => (await openHostilePage()).evaluate(script(address()))),
    );

    // A window becomes unreadable a moment after it has become cross-origin.
    expect(seen).toEqual(windows.map(() => expect.stringMatching(/^(SecurityError|closed)$/)));
  });

  test("cannot send a window past the verification page to the identity provider", async () => {
    const person = await visitor.newPage();
    await person.goto(ground.verificationUrl);
    const page = await openHostilePage();
    const code = new URL(ground.verificationUrl).searchParams.get("code");
    const opening = page.waitForEvent("popup");

    await page.evaluate(`void open("${baseUrl()}/api/auth/idp/authorize?code=${code}&proof=guess")`);
    const led = await opening;
    await led.getByRole("heading").waitFor();

    expect(new URL(led.url()).origin).toBe(baseUrl());
    expect(await led.getByRole("main").innerText()).toContain("not started on its verification page");
    expect((await pollSignIn(ground.pollToken)).status).toBe("pending");
  });

  test("leaves no window name to the next page", async () => {
    const page = await openHostilePage();
    await page.evaluate("void (name = 'told')");

    await page.evaluate(`void (location.href = "${baseUrl()}/login")`);
    await page.waitForURL("**/login");

    expect(await page.evaluate("name")).toBe("");
  });

  test.each(["/raw", "/raw?v=1"])(
    "receives windows redirected from /p/{slug}%s of the base host, before and after a frame shows it there",
    async (rest) => {
      const page = await visitor.newPage();
      const { slug, raw_url: own } = ground.hostile;

      for (const _time of ["before", "after"]) {
        await page.goto(`${baseUrl()}/p/${slug}${rest}`);
        expect(page.url()).toBe(own.replace("/raw", rest));
        await page.goto(`${baseUrl()}/p/${slug}${rest.replace("/raw", "")}`);
        await page.frameLocator("iframe").getByText("a hostile page").waitFor();
        expect(new URL(page.frames()[1]?.url() ?? "").origin).toBe(baseUrl());
      }
    },
  );

  test("cannot create or use a passkey, unlike another page of its host", async () => {
    const page = await openHostilePage();
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("WebAuthn.enable");
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
    await devTools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, hasUserVerification: true, isUserVerified: true },
    });
    const plain = new URL("/plain", page.url()).href;
    await page.route(plain, (route) => route.fulfill({ contentType: "text/html", body: "<p>plain" }));
    const asked = async () => [
      await page.evaluate(reporting(passkey("create"))),
      await page.evaluate(reporting(passkey("get"))),
      await page.evaluate(
        reporting(
          `navigator.credentials.get({ otp: { transport: ["sms"] }, signal: AbortSignal.timeout(500) }).then(({ type }) => type)`,
        ),
      ),
    ];

    const refused = await asked();
    await page.goto(plain);

    expect(refused).toEqual(["NotAllowedError", "NotAllowedError", "NotAllowedError"]);
    expect((await asked()).slice(0, 2)).toEqual(["public-key", "public-key"]);
  });

  test("cannot lock its visitor out with as many cookies as CloudFront accepts", {
    tags: "nightly",
  }, async () => {
    const { page, statusOf, close } = await anotherVisitor();

    await setCookies(
      page,
      `for (let number = 0; number < 4; number += 1)
        document.cookie = "bomb" + number + "=" + "x".repeat(4000) + "; Path=/; Max-Age=600"`,
    );

    expect(await statusOf(ground.hostile.url)).toBe(200);
    expect(await statusOf(ground.hostile.raw_url)).toBe(200);
    await close();
  });

  test("cannot lock its visitor out with cookies that have the service's cookie names", async () => {
    const { page, statusOf, close } = await anotherVisitor();
    const names = [`__Host-dl_${ground.hostile.slug}`, `__Host-dl_tries_${ground.hostile.slug}`];

    await setCookies(
      page,
      `for (const name of ${JSON.stringify(names)})
        for (const more of ["", "; Partitioned"])
          document.cookie = name + "=" + "x".repeat(4000) + "; Path=/; Secure; Max-Age=600" + more`,
    );

    expect(await statusOf(ground.hostile.url)).toBe(200);
    expect(await statusOf(ground.hostile.raw_url)).toBe(200);
    await close();
  });

  test("can lock its visitor out of its own host, but of no other, with many large cookies", {
    tags: "nightly",
  }, async () => {
    const { page, statusOf, close } = await anotherVisitor();

    await setCookies(
      page,
      `for (let number = 0; number < 20; number += 1) {
        document.cookie = "bomb" + number + "=" + "x".repeat(4000) + "; Path=/; Max-Age=600";
        document.cookie = "wide" + number + "=" + "x".repeat(4000) + "; Path=/; Max-Age=600; Domain=localhost";
      }`,
    );

    expect(await statusOf(`${baseUrl()}/p/${ground.hostile.slug}`)).toBe(200);
    expect(await statusOf(ground.strangersOpen.url)).toBe(200);
    expect(await statusOf(ground.verificationUrl)).toBe(200);
    expect(await statusOf(ground.hostile.url)).toBeGreaterThanOrEqual(400);
    await close();
  });

  test("can broadcast to pages of its own host only", async () => {
    const [page, own, stranger] = await Promise.all([
      openHostilePage(),
      openHostilePage(),
      visitor.newPage(),
    ]);
    await stranger.goto(ground.strangersOpen.raw_url);
    for (const listener of [own, stranger]) {
      await listener.evaluate(
        "new BroadcastChannel('all').onmessage = ({ data }) => (window.heard = data), 0",
      );
    }

    await page.evaluate("new BroadcastChannel('all').postMessage('hello')");
    await expect.poll(() => own.evaluate("window.heard")).toBe("hello");

    expect(await stranger.evaluate("window.heard ?? null")).toBeNull();
  });
});

async function openHostilePage(): Promise<Page> {
  const page = await visitor.newPage();
  await page.goto(ground.hostile.raw_url);
  return page;
}

function clicked(element: "a" | "form", attribute: "href" | "action"): string {
  return `(() => {
    const element = document.createElement("${element}");
    element.${attribute} = "${elsewhere}";
    element.target = "_top";
    document.body.append(element);
    ${element === "a" ? "element.click()" : "element.submit()"};
  })()`;
}

function refreshed(): string {
  return `(() => {
    const meta = document.createElement("meta");
    meta.httpEquiv = "refresh";
    meta.content = "0;url=${elsewhere}";
    document.head.append(meta);
  })()`;
}

/** Opens the hostile page in a new context. */
async function anotherVisitor() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(ground.hostile.raw_url);
  const statusOf = async (address: string) => (await page.goto(address))?.status() ?? 0;
  return { page, statusOf, close: () => context.close() };
}

/**
 * Sets cookies with a script and waits until the browser has stored them, because a navigation may overtake the script's writes.
 */
async function setCookies(page: Page, script: string) {
  await page.evaluate(script);
  await expect.poll(() => page.evaluate("document.cookie.length")).toBeGreaterThanOrEqual(16_000);
}

/** Returns a script that requests a passkey, which the virtual authenticator provides without a person. */
function passkey(way: "create" | "get"): string {
  const bytes = "new Uint8Array(16)";
  const publicKey =
    way === "get"
      ? `{ challenge: ${bytes}, timeout: 5000 }`
      : `{
        challenge: ${bytes}, timeout: 5000, rp: { name: "site" }, user: { id: ${bytes}, name: "x", displayName: "x" },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }], authenticatorSelection: { residentKey: "required" },
      }`;
  return `navigator.credentials.${way}({ publicKey: ${publicKey} }).then(({ type }) => type)`;
}
