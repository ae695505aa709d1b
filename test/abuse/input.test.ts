import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type OperationId, operationIds, routeOf } from "../../functions/contract/routes.ts";
import { publish } from "../support/accounts.ts";
import { pathOf } from "../support/client.ts";
import { expectErrorPage, expectErrorShape } from "../support/expect-error.ts";
import { type Answer, fetchPage, type SendOptions } from "../support/http.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

const answerMsMax = 1_000;
const runs = { seed: 20_260_101, numRuns: 12, endOnFailure: true } as const;
const secret = "the-strangers-own-words";

/** Every operation that an address of the service's own host leads to. */
const operations = operationIds.filter((id) => routeOf(id).host !== "owner" && id !== "answer-not-found");

let person: GivenPerson;
let stranger: GivenPerson;
let strangersSlug: string;

beforeAll(async () => {
  await openStores();
  // Invalid requests spend nothing, but some of what is generated is valid.
  person = await givenPerson("input", 8);
  stranger = await givenPerson("stranger");
  const page = {
    title: secret,
    html: `<p>${secret}</p>`,
    context: secret,
    passcode: secret,
    description: secret,
  };
  strangersSlug = (await publish(stranger.api, { ...page, metadata: { secret } })).slug;
  // What is measured is not how long a function takes to start.
  for (const id of operations)
    await fetchPage(addressOf(id), { method: routeOf(id).method, headers: caller(0) });
}, 120_000);

function caller(index: number): Record<string, string> {
  const token = person.clients[index % person.clients.length]?.token;
  return { authorization: `Bearer ${token}` };
}

function addressOf(id: OperationId, value = strangersSlug): string {
  return pathOf(id, { params: { slug: value, id: value, n: 1, asset: value } });
}

/** Sends something bad, and checks what must hold of the answer whatever was sent. */
async function abuse(address: string, options: SendOptions): Promise<Answer> {
  const first = await timed(address, options);
  // The machine may be slow once; what hangs is slow again.
  const { answer, durationMs } = first.durationMs < answerMsMax ? first : await timed(address, options);

  const what = `${options.method ?? "GET"} ${address.slice(0, 200)} answered ${answer.status}: ${answer.text.slice(0, 200)}`;
  expect(answer.status, what).toBeLessThan(500);
  expect(durationMs, what).toBeLessThan(answerMsMax);
  expect(answer.text, what).not.toContain(secret);
  if (answer.status >= 400) expectRefusal(answer, options.method);
  return answer;
}

async function timed(address: string, options: SendOptions): Promise<{ answer: Answer; durationMs: number }> {
  const startedAtMs = performance.now();
  const answer = await fetchPage(address, options);
  return { answer, durationMs: performance.now() - startedAtMs };
}

function expectRefusal(answer: Answer, method: string | undefined): void {
  if (method === "HEAD") expect(answer.text).toBe("");
  else if (answer.headers["content-encoding"] !== undefined) {
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
  } else if (answer.headers["content-type"]?.startsWith("text/html")) {
    // The gate is a page of its own kind, with a form.
    if (answer.text.includes("<form")) expect(answer.headers["cache-control"]).toContain("no-store");
    else expectErrorPage(answer, answer.status);
  } else expectErrorShape(answer);
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "\u0000",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "{{7*7}}",
    "\u202e\u2066",
    "𝟗".repeat(100),
    "\r\nset-cookie: a=b",
    "1".repeat(400),
    "-1",
    "1e309",
    "NaN",
  ),
);

const fieldNames = [
  "html",
  "title",
  "description",
  "context",
  "passcode",
  "metadata",
  "label",
  "filename",
  "size_bytes",
];
const anyBody = fc.oneof(
  fc.dictionary(fc.oneof(fc.constantFrom(...fieldNames), anyText), fc.oneof(fc.jsonValue(), anyText), {
    maxKeys: 6,
  }),
  fc.jsonValue(),
);

const anySegment = fc
  .oneof(
    anyText.map(encodeURIComponentOrNot),
    fc.constantFrom("%2e%2e", "%00", "%2F", "%", "%zz", "%c0%ae", ";v=1", "..%5c", "%25%32%65", "~"),
  )
  .filter((segment) => /^[\x21-\x7e]+$/.test(segment) && !/[?#]/.test(segment));

const anyQuery = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        "v",
        "page",
        "pageSize",
        "sortBy",
        "sortOrder",
        "metadata.a",
        "metadata.",
        "code",
        "state",
        "proof",
        "token",
        "error",
        "filename",
        "from",
        "format",
        "iss",
        "response",
        "id_token",
        "__proto__",
      ),
      fc.oneof(anySegment, fc.constantFrom("0", "1", "01", "1.5", "", "9".repeat(300), "desc", "%ff")),
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));

function encodeURIComponentOrNot(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

test.each(operations)("%s answers whatever stands in its path and query", async (id) => {
  const { method, path } = routeOf(id);
  const asked = fc.asyncProperty(anySegment, anyQuery, fc.nat(), async (segment, query, index) => {
    const address = path.replace(/\{\w+\}/g, segment) + (query === "" ? "" : `?${query}`);
    await abuse(address, { method, headers: caller(index) });
  });

  await fc.assert(asked, runs);
});

// CloudFront refuses a GET that has a body.
test.each(operations.filter((id) => routeOf(id).method !== "GET"))(
  "%s answers whatever stands in its body",
  async (id) => {
    const { method } = routeOf(id);
    const sent = fc.asyncProperty(anyBody, fc.nat(), async (body, index) => {
      const headers = { ...caller(index), "content-type": "application/json" };
      await abuse(addressOf(id), { method, headers, body: JSON.stringify(body) });
    });

    await fc.assert(sent, runs);
  },
);

const badBodies: readonly (readonly [string, string | Uint8Array])[] = [
  ["nested a hundred thousand deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["nested and cut off", '{"metadata":'.repeat(50_000)],
  ["with a field twice", '{"title":"a","title":{"title":[]},"metadata":{"a":"1","a":2}}'],
  ["that is no UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0xaf, 0x22, 0x7d])],
  [
    "with half a surrogate pair",
    '{"title":"\\ud800","passcode":"abcd\\udc00","metadata":{"\\ud800":"\\ud800"}}',
  ],
  ["with a number too large", `{"title":${"9".repeat(100_000)},"size_bytes":1e999}`],
  ["with a byte order mark", '\ufeff{"title":""}'],
  ["of 200,000 keys", `{${Array.from({ length: 200_000 }, (_, index) => `"${index}":0`).join(",")}}`],
  ["with the name of the prototype", '{"__proto__":{"html":"<p>","title":"x"},"constructor":1}'],
];
const takesBody = operations.filter((id) => routeOf(id).body !== undefined && routeOf(id).body !== "bytes");

describe.each(badBodies)("a body %s", (_what, body) => {
  test.each(takesBody)("to %s is refused", async (id) => {
    const { method } = routeOf(id);

    await abuse(addressOf(id), {
      method,
      body,
      headers: { ...caller(1), "content-type": "application/json" },
    });
  });
});

describe("headers", () => {
  test.each([
    ["one of 7 KB", { "x-large": "x".repeat(7_000) }],
    ["an Accept of commas", { accept: `"${",".repeat(7_000)}` }],
    ["an Accept-Encoding of qualities", { "accept-encoding": "br;q=0.1,".repeat(700) }],
    ["a Cookie of equals signs", { cookie: "=".repeat(7_000) }],
    ["a Cookie of semicolons", { cookie: "a=%;".repeat(1_750) }],
    ["an Authorization of spaces", { authorization: `Bearer${" ".repeat(7_000)}x y` }],
    ["a content type of parameters", { "content-type": `application/json${";a=b".repeat(1_750)}` }],
  ])("%s: every operation answers", async (_what, headers) => {
    for (const id of operations) {
      const { method } = routeOf(id);
      await abuse(addressOf(id), { method, headers: { ...caller(2), ...headers } });
    }
  });

  test("more than API Gateway takes are refused before they reach a function", async () => {
    for (const id of operations) {
      const headers = { ...caller(2), "x-large": "x".repeat(16_000) };
      const answer = await fetchPage(addressOf(id), { method: routeOf(id).method, headers });
      // API Gateway says so before it knows which API is meant: its answer has a shape of its own.
      if (answer.status !== 431) expect(answer.status).toBeLessThan(400);
      expect(answer.text).not.toContain(secret);
    }
  });

  test("one of a megabyte ends the connection, and nothing else", async () => {
    const sent = fetchPage("/", { headers: { "x-large": "x".repeat(1_000_000) } });

    const status = await sent.then(
      (answer) => answer.status,
      (error: NodeJS.ErrnoException) => error.code,
    );

    expect([400, 413, 431, 494, "ECONNRESET", "EPIPE"]).toContain(status);
    expect((await fetchPage("/")).status).toBe(200);
  });

  test("a forged one neither makes a request come from elsewhere nor a token's holder somebody else", async () => {
    const other = new URL((await publish(stranger.api)).url).host;
    const forged = {
      "x-forwarded-for": "203.0.113.1",
      "x-forwarded-host": other,
      forwarded: `for=203.0.113.1;host=${other}`,
      "x-dropleaf-host": other,
      "x-dropleaf-address": "203.0.113.1",
      "x-dropleaf-query": "page=0",
      "x-dropleaf-origin": "forged",
      "x-dropleaf-unlock": "1.9999999999.1.x",
      "cloudfront-viewer-address": "203.0.113.1:1",
      "x-original-url": "/api/tokens",
      "x-rewrite-url": "/api/tokens",
      "x-http-method-override": "DELETE",
      "x-http-method": "DELETE",
      "x-method-override": "DELETE",
    };
    const { slug } = await publish(person.api);

    const got = await abuse(`/api/drops/${slug}`, { headers: { ...caller(0), ...forged } });
    const me = await abuse("/api/me", { headers: { ...caller(0), ...forged } });
    const locked = await abuse(`/p/${strangersSlug}/raw`, { headers: forged });

    expect([got.status, JSON.parse(got.text).slug]).toEqual([200, slug]);
    expect(JSON.parse(me.text).user_id).toBe(person.userId);
    expect(locked.text).toContain("<form");
    expect((await person.api.call("get-drop", { params: { slug } })).status).toBe(200);
  });

  test("a forged address does not make wrong passcodes another visitor's", async () => {
    const guess = (index: number) =>
      fetchPage(`/p/${strangersSlug}/unlock`, {
        method: "POST",
        body: "passcode=wrong",
        headers: { "x-forwarded-for": `203.0.113.${index}`, "x-dropleaf-address": `203.0.113.${index}` },
      });

    for (let index = 0; index < 10; index += 1) await guess(index);

    expect((await guess(99)).status).toBe(429);
  });

  test.each(["evil.example.com", "localhost", "[::1]", "a..b", "", "localhost:1@evil.example.com"])(
    "the host %j is none of the service's, or its own",
    async (host) => {
      for (const address of ["/", "/api/me", `/p/${strangersSlug}`, "/verify?code=BBBB-BBBB", "/login"]) {
        const answer = await fetchPage(address, { headers: { host, ...caller(0) } });

        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toContain("evil.example.com/");
        expect(answer.headers.location ?? "").not.toContain("evil");
      }
    },
  );
});
