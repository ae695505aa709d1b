import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { newAccount, publish } from "../support/accounts.ts";
import { expectErrorShape } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";

const headBytesMax = 9_216;

let drop: DropResponse;

beforeAll(async () => {
  drop = await publish((await newAccount("large-heads")).api);
});

/** Ways to pad a request head with a number of bytes. */
const paddings = [
  ["a header", (bytes: number) => ({ rest: "", headers: { "x-large": "x".repeat(bytes) } })],
  [
    // The header takes the rest, because CloudFront accepts URLs of at most 8,192 bytes.
    "a query and a header",
    (bytes: number) => ({
      rest: `?q=${"x".repeat(8_000)}`,
      headers: { "x-large": "x".repeat(bytes - 8_003) },
    }),
  ],
  [
    // The drop's own cookie at the drop's URLs, the sign-in's elsewhere.
    "a cookie of the service",
    (bytes: number, path: string) => {
      const name = path.startsWith("/p/") ? `__Host-dl_${drop.slug}` : "__Host-dl_verify_BBBB-BBBB";
      return { rest: "", headers: { cookie: `${name}=${"x".repeat(bytes)}` } };
    },
  ],
] as const;

describe.each(paddings)("a request head that is large because of %s", (_what, pad) => {
  test.each([
    ["the viewer", () => `/p/${drop.slug}`, 200],
    ["the page", () => `/p/${drop.slug}/raw`, 200],
    ["the API", () => "/api/me", 401],
  ])("is accepted by %s up to the documented byte, and refused above it", async (_place, pathOf, taken) => {
    const path = pathOf();
    const send = (bytes: number) => {
      const { rest, headers } = pad(bytes, path);
      return fetchPage(baseUrl() + path + rest, { headers: { accept: "application/json", ...headers } });
    };
    const first = await send(9_300);
    const { bytes, bytes_max: bytesMax } = JSON.parse(first.text).error.details;
    const largest = 9_300 - (bytes - headBytesMax);

    expect(bytesMax).toBe(headBytesMax);
    expect((await send(largest)).status).toBe(taken);
    const refused = await send(largest + 1);
    expect(refused.status).toBe(431);
    expectErrorShape(refused);
  });
});

test("cookies of other hosts do not count toward the length of a request head", async () => {
  const cookie = `session=${"x".repeat(15_000)}; __Host-dl_0000000=${"x".repeat(1_000)}`;

  for (const path of [`/p/${drop.slug}`, `/p/${drop.slug}/raw`, "/login", "/openapi.json"]) {
    expect((await fetchPage(path, { headers: { cookie } })).status).toBe(200);
  }
});
