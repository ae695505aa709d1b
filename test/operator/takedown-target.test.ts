import { describe, expect, test } from "vitest";
import { parseTarget } from "../../functions/administration/targets.ts";
import { folderHostId, folderLabel } from "../../functions/http/folder-host.ts";
import { otherSpellings } from "../support/spellings.ts";

const site = { baseUrl: "https://drops.example.com", baseDomain: "drops.example.com" };
const alone = { baseUrl: "https://d111.cloudfront.net", baseDomain: undefined };
const id = folderHostId("Ab3dE6g");
const page = { kind: "page", slug: "Ab3dE6g" };
const file = { kind: "file", namespace: "ada", id: "Ab3dE6g" };

describe("the target of a takedown", () => {
  test.each([
    ["Ab3dE6g", page],
    [" Ab3dE6g\n", page],
    ["https://drops.example.com/p/Ab3dE6g", page],
    ["https://drops.example.com/p/Ab3dE6g/raw?v=3", page],
    ["https://ada.drops.example.com/d/Ab3dE6g#top", page],
    ["<https://ada.drops.example.com/d/Ab3dE6g>", page],
    ["HTTPS://ADA.Drops.Example.COM/d/Ab3dE6g/", page],
    ["http://drops.example.com/p/Ab3dE6g/context", page],
    ["drops.example.com/p/Ab3dE6g", page],
    ["ada.drops.example.com/p/Ab3dE6g/raw?v=1", page],
    ["//drops.example.com/p/Ab3dE6g", page],
    ["/p/Ab3dE6g/raw?v=1", page],
    ["/d/Ab3dE6g", page],
    ["p/Ab3dE6g", page],
    ["/%70/Ab3dE6g/ra%77", page],
    ["%2Fp%2FAb3dE6g", page],
    ["https://drops.example.com/p/%41b3dE6g/raw?v=1", page],
    ["https://drops.example.com/p/%2541b3dE6g/raw?v=1", page],
    ["https://drops.example.com//p//Ab3dE6g//raw", page],
    ["https://drops.example.com/x/../p/./Ab3dE6g/raw;a=1", page],
    ["https://drops.example.com\\p\\Ab3dE6g", page],
    ["https://ada.drops.example.com/b/Ab3dE6g", file],
    ["ada.drops.example.com/%62/Ab3dE6%67", file],
    // On a folder's host, every path belongs to the folder.
    [`https://${folderLabel({ id })}.drops.example.com/p/Ab3dE6g/raw`, { kind: "host", id }],
    [`${folderLabel({ id, version: 3, isFramed: true })}.drops.example.com`, { kind: "host", id }],
  ] as const)("is parsed from %j", (text, target) => {
    expect(parseTarget(site, text)).toEqual(target);
  });

  test.each(["/p/Ab3dE6g", "/p/Ab3dE6g/raw", "/d/Ab3dE6g"])("is parsed from every spelling of %s", (path) => {
    for (const spelling of otherSpellings(path))
      expect(parseTarget(site, `https://ada.drops.example.com${spelling}?v=1`), spelling).toEqual(page);
  });

  test.each([
    "Ab3dE6",
    "",
    "https://elsewhere.example.com/p/Ab3dE6g",
    "elsewhere.example.com/p/Ab3dE6g",
    "https://a.b.drops.example.com/p/Ab3dE6g",
    "https://drops.example.com/b/Ab3dE6g",
    "/b/Ab3dE6g",
    "https://drops.example.com/p/Ab3dE6gX",
    "https://drops.example.com/@ada/p/Ab3dE6g",
    "https://drops.example.com/api/p/Ab3dE6g",
    "https://drops.example.com/",
    "ftp://drops.example.com/p/Ab3dE6g",
  ])("cannot be %j", (text) => {
    expect(parseTarget(site, text)).toBeUndefined();
  });

  test.each([
    ["/@ada/d/Ab3dE6g", page],
    ["/p/Ab3dE6g/raw", page],
    ["/@ada/b/Ab3dE6g", file],
    ["/@ADA/b/Ab3dE6g/", file],
    ["/%40ada/b/Ab3dE6g", file],
    ["/%2540ada//%62/Ab3dE6g", file],
  ])("is parsed from %s of a service without a domain", (path, target) => {
    expect(parseTarget(alone, alone.baseUrl + path)).toEqual(target);
    expect(parseTarget(alone, path)).toEqual(target);
  });
});
