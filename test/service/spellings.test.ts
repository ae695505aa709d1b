// @module-tag slow

import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { oneSpellingOfEachKind } from "../support/spellings.ts";

const html = { accept: "text/html,*/*;q=0.8" };
const secret = "not for everybody";

/** A spelling that redirects to the right one: a link followed by the full stop of a sentence. */
const endOfSentence = /^\/[dp]\/\w{7}\.$/;

let account: Account;

beforeAll(async () => {
  account = await newAccount("spelling");
});

/** Returns the base URLs below which a drop's raw page has the same path. */
function homesOf(drop: DropResponse): readonly string[] {
  return [baseUrl(), ownerAddress(drop.url)];
}

/** Requests paths below a base URL exactly as they are written. */
function askAt(home: string, paths: readonly string[], method = "GET"): Promise<ReceivedResponse[]> {
  const { pathname } = new URL(home);
  const prefix = pathname === "/" ? "" : pathname;
  const ask = (path: string) => fetchPage(home, { method, asWritten: prefix + path, headers: html });
  return pLimit(4).map(paths, ask);
}

describe("another spelling of the URL", () => {
  test("of a raw page returns 404, and is not cached by the edge", async () => {
    const drop = await publish(account.api, { html: pageOf(secret), context: secret });
    for (const home of homesOf(drop)) {
      const canonical = `/p/${drop.slug}/raw?v=1`;
      expect((await fetchPage(home + canonical)).text).toContain(secret);
      const spellings = oneSpellingOfEachKind(`/p/${drop.slug}/raw`);

      for (const _ of ["first", "again"]) {
        for (const response of await askAt(
          home,
          spellings.map((path) => `${path}?v=1`),
        )) {
          expectErrorPage(response, 404);
          expect(response.headers["x-cache"]).not.toMatch(/Hit/);
        }
      }
      expect((await fetchPage(home + canonical)).headers["x-cache"]).toMatch(/Hit/);
    }
  });

  test.each(["/p/{slug}", "/d/{slug}", "/p/{slug}/context"])(
    "of %s returns 404, or redirects if it adds the full stop of a sentence",
    async (row) => {
      const drop = await publish(account.api, { title: secret, context: secret });
      const path = row.replace("{slug}", drop.slug);
      const home = ownerAddress(drop.url);
      expect((await fetchPage(home + path)).text).toContain(secret);

      const [led, others] = [true, false].map((isLed) =>
        oneSpellingOfEachKind(path).filter((one) => endOfSentence.test(one) === isLed),
      ) as [string[], string[]];
      for (const response of await askAt(home, others)) expectErrorPage(response, 404);
      for (const { status, headers } of await askAt(home, led))
        expect([status, headers.location, headers["cache-control"]]).toEqual([
          303,
          `/d/${drop.slug}`,
          "no-store",
        ]);
    },
  );

  test("of the passcode form does not unlock a page", async () => {
    const { slug } = await publish(account.api, { passcode: "open sesame" });

    for (const { status, setCookies } of await askAt(
      baseUrl(),
      oneSpellingOfEachKind(`/p/${slug}/unlock`),
      "POST",
    ))
      expect([status, setCookies]).toEqual([404, []]);
  });

  test("of a file returns 404, and is not cached by the edge", async () => {
    const file = await account.api.succeed("upload-blob", { query: { filename: "a.txt" }, text: secret });
    const home = ownerAddress(file.url);
    expect((await fetchPage(file.url)).text).toBe(secret);

    for (const _ of ["first", "again"])
      for (const response of await askAt(home, oneSpellingOfEachKind(`/b/${file.id}`))) {
        expectErrorPage(response, 404);
        expect(response.headers["x-cache"]).not.toMatch(/Hit/);
      }
  });

  test("of an owner's page returns 404", async () => {
    const home = ownerAddress((await publish(account.api)).url);

    for (const response of await askAt(home, [
      "//",
      "/.",
      "/%2e",
      "/x/..",
      "/%2f",
      "/;",
      "/%6fwner",
      "//owner",
    ]))
      expectErrorPage(response, 404);
  });

  test.each(["/login", "/verify", "/docs", "/llms.txt", "/openapi.json", "/.well-known/api-catalog"])(
    "of %s returns 404",
    async (path) => {
      const encoded = path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
      const spellings = [encoded, `/${path}`, `${path}//`, `${path}/.`, `/x/..${path}`];

      for (const response of await askAt(baseUrl(), spellings)) expectErrorPage(response, 404);
    },
  );

  test("that adds a trailing slash redirects to the page, and keeps the query", async () => {
    const drop = await publish(account.api);
    const paths = ["/docs", `/p/${drop.slug}`];

    for (const home of homesOf(drop)) {
      const { pathname } = new URL(home);
      const prefix = pathname === "/" ? "" : pathname;
      const responses = await askAt(
        home,
        paths.map((path) => `${path}/?v=1`),
      );
      const locations = responses.map(({ status, headers }) => [status, headers.location]);
      expect(locations).toEqual(paths.map((path) => [308, `${prefix}${path}?v=1`]));
    }
  });
});

describe("withdrawn content cannot be read with any spelling of its URL:", () => {
  test.each([
    [
      "a locked page",
      (slug: string) =>
        account.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } }),
    ],
    ["a deleted page", (slug: string) => account.api.succeed("delete-drop", { params: { slug } })],
    [
      "a deleted version",
      (slug: string) => account.api.succeed("delete-version", { params: { slug, n: "1" } }),
    ],
  ])("%s", async (_, takeBack) => {
    const drop = await publish(account.api, { html: pageOf(secret) });
    const { slug } = drop;
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("harmless") } });
    const canonical = `/p/${slug}/raw`;
    const paths = [canonical, ...oneSpellingOfEachKind(canonical)].map((path) => `${path}?v=1`);
    const read = async () => (await Promise.all(homesOf(drop).map((home) => askAt(home, paths)))).flat();
    const shown = (await read()).filter(({ text }) => text.includes(secret)).length;
    expect(shown).toBeGreaterThanOrEqual(homesOf(drop).length);

    await takeBack(slug);

    const atItsOwn = async () =>
      (await Promise.all(homesOf(drop).map((home) => fetchPage(`${home}${canonical}?v=1`)))).map(({ text }) =>
        text.includes(secret),
      );
    await expect.poll(atItsOwn).toEqual([false, false]);
    const leaks = (await read()).filter(
      ({ text, headers }) => text.includes(secret) || /Hit/.test(headers["x-cache"] ?? ""),
    );
    expect(leaks).toEqual([]);
  });
});

describe("another spelling of an API path", () => {
  const headers = () => ({ authorization: `Bearer ${account.api.token}`, accept: "application/json" });
  const ask = (asWritten: string, method = "GET", body?: string) =>
    fetchPage(baseUrl(), { method, asWritten, headers: headers(), ...(body === undefined ? {} : { body }) });

  test.each([
    "/api/%64rops",
    "/api/%2564rops",
    "/%61pi/drops",
    "/api%2fdrops",
    "//api/drops",
    "/api//drops",
    "/api/./drops",
    "/api/%2e/drops",
    "/x/../api/drops",
    "/api/drops/",
    "/api\\drops",
    "/api/drops;a=1",
    "/API/drops",
    "/api/Drops",
    "/mcp/",
    "/%6dcp",
  ])("returns 404: %s", async (path) => {
    expectError(await ask(path), "not_found");
    expectError(await ask(path, "POST", JSON.stringify({ title: "x", html: "<p>x" })), "not_found");
  });

  test("with the slug in other letter case returns 404", async () => {
    const { slug } = await publish(account.api);
    const others = [slug.toLowerCase(), slug.toUpperCase()].filter((one) => one !== slug);

    for (const other of others) {
      expectError(await ask(`/api/drops/${other}`), "not_found");
      expectError(await ask(`/api/drops/${other}`, "DELETE"), "not_found");
    }
    expect((await ask(`/api/drops/${slug}`)).status).toBe(200);
  });

  test("with an encoded slug returns 404", async () => {
    const { slug } = await publish(account.api);
    const encoded = `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`;

    expectError(await ask(`/api/drops/${encoded}`), "not_found");
    expectError(await ask(`/api/drops/${encoded}`, "DELETE"), "not_found");
    expect((await ask(`/api/drops/${slug}`)).status).toBe(200);
  });

  test("with a malformed slug is refused as invalid_slug, however it is encoded", async () => {
    for (const slug of ["a%20b", "a;b", "a%25", "%zz", "%c3%a4"])
      expectError(await ask(`/api/drops/${slug}`), "invalid_slug");
  });
});
