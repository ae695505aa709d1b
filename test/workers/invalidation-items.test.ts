import { describe, expect, test } from "vitest";
import {
  type CachedObject,
  itemsOf,
  parseInvalidationMessage,
  repeatOf,
  secondsAfterRefusal,
  secondsUntilRepeat,
  tagsPerOwnerMax,
  toInvalidationMessage,
} from "../../functions/background/invalidation.ts";
import { cacheTagList, dropTag, fileTag, ownerTag } from "../../functions/http/response.ts";

const page = (slug: string, namespace = "ada"): CachedObject => ({ kind: "page", slug, namespace });
const file = (id: string, namespace = "ada"): CachedObject => ({ kind: "file", id, namespace });
const numbered = (count: number, namespace = "ada") =>
  Array.from({ length: count }, (_, index) => page(String(index).padStart(7, "0"), namespace));

describe("a tag", () => {
  test("distinguishes names by case, although CloudFront compares tags without case", () => {
    const tags = [
      ...["abcdefg", "abcdefG", "ABCDEFG"].map(dropTag),
      ...["abcdefg", "abcdefG"].map((id) => fileTag({ namespace: "ada", id })),
      ...["abcdefg", "a-b", "all"].map(ownerTag),
    ];

    expect(new Set(tags.map((tag) => tag.toLowerCase())).size).toBe(tags.length);
  });

  test("is valid for CloudFront, even for the longest names", () => {
    const longest = fileTag({ namespace: "n".repeat(63), id: "ZZZZZZZ" });

    for (const tag of cacheTagList([longest, dropTag("ZZZZZZZ"), ownerTag("n".repeat(63))]).split(","))
      expect(tag).toMatch(/^[\x21-\x2b\x2d-\x7e]{1,256}$/);
  });
});

describe("an invalidation names", () => {
  test("each page and each file once, by its own tag", () => {
    expect(itemsOf([page("aaaaaaa"), file("hijklmn"), page("aaaaaaa")])).toEqual([
      "#drop:61616161616161",
      "#file:ada:68696a6b6c6d6e",
    ]);
  });

  test("many items of one owner by the owner's tag, and other owners' items by their own", () => {
    const few = numbered(tagsPerOwnerMax);

    expect(itemsOf([...few, ...few])).toHaveLength(tagsPerOwnerMax);
    expect(itemsOf([...few, file("hijklmn"), page("bbbbbbb", "bob")])).toEqual([
      "#owner:ada",
      "#drop:62626262626262",
    ]);
  });
});

describe("a second invalidation waits", () => {
  test("at least the whole delay, until a time that it shares with others", () => {
    const at = (seconds: number) => seconds + secondsUntilRepeat(seconds * 1000, 60);

    expect([at(0), at(0.5), at(59), at(60)]).toEqual([60, 121 - 0.5, 120, 120]);
    for (const seconds of [0.001, 1.25, 30, 59.999, 61])
      expect(secondsUntilRepeat(seconds * 1000, 60)).toBeGreaterThanOrEqual(60);
  });

  test("longer after each refusal, up to a maximum", () => {
    expect([1, 2, 3, 7, 10].map(secondsAfterRefusal)).toEqual([5, 10, 20, 300, 300]);
  });
});

describe("a message", () => {
  test("is parsed as it was serialized", () => {
    const second = repeatOf({ items: ["#drop:aa"], reference: "r" });

    expect(JSON.parse(toInvalidationMessage(second))).toEqual({
      kind: "invalidation",
      items: ["#drop:aa"],
      reference: "r-again",
      refusals: 0,
    });
    expect(parseInvalidationMessage(toInvalidationMessage(second))).toEqual(second);
  });

  test.each([
    ['{"paths":["/p/aaaaaaa/*"],"reference":"r-again"}', ["/p/aaaaaaa/*"], 0],
    ['{"kind":"invalidation","paths":["/b/a"],"reference":"r-again","refusals":2}', ["/b/a"], 2],
  ])("of an earlier release, with paths, is passed on unchanged: %s", (text, items, refusals) => {
    expect(parseInvalidationMessage(text)).toEqual({ items, reference: "r-again", refusals });
  });

  test.each([
    "{",
    "[]",
    '{"kind":"orphan","items":["#a"],"reference":"r"}',
    '{"items":["a"],"reference":"r"}',
  ])("is refused if it is %s", (text) => {
    expect(() => parseInvalidationMessage(text)).toThrow();
  });
});
