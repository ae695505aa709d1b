import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeCheckedUtf8, encodeUtf8 } from "../../functions/core/text.ts";

test("a text is encoded to the same bytes as by Node.js", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(encodeUtf8(text)).toEqual(Buffer.from(text));
      expect(encodeCheckedUtf8(text)).toEqual(Buffer.from(text));
    }),
  );
});

test.each(["\ud800", "before \udc00 behind", "“quoted” \ud83d"])(
  "half of a surrogate pair is refused: %j",
  (text) => {
    expect(encodeUtf8(text)).toBeUndefined();
    expect(encodeCheckedUtf8(text).toString()).toBe(text.toWellFormed());
  },
);

test("the last encoded bytes are reused once", () => {
  const checked = encodeUtf8("a page “of” some length");

  const taken = encodeCheckedUtf8("a page “of” some length");

  expect(taken).toBe(checked);
  expect(encodeCheckedUtf8("a page “of” some length")).not.toBe(checked);
});

test("encoding another text in between does not change the result", () => {
  encodeUtf8("one");
  encodeUtf8("another");

  expect(encodeCheckedUtf8("one").toString()).toBe("one");
});
