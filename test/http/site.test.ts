import { describe, expect, test } from "vitest";
import {
  blobUrl,
  classifyHost,
  dropUrl,
  hasOwnOrigin,
  ownerUrl,
  rawUrl,
  requestedPath,
} from "../../functions/http/site.ts";

const site = { baseUrl: "https://drops.example.com", baseDomain: "pages.example.net" };

test.each([
  ["drops.example.com", { kind: "base" }],
  ["DROPS.example.com", { kind: "base" }],
  ["ada.pages.example.net", { kind: "owner", namespace: "ada", prefix: "" }],
  ["a.b.pages.example.net", { kind: "unknown" }],
  ["pages.example.net", { kind: "unknown" }],
  ["ada.pages.example.net.evil.example", { kind: "unknown" }],
  ["evilpages.example.net", { kind: "unknown" }],
  ["", { kind: "unknown" }],
])("the host %j is classified", (host, expected) => {
  expect(classifyHost(site, host)).toEqual(expected);
});

test("if owners have hosts, /@ paths on the base host have no owner", () => {
  expect(classifyHost(site, "drops.example.com", "ada")).toEqual({ kind: "base" });
});

test("a drop's URLs are on its owner's host", () => {
  expect(dropUrl(site, "ada", "aB3dE5f")).toBe("https://ada.pages.example.net/d/aB3dE5f");
  expect(rawUrl(site, "ada", "aB3dE5f")).toBe("https://ada.pages.example.net/p/aB3dE5f/raw");
});

describe("without a domain", () => {
  const alone = { baseUrl: "https://d111.cloudfront.net", baseDomain: undefined };

  test.each([
    ["d111.cloudfront.net", undefined, { kind: "base" }],
    ["D111.cloudfront.net", "ada", { kind: "owner", namespace: "ada", prefix: "/@ada" }],
    ["ada.d111.cloudfront.net", undefined, { kind: "unknown" }],
    ["ada.d111.cloudfront.net", "ada", { kind: "unknown" }],
    ["ada.undefined", undefined, { kind: "unknown" }],
  ])("the host %j with the owner %j is classified", (host, owner, expected) => {
    expect(classifyHost(alone, host, owner)).toEqual(expected);
  });

  test("an owner's pages are below /@ on the service's own host", () => {
    expect(ownerUrl(alone, "ada")).toBe("https://d111.cloudfront.net/@ada/");
    expect(dropUrl(alone, "ada", "aB3dE5f")).toBe("https://d111.cloudfront.net/@ada/d/aB3dE5f");
    expect(rawUrl(alone, "ada", "aB3dE5f")).toBe("https://d111.cloudfront.net/@ada/p/aB3dE5f/raw");
    expect(blobUrl(alone, "ada", "aB3dE5f")).toBe("https://d111.cloudfront.net/@ada/b/aB3dE5f");
  });

  test("a viewer sees an owner's paths below /@, and the origin is shared", () => {
    const ada = classifyHost(alone, "d111.cloudfront.net", "ada");

    expect(requestedPath(ada, "/p/aB3dE5f/raw")).toBe("/@ada/p/aB3dE5f/raw");
    expect(hasOwnOrigin(ada)).toBe(false);
    expect(hasOwnOrigin(classifyHost(site, "ada.pages.example.net"))).toBe(true);
    expect(requestedPath({ kind: "base" }, "/p/aB3dE5f/raw")).toBe("/p/aB3dE5f/raw");
  });
});
