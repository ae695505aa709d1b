import { expect, test } from "vitest";
import { findLinkedSlugs, type LinkMap, linkPattern, rewriteLinks } from "../src/archive/links.ts";

const map: LinkMap = {
  oldService: "https://old.example",
  newService: "https://new.example",
  oldUrls: ["https://ada.old.example/d/aaaaaaa", "https://ada.old.example/b/fffffff"],
  drops: new Map([
    [
      "aaaaaaa",
      {
        oldUrl: "https://ada.old.example/d/aaaaaaa",
        slug: "AAAAAAA",
        url: "https://ada.new.example/d/AAAAAAA",
        versions: new Map([[3, 1]]),
      },
    ],
  ]),
  files: new Map([
    [
      "fffffff",
      {
        oldUrl: "https://ada.old.example/b/fffffff",
        id: "FFFFFFF",
        url: "https://ada.new.example/b/FFFFFFF",
      },
    ],
  ]),
};
const pattern = linkPattern(map);

test.each([
  ['<a href="https://ada.old.example/d/aaaaaaa">', '<a href="https://ada.new.example/d/AAAAAAA">'],
  ["https://ada.old.example/d/aaaaaaa?v=3#end", "https://ada.new.example/d/AAAAAAA?v=1#end"],
  ["https://ada.old.example/d/aaaaaaa?v=9", "https://ada.new.example/d/AAAAAAA?v=9"],
  ["https://ada.old.example/p/aaaaaaa/raw?v=3", "https://ada.new.example/p/AAAAAAA/raw?v=1"],
  ["https://old.example/p/aaaaaaa/raw", "https://new.example/p/AAAAAAA/raw"],
  ['src="//ada.old.example/b/fffffff"', 'src="https://ada.new.example/b/FFFFFFF"'],
  [
    '{"to":"https:\\/\\/ada.old.example\\/d\\/aaaaaaa"}',
    '{"to":"https:\\/\\/ada.new.example\\/d\\/AAAAAAA"}',
  ],
  ["[it](/d/aaaaaaa)", "[it](/d/AAAAAAA)"],
  ["url('/b/fffffff')", "url('/b/FFFFFFF')"],
  // These URLs are not the old drops'.
  ["https://ada.old.example/d/aaaaaaab", "https://ada.old.example/d/aaaaaaab"],
  ["https://ada.old.example/d/zzzzzzz", "https://ada.old.example/d/zzzzzzz"],
  ["https://elsewhere.example/d/aaaaaaa", "https://elsewhere.example/d/aaaaaaa"],
  ["https://ada.old.example.evil.example/d/aaaaaaa", "https://ada.old.example.evil.example/d/aaaaaaa"],
])("the link %s becomes %s", (before, after) => {
  expect(rewriteLinks(before, pattern, map)).toBe(after);
});

test("a link with an owner's path is rewritten to the owner's new host", () => {
  const oldUrl = "https://old.example/@ada/d/aaaaaaa";
  const below: LinkMap = { ...map, oldUrls: [oldUrl] };
  const page = `${oldUrl} "/@ada/d/aaaaaaa"`;

  const rewritten = rewriteLinks(page, linkPattern(below), below);

  expect(rewritten).toBe('https://ada.new.example/d/AAAAAAA "/d/AAAAAAA"');
});

test("the linked drops of a page are found, without its files", () => {
  const page = 'https://ada.old.example/d/aaaaaaa "/d/bbbbbbb" https://ada.old.example/b/fffffff';

  expect(findLinkedSlugs(page, pattern)).toEqual(new Set(["aaaaaaa", "bbbbbbb"]));
});
