import type { Identity } from "../accounts/identity.ts";
import { emailDomainOf, toLowerAscii } from "../platform/email-address.ts";
import type { MemberRules } from "../platform/environment.ts";

/** What the operator lets somebody in by, or keeps them out by. */
export interface MemberName {
  readonly kind: "username" | "email" | "group";
  /** As it is compared. */
  readonly value: string;
}

/** What the operator has said of a name. */
export interface MemberEntry extends MemberName {
  /** Since when whoever has the name is kept out. @default - they are let in */
  readonly deniedAtMs?: number | undefined;
  /** Whose user name it is, since the first sign-in: whoever has it after them is somebody else. @default - nobody's yet */
  readonly boundTo?: IdentityKey | undefined;
}

/** By what the identity provider tells one person from another, for good. */
export interface IdentityKey {
  readonly provider: string;
  readonly id: string;
}

/** By what somebody is a member. */
export type MemberGround =
  | { readonly kind: "entry"; readonly entry: MemberEntry }
  | { readonly kind: "email domain" | "organization" | "group"; readonly value: string }
  | { readonly kind: "anyone" };

/** Whether somebody is a member, and why. */
export type Membership =
  | { readonly isMember: true; readonly ground: MemberGround }
  | { readonly isMember: false; readonly reason: "unknown" | "removed" };

/** What is known of somebody beside what the provider says. */
export interface MemberFacts {
  /** Those of the names of the identity. */
  readonly entries: readonly MemberEntry[];
  /** Whether the operator has removed this very identity. */
  readonly isRemoved: boolean;
}

/** A user name as it is compared. */
export function foldUsername(username: string): string {
  return toLowerAscii(username.trim());
}

/** The names that somebody may have been let in by, or kept out by. */
export function memberNamesOf({ username, emails, groups }: Identity): MemberName[] {
  const folded = foldUsername(username);
  return [
    ...(folded === "" ? [] : [{ kind: "username", value: folded } as const]),
    ...emails.map((value) => ({ kind: "email", value }) as const),
    ...groups.map((value) => ({ kind: "group", value }) as const),
  ];
}

/** Whether somebody is a member. Who was removed is none, whatever else says so. */
export function judgeMembership(identity: Identity, rules: MemberRules, facts: MemberFacts): Membership {
  const names = memberNamesOf(identity);
  const entries = facts.entries.filter(
    (entry) => names.some((name) => isSameName(name, entry)) && isFor(entry, identity),
  );
  if (facts.isRemoved || entries.some(({ deniedAtMs }) => deniedAtMs !== undefined))
    return { isMember: false, reason: "removed" };
  const ground = entryGround(entries) ?? ruleGround(identity, rules);
  return ground === undefined ? { isMember: false, reason: "unknown" } : { isMember: true, ground };
}

/** What is sure to stay the same person's comes first: an entry that is bound already. */
function entryGround(entries: readonly MemberEntry[]): MemberGround | undefined {
  const entry = entries.find(({ boundTo }) => boundTo !== undefined) ?? entries[0];
  return entry && { kind: "entry", entry };
}

function ruleGround(
  { emails, organizations, groups }: Identity,
  rules: MemberRules,
): MemberGround | undefined {
  if (rules === "anyone") return { kind: "anyone" };
  const domain = emails.map(emailDomainOf).find((one) => rules.emailDomains.includes(one));
  if (domain !== undefined) return { kind: "email domain", value: domain };
  const organization = organizations.find((one) => rules.organizations.includes(one));
  if (organization !== undefined) return { kind: "organization", value: organization };
  const group = groups.find((one) => rules.groups.includes(one));
  return group === undefined ? undefined : { kind: "group", value: group };
}

/** Whether what was said of a name is about somebody who has it now. */
function isFor({ boundTo }: MemberEntry, { provider, id }: IdentityKey): boolean {
  return boundTo === undefined || isSamePerson(boundTo, { provider, id });
}

/** Whether two keys are one person's. */
export function isSamePerson(one: IdentityKey, other: IdentityKey): boolean {
  return one.provider === other.provider && one.id === other.id;
}

/** A name of any kind: an operator may write more of them than there are entries of. */
interface AnyName {
  readonly kind: string;
  readonly value: string;
}

/** Whether two names are one. */
export function isSameName(one: AnyName, other: AnyName): boolean {
  return one.kind === other.kind && one.value === other.value;
}
