import { describe, expect, test, vi } from "vitest";
import { publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { newOwner, openSignedIn } from "../support/own-pages.ts";
import { within } from "../support/promised-time.ts";
import {
  contentSecurityPolicyOf,
  expectCommonHeaders,
  expectOwnScripts,
} from "../support/security-headers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

describe("/account", () => {
  test("redirects a visitor to sign in, and returns them after it", async () => {
    const { response } = await fetchPage("/account").then((response) => ({ response }));
    expect([response.status, response.headers.location]).toEqual([
      302,
      `${baseUrl()}/login/read?to=%2Faccount`,
    ]);
    expect(response.headers["cache-control"]).toBe("no-store");

    const page = await openSignedIn("/account", unusedUsername("comes-back"));

    expect([page.url.href, page.response.status]).toEqual([`${baseUrl()}/account`, 200]);
  });

  test("lists the owner's drops with their visibility, last changed first", async () => {
    const { api, visitor } = await newOwner("lists");
    const first = await publish(api, { title: "First <b>" });
    const second = await publish(api, { title: "Second", visibility: "members", passcode: "open sesame" });
    await api.succeed("publish-version", { params: { slug: first.slug }, body: { html: "<p>two" } });

    const page = await visitor.open("/account");

    const rows = elementsOf(page.response, "li").map((row) => textOf(row));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^First <b>Public2 versions0 viewsUpdated \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    expect(rows[1]).toMatch(/^SecondMembersLocked1 version0 viewsUpdated \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    const links = elementsOf(page.response, "a").map(({ attribs }) => attribs.href);
    expect(links).toEqual(
      expect.arrayContaining([`/account/drops/${first.slug}`, `/account/drops/${second.slug}`]),
    );
    expect(page.response.text).not.toContain("hb_");
  });

  test("finds the owner's own pages of any visibility, and no other owner's", async () => {
    const [word, { api, visitor }, other] = [
      unusedUsername("own"),
      await newOwner("seeks"),
      await newOwner("else"),
    ];
    const html = `<p>All of ${word} here`;
    const mine = await publish(api, { title: "Mine", html, visibility: "unlisted" });
    const locked = await publish(api, { title: `Locked ${word}`, html: "<p>no", passcode: "open sesame" });
    const theirs = await publish(other.api, { title: word, html, visibility: "public" });
    const search = `/account?q=${word.toUpperCase()}`;

    const { response } = await vi.waitFor(async () => {
      const page = await visitor.open(search);
      for (const { slug } of [mine, locked]) expect(page.response.text).toContain(slug);
      return page;
    }, within(20));

    expect(elementsOf(response, "li").map(textOf)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^MineAll of ${word} hereUnlisted1 versionUpdated`),
        expect.stringMatching(`^Locked ${word}UnlistedLocked|^Locked ${word}PublicLocked`),
      ]),
    );
    expect(elementsOf(response, "mark").map(textOf)).toEqual([word]);
    expect(response.text).not.toContain(theirs.slug);
    const nothing = await visitor.open("/account?q=nowhere-at-all");
    expect(elementsOf(nothing.response, "h2").map(textOf)).toEqual(["Nothing found"]);
    const refused = await visitor.open('/account?q="open&page=3');
    expect(refused.response.text).toContain("Close the quotation mark");
  });

  test("returns 200 for any page number, also an invalid one", async () => {
    const { visitor } = await newOwner("one-page");

    for (const query of ["?page=2", "?page=0", "?page=x", "?page=1&page=2"])
      expect((await visitor.open(`/account${query}`)).response.status).toBe(200);
  });

  test("cannot be framed, cached, or requested by another site, and runs only its own script", async () => {
    const { visitor } = await newOwner("framed");

    const { response } = await visitor.open("/account");

    expectCommonHeaders(response);
    expect(contentSecurityPolicyOf(response)).toMatchObject({
      "default-src": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'",
      "base-uri": "'none'",
    });
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.headers["cross-origin-opener-policy"]).toBe("same-origin");
    expectOwnScripts(response);
    const foreign: readonly Record<string, string>[] = [
      { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site" },
      { "sec-fetch-dest": "empty", "sec-fetch-site": "cross-site" },
      { "sec-fetch-dest": "document", "sec-purpose": "prefetch;prerender" },
    ];
    for (const headers of foreign) {
      const refused = await visitor.request("/account", { headers: { accept: "text/html", ...headers } });
      expectErrorPage(refused.response, 403);
    }
  });

  test("explains to a person without an account how to get one, and does not create it", async () => {
    const username = unusedUsername("reads-only");

    const page = await openSignedIn("/account", username);

    expect(elementsOf(page.response, "h1").map(textOf)).toEqual(["No pages yet"]);
    expect(elementsOf(page.response, "q").map(textOf)[0]).toContain(baseUrl());
    expect((await openSignedIn("/account", username)).response.text).toContain("No pages yet");
  });

  test("requires a sign-in after signing out", async () => {
    const { api, visitor } = await newOwner("leaves");
    await publish(api, { title: "Mine alone" });
    const page = await visitor.open("/account");
    expect(page.response.text).toContain("Mine alone");

    const left = await visitor.submit(page, {});

    expect(left.response.text).toContain("/login/read?to=%2Faccount&amp;account=other");
    const again = await visitor.request("/account");
    expect(again.response.status).toBe(302);
  });

  test("is one of the few pages to which a sign-in can return", async () => {
    const visitor = new Visitor();
    await openSignedIn("/account", unusedUsername("destinations"), visitor);
    const leadTo = async (query: string) => (await visitor.request(`/login/read?${query}`)).response;

    for (const to of [
      "/account",
      "/account/files",
      "/account/tokens",
      "/account/drops/aB3dE5f",
      "/library?q=x&owner=ada",
      "/p/aB3dE5f/feedback?thread=2",
      "/d/aB3dE5f?v=2&x=1",
      `/oauth/authorize?request=${"a".repeat(22)}`,
    ]) {
      const { status, headers } = await leadTo(`to=${encodeURIComponent(to)}`);
      expect([status, headers.location]).toEqual([302, baseUrl() + to]);
    }
    for (const query of [
      "to=//evil.example",
      "to=https://evil.example/account",
      "to=.evil.example/account",
      "to=/%5Cevil.example",
      "to=/account/drops/../x",
      "to=/account%0d%0aset-cookie:x",
      "to=/login/sign-out",
      "to=/p/aB3dE5f/unlock",
      "to=/oauth/authorise",
      "to=/account&to=/account/files",
      "to=",
    ]) {
      const { status, headers } = await leadTo(query);
      expect([query, status, headers.location]).toEqual([query, 400, undefined]);
    }
  });
});
