import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { inWindow, say, threadsOf } from "../support/feedback-forms.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { offeredSignIn } from "../support/reader.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, type Visit, Visitor } from "../support/visitor.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("feedback");
});

/** Publishes a drop whose readers may comment, and returns it with the URLs of its comments on both hosts. */
async function given(fields: object = {}) {
  const drop = await publish(account.api, { html: pageOf("leaves"), feedback: "readers", ...fields });
  const path = `/p/${drop.slug}/feedback`;
  return { ...drop, address: baseUrl() + path, ownersAddress: ownerAddress(drop.url) + path };
}

/** Signs in with the page's own link, and returns to the page. */
async function signIn(address: string, username: string, visitor = new Visitor()): Promise<Visit> {
  const page = await visitor.open(address, { headers: inWindow });
  return visitor.submit(await visitor.open(offeredSignIn(page)), { username });
}

const mozilla = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/16.3";

describe("the page of a drop's comments", () => {
  test("shows the drop in its sandbox, and a sign-in link to a visitor", async () => {
    const { slug, address } = await given({ title: "The <garden>" });

    const response = await fetchPage(address, { headers: inWindow });

    expect(response.status).toBe(200);
    expectCommonHeaders(response);
    expect(elementsOf(response, "h1").map(textOf)).toEqual(["The <garden>"]);
    expect(elementsOf(response, "iframe").map(({ attribs: { src, sandbox } }) => [src, sandbox])).toEqual([
      [`/p/${slug}/raw?v=1&framed=1`, "allow-scripts allow-forms allow-modals allow-downloads"],
    ]);
    expect(elementsOf(response, "form")).toEqual([]);
    expect(offeredSignIn({ url: new URL(address), response }).search).toBe(
      `?to=${encodeURIComponent(`/p/${slug}/feedback?v=1`)}`,
    );
    expect(elementsOf(response, "meta").map(({ attribs }) => attribs.content)).toContain("noindex");
  });

  test("is only on the service's own host, to which owners' hosts redirect every request", async () => {
    const [drop, off] = [await given(), await given({ feedback: "off" })];
    const missing = `${ownerAddress(drop.url)}/p/0000000/feedback`;

    const askers: readonly Readonly<Record<string, string>>[] = [
      {},
      { "user-agent": mozilla },
      ...["document", "empty", "iframe"].map((destination) => ({ "sec-fetch-dest": destination })),
    ];
    for (const headers of askers) {
      for (const address of [drop.ownersAddress, off.ownersAddress, missing]) {
        const response = await fetchPage(`${address}?v=1&thread=2`, { headers });
        const { pathname } = new URL(address);
        expect([response.status, response.headers.location]).toEqual([
          303,
          `${baseUrl()}${pathname.replace(/^\/@[^/]+/, "")}?v=1&thread=2`,
        ]);
        expect(response.setCookies).toEqual([]);
      }
    }
    const there = await fetchPage(drop.address, { headers: { "user-agent": mozilla } });
    expect(there.status).toBe(200);
  });

  test("is not cached or framed, is isolated from its opener, and runs only the service's script", async () => {
    const { address } = await given();

    const response = await fetchPage(address, { headers: inWindow });

    const { "style-src": style, "script-src": script, ...policy } = contentSecurityPolicyOf(response);
    expect([style, script]).toEqual([expect.stringMatching(/^'nonce-/), expect.stringMatching(/^'nonce-/)]);
    expect(policy).toEqual({
      "default-src": "'none'",
      "base-uri": "'none'",
      "img-src": "data:",
      "frame-src": "'self'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
    });
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "same-origin",
    });
  });

  test("does not use the reader's session in requests that another host causes", {
    tags: "slow",
  }, async () => {
    const [all, some] = [await given(), await given({ visibility: "members" })];
    const visitor = new Visitor();
    const page = await signIn(all.address, unusedUsername("reader"), visitor);
    expect(elementsOf(page.response, "form")).toHaveLength(1);
    const asked = async (address: string, destination: string, site: string) => {
      const headers = { "sec-fetch-dest": destination, "sec-fetch-site": site };
      return (await visitor.request(address, { headers })).response;
    };

    for (const destination of ["empty", "iframe", "object", "embed", "script", "image"]) {
      for (const site of ["same-site", "cross-site"]) {
        const open = await asked(all.address, destination, site);
        expect([open.status, elementsOf(open, "form")]).toEqual([200, []]);
        expectErrorPage(await asked(some.address, destination, site), 404);
      }
    }
    expect((await asked(some.address, "document", "same-site")).status).toBe(200);
  });

  test("is the same 404 as a missing drop's if comments are off or the visitor has no access", {
    tags: "slow",
  }, async () => {
    const off = await given({ feedback: "off" });
    const usual = await publish(account.api, {});
    const restricted = await given({ visibility: "people", readers: ["somebody@else.example"] });
    const none = `${baseUrl()}/p/0000000/feedback`;
    const shown = async (address: string) => {
      const { slug } = /\/p\/(?<slug>\w+)\//.exec(address)?.groups ?? {};
      const response = await fetchPage(address, { headers: inWindow });
      expectErrorPage(response, 404);
      return response.text.replaceAll(slug ?? "", "").replaceAll(/nonce="[^"]+"/g, "");
    };

    const missing = await shown(none);
    expect(missing).toContain(`to=${encodeURIComponent("/p//feedback")}`);
    for (const address of [off.address, restricted.address, `${baseUrl()}/p/${usual.slug}/feedback`])
      expect(await shown(address)).toBe(missing);
    for (const query of ["?v=2", "?v=0", "?v=x", "?v=1&v=1", "?thread=1", "?page=2", "?page=0", "?page=x"])
      expectErrorPage(await fetchPage((await given()).address + query, { headers: inWindow }), 404);
  });

  test("is linked from the viewer, for the displayed version, if comments are on", async () => {
    const drop = await given();
    const off = await given({ feedback: "off" });
    await account.api.succeed("publish-version", {
      params: { slug: drop.slug },
      body: { html: pageOf("2") },
    });
    /** Returns the URLs of the bar's link and of the panel's link, which is shown if the panel cannot be loaded. */
    const wayFrom = async (url: string) => {
      const links = elementsOf(await fetchPage(url, { headers: inWindow }), "a")
        .map(({ attribs }) => new URL(attribs.href ?? "", url).href)
        .filter((href) => new URL(href).pathname.endsWith("/feedback"));
      return [...new Set(links)];
    };

    expect(await wayFrom(drop.url)).toEqual([drop.address]);
    expect(await wayFrom(`${drop.url}?v=1`)).toEqual([`${drop.address}?v=1`]);
    expect(await wayFrom(off.url)).toEqual([]);
  });
});

describe("a restricted drop", () => {
  test("allows comments by default, and a reader returns to them through the sign-in", async () => {
    const drop = await given({ visibility: "members", feedback: undefined });
    const visitor = new Visitor();

    const missing = await visitor.open(`${drop.ownersAddress}?v=1`, { headers: inWindow });
    expectErrorPage(missing.response, 404);
    const page = await visitor.submit(await visitor.open(offeredSignIn(missing)), {
      username: unusedUsername("reader"),
    });

    expect([page.response.status, page.url.href]).toEqual([200, `${drop.address}?v=1`]);
    expect(elementsOf(page.response, "form")).toHaveLength(1);
  });

  test("returns 404 to people who are not its readers", async () => {
    const drop = await given({ visibility: "people", readers: ["somebody@else.example"] });
    const visitor = new Visitor();
    const missing = await visitor.open(drop.address, { headers: inWindow });

    const page = await visitor.submit(await visitor.open(offeredSignIn(missing)), {
      username: unusedUsername("stranger"),
    });

    expect(page.response.status).toBe(404);
  });
});

test("a locked drop requires its passcode, and then shows the comments", async () => {
  const drop = await given({ passcode: "open sesame", title: "words behind it" });
  const visitor = new Visitor();

  const gate = await visitor.open(`${drop.ownersAddress}?v=1&page=1`, { headers: inWindow });
  expect(gate.response.status).toBe(200);
  expect(gate.response.text).not.toContain("words behind it");
  const page = await visitor.submit(gate, { passcode: "open sesame" });

  expect(page.url.href).toBe(`${drop.address}?v=1&page=1`);
  expect(elementsOf(page.response, "input").map(({ attribs }) => attribs.name)).toContain("name");
});

describe("a commented passage", () => {
  test("that is missing in the displayed version is reported, with a link to its own version", {
    tags: "slow",
  }, async () => {
    const html = "<p>Twelve <b>green\nleaves</b> fell.</p><p>It&nbsp;rained.</p>";
    const drop = await given({ html });
    const visitor = new Visitor();
    const first = await signIn(drop.address, unusedUsername("reader"), visitor);
    const second = await say(visitor, first, { quote: "Twelve GREEN leaves fell.", text: "Count again." });
    await say(visitor, second, { quote: "It rained.", text: "Did it?" });
    const next = { html: "<p>Thirteen green leaves fell.</p><p>It rained.</p>" };
    await account.api.succeed("publish-version", { params: { slug: drop.slug }, body: next });

    const now = await visitor.open(drop.address, { headers: inWindow });
    const before = await visitor.open(`${drop.address}?v=1`, { headers: inWindow });

    const told = (page: Visit) => elementsOf(page.response, "article").map(textOf);
    expect(told(now)[1]).toContain("This passage is not in version 2. See it in version 1");
    expect(told(now)[0]).not.toContain("Not in version");
    expect(linksTo(now, "?v=1#t1")).toEqual([`${drop.address}?v=1#t1`]);
    expect(told(before).join()).not.toContain("Not in version");
    await account.api.succeed("delete-version", { params: { slug: drop.slug, n: 1 } });
    expect(linksTo(await visitor.open(drop.address, { headers: inWindow }), "?v=1#t1")).toEqual([]);
  });
});

test("threads are listed by their latest comment, twenty per page, and a long one has its own page", {
  tags: "nightly",
}, async () => {
  const drop = await given();
  const addressOf = (query: string) => `${drop.address}${query}`;
  const readers = [new Visitor(), new Visitor(), new Visitor()];
  for (const visitor of readers) await signIn(drop.address, unusedUsername("reader"), visitor);
  for (let index = 0; index < 21; index += 1) {
    const visitor = readers[index % 3] as Visitor;
    await say(visitor, await visitor.open(drop.address, { headers: inWindow }), {
      text: `thread ${index + 1}`,
    });
  }
  for (let index = 0; index < 6; index += 1) {
    const visitor = readers[index % 3] as Visitor;
    const page = await visitor.open(addressOf("?page=2"), { headers: inWindow });
    await say(
      visitor,
      index === 0 ? page : await visitor.open(drop.address, { headers: inWindow }),
      { text: `reply ${index + 1}` },
      1,
    );
  }
  const [visitor] = readers as [Visitor];

  const first = await visitor.open(drop.address, { headers: inWindow });
  const second = await visitor.open(addressOf("?page=2"), { headers: inWindow });
  const whole = await visitor.open(addressOf("?thread=1"), { headers: inWindow });

  const texts = (page: Visit) => threadsOf(page).map(({ comments }) => comments.map(([, text]) => text));
  expect(texts(first)).toHaveLength(20);
  expect(texts(first)[0]).toEqual(["thread 1", "reply 3", "reply 4", "reply 5", "reply 6"]);
  expect(texts(first)[1]).toEqual(["thread 21"]);
  expect(texts(second)).toEqual([["thread 2"]]);
  expect(texts(whole)).toEqual([["thread 1", ...[1, 2, 3, 4, 5, 6].map((number) => `reply ${number}`)]]);
  expect(linksTo(first, "page=2")).toHaveLength(1);
  expect(linksTo(first, "thread=1")).toHaveLength(1);
});

function linksTo(page: Visit, end: string): string[] {
  return elementsOf(page.response, "a")
    .map(({ attribs }) => new URL(attribs.href ?? "", page.url).href)
    .filter((href) => href.endsWith(end));
}
