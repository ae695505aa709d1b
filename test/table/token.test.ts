import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTokenPlaintext, isTokenPlaintext } from "../../functions/table/identifiers.ts";

test("a token is hb_, 30 random characters and a checksum of 6", () => {
  const token = createTokenPlaintext(randomInt);

  expect(token).toMatch(/^hb_[0-9A-Za-z]{36}$/);
  expect(isTokenPlaintext(token)).toBe(true);
});

test("a token with any one character mistyped is refused", () => {
  const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 38 }), fc.constantFrom(...characters), (position, character) => {
      const token = createTokenPlaintext(randomInt);
      fc.pre(token[position] !== character);

      const mistyped = token.slice(0, position) + character + token.slice(position + 1);

      expect(isTokenPlaintext(mistyped)).toBe(false);
    }),
  );
});
