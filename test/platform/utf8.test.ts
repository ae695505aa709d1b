import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeUtf8, takeUtf8 } from "../../functions/runtime/text.ts";

test("a text becomes the bytes that Node makes of it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(encodeUtf8(text)).toEqual(Buffer.from(text));
      expect(takeUtf8(text)).toEqual(Buffer.from(text));
    }),
  );
});

test.each(["\ud800", "before \udc00 behind", "“quoted” \ud83d"])(
  "half of a surrogate pair is none: %j",
  (text) => {
    expect(encodeUtf8(text)).toBeUndefined();
    expect(takeUtf8(text).toString()).toBe(text.toWellFormed());
  },
);

test("what was encoded last is there for who takes it, once", () => {
  const checked = encodeUtf8("a page “of” some length");

  const taken = takeUtf8("a page “of” some length");

  expect(taken).toBe(checked);
  expect(takeUtf8("a page “of” some length")).not.toBe(checked);
});

test("another text in between changes nothing of what is taken", () => {
  encodeUtf8("one");
  encodeUtf8("another");

  expect(takeUtf8("one").toString()).toBe("one");
});
