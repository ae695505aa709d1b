import { describe, expect, test } from "vitest";
import {
  exactPathsMax,
  type KeptByEdge,
  parseInvalidationMessage,
  pathsOf,
  repeatOf,
  secondsAfterRefusal,
  secondsUntilRepeat,
  shortenPaths,
  toInvalidationMessage,
  withWildcard,
} from "../../functions/background/invalidation.ts";

const page: KeptByEdge = { kind: "page", slug: "aaaaaaa", namespace: "ada" };
const file: KeptByEdge = { kind: "file", id: "hijklmn", namespace: "ada" };
const numbered = (count: number, prefix = "/p/") =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(7, "0")}/raw`);

describe("the edge keeps", () => {
  test("a page under one path where owners have hosts, and else under its owner's too", () => {
    expect(pathsOf(page, { ownersHaveHosts: true })).toEqual(["/p/aaaaaaa/raw"]);
    expect(pathsOf(page, { ownersHaveHosts: false })).toEqual(["/p/aaaaaaa/raw", "/@ada/p/aaaaaaa/raw"]);
  });

  test("a file under the path that readers ask for, and under the one that it becomes", () => {
    expect(pathsOf(file, { ownersHaveHosts: true })).toEqual(["/b/hijklmn", "/ada/hijklmn"]);
    expect(pathsOf(file, { ownersHaveHosts: false })).toEqual(["/@ada/b/hijklmn", "/ada/hijklmn"]);
  });
});

describe("paths are", () => {
  test("named once each, as long as they are few", () => {
    const paths = numbered(exactPathsMax);

    expect(shortenPaths([...paths, ...paths])).toEqual(paths);
  });

  test.each([
    ["many pages", numbered(21), ["/p/*"]],
    ["many pages and few files", [...numbered(21), "/b/hijklmn"], ["/p/*", "/b/hijklmn"]],
    ["many files", numbered(21, "/b/"), ["/*"]],
    ["few of each, many in all", [...numbered(11), ...numbered(11, "/@ada/p/")], ["/*"]],
    ["all pages, and some by their names", ["/p/*", ...numbered(2)], ["/p/*"]],
    ["everything, and some by its name", [...numbered(2), "/*"], ["/*"]],
  ])("as few as can be for %s", (_, paths, shorter) => {
    expect(shortenPaths(paths)).toEqual(shorter);
  });

  test("one with a wildcard, where that is not what was refused", () => {
    const of = (...paths: string[]) => withWildcard({ paths, reference: "r" });

    expect(of("/p/aaaaaaa/raw")).toEqual({ paths: ["/p/*"], reference: "r-wildcard" });
    expect(of("/p/aaaaaaa/raw", "/@ada/p/aaaaaaa/raw")).toMatchObject({ paths: ["/*"] });
    expect(of("/p/*", "/b/hijklmn")).toBeUndefined();
  });
});

describe("a second invalidation waits", () => {
  test("the whole delay at least, and for those of the same time", () => {
    const at = (seconds: number) => seconds + secondsUntilRepeat(seconds * 1000, 60);

    expect([at(0), at(0.5), at(59), at(60)]).toEqual([60, 121 - 0.5, 120, 120]);
    for (const seconds of [0.001, 1.25, 30, 59.999, 61])
      expect(secondsUntilRepeat(seconds * 1000, 60)).toBeGreaterThanOrEqual(60);
  });

  test("longer after each refusal, and never long", () => {
    expect([1, 2, 3, 7, 10].map(secondsAfterRefusal)).toEqual([5, 10, 20, 300, 300]);
  });
});

describe("a message", () => {
  test("says what it is, and is read as it was written", () => {
    const second = repeatOf({ paths: ["/p/aaaaaaa/raw"], reference: "r" });

    expect(JSON.parse(toInvalidationMessage(second))).toEqual({
      kind: "invalidation",
      paths: ["/p/aaaaaaa/raw"],
      reference: "r-again",
      refusals: 0,
    });
    expect(parseInvalidationMessage(toInvalidationMessage(second))).toEqual(second);
  });

  test("of an earlier version of the service is read too", () => {
    expect(parseInvalidationMessage('{"paths":["/p/aaaaaaa/*"],"reference":"r-again"}')).toEqual({
      paths: ["/p/aaaaaaa/*"],
      reference: "r-again",
      refusals: 0,
    });
  });

  test.each([
    "{",
    "[]",
    '{"kind":"orphan","paths":["/a"],"reference":"r"}',
    '{"paths":["a"],"reference":"r"}',
  ])("is refused when it is %s", (text) => {
    expect(() => parseInvalidationMessage(text)).toThrow();
  });
});
