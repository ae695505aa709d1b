// @module-tag slow

import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { openService } from "../../scripts/operator/service.ts";
import { givenReader } from "../abuse/given-reader.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { launchBrowser } from "../support/browser.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse, useService } from "../support/http.ts";
import { newOwner } from "../support/own-pages.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { signInToRead } from "../support/reader.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { contentSecurityPolicyOf } from "../support/security-headers.ts";
import { Visitor } from "../support/visitor.ts";

const wiki = "https://acme.notion.site";
const origins = [wiki, "https://wiki.example.com:8443"];
const allowed = `'self' ${origins.join(" ")}`;

let service: RunningService;
let account: Account;
let open: DropResponse;
let unlisted: DropResponse;
let members: DropResponse;
let locked: DropResponse;

beforeAll(async () => {
  service = await startService({ fileSettings: { ingest: "none", embedding: { origins } } });
  useService(service);
  await openService({ local: join(service.directory, "data") });
  account = await newAccount("embedding");
  const html = "<!doctype html><title>Numbers</title><p>Numbers of the quarter";
  open = await publish(account.api, { html, title: 'The "quarter" & <more>', context: "why" });
  unlisted = await publish(account.api, { html, visibility: "unlisted" });
  members = await publish(account.api, { html, title: "A secret plan", visibility: "members" });
  locked = await publish(account.api, { html, title: "A secret plan", passcode: "open sesame" });
});
afterAll(() => service?.stop());

/** Returns the headers of a request for a frame in a page of another site or host. */
const framedBy = (site: string) => ({
  accept: "text/html,*/*;q=0.8",
  "sec-fetch-dest": "iframe",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": site,
});
const inFrame = { headers: framedBy("cross-site") };
const inWindow = { headers: { accept: "text/html,*/*;q=0.8", "sec-fetch-dest": "document" } };

const ancestorsOf = (response: ReceivedResponse) => contentSecurityPolicyOf(response)["frame-ancestors"];
const frameOf = ({ text }: ReceivedResponse) =>
  (/<iframe[^>]* src="([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
const ofBase = ({ slug }: { readonly slug: string }) => `${baseUrl()}/p/${slug}`;

describe("the sites in the setting", () => {
  test("may frame the viewer of a public drop, and the page in it", async () => {
    for (const { url, slug } of [open, unlisted]) {
      for (const address of [url, `${url}?v=1`, ofBase({ slug })]) {
        const viewer = await fetchPage(address, inFrame);
        const frame = await fetchPage(new URL(frameOf(viewer), address), inFrame);

        expect([viewer.status, ancestorsOf(viewer)], address).toEqual([200, allowed]);
        expect(frame.text).toContain("Numbers of the quarter");
        expect([frame.status, ancestorsOf(frame)]).toEqual([200, allowed]);
      }
    }
  });

  test("may frame the viewer also from the edge's cache", async () => {
    const drop = await publish(account.api, {});
    await updateItem({
      key: keys.pointer(drop.slug),
      update: "SET viewSampling = :sampling",
      condition: "attribute_exists(ownerId)",
      values: { ":sampling": { level: 9, untilMs: Date.now() + 600_000 } },
    });
    const cached = async (options: typeof inFrame | typeof inWindow) => {
      const response = await fetchPage(drop.url, options);
      return { result: response.headers["x-cache"]?.split(" ")[0], response };
    };

    await expect.poll(async () => (await cached(inWindow)).result).toBe("Hit");
    await expect.poll(async () => (await cached(inFrame)).result).toBe("Hit");

    const [one, other] = [(await cached(inFrame)).response, (await cached(inWindow)).response];
    expect(ancestorsOf(one)).toBe(allowed);
    expect(one.text).toBe(other.text);
  });

  test("get no Share button for a signed-in owner", async () => {
    const owner = await newOwner("embedding-owner");
    const { slug } = await publish(owner.api);

    const window = await owner.visitor.open(ofBase({ slug }));
    expect(window.response.text).toContain('id="share-toggle"');
    for (const site of ["cross-site", "same-site"]) {
      const frame = await owner.visitor.open(ofBase({ slug }), { headers: framedBy(site) });
      expect(frame.response.status).toBe(200);
      expect(frame.response.text).not.toContain('id="share-toggle"');
    }
  });

  test("may frame no other page of the service", async () => {
    const others = [
      `${baseUrl()}/`,
      `${baseUrl()}/login`,
      `${baseUrl()}/login/read?to=${encodeURIComponent(`/p/${members.slug}`)}`,
      `${baseUrl()}/account`,
      `${baseUrl()}/library`,
      `${baseUrl()}/p/${open.slug}/feedback`,
      `${open.url.replace("/d/", "/p/")}/compare`,
      `${ofBase(open)}/context`,
      `${ownerAddress(open.url)}/`,
      `${baseUrl()}/verify`,
    ];
    const answers = await Promise.all(others.map((address) => fetchPage(address, inFrame)));
    for (const [index, answer] of answers.entries())
      if (answer.headers["content-security-policy"] !== undefined)
        expect(answer.headers["content-security-policy"], others[index]).toContain("frame-ancestors 'none'");

    for (const address of [open.raw_url, `${ofBase(open)}/raw`])
      expect(ancestorsOf(await fetchPage(address, inFrame)), address).toBe("'self'");
    // In a window, the setting changes nothing for the passcode form and the sign-in page.
    expect(ancestorsOf(await fetchPage(ofBase(locked), inWindow))).toBe("'none'");
    expect(ancestorsOf(await fetchPage(ofBase(members), inWindow))).toBe("'none'");
  });
});

describe("a drop that a stranger cannot read", () => {
  test("looks missing in a frame, also to its signed-in owner and reader", async () => {
    const visitor = new Visitor();
    await signInToRead(members.url, "embedded-reader", visitor);
    expect((await visitor.open(ofBase(members))).response.text).toContain("A secret plan");
    const strangers = new Visitor();
    const slugs = [members.slug, locked.slug, "0000000"];

    const seen = [];
    for (const slug of slugs)
      for (const site of ["cross-site", "same-site", "same-origin"])
        for (const someone of [visitor, strangers])
          seen.push((await someone.request(ofBase({ slug }), { headers: framedBy(site) })).response);

    const plain = seen.map(({ status, text, headers }) => {
      const policy = headers["content-security-policy"] ?? "";
      return [status, text.replace(/nonce="[^"]*"/g, ""), policy.replace(/'nonce-[^']*'/, "")].join("\n");
    });
    expect(new Set(plain).size).toBe(1);
    expect(plain[0]).toContain("Open this page in a new tab");
    expect(plain[0]).toContain(`form-action 'none'; frame-ancestors ${allowed}`);
    expect(plain[0]).not.toMatch(/secret|<form|<script/);
    for (const { headers } of seen) expect(headers["cache-control"]).toBe("no-store");
  });

  test("looks missing on its owner's host, too", async () => {
    const onOwnersHost = (slug: string) => `${ownerAddress(open.url)}/d/${slug}`;

    const seen = await Promise.all(
      [members.slug, locked.slug, "0000000"].map((slug) => fetchPage(onOwnersHost(slug), inFrame)),
    );

    expect(new Set(seen.map(({ text }) => text.replace(/nonce="[^"]*"/g, ""))).size).toBe(1);
    for (const one of seen) expect([one.status, ancestorsOf(one)]).toEqual([404, allowed]);
  });

  test("cannot be framed by the sites in the setting, even at its own raw URL", async () => {
    for (const { slug } of [members, locked]) {
      const framed = await fetchPage(`${ofBase({ slug })}/raw?v=1&framed=1`, inFrame);

      expect(framed.text).not.toContain("Numbers");
    }
  });
});

describe("oEmbed", () => {
  const ask = async (url: string, more = "") => {
    const { status, text } = await fetchPage(`${baseUrl()}/oembed?${new URLSearchParams({ url })}${more}`);
    return { status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  };

  test("returns a frame of the viewer for a public drop, in the requested size", async () => {
    for (const { url } of [open, unlisted]) {
      const { json } = await ask(url);
      expect(json).toMatchObject({ type: "rich", width: 960, height: 640 });
      expect(json.html).toMatch(/^<iframe .*<\/iframe>$/);
      expect(json.html).toContain(`src="${url}" width="960" height="640"`);
    }
    const { json: small } = await ask(`${open.url}?v=1`, "&maxwidth=320&maxheight=200");
    expect(small).toMatchObject({ type: "rich", width: 320, height: 200 });
    expect(small.html).toContain(`src="${open.url}?v=1" width="320" height="200"`);
    expect(small.html).toContain('title="The &quot;quarter&quot; &amp; &lt;more>"');
    expect((await ask(open.url, "&maxwidth=5000")).json.width).toBe(960);
  });

  test("returns the frame in XML, too", async () => {
    const { text } = await ask(open.url, "&format=xml");

    expect(text).toContain("<type>rich</type>");
    expect(text).toContain("&lt;iframe ");
  });

  test("returns the error of a missing drop for a drop for members, and 401 for a locked drop", async () => {
    const [hidden, missing] = await Promise.all([ask(members.url), ask(`${baseUrl()}/p/0000000`)]);

    expect(hidden).toEqual(missing);
    expect(hidden.text).not.toContain("iframe");
    const refused = await fetchPage(`${baseUrl()}/oembed?${new URLSearchParams({ url: locked.url })}`);
    expectError(refused, "unauthorized");
  });
});

describe("in a browser", { tags: "nightly" }, () => {
  let browser: Browser;
  beforeAll(async () => {
    // Without this option, a site on the internet may not frame a service on this machine.
    browser = await launchBrowser(["--disable-features=LocalNetworkAccessChecks"]);
  });
  afterAll(() => browser?.close());

  async function openAt(site: string, url: string, context?: BrowserContext): Promise<Page> {
    const page = await (context ?? (await browser.newContext())).newPage();
    await page.route(`${site}/**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<iframe width="1000" height="600" src="${url}"></iframe>`,
      }),
    );
    await page.goto(`${site}/page`);
    return page;
  }

  test("a site in the setting shows the page, and the bar's links open in a new tab", async () => {
    const page = await openAt(wiki, open.url);
    const viewer = page.frameLocator("iframe");

    await viewer.frameLocator("iframe").getByText("Numbers of the quarter").waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      viewer.getByRole("link", { name: /^by / }).click(),
    ]);
    expect(opened.url()).toBe(`${ownerAddress(open.url)}/`);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    const targets = await viewer
      .locator("header a[href]")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).target));
    expect(new Set(targets)).toEqual(new Set(["_blank"]));
  });

  test("a site in the setting shows no comment form, and comments open in a new tab", async () => {
    const { slug } = await publish(account.api, {
      html: "<!doctype html><title>Numbers</title><p>Numbers of the quarter",
      feedback: "readers",
    });
    const page = await openAt(wiki, ofBase({ slug }));
    const viewer = page.frameLocator("iframe");

    await viewer.frameLocator("iframe").getByText("Numbers of the quarter").selectText();
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      viewer.locator('header a[href*="/feedback"]').evaluate((link) => (link as HTMLAnchorElement).click()),
    ]);

    expect(opened.url()).toContain(`/p/${slug}/feedback`);
    expect(await viewer.locator("#comment").isVisible()).toBe(false);
    expect(await viewer.locator("form textarea").count()).toBe(0);
  });

  test("a signed-in reader at a site in the setting sends an answer without their name", async () => {
    const { api } = await newAccount("embedded");
    const html =
      '<!doctype html><title>Vote</title><form data-answers="vote"><input name="why"><button>Vote</button></form>';
    const { slug } = await publish(api, { html, answers: "readers" });
    const { visitor } = await givenReader();
    const context = await browser.newContext();
    // Like on an intranet of the same site, where frames send the reader's cookies.
    const [name = "", value = ""] = visitor.cookiesFor(baseUrl()).split("=");
    await context.addCookies([
      { name, value, domain: "localhost", path: "/", secure: true, sameSite: "None" },
    ]);
    const page = await openAt(wiki, ofBase({ slug }), context);
    const form = page.frameLocator("iframe").frameLocator("iframe").locator("form");

    await form.getByRole("textbox").fill("Because");
    await form.getByRole("button").click();
    await form.getByText("Sent.").waitFor();

    const { answers } = await api.succeed("list-answers", { params: { slug } });
    expect(answers).toMatchObject([{ fields: { why: "Because" }, author: { signed_in: false } }]);
  });

  test("a separate window has the same links as without the setting", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(open.url);

    expect(await page.locator("header a[target]").count()).toBe(0);
  });

  test("another site shows nothing", async () => {
    const page = await openAt("https://evil.example", "about:blank");
    const refused = page.waitForEvent("requestfailed");

    await page.locator("iframe").evaluate((frame, url) => {
      (frame as HTMLIFrameElement).src = url;
    }, open.url);

    expect((await refused).failure()?.errorText).toBe("net::ERR_BLOCKED_BY_RESPONSE");
  });

  test("a drop that a stranger cannot read has a link that opens it in a new tab", async () => {
    const page = await openAt(wiki, ofBase(members));
    const [opened] = await Promise.all([
      page.context().waitForEvent("page"),
      page.frameLocator("iframe").getByRole("link", { name: "Open in a new tab" }).click(),
    ]);

    await opened.getByRole("link", { name: "Sign in" }).waitFor();
    expect(opened.url()).toBe(ofBase(members));
  });
});
