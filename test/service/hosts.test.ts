import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { addressOfOwner, ownerAddress, ownerName } from "../support/owner-address.ts";

let drop: DropResponse;
let ownHost: string;
let othersHost: string;

beforeAll(async () => {
  const [owner, other] = await Promise.all([newAccount("host"), newAccount("host-other")]);
  drop = await publish(owner.api, { context: "why" });
  ownHost = ownerAddress(drop.url);
  othersHost = ownerAddress((await publish(other.api)).url);
});

test("/favicon.ico is served on every host, and refuses POST", async () => {
  for (const host of [baseUrl(), ownHost, othersHost]) {
    const icon = await fetchPage(`${host}/favicon.ico`);

    expect([icon.status, icon.headers["content-type"]]).toEqual([200, "image/x-icon"]);
    expect(icon.headers["cache-control"]).toBe("public, max-age=86400");
    expect(icon.bytes.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  }
  expectError(await fetchPage(`${ownHost}/favicon.ico`, { method: "POST" }), "method_not_allowed");
});

describe("a drop", () => {
  test("returns 404 on another owner's host", async () => {
    for (const path of [
      `/d/${drop.slug}`,
      `/p/${drop.slug}`,
      `/p/${drop.slug}/raw`,
      `/p/${drop.slug}/raw?v=1`,
    ]) {
      expectErrorPage(await fetchPage(othersHost + path), 404);
    }
    const headers = { accept: "application/json" };
    expectError(await fetchPage(`${othersHost}/p/${drop.slug}/context`, { headers }), "not_found");
  });

  test("is not served on another owner's host from the edge's cache", async () => {
    const path = `/p/${drop.slug}/raw?v=1`;
    for (const _ of [1, 2]) expect((await fetchPage(ownHost + path)).status).toBe(200);

    expectErrorPage(await fetchPage(othersHost + path), 404);
    expect((await fetchPage(ownHost + path)).status).toBe(200);
  });

  test("is served on its owner's host and the service's own, and another owner's host redirects windows there", async () => {
    for (const path of [`/d/${drop.slug}?v=1&x=1`, `/p/${drop.slug}`, `/p/${drop.slug}/compare`]) {
      const headers = { "sec-fetch-dest": "document" };
      const led = await fetchPage(othersHost + path, { headers });
      expect([led.status, led.headers.location]).toEqual([303, baseUrl() + path]);
    }
    for (const host of [ownHost, baseUrl()])
      for (const path of [`/d/${drop.slug}`, `/p/${drop.slug}`, `/p/${drop.slug}/raw`])
        expect((await fetchPage(host + path)).status).toBe(200);
  });

  test("returns 404 on a host without an owner", async () => {
    for (const name of ["nobody-has-this", "a.b", "xn--nobody-"]) {
      const host = await addressOfOwner(name);
      for (const path of [`/d/${drop.slug}`, `/p/${drop.slug}`, `/p/${drop.slug}/raw`]) {
        expectErrorPage(await fetchPage(host + path, { headers: { accept: "text/html" } }), 404);
      }
    }
  });

  test("is served whatever the case of the host name (RFC 9110, section 4.2.3)", async () => {
    const host = new URL(drop.url).host.toUpperCase();

    const response = await fetchPage(drop.url, { headers: { host } });

    expect(response.status).toBe(200);
  });
});

describe("the host of a request", () => {
  test("cannot be forged with the header x-dropleaf-owner", async () => {
    const claimed = { "x-dropleaf-owner": ownerName(drop.url) };

    expectErrorPage(await fetchPage(`${othersHost}/d/${drop.slug}`, { headers: claimed }), 404);
    expect((await fetchPage(`${ownHost}/feed`)).status).toBe(200);
    expectErrorPage(await fetchPage(`${baseUrl()}/feed`, { headers: claimed }), 404);
  });

  test.each([
    "x-dropleaf-host",
    "x-forwarded-host",
    "forwarded",
    "x-dropleaf-origin",
    "x-dropleaf-query",
    "x-api-key",
  ])("cannot be forged with the header %s", async (name) => {
    const claimed = { [name]: new URL(ownHost).host };

    expectErrorPage(await fetchPage(`${othersHost}/d/${drop.slug}`, { headers: claimed }), 404);
    expect((await fetchPage(drop.url, { headers: { [name]: new URL(othersHost).host } })).status).toBe(200);
  });
});

describe("signing in", () => {
  test.each(["/login", "/verify?code=BBBB-BBBB"])("at %s returns 404 on an owner's host", async (path) => {
    expectErrorPage(await fetchPage(ownHost + path), 404);
  });

  test.each([
    ["POST", "/api/auth/start"],
    ["GET", "/api/auth/poll?token=x"],
    ["GET", "/api/auth/idp/authorize?code=BBBB-BBBB"],
    ["GET", "/api/auth/idp/callback?code=x&state=BBBB-BBBB"],
  ])("with %s %s returns 404 on an owner's host", async (method, path) => {
    expectError(
      await fetchPage(ownHost + path, { method, headers: { accept: "application/json" } }),
      "not_found",
    );
  });
});

describe("an unknown path", () => {
  test("returns a styled page to browsers, and JSON to programs and under /api", async () => {
    const page = await fetchPage("/nowhere", {
      headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
    });
    const json = await fetchPage("/nowhere", { headers: { accept: "application/json" } });
    const api = await fetchPage("/api/nowhere", { headers: { accept: "*/*" } });

    expectErrorPage(page, 404);
    expectError(json, "not_found");
    expectError(api, "not_found");
  });

  test.each(["/p/", "/p", "/d/", "/%2e%2e/p", "/p/../../etc/passwd", `/${"a".repeat(2000)}`])(
    "%s returns 404",
    async (path) => {
      const { status } = await fetchPage(baseUrl() + path);

      expect(status).toBe(404);
    },
  );
});

test("a service without administrators treats /admin like an unknown path", async () => {
  const ofPath = async (path: string) => {
    const { status, text } = await fetchPage(`${baseUrl()}/${path}`);
    return [status, text.replaceAll(path, "path")];
  };

  expect(await ofPath("admin")).toEqual(await ofPath("unknown"));
});
