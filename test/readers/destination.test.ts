import { expect, test } from "vitest";
import { bindOf } from "../../functions/readers/bind.ts";
import {
  type Destination,
  parseDestination,
  presentDestination,
} from "../../functions/readers/destination.ts";

const bind = bindOf("a secret");
const destination: Destination = { slug: "aB3dE5f", at: "owner", from: "raw", version: 12, bind };

test("a destination comes back from its query as it was", () => {
  for (const one of [
    destination,
    { ...destination, at: "base", from: "d", version: undefined } as const,
    { page: "account" } as const,
    { page: "drop", slug: "aB3dE5f" } as const,
  ]) {
    expect(parseDestination(presentDestination(one))).toEqual(one);
  }
});

test.each([
  ["no slug", { slug: undefined }],
  ["an address for a slug", { slug: "//evil.example/" }],
  ["a slug that is too long", { slug: "aB3dE5fg" }],
  ["another host", { at: "evil.example" }],
  ["no entrance", { from: undefined }],
  ["another path", { from: "//evil.example" }],
  ["no version number", { v: "../1" }],
  ["no browser", { bind: undefined }],
  ["half a browser", { bind: bind.slice(1) }],
])("what has %s is no destination", (_, change: Record<string, string | undefined>) => {
  const query = new URLSearchParams(presentDestination(destination));
  for (const [name, value] of Object.entries(change)) {
    query.delete(name);
    if (value !== undefined) query.set(name, value);
  }

  expect(parseDestination(query.toString())).toBeUndefined();
});

test("what is given twice is no destination", () => {
  for (const name of ["slug", "at", "from", "v", "bind"]) {
    const query = new URLSearchParams(presentDestination(destination));
    query.append(name, query.get(name) ?? "");

    expect(parseDestination(query.toString())).toBeUndefined();
  }
});
