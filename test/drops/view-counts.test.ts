import { expect, test } from "vitest";
import { parseViewMessage, toViewMessage } from "../../functions/drops/view-counts.ts";

const view = { ownerId: "Owner00000000001", slug: "abcdefg" };

test("a view message is parsed to the view that was serialized", () => {
  expect(JSON.parse(toViewMessage(view))).toEqual({ owner_id: "Owner00000000001", slug: "abcdefg" });
  expect(parseViewMessage(toViewMessage(view))).toEqual(view);
});

test.each([
  "",
  "views",
  "null",
  "[]",
  "{}",
  '{"owner_id":"a"}',
  '{"owner_id":1,"slug":"abcdefg"}',
  '{"owner_id":"a","slug":"b#VIEWS"}',
])("%j is not a view message", (text) => {
  expect(() => parseViewMessage(text)).toThrow();
});
