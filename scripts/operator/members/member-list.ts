import { isSamePerson } from "../../../functions/identity/accounts.ts";
import { type Membership, memberRules } from "../../../functions/identity/members.ts";
import { formatUtc, quote, type Terminal } from "../terminal.ts";
import type { AccountMembership, MemberDirectory, StoredEntry } from "./member-directory.ts";
import { describeName } from "./member-name.ts";

/** Prints who may publish and why: the rules of the settings, what operators have said, and each account. */
export async function listMembers(directory: MemberDirectory, terminal: Terminal): Promise<boolean> {
  const { entries, accounts } = directory;
  terminal.print(describeRules());
  for (const entry of inOrder(entries, describeName)) terminal.print(describeEntry(entry, directory));
  for (const account of inOrder(accounts, ({ user }) => user.namespace))
    terminal.print(describeAccount(account));
  const members = accounts.filter(({ membership }) => membership.isMember);
  terminal.print(`Entries: ${entries.length}. Accounts of members: ${members.length} of ${accounts.length}.`);
  return true;
}

function inOrder<Value>(all: readonly Value[], by: (value: Value) => string): Value[] {
  return all.toSorted((one, other) => (by(one) < by(other) ? -1 : 1));
}

function describeRules(): string {
  const rules = memberRules();
  if (rules === "anyone") return "settings: whoever can sign in, but for those who are kept out";
  const sets = [
    ...rules.emailDomains.map((domain) => `e-mail domain ${quote(domain)}`),
    ...rules.organizations.map((name) => `organization ${quote(name)}`),
    ...rules.groups.map((group) => `group ${quote(group)}`),
  ];
  return `settings: ${sets.length === 0 ? "nobody" : sets.join(", ")}`;
}

function describeEntry(entry: StoredEntry, { accounts }: MemberDirectory): string {
  const { addedAtMs, addedBy, deniedAtMs, boundTo } = entry;
  const owner = boundTo && accounts.find(({ identity }) => isSamePerson(boundTo, identity));
  const facts =
    deniedAtMs === undefined
      ? [
          ...(addedAtMs === undefined ? [] : [`added ${formatUtc(addedAtMs)}`]),
          ...(addedBy === undefined ? [] : [`by ${addedBy}`]),
          ...(owner === undefined ? [] : [`is ${owner.user.namespace}`]),
        ]
      : [`kept out ${formatUtc(deniedAtMs)}`];
  return [`entry    ${describeName(entry)}`, ...facts].join("  ");
}

function describeAccount({ user, membership, tokenCount }: AccountMembership): string {
  const why = describeMembership(membership);
  const tokens = tokenCount === 1 ? "1 token" : `${tokenCount} tokens`;
  const left = !membership.isMember && tokenCount > 0 ? ": good until they are revoked" : "";
  return `account  ${user.namespace} (${user.userId})  ${why}  ${tokens}${left}`;
}

/** Describes a membership and its reason in a few words. */
export function describeMembership(membership: Membership): string {
  if (!membership.isMember) return membership.reason === "unknown" ? "no member" : membership.reason;
  const { ground } = membership;
  switch (ground.kind) {
    case "anyone":
      return "member (everyone may publish)";
    case "entry":
      return `member by the entry ${describeName(ground.entry)}`;
    default:
      return `member by the ${ground.kind} ${quote(ground.value)}`;
  }
}
