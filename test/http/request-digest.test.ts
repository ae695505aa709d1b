import { expect, test } from "vitest";
import { requestDigest } from "../../functions/http/idempotency.ts";

test("equal requests have the same digest, independent of the order of their fields and tags", () => {
  const one = {
    title: "T",
    metadata: new Map([
      ["a", "1"],
      ["b", "2"],
    ]),
    context: undefined,
  };
  const other = {
    metadata: new Map([
      ["b", "2"],
      ["a", "1"],
    ]),
    title: "T",
  };

  expect(requestDigest(one)).toBe(requestDigest(other));
  expect(requestDigest(one)).toMatch(/^[0-9a-f]{64}$/);
});

test("different requests have different digests, even if their concatenated texts are equal", () => {
  const requests = [
    { title: "T" },
    { title: "t" },
    { html: "T" },
    { title: "T", description: null },
    { title: "T", description: "null" },
    { title: "T", description: "" },
    { title: "T", metadata: new Map() },
    { title: "T", metadata: new Map([["a", "b"]]) },
    { title: "T", metadata: new Map([["ab", ""]]) },
    { title: "T", metadata: new Map([["__proto__", "b"]]) },
    { a: "b", c: "d" },
    { a: "bs1:cs1:d" },
    { a: { c: "d" } },
    { size: 1 },
    { size: "1" },
    { size: 11 },
    { text: "é" },
    { text: "e\u0301" },
  ];

  expect(new Set(requests.map(requestDigest)).size).toBe(requests.length);
});
