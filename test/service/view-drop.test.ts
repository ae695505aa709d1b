import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

let account: Account;
/** A drop with three versions, of which only the second has a context. */
let drop: DropResponse;

beforeAll(async () => {
  account = await newAccount("viewer");
  const { slug } = await publish(account.api, {
    html: pageOf("one"),
    title: "A title",
    description: "Some words",
  });
  const params = { slug };
  await account.api.succeed("publish-version", {
    params,
    body: { html: pageOf("two"), context: "Why the second" },
  });
  drop = await account.api.succeed("publish-version", { params, body: { html: pageOf("three") } });
});

describe("the viewer", () => {
  test("is at /d/ and /p/ on the owner's host, and at /p/ on the base host", async () => {
    for (const address of viewerAddresses()) {
      const response = await fetchPage(address);

      expect(response.status, address).toBe(200);
      expect(response.headers["content-type"]).toMatch(/^text\/html; ?charset=utf-8$/i);
      expect(response.text).toContain("A title");
      expect(response.text).toContain("Some words");
    }
  });

  test("frames the page in a sandbox with four permissions and without an origin", async () => {
    for (const address of viewerAddresses()) {
      const frame = frameOf(await fetchPage(address));

      expect((frame.sandbox ?? "").split(" ").toSorted()).toEqual([
        "allow-downloads",
        "allow-forms",
        "allow-modals",
        "allow-scripts",
      ]);
      expect((await fetchPage(new URL(frame.src ?? "", address))).text).toContain("<p>three</p>");
    }
  });

  test("shows the version in ?v=, and links to the other versions", async () => {
    const address = `${drop.url}?v=1`;
    const response = await fetchPage(address);

    const framed = await fetchPage(new URL(frameOf(response).src ?? "", address));
    const links = elementsOf(response, "a").map(({ attribs }) => new URL(attribs.href ?? "", address));
    const targets = links.map(({ origin, pathname, search }) => origin + pathname + search);

    expect(framed.text).toContain("<p>one</p>");
    expect(targets).toEqual(expect.arrayContaining([drop.url, `${drop.url}?v=2`]));
  });

  test("links to the context only if the displayed version has one", async () => {
    const [withContext, without] = await Promise.all(
      [2, 3].map((version) => fetchPage(`${drop.url}?v=${version}`)),
    );

    expect(withContext?.text).toContain(`/p/${drop.slug}/context?v=2`);
    expect(without?.text).not.toContain("/context");
    // The text is loaded only when a reader opens it.
    expect(withContext?.text).not.toContain("Why the second");
  });

  test("escapes the owner's title and description", async () => {
    const hostile = `</title><script>alert("x")</script><img src=x onerror=alert(1)>'"&amp;`;
    const { url } = await publish(account.api, { title: hostile, description: hostile });

    const response = await fetchPage(url);

    const policy = contentSecurityPolicyOf(response);
    expect(response.text).not.toContain("<script>alert");
    expect(elementsOf(response, "img").filter(({ attribs }) => "onerror" in attribs)).toEqual([]);
    expect(elementsOf(response, "h1").map(textOf)).toContain(hostile);
    for (const { attribs } of elementsOf(response, "script"))
      expect(policy["script-src"]).toContain(attribs.nonce);
  });

  test("can run only its own scripts and styles, frame only its own host, and is not cached", async () => {
    const response = await fetchPage(drop.url);

    const policy = contentSecurityPolicyOf(response);
    expectCommonHeaders(response);
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "connect-src": "'self'",
      "frame-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'self'",
    });
    for (const name of ["script-src", "style-src"]) {
      expect(policy[name]).toMatch(/^'(nonce|sha256)-[^' ]+'( '(nonce|sha256)-[^' ]+')*$/);
    }
    expect(response.headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(response.headers["referrer-policy"]).toBe("same-origin");
    expect(response.headers["cache-control"]).toContain("no-store");
  });

  test("has a new nonce in every response", async () => {
    const responses = await Promise.all([fetchPage(drop.url), fetchPage(drop.url)]);

    const policies = responses.map((response) => contentSecurityPolicyOf(response)["script-src"]);

    expect(policies[0]).not.toBe(policies[1]);
  });

  test("passes other query parameters to the page unchanged, without the service's own ones", async () => {
    const sent = "a=1;b&a=%20+x&empty=&&bare&from=%e4&framed=0&%76=9&v=1&p'<=\\";
    // `%76` is decoded to `v`, and a repeated `v` is refused.
    const [twice, once] = await Promise.all(
      [sent, sent.replace("%76=9&", "")].map((query) => fetchPage(`${drop.url}?${query}`)),
    );

    expectErrorPage(twice as ReceivedResponse, 404);
    const frame = new URL(frameOf(once as ReceivedResponse).src ?? "", drop.url);
    expect(frame.search).toBe(`?v=1&framed=1&a=1;b&a=%20+x&empty=&&bare&from=%e4&p%27%3C=\\`);
    expect((await fetchPage(frame)).text).toContain("<p>one</p>");
    const hrefs = elementsOf(once as ReceivedResponse, "a").map(({ attribs }) => attribs.href ?? "");
    const rest = "a=1;b&a=%20+x&empty=&&bare&from=%e4&p%27%3C=\\";
    expect(hrefs).toEqual(
      expect.arrayContaining([`?v=2&${rest}`, `?${rest}`, `${drop.raw_url}?v=1&${rest}`]),
    );
    // The link to copy does not contain the reader's query.
    expect(hrefs).toContain("?v=1");
    expect(hrefs).not.toContain("?v=1&");
  });

  test("passes no query to the page if the query is too long", async () => {
    const frames = await Promise.all(
      [2_046, 2_047].map(async (length) =>
        frameOf(await fetchPage(`${drop.url}?x=${"1".repeat(length)}`)).src?.replace(/^.*framed=1/, ""),
      ),
    );

    expect(frames).toEqual([`&x=${"1".repeat(2_046)}`, ""]);
  });

  test("returns the content type of GET for HEAD, without a body", async () => {
    for (const address of viewerAddresses()) {
      const head = await fetchPage(address, { method: "HEAD" });

      expect({ status: head.status, body: head.text }).toEqual({ status: 200, body: "" });
      expect(head.headers["content-type"]).toMatch(/^text\/html/);
    }
  });
});

describe("an unknown version or slug", () => {
  const noNumbers = ["?v=0", "?v=-1", "?v=01", "?v=1.0", "?v=x", "?v="];

  test("returns the 404 page for a version that does not exist, at every URL", async () => {
    for (const address of [...viewerAddresses(), ...rawAddresses()])
      expectErrorPage(await fetchPage(`${address}?v=4`), 404);
  });

  test.each([...noNumbers, "?v=1&v=2"])("returns the 404 page in place of the viewer: %s", async (query) => {
    for (const address of viewerAddresses()) expectErrorPage(await fetchPage(address + query), 404);
  });

  test.each(noNumbers)("is ignored at a raw page, which shows the latest version: %s", async (query) => {
    for (const address of rawAddresses()) {
      const latest = await fetchPage(address);
      const response = await fetchPage(address + query);

      expect([response.status, response.text]).toEqual([200, latest.text]);
    }
  });

  test.each(["aaaaaaa", "short", "toolong8", "aaaaaa-", "%00aaaaaa", "..%2f..%2fx"])(
    "returns the 404 page for the slug %s",
    async (slug) => {
      const owner = ownerAddress(drop.url);
      const addresses = [
        `${baseUrl()}/p/${slug}`,
        `${baseUrl()}/p/${slug}/raw`,
        `${owner}/d/${slug}`,
        `${owner}/p/${slug}`,
      ];
      for (const address of addresses) expectErrorPage(await fetchPage(address), 404);
    },
  );

  test("returns 404 for HEAD, without a body", async () => {
    const head = await fetchPage(`${baseUrl()}/p/aaaaaaa`, { method: "HEAD" });

    expect({ status: head.status, body: head.text }).toEqual({ status: 404, body: "" });
  });
});

function rawAddresses(): string[] {
  return [drop.raw_url, `${baseUrl()}/p/${drop.slug}/raw`];
}

function viewerAddresses(): string[] {
  return [drop.url, drop.url.replace("/d/", "/p/"), `${baseUrl()}/p/${drop.slug}`];
}

function frameOf(response: ReceivedResponse): Record<string, string> {
  const [frame, ...others] = elementsOf(response, "iframe");
  if (frame === undefined || others.length > 0)
    throw new Error(`Expected one frame, but there are ${others.length + 1}.`);
  return frame.attribs;
}
