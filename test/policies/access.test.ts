import { describe, expect, test } from "vitest";
import { secondsUntilExpiry } from "../../functions/http/response.ts";
import {
  anonymousSearcher,
  audiencesOf,
  canChange,
  canEmbed,
  canFind,
  canList,
  canRead,
  canShare,
  canShowCard,
  isIndexable,
  isServed,
  type ReaderRights,
  type ReaderRule,
  readReasonOf,
  toListed,
  toSearcher,
  type Visibility,
} from "../../functions/policies/access.ts";

const nowMs = 1_000_000;
const ada = {
  username: "Ada",
  emails: ["ada@example.com", "ada@sub.example.org"],
  groups: ["Engineering"],
};
const rights = { userId: undefined, isMember: false, isInTeam: false, isBarred: false };
const eve: ReaderRights = { ...rights, identity: { username: "eve", emails: [], groups: [] } };

const readers = {
  anonymous: undefined,
  stranger: eve,
  member: { ...eve, isMember: true },
  team: { ...eve, isMember: true, isInTeam: true },
  named: { ...rights, identity: ada, userId: "other" },
  owner: { ...eve, userId: "owner" },
  barred: { identity: ada, userId: "owner", isMember: true, isInTeam: true, isBarred: true },
} satisfies Record<string, ReaderRights | undefined>;

const people = (...rules: readonly ReaderRule[]): Visibility => ({ kind: "people", readers: rules });
const toAda = people({ kind: "email", email: "x@example.net" }, { kind: "username", username: "ada" });

function drop(
  visibility: Visibility,
  { isLocked = false, expiresAtMs = undefined as number | undefined } = {},
) {
  const gate = { kind: isLocked ? "locked" : "open" } as const;
  return { ownerId: "owner", visibility, expiresAtMs, gate };
}

const over = { expiresAtMs: nowMs };
const soonOver = { expiresAtMs: nowMs + 1 };
const locked = { isLocked: true };

describe("a drop is read (r), listed (l) and found by its texts (f)", () => {
  test.each([
    ["public", drop({ kind: "public" }), "rlf r r rlf r rf r"],
    ["unlisted", drop({ kind: "unlisted" }), "r r r r r rf r"],
    ["for members", drop({ kind: "members" }), "- - rlf rlf - rf -"],
    ["for people", drop(toAda), "- - - - rlf rf -"],
    ["for its owner only", drop(people()), "- - - - - rf -"],
    ["public and locked", drop({ kind: "public" }, locked), "rl r r rl r rf r"],
    ["for members and locked", drop({ kind: "members" }, locked), "- - rl rl - rf -"],
    ["for people and locked", drop(toAda, locked), "- - - - rl rf -"],
    ["public, expires in a millisecond", drop({ kind: "public" }, soonOver), "rlf r r rlf r rf r"],
    ["public and expired", drop({ kind: "public" }, over), "- - - - - - -"],
    ["for members and expired", drop({ kind: "members" }, over), "- - - - - - -"],
    ["for people and expired", drop(toAda, over), "- - - - - - -"],
  ] as const)("%s: %o", (_, one, expected) => {
    expect(seenBy(one, readers)).toBe(expected);
  });
});

/** What each reader can do with a drop: read, list and find it. */
function seenBy(one: ReturnType<typeof drop>, all: Readonly<Record<string, ReaderRights | undefined>>) {
  const seen = Object.values(all).map((reader) => {
    const searcher = reader === undefined ? anonymousSearcher : toSearcher(reader);
    const answers = [
      canRead(one, reader, nowMs) && "r",
      canList(toListed(one), searcher, nowMs) && "l",
      canFind(toListed(one), searcher, nowMs) && "f",
    ];
    return answers.filter(Boolean).join("") || "-";
  });
  return seen.join(" ");
}

describe("a team's drop is read (r), listed (l) and found by its texts (f)", () => {
  const member = { ...eve, isMember: true };
  const person = { ...member, userId: "eve", teamIds: new Set(["team-1"]) };
  const roles = {
    anonymous: undefined,
    outside: { ...member, userId: "other", teamIds: new Set(["team-2"]) },
    person,
    "person with the team's token": { ...member, userId: "team-1" },
    "other team's token": { ...member, userId: "team-2" },
    barred: { ...person, isBarred: true },
  };

  test.each([
    ["public", drop({ kind: "public" }), "rlf r rlf rlf r r"],
    ["unlisted", drop({ kind: "unlisted" }), "r r rlf rlf r r"],
    ["for members", drop({ kind: "members" }), "- rlf rlf rlf rlf -"],
    ["for people", drop(toAda), "- - rlf rlf - -"],
    ["for its owner only", drop(people()), "- - rlf rlf - -"],
    ["for members and locked", drop({ kind: "members" }, locked), "- rl rlf rlf rl -"],
    ["public and expired", drop({ kind: "public" }, over), "- - - - - -"],
  ] as const)("%s: %o", (_, one, expected) => {
    expect(seenBy({ ...one, ownerId: "team-1" }, roles)).toBe(expected);
  });
});

describe("a chat shows a drop's card in a channel only for these posters", () => {
  const anyone = ["anonymous", "stranger", "member", "team", "named", "owner", "barred"];

  test.each([
    ["public", drop({ kind: "public" }), anyone],
    ["unlisted", drop({ kind: "unlisted" }), anyone],
    ["for members", drop({ kind: "members" }), ["owner"]],
    ["for people", drop(toAda), ["owner"]],
    ["for its owner only", drop(people()), ["owner"]],
    ["public and locked", drop({ kind: "public" }, locked), []],
    ["for members and locked", drop({ kind: "members" }, locked), []],
    ["public and expired", drop({ kind: "public" }, over), []],
    ["for people and expired", drop(toAda, over), []],
  ] as const)("%s: %o", (_, one, expected) => {
    const posters = Object.entries(readers).filter(([, poster]) => canShowCard(one, poster, nowMs));

    expect(posters.map(([name]) => name)).toEqual(expected);
  });
});

test("an unlisted drop of a person has no index entry, and one of a team has an entry for its members", () => {
  const visibility = { kind: "unlisted" } as const;

  expect(audiencesOf({ ownerId: "user", visibility })).toEqual([]);
  expect(audiencesOf({ ownerId: "team-1", visibility })).toEqual(["team#team-1"]);
});

describe("a reader rule", () => {
  test.each([
    ["a verified address", { kind: "email", email: "ada@example.com" }, true],
    ["another of their addresses", { kind: "email", email: "ada@sub.example.org" }, true],
    ["another person's address", { kind: "email", email: "eve@example.com" }, false],
    ["the domain of an address", { kind: "domain", domain: "example.com" }, true],
    ["the parent domain of an address", { kind: "domain", domain: "example.org" }, false],
    ["only the end of the domain", { kind: "domain", domain: "ample.com" }, false],
    ["their user name in another case", { kind: "username", username: "ada" }, true],
    ["the beginning of their user name", { kind: "username", username: "ad" }, false],
    ["their group", { kind: "group", group: "Engineering" }, true],
    ["their group in another case", { kind: "group", group: "engineering" }, false],
    ["their group as a user name", { kind: "username", username: "engineering" }, false],
    ["their user name as a group", { kind: "group", group: "ada" }, false],
    ["their address as a user name", { kind: "username", username: "ada@example.com" }, false],
  ] as const)("by %s: %o, %s", (_, rule, expected) => {
    const [one, reader] = [drop(people(rule)), { ...rights, identity: ada }];

    const reason = readReasonOf(one, reader);

    expect(reason).toEqual(expected ? { kind: "named", rules: [rule] } : undefined);
    expect(canList(toListed(one), toSearcher(reader), nowMs)).toBe(expected);
  });

  test.each([
    ["\u212aATE", { kind: "username", username: "kate" }],
    ["group:engineering", { kind: "group", group: "engineering" }],
    ["example.com", { kind: "domain", domain: "example.com" }],
    ["username:kate", { kind: "username", username: "kate" }],
    ["@example.com", { kind: "domain", domain: "example.com" }],
    ["ada@example.com", { kind: "email", email: "ada@example.com" }],
    ["", { kind: "username", username: "" }],
  ] as const)("does not match the person with the user name %s: %o", (username, rule) => {
    const reader = { ...rights, identity: { username, emails: [], groups: [] } };

    expect(canRead(drop(people(rule)), reader, nowMs)).toBe(false);
    expect(canList(toListed(drop(people(rule))), toSearcher(reader), nowMs)).toBe(false);
  });

  test("of a user name with an at sign matches the person with this user name", () => {
    const identity = { username: "Ada@Example.com", emails: [], groups: [] };

    const rule = { kind: "username", username: "ada@example.com" } as const;

    expect(canRead(drop(people(rule)), { ...rights, identity }, nowMs)).toBe(true);
  });
});

test.each([
  ["their own", "owner", undefined, true],
  ["their own until it expires", "owner", nowMs + 1, true],
  ["their own that has expired", "owner", nowMs, false],
  ["another account's", "other", undefined, false],
])("an account can change %s: %s, %s", (_, ownerId, expiresAtMs, expected) => {
  expect(canChange({ ownerId, expiresAtMs }, "owner", nowMs)).toBe(expected);
});

test.each([
  ["the owner", {}, true],
  ["a reader without an account", { userId: undefined }, false],
  ["another member", { userId: "other" }, false],
  ["an owner who was banned or suspended", { isBarred: true }, false],
  ["an owner who is no longer a member", { isMember: false }, false],
])("%s is offered the Share button: %o, %s", (_, changes, expected) => {
  const reader = { ...eve, userId: "owner", isMember: true, ...changes };

  expect(canShare({ ownerId: "owner" }, reader, nowMs)).toBe(expected);
  expect(canShare({ ownerId: "owner", expiresAtMs: nowMs }, reader, nowMs)).toBe(false);
});

test("no one is offered the Share button without a session", () => {
  expect(canShare({ ownerId: "owner" }, undefined, nowMs)).toBe(false);
});

const [open, unlisted, closed] = [{ kind: "public" }, { kind: "unlisted" }, { kind: "members" }] as const;

test.each([
  ["an open file in an open page", open, open, true],
  ["an unlisted file in a restricted page", unlisted, closed, true],
  ["a restricted file in a restricted page", closed, toAda, true],
  ["a restricted file in an open page", closed, open, false],
  ["a restricted file in an unlisted page", closed, unlisted, false],
] as const)("readers of a page get %s: %o in %o", (_, file, page, expected) => {
  expect(canEmbed(drop(file), drop(page), nowMs)).toBe(expected);
  expect(canEmbed(drop(file, over), drop(page), nowMs)).toBe(false);
});

test("readers of a restricted page get another owner's files only if these are public", () => {
  const page = { ...drop(closed), ownerId: "other" };

  expect([open, closed].map((visibility) => canEmbed(drop(visibility), page, nowMs))).toEqual([true, false]);
});

test.each([
  ["served", {}, true],
  ["suspended", { suspendedAtMs: 1 }, false],
  ["being deleted", { deletingAtMs: 1 }, false],
  ["deleted", { deletedAtMs: 1 }, false],
  ["missing", undefined, false],
])("an owner who is %s shows drops and files: %o, %s", (_, owner, expected) => {
  expect(isServed(owner)).toBe(expected);
});

test("search engines can list only public, unlocked drops", () => {
  const indexable = [open, unlisted, closed, toAda].map((one) => isIndexable(one, false));

  expect(indexable).toEqual([true, false, false, false]);
  expect(isIndexable(open, true)).toBe(false);
});

test.each([
  [undefined, 60],
  [nowMs + 90_000, 60],
  [nowMs + 30_999, 30],
  [nowMs - 1, 0],
])("content that expires at %s is cached for %i seconds", (expiresAtMs, expected) => {
  expect(secondsUntilExpiry({ expiresAtMs }, nowMs, 60)).toBe(expected);
});
