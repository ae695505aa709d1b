import { expect, test } from "vitest";
import { classifyHost, dropUrl, rawUrl } from "../../functions/domain/addresses.ts";

const site = { baseUrl: "https://drops.example.com", baseDomain: "pages.example.net" };

test.each([
  ["drops.example.com", { kind: "base" }],
  ["DROPS.example.com", { kind: "base" }],
  ["ada.pages.example.net", { kind: "owner", namespace: "ada" }],
  ["a.b.pages.example.net", { kind: "unknown" }],
  ["pages.example.net", { kind: "unknown" }],
  ["ada.pages.example.net.evil.example", { kind: "unknown" }],
  ["evilpages.example.net", { kind: "unknown" }],
  ["", { kind: "unknown" }],
])("the host %j is told apart", (host, expected) => {
  expect(classifyHost(site, host)).toEqual(expected);
});

test("a drop's addresses are on its owner's host", () => {
  expect(dropUrl(site, "ada", "aB3dE5f")).toBe("https://ada.pages.example.net/d/aB3dE5f");
  expect(rawUrl(site, "ada", "aB3dE5f")).toBe("https://ada.pages.example.net/p/aB3dE5f/raw");
});
