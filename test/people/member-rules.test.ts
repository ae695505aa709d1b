import { expect, test } from "vitest";
import type { MemberSets } from "../../functions/core/environment.ts";
import type { Identity } from "../../functions/people/accounts.ts";
import { type MemberEntry, memberNamesOf, resolveMembership } from "../../functions/people/members.ts";

const nobody: MemberSets = { emailDomains: [], organizations: [], groups: [] };

const ada: Identity = {
  provider: "https://id.example.com",
  id: "1",
  username: "Ada",
  emails: ["ada@example.com"],
  groups: ["Writers"],
  organizations: ["example-inc"],
};

function judged(entries: readonly MemberEntry[], rules = nobody, identity = ada, isRemoved = false) {
  return resolveMembership(identity, rules, { entries, isRemoved });
}

test("no one is a member without the operator's entry or a rule", () => {
  expect(judged([])).toEqual({ isMember: false, reason: "unknown" });
  expect(judged([{ kind: "username", value: "grace" }])).toEqual({ isMember: false, reason: "unknown" });
});

test.each<MemberEntry>([
  { kind: "username", value: "ada" },
  { kind: "email", value: "ada@example.com" },
  { kind: "group", value: "Writers" },
])("the operator's entry %o admits the person with this name", (entry) => {
  expect(judged([entry])).toEqual({ isMember: true, ground: { kind: "entry", entry } });
});

test("a name of one kind does not match another kind", () => {
  const mailed: Identity = { ...ada, username: "ada@example.com", emails: [] };

  expect(judged([{ kind: "email", value: "ada@example.com" }], nobody, mailed).isMember).toBe(false);
  expect(judged([{ kind: "group", value: "ada" }]).isMember).toBe(false);
});

test("an entry that belongs to a person does not admit the name's next holder", () => {
  const entry: MemberEntry = {
    kind: "username",
    value: "ada",
    boundTo: { provider: ada.provider, id: "1" },
  };

  expect(judged([entry]).isMember).toBe(true);
  expect(judged([entry], nobody, { ...ada, id: "2" }).isMember).toBe(false);
  expect(judged([entry], nobody, { ...ada, provider: "https://other.example.com" }).isMember).toBe(false);
});

test.each<[string, Partial<MemberSets>, string]>([
  ["the domain of a verified address", { emailDomains: ["example.com"] }, "email domain"],
  ["an organization", { organizations: ["example-inc"] }, "organization"],
  ["a group", { groups: ["Writers"] }, "group"],
])("a rule admits a person by %s", (_, rules, kind) => {
  expect(judged([], { ...nobody, ...rules })).toMatchObject({ isMember: true, ground: { kind } });
});

test.each<[string, Partial<MemberSets>, Partial<Identity>]>([
  ["an address of a subdomain", { emailDomains: ["example.com"] }, { emails: ["ada@mail.example.com"] }],
  [
    "a domain that only ends with the same letters",
    { emailDomains: ["example.com"] },
    { emails: ["a@notexample.com"] },
  ],
  ["an address of the parent domain", { emailDomains: ["mail.example.com"] }, {}],
  ["a group name in another letter case", { groups: ["writers"] }, {}],
  ["an organization named like the group", { organizations: ["writers"] }, { groups: ["writers"] }],
])("a rule does not admit a person by %s", (_, rules, identity) => {
  expect(judged([], { ...nobody, ...rules }, { ...ada, ...identity }).isMember).toBe(false);
});

test("a person whom the operator excludes is not a member, even if a rule or an entry matches", () => {
  const letsIn: MemberEntry[] = [{ kind: "group", value: "Writers" }];
  const denied = (entry: MemberEntry) => ({ ...entry, deniedAtMs: 1 });
  const rules = "anyone";

  for (const entry of [
    { kind: "username", value: "ada" },
    { kind: "email", value: "ada@example.com" },
  ] satisfies MemberEntry[]) {
    expect(resolveMembership(ada, rules, { entries: [denied(entry), ...letsIn], isRemoved: false })).toEqual({
      isMember: false,
      reason: "removed",
    });
  }
  expect(resolveMembership(ada, rules, { entries: letsIn, isRemoved: true }).isMember).toBe(false);
});

test("an exclusion does not affect the next holder of the person's user name", () => {
  const entry: MemberEntry = {
    kind: "username",
    value: "ada",
    deniedAtMs: 1,
    boundTo: { provider: ada.provider, id: "1" },
  };
  const other = { ...ada, id: "2" };

  expect(resolveMembership(other, "anyone", { entries: [entry], isRemoved: false }).isMember).toBe(true);
});

test("a letter of another script does not match the letter that it resembles or lower-cases to", () => {
  const kelvin: Identity = { ...ada, username: "\u212Aate" };

  expect(memberNamesOf(kelvin)[0]?.value).toBe("\u212Aate");
  expect(judged([{ kind: "username", value: "kate" }], nobody, kelvin).isMember).toBe(false);
});

test("a person without a user name matches no user name", () => {
  const nameless: Identity = { ...ada, username: " ", emails: [], groups: [] };

  expect(memberNamesOf(nameless)).toEqual([]);
  expect(judged([{ kind: "username", value: "" }], nobody, nameless).isMember).toBe(false);
});
