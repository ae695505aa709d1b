import { expect, test } from "vitest";
import { isSignedCookie, signCookie } from "../../functions/table/cookie-keys.ts";

const key = "a key";
const cookie = signCookie(key, ["verify", "BCDF-GHJK"], { nonce: "n0nce", expiresAtMs: 10_000 });

test("a signed cookie is valid until it expires", () => {
  expect(isSignedCookie(key, ["verify", "BCDF-GHJK"], cookie, 9_999)).toBe(true);
  expect(isSignedCookie(key, ["verify", "BCDF-GHJK"], cookie, 10_000)).toBe(false);
});

test.each([
  ["another key", "other", ["verify", "BCDF-GHJK"], cookie],
  ["another purpose", key, ["verify", "BCDF-GHJL"], cookie],
  ["the same letters split differently", key, ["verifyB", "CDF-GHJK"], cookie],
  ["a later expiry", key, ["verify", "BCDF-GHJK"], cookie.replace("1.10.", "1.99.")],
  ["no value", key, ["verify", "BCDF-GHJK"], undefined],
  ["a malformed value", key, ["verify", "BCDF-GHJK"], "1.10.n.short"],
])("a cookie is refused with %s", (_, givenKey, purpose, value) => {
  expect(isSignedCookie(givenKey, purpose, value, 0)).toBe(false);
});
