// @module-tag slow

import { beforeAll, describe, expect, test } from "vitest";
import { routeOf } from "../../functions/routes.ts";
import { publish } from "../support/accounts.ts";
import { expectErrorShape } from "../support/expect-error.ts";
import { firstOfEach } from "../support/first-of-each.ts";
import { fetchPage } from "../support/http.ts";
import { type AbusedService, abuse, givenAbusedService, operations, secret } from "./abused-service.ts";

/** The first operation of each kind of reading headers, by caller, shape of errors, and body. */
const readers = firstOfEach(operations, (id) => {
  const { caller, errorsAs, body } = routeOf(id);
  return [caller, errorsAs, body !== undefined];
});

let service: AbusedService;

beforeAll(async () => {
  service = await givenAbusedService();
});

describe("headers", () => {
  const large: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["of 7 KB", { "x-large": "x".repeat(7_000) }],
    ["with an Accept of commas", { accept: `"${",".repeat(7_000)}` }],
    ["with an Accept-Encoding of quality values", { "accept-encoding": "br;q=0.1,".repeat(700) }],
    ["with a Cookie of equals signs", { cookie: "=".repeat(7_000) }],
    ["with a Cookie of semicolons", { cookie: "a=%;".repeat(1_750) }],
    ["with an Authorization of spaces", { authorization: `Bearer${" ".repeat(7_000)}x y` }],
    ["with a content type of parameters", { "content-type": `application/json${";a=b".repeat(1_750)}` }],
  ];

  test.each(large)("%s get a response from every part of the service", async (_, headers) => {
    for (const id of readers) {
      const { method } = routeOf(id);
      await abuse(service.addressOf(id), { method, headers: { ...service.caller(2), ...headers } });
    }
  });

  test("that exceed API Gateway's limit are refused in the contract's error shape", async () => {
    for (const id of [...readers, "publish-drop"] as const) {
      const headers = { ...service.caller(2), "x-large": "x".repeat(16_000) };
      const response = await fetchPage(service.addressOf(id), { method: routeOf(id).method, headers });
      // The ingest server accepts larger headers.
      if (response.status === 431) expectErrorShape(response);
      else expect(id).toBe("publish-drop");
      expect(response.text).not.toContain(secret);
    }
  });

  test("of a megabyte end their connection only", async () => {
    const sent = fetchPage("/", { headers: { "x-large": "x".repeat(1_000_000) } });

    const status = await sent.then(
      (response) => response.status,
      (error: NodeJS.ErrnoException) => error.code,
    );

    expect([400, 413, 431, 494, "ECONNRESET", "EPIPE"]).toContain(status);
    expect((await fetchPage("/")).status).toBe(200);
  });

  test("that are forged give no access to another host, account or locked page", async () => {
    const other = new URL((await publish(service.stranger.api)).url).host;
    const forged = {
      "x-forwarded-for": "203.0.113.1",
      "x-forwarded-host": other,
      forwarded: `for=203.0.113.1;host=${other}`,
      "x-dropleaf-host": other,
      "x-dropleaf-address": "203.0.113.1",
      "x-dropleaf-query": "page=0",
      "x-dropleaf-origin": "forged",
      "x-api-key": "forged0123456789abcdefghij",
      "x-dropleaf-window": "1",
      "cloudfront-viewer-address": "203.0.113.1:1",
      "x-original-url": "/api/tokens",
      "x-rewrite-url": "/api/tokens",
    };
    const { slug } = await publish(service.person.api);

    const got = await abuse(`/api/drops/${slug}`, { headers: { ...service.caller(0), ...forged } });
    const me = await abuse("/api/me", { headers: { ...service.caller(0), ...forged } });
    const locked = await abuse(`/p/${service.strangersSlug}/raw`, { headers: forged });

    expect([got.status, JSON.parse(got.text).slug]).toEqual([200, slug]);
    expect(JSON.parse(me.text).user_id).toBe(service.person.userId);
    expect(locked.text).toContain("<form");
    expect((await service.person.api.call("get-drop", { params: { slug } })).status).toBe(200);
  });

  test("with forged source addresses do not avoid the limit of wrong passcodes", {
    tags: "nightly",
  }, async () => {
    const guess = (index: number) =>
      fetchPage(`/p/${service.strangersSlug}/unlock`, {
        method: "POST",
        body: "passcode=wrong",
        headers: { "x-forwarded-for": `203.0.113.${index}`, "x-dropleaf-address": `203.0.113.${index}` },
      });

    for (let index = 0; index < 10; index += 1) await guess(index);

    expect((await guess(99)).status).toBe(429);
  });

  test.each(["evil.example.com", "localhost", "[::1]", "a..b", "", "localhost:1@evil.example.com"])(
    "with the host %j get no page of another host",
    async (host) => {
      for (const address of [
        "/",
        "/api/me",
        `/p/${service.strangersSlug}`,
        "/verify?code=BBBB-BBBB",
        "/login",
      ]) {
        const response = await fetchPage(address, { headers: { host, ...service.caller(0) } });

        expect(response.status).toBeLessThan(500);
        expect(response.text).not.toContain("evil.example.com/");
        expect(response.headers.location ?? "").not.toContain("evil");
      }
    },
  );
});
