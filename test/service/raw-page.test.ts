import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { hasOwnOrigin, ownerAddress } from "../support/owner-address.ts";
import { contentSecurityPolicyOf, expectCommonHeaders } from "../support/security-headers.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("raw");
});

describe("the raw page", () => {
  test.each([
    [
      "a whole document",
      "<!DOCTYPE html>\r\n<html lang=en>\r\n<HEAD>\t<title>T</title></HEAD><body>x</body></html>\r\n",
    ],
    ["a document without a head", "<!doctype html><html><body><p>x</body></html>"],
    ["a fragment", "<p>Just a paragraph"],
    ["plain text", "no tag at all, & no < either"],
    [
      "an old doctype",
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><p>',
    ],
    [
      "comments that contain tags",
      "<!-- <head> --><!doctype html><!-- <html> --><html><head><!-- > --></head>x",
    ],
    ["a head in a script", "<!doctype html><script>const head = '<head>';</script><p>x"],
    [
      "every kind of character",
      "<!doctype html><head></head>\u0000\u0001\u2028\ufeff\ufffd🍃é\ud83c\udf43 e\u0301 &amp;&lt;&bogus;",
    ],
    ["a byte order mark", "\ufeff<!doctype html><html><head></head><body>x</body></html>"],
  ])("is byte for byte the published page, except for one style: %s", async (_case, html) => {
    const drop = await publish(account.api, { html });

    for (const address of [drop.raw_url, `${baseUrl()}/p/${drop.slug}/raw?v=1`]) {
      const { status, bytes } = await fetchPage(address);

      const { before, style, after } = aroundStyle(bytes);
      expect(status).toBe(200);
      expect(Buffer.concat([before, after]).equals(Buffer.from(html))).toBe(true);
      expect(style).toMatch(/^<style>@layer [^<]*max-width:[^<]*<\/style>$/);
    }
  });

  test("has the service's style before its own rules, which therefore override it", async () => {
    const html = `<!doctype html><html><head><style>img{max-width:none}</style></head><body></body></html>`;
    const drop = await publish(account.api, { html });

    const { before } = aroundStyle((await fetchPage(drop.raw_url)).bytes);

    expect(before.toString()).toBe("<!doctype html><html><head>");
  });

  test("on the base host, which has sign-in cookies, is always sandboxed", async () => {
    const { slug } = await publish(account.api);

    for (const query of ["", "?v=1"]) {
      const response = await fetchPage(`${baseUrl()}/p/${slug}/raw${query}`);

      expectRawHeaders(response.headers);
      expectCommonHeaders(response);
      expect(contentSecurityPolicyOf(response)).toEqual({ ...specifiedPolicy, ...sandbox });
    }
  });

  test("opened as a document on the base host redirects to the owner's host, if owners have hosts", async () => {
    const { slug, raw_url: own } = await publish(account.api);
    const pass = { status: 200, location: undefined };

    // Each twice, so that a response from the wrong cache entry would be noticed.
    for (const query of ["", "?v=1", "", "?v=1"]) {
      const ask = async (headers: Record<string, string>) => {
        const response = await fetchPage(`${baseUrl()}/p/${slug}/raw${query}`, { headers });
        return {
          status: response.status,
          location: response.headers.location,
          cache: response.headers["cache-control"],
        };
      };

      const sent = hasOwnOrigin(own) ? { status: 302, location: own + query, cache: "no-store" } : pass;
      expect(await ask({ "sec-fetch-dest": "document" })).toMatchObject(sent);
      expect(await ask({ "sec-fetch-dest": "iframe" })).toMatchObject(pass);
      expect(await ask({ "sec-fetch-dest": "empty" })).toMatchObject(pass);
      expect(await ask({ "user-agent": "Mozilla/5.0" })).toMatchObject(pass);
      expect(await ask({ "user-agent": "curl/8.5.0" })).toMatchObject(pass);
      expect(await ask({ "x-dropleaf-window": "1" })).toMatchObject(pass);
      expect((await fetchPage(own + query, { headers: { "sec-fetch-dest": "document" } })).status).toBe(200);
    }
  });

  test("of a missing drop returns 404 without a redirect", async () => {
    const headers = { "sec-fetch-dest": "document" };

    expect((await fetchPage("/p/0000000/raw", { headers })).status).toBe(404);
  });

  test("of a locked drop is not redirected in a loop", async () => {
    const { slug, raw_url: own } = await publish(account.api, { passcode: "open sesame" });

    for (const [name, value] of [
      ["sec-fetch-dest", "document"],
      ["user-agent", "Mozilla/5.0"],
    ] as const) {
      const headers = { [name]: value };
      for (const address of [own, `${baseUrl()}/p/${slug}/raw`]) {
        const { headers: first } = await fetchPage(address, { headers });
        expect((await fetchPage(first.location ?? address, { headers })).status).toBe(200);
      }
    }
  });

  test("has its own origin, or a sandbox if owners have no hosts", async () => {
    const drop = await publish(account.api);

    for (const query of ["", "?v=1"]) {
      const response = await fetchPage(drop.raw_url + query);

      expectRawHeaders(response.headers);
      expectCommonHeaders(response);
      const isApart = hasOwnOrigin(drop.raw_url);
      expect(contentSecurityPolicyOf(response)).toEqual({ ...specifiedPolicy, ...(isApart ? {} : sandbox) });
      expect(response.headers["origin-agent-cluster"]).toBe(isApart ? "?1" : undefined);
    }
  });

  test("is cached at the edge, for hours with a version in its URL, and never in browsers", async () => {
    const drop = await publish(account.api);

    for (const [query, seconds] of [
      ["", 2],
      ["?v=1", 14_400],
    ] as const) {
      const { headers } = await fetchPage(drop.raw_url + query);
      expect(headers["cache-control"]).toBe(`public, max-age=0, s-maxage=${seconds}, must-revalidate`);
    }
  });

  test("sets no cookie, like the viewer", async () => {
    const drop = await publish(account.api);

    for (const address of [drop.url, drop.raw_url]) expect((await fetchPage(address)).setCookies).toEqual([]);
  });

  test("returns the headers of GET for HEAD, without a body", async () => {
    const drop = await publish(account.api);
    for (const address of [drop.raw_url, `${drop.raw_url}?v=1`, `${baseUrl()}/p/${drop.slug}/raw`]) {
      const head = await fetchPage(address, { method: "HEAD" });
      const get = await fetchPage(address);

      expect({ status: head.status, body: head.text }).toEqual({ status: 200, body: "" });
      for (const name of ["content-type", "content-security-policy", "permissions-policy", "x-robots-tag"]) {
        expect(head.headers[name], name).toBe(get.headers[name]);
      }
    }
  });

  test("ignores other query parameters", async () => {
    const drop = await publish(account.api, { html: pageOf("plain") });

    const response = await fetchPage(`${drop.raw_url}?utm_source=mail&response-content-type=text/plain&v=1`);

    expect(response.headers["content-type"]).toMatch(/^text\/html/);
    expect(response.text).toContain("<p>plain</p>");
  });
});

describe("the page's download", () => {
  const download = (address: string, headers: Record<string, string> = {}) =>
    fetchPage(`${address}${address.includes("?") ? "&" : "?"}download=1`, { headers });

  test("is byte for byte the published page, as a sandboxed attachment named by its title", async () => {
    const html = "\ufeff<!doctype html>\r\n<html><head></head><body>\u0000 🍃</body></html>";
    const drop = await publish(account.api, { html, title: "Zahlen: Q3/2026 (é) 🍃" });

    for (const address of [drop.raw_url, `${baseUrl()}/p/${drop.slug}/raw?v=1`]) {
      const response = await download(address, { "sec-fetch-dest": "document" });

      expect(response.status).toBe(200);
      expect(response.bytes.equals(Buffer.from(html))).toBe(true);
      expect(response.headers["content-disposition"]).toBe(
        `attachment; filename="page.html"; filename*=UTF-8''Zahlen-%20Q3-2026%20%28%C3%A9%29%20%F0%9F%8D%83.html`,
      );
      expectRawHeaders(response.headers);
      expectCommonHeaders(response);
      expect(contentSecurityPolicyOf(response)).toEqual({ ...specifiedPolicy, ...sandbox });
      // The file name contains the title, which can change.
      expect(response.headers["cache-control"]).toBe("public, max-age=0, s-maxage=2, must-revalidate");
    }
  });

  test("of an older version has the version in its name, and is cached separately from the page", async () => {
    const { slug, raw_url: address } = await publish(account.api, { title: "Numbers", html: pageOf("one") });
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });

    const older = await download(`${address}?v=1`);
    const framed = await fetchPage(`${address}?v=1&framed=1`);
    const shown = await fetchPage(`${address}?v=1`);

    expect(older.headers["content-disposition"]).toContain("''Numbers%20v1.html");
    expect([older.text, shown.text.replace(/<style>@layer .*?<\/style>/, "")]).toEqual([
      pageOf("one"),
      pageOf("one"),
    ]);
    for (const { headers } of [framed, shown]) expect(headers).not.toHaveProperty("content-disposition");
    expect((await download(address)).text).toBe(pageOf("two"));
  });
});

describe("the URL of a version's context", () => {
  let drop: DropResponse;

  beforeAll(async () => {
    drop = await publish(account.api, { context: "Erklär mir <b>Blätter</b> 🍃\r\n" });
    const body = { html: pageOf("2") };
    drop = await account.api.succeed("publish-version", { params: { slug: drop.slug }, body });
  });

  test("serves the context unchanged as plain text", async () => {
    for (const host of [baseUrl(), ownerAddress(drop.url)]) {
      const response = await fetchPage(`${host}/p/${drop.slug}/context?v=1`);

      expect(response.status).toBe(200);
      expect(response.headers["content-type"]).toMatch(/^text\/plain; ?charset=utf-8$/i);
      expect(response.text).toBe("Erklär mir <b>Blätter</b> 🍃\r\n");
      expect(response.headers["cache-control"]).toContain("no-store");
      expectCommonHeaders(response);
    }
  });

  test.each(["", "?v=2", "?v=9", "?v=x"])(
    "with the query %j returns 404 for a version without a context",
    async (query) => {
      const headers = { accept: "application/json" };

      expectError(await fetchPage(`${baseUrl()}/p/${drop.slug}/context${query}`, { headers }), "not_found");
    },
  );
});

const sandbox = { sandbox: "allow-scripts allow-forms allow-modals allow-downloads" };

const specifiedPolicy = { "frame-ancestors": "'self'", "base-uri": "'none'", "form-action": "'self' https:" };

const specifiedPermissions = ["geolocation=()", "camera=()", "microphone=()", "payment=()", "usb=()"];

/** Checks the headers in the specification's section "Public serving", and that a page cannot request passkeys or identities. */
function expectRawHeaders(headers: Readonly<Record<string, string>>): void {
  expect(headers["content-type"]).toMatch(/^text\/html; ?charset=utf-8$/i);
  const [geolocation, camera, microphone, payment, usb, ...more] =
    headers["permissions-policy"]?.split(", ") ?? [];
  expect([geolocation, camera, microphone, payment, usb]).toEqual(specifiedPermissions);
  expect(more).toEqual([
    "publickey-credentials-get=()",
    "publickey-credentials-create=()",
    "identity-credentials-get=()",
    "otp-credentials=()",
    "digital-credentials-get=()",
  ]);
  expect(headers["x-robots-tag"]).toBe("noindex");
  expect(headers["referrer-policy"]).toBe("no-referrer");
}

/** Splits the page at the service's own style, the only one in a cascade layer. */
function aroundStyle(bytes: Buffer): { before: Buffer; style: string; after: Buffer } {
  const start = bytes.indexOf("<style>@layer ");
  const end = bytes.indexOf("</style>", start) + "</style>".length;
  if (start < 0) throw new Error(`No style of the service in ${JSON.stringify(bytes.toString())}.`);
  return {
    before: bytes.subarray(0, start),
    style: bytes.toString("utf8", start, end),
    after: bytes.subarray(end),
  };
}
