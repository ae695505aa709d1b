import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { HttpRequest } from "../../functions/http/request.ts";
import {
  destinationOf,
  parseDestination,
  parseDropDestination,
  signInPath,
} from "../../functions/identity/destination.ts";

const slug = "aB3dE5f";
const destinations = [
  `/p/${slug}`,
  `/d/${slug}?v=2&chart=1`,
  `/p/${slug}/raw?v=3`,
  `/p/${slug}/raw/`,
  `/p/${slug}/raw/@3/a%20b/..c/d'(e);f.html?v=1&x=..`,
  `/p/${slug}/compare?from=1&to=2`,
  `/d/${slug}/guide/a%20b.html?v=2`,
  `/d/${slug}/lock`,
  `/p/${slug}/guide/`,
  `/p/${slug}/feedback?thread=4`,
  "/files/ada-1/aB3dE5f",
  "/account",
  "/account/files?page=2",
  "/account/tokens",
  `/account/drops/${slug}?done=saved`,
  "/library?q=numbers",
  "/oauth/authorize?request=aB3dE5faB3dE5faB3dE5fa",
];

test.each(destinations)("a sign-in returns to %s", (address) => {
  const [, sent = ""] = signInPath(address).split("to=");

  expect(parseDestination(decodeURIComponent(sent))).toBe(address);
});

test.each([
  ["another host", "//evil.example/p/aB3dE5f"],
  ["another host by a backslash", "/\\evil.example/p/aB3dE5f"],
  ["a whole address", "https://evil.example/p/aB3dE5f"],
  ["a script", "javascript:alert(1)"],
  ["a slug that is too long", "/p/aB3dE5fg"],
  ["a path with dots", "/p/aB3dE5f/../../login/sign-out"],
  ["an encoded slash", "/p/aB3dE5f%2fraw"],
  ["dots below a folder", "/p/aB3dE5f/raw/../../../login/sign-out"],
  ["encoded dots below a folder", "/p/aB3dE5f/raw/x/%2E./%2e%2e?x=1"],
  ["an empty name in a folder", "/p/aB3dE5f/raw//evil.example"],
  ["a backslash in a folder", "/p/aB3dE5f/raw/\\..\\x"],
  ["a line break in a folder", "/p/aB3dE5f/raw/x\r\nSet-Cookie: x"],
  ["the passcode form", "/p/aB3dE5f/unlock"],
  ["the passcode form with a query", "/p/aB3dE5f/lock?to=/x"],
  ["dots below a viewer", "/d/aB3dE5f/x/../../../login/sign-out"],
  ["an empty name below a viewer", "/d/aB3dE5f//evil.example"],
  ["the sign-in itself", "/login/read?to=/p/aB3dE5f"],
  ["the API", "/api/me"],
  ["a fragment", "/p/aB3dE5f?x=1#y"],
  ["a line break", "/p/aB3dE5f?x=1\r\nSet-Cookie: x"],
  ["a line break at its end", "/p/aB3dE5f\n"],
  ["an address longer than a cookie", `/p/aB3dE5f?x=${"1".repeat(2_400)}`],
  ["an empty text", ""],
])("%s is not a destination", (_, text) => {
  expect(parseDestination(text)).toBeUndefined();
});

test("a destination of a drop always stays below the drop's pages on this host", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom(...destinations, "/p/0000000?v=1", "https://evil.example/p/aB3dE5f", "//evil.example"),
    fc.string().map((text) => `/p/${slug}${text}`),
  );

  fc.assert(
    fc.property(texts, (text) => {
      const url = new URL(parseDropDestination(text, slug), "https://drops.example.com");

      expect(url.origin).toBe("https://drops.example.com");
      expect(url.pathname).toMatch(new RegExp(`^/[pd]/${slug}(/|$)`));
    }),
  );
});

test("a query that is too long is removed from the destination, and the path is kept", () => {
  const path = `/p/${slug}`;

  const request = { path, headers: {} } as HttpRequest;

  expect(destinationOf({ ...request, rawQuery: "v=2" })).toBe(`${path}?v=2`);
  expect(destinationOf({ ...request, rawQuery: `x=${"1".repeat(3_000)}` })).toBe(path);
});
