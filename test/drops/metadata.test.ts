import { describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { editDropBody } from "../../functions/drops/schemas.ts";
import type { Metadata } from "../../functions/http/query.ts";
import { validate } from "../../functions/http/validation.ts";
import { expectRefusal } from "../support/expect-refusal.ts";

const leaf = "🍃";
const loneSurrogate = "\ud83c";

describe("metadata", () => {
  test.each(["a", "0", "_", "a.b-c_d", "__proto__", "constructor", "tostring", `a${"-".repeat(62)}z`])(
    "stores the key %s as data",
    (key) => {
      const metadata = edit({ metadata: objectOf(key, "v") }).metadata;

      expect([...(metadata ?? [])]).toEqual([[key, "v"]]);
    },
  );

  test.each(["", "A", "é", "-a", ".a", "a-", "a.", "a b", "a\n", "toString", `a${"b".repeat(63)}z`])(
    "refuses the key %j",
    (key) => {
      expectRefusal(() => edit({ metadata: objectOf(key, "v") }), "invalid_arg", [
        "metadata",
        JSON.stringify(key),
        "does not match",
      ]);
    },
  );

  test("has at most ten keys", () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ""]));

    expect(edit({ metadata: keys(10) }).metadata?.size).toBe(10);
    expectRefusal(() => edit({ metadata: keys(11) }), "invalid_arg", ["metadata", "11", "10"]);
  });

  test("counts values in code points", () => {
    const full = leaf.repeat(limits.metadataValueCodePointsMax);

    expect(edit({ metadata: { a: full } }).metadata?.get("a")).toBe(full);
    expectRefusal(() => edit({ metadata: { a: `${full}x` } }), "invalid_arg", ["metadata.a", "257", "256"]);
  });

  test.each([
    [null, "null"],
    [1, "number"],
    [true, "boolean"],
    [["v"], "array"],
    [{}, "object"],
  ])("requires a string as value: %j", (value, came) => {
    expectRefusal(() => edit({ metadata: { a: value } }), "invalid_arg", ["metadata.a", "string", came]);
  });

  test.each([
    [null, "null"],
    ["a", "string"],
    [["a"], "array"],
    [1, "number"],
  ])("must be an object: %j", (metadata, came) => {
    expectRefusal(() => edit({ metadata }), "invalid_arg", ["metadata", "object", came]);
  });

  test("requires well-formed Unicode in values", () => {
    expectRefusal(() => edit({ metadata: { a: loneSurrogate } }), "invalid_arg", ["metadata.a", "surrogate"]);
  });

  test("stays unchanged if absent, and is cleared by an empty object", () => {
    expect(validate(editDropBody, {})).not.toHaveProperty("metadata");
    expect(validate(editDropBody, { metadata: {} }).metadata?.size).toBe(0);
  });
});

function edit(body: { readonly metadata: unknown }): { metadata?: Metadata | undefined } {
  return validate(editDropBody, body);
}

/** An object with one own property, even of a name like `__proto__`. */
function objectOf(key: string, value: unknown): object {
  return JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);
}
