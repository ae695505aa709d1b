import { describe, expect, test } from "vitest";
import type { Identity } from "../../functions/identity/accounts.ts";
import { mayRead, type Reader } from "../../functions/identity/readers.ts";
import type { Visibility } from "../../functions/identity/visibility.ts";

const ada: Identity = {
  provider: "https://id.example.com",
  id: "1",
  username: "Ada",
  emails: ["ada@example.com", "ada@sub.example.org"],
  groups: ["Engineering"],
  organizations: [],
};

const open: readonly Visibility[] = [{ kind: "public" }, { kind: "unlisted" }];
const members: Visibility = { kind: "members" };
const people = (...readers: Extract<Visibility, { kind: "people" }>["readers"]): Visibility => ({
  kind: "people",
  readers,
});
const adaByName = people({ kind: "username", username: "ada" });

function reads(visibility: Visibility, reader: Partial<Reader> | undefined): boolean {
  const whole = reader && { identity: ada, userId: undefined, isMember: false, isBarred: false, ...reader };
  return mayRead({ ownerId: "owner", visibility }, whole);
}

test("what is open to all is read by everybody, whoever they are", () => {
  for (const visibility of open) {
    expect(reads(visibility, undefined)).toBe(true);
    expect(reads(visibility, { isBarred: true })).toBe(true);
  }
});

test("nothing else is read by who has not said who they are", () => {
  expect([members, adaByName].map((visibility) => reads(visibility, undefined))).toEqual([false, false]);
});

test("what is for members is read by members, and not by who is only named elsewhere", () => {
  expect(reads(members, { isMember: true })).toBe(true);
  expect(reads(members, {})).toBe(false);
});

test("the owner reads what they have kept to others, member or not", () => {
  expect([members, people()].map((one) => reads(one, { userId: "owner" }))).toEqual([true, true]);
  expect(reads(people(), { userId: "another" })).toBe(false);
});

describe("what is for people", () => {
  test.each([
    ["a verified address", { kind: "email", email: "ada@example.com" }, true],
    ["another of their addresses", { kind: "email", email: "ada@sub.example.org" }, true],
    ["somebody else's address", { kind: "email", email: "eve@example.com" }, false],
    ["the domain of an address", { kind: "domain", domain: "example.com" }, true],
    ["a name below that domain", { kind: "domain", domain: "example.org" }, false],
    ["the end of that domain", { kind: "domain", domain: "ample.com" }, false],
    ["their user name in another case", { kind: "username", username: "ada" }, true],
    ["the beginning of it", { kind: "username", username: "ad" }, false],
    ["their group", { kind: "group", group: "Engineering" }, true],
    ["their group in other letters", { kind: "group", group: "engineering" }, false],
    ["their group taken for a user name", { kind: "username", username: "engineering" }, false],
    ["their user name taken for a group", { kind: "group", group: "ada" }, false],
    ["their address taken for a user name", { kind: "username", username: "ada@example.com" }, false],
  ] as const)("is read by %s: %o, %s", (_, rule, expected) => {
    expect(reads(people({ kind: "email", email: "x@example.net" }, rule), {})).toBe(expected);
  });

  test("is not read by whose user name has a letter of another script that is the same in lower case", () => {
    const kate = people({ kind: "username", username: "kate" });

    const [own, others] = ["KATE", "\u212aATE"].map((username) =>
      reads(kate, { identity: { ...ada, username } }),
    );

    expect([own, others]).toEqual([true, false]);
  });

  test("is not read by a member who is not named", () => {
    expect(reads(people({ kind: "username", username: "eve" }), { isMember: true })).toBe(false);
  });
});

test("who is barred reads nothing that is not open to all, not even their own", () => {
  const barred = { isBarred: true, isMember: true, userId: "owner" };

  expect([members, adaByName].map((visibility) => reads(visibility, barred))).toEqual([false, false]);
});
