// @module-tag nightly

import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import { type OperationId, routeOf } from "../../functions/routes.ts";
import { firstOfEach } from "../support/first-of-each.ts";
import { type AbusedService, abuse, givenAbusedService, operations } from "./abused-service.ts";

/** Two runs per operation, each with different input. */
const runsOf = (id: OperationId) =>
  ({ seed: 20_260_101 + operations.indexOf(id), endOnFailure: true, numRuns: 2 }) as const;

let service: AbusedService;

beforeAll(async () => {
  service = await givenAbusedService();
});

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

describe("arbitrary input", () => {
  test.each(operations)("in path and query causes no server error in %s", async (id) => {
    const { method, path } = routeOf(id);
    const asked = fc.asyncProperty(anySegment, anyQuery, fc.nat(), async (segment, query, index) => {
      const address = path.replace(/\{\w+\}/g, segment) + (query === "" ? "" : `?${query}`);
      await abuse(address, { method, headers: service.caller(index) });
    });

    await fc.assert(asked, runsOf(id));
  });

  // CloudFront refuses a GET that has a body.
  test.each(operations.filter((id) => routeOf(id).method !== "GET"))(
    "in the body causes no server error in %s",
    async (id) => {
      const { method } = routeOf(id);
      const sent = fc.asyncProperty(anyBody, fc.nat(), async (body, index) => {
        const headers = { ...service.caller(index), "content-type": "application/json" };
        await abuse(service.addressOf(id), { method, headers, body: JSON.stringify(body) });
      });

      await fc.assert(sent, runsOf(id));
    },
  );
});

/** Bodies that the same code parses for every operation. */
const bodies: readonly (readonly [string, string | Uint8Array])[] = [
  ["nested a hundred thousand deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["nested and cut off", '{"metadata":'.repeat(50_000)],
  ["that is not UTF-8", Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0xaf, 0x22, 0x7d])],
  ["with a byte order mark", '\ufeff{"title":""}'],
  ["of 200,000 keys", `{${Array.from({ length: 200_000 }, (_, index) => `"${index}":0`).join(",")}}`],
  ["with a duplicate field", '{"title":"a","title":{"title":[]},"metadata":{"a":"1","a":2}}'],
  [
    "with half a surrogate pair",
    '{"title":"\\ud800","passcode":"abcd\\udc00","metadata":{"\\ud800":"\\ud800"}}',
  ],
  ["with too large a number", `{"title":${"9".repeat(100_000)},"size_bytes":1e999}`],
  ["with a field named __proto__", '{"__proto__":{"html":"<p>","title":"x"},"constructor":1}'],
];
const takesBody = operations.filter((id) => routeOf(id).body !== undefined && routeOf(id).body !== "bytes");
/** The first operation of each kind of reading bodies, by caller and media types. */
const firstReaders = firstOfEach(takesBody, (id) => {
  const { caller, body } = routeOf(id);
  return [caller, typeof body === "object" ? Object.keys(body) : body];
});

describe.each(bodies)("a body %s", (_, body) => {
  test.each(firstReaders)("causes no server error in %s", async (id) => {
    const { method } = routeOf(id);

    await abuse(service.addressOf(id), {
      method,
      body,
      headers: { ...service.caller(1), "content-type": "application/json" },
    });
  });
});
