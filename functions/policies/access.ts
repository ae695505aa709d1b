import { isTeamId } from "../table/identifiers.ts";
import type { RawItem } from "../table/table.ts";

// Types and functions that decide on access to drops and files. No other code makes access decisions.

/** Kinds of visibility, from the most to the least open. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Kind of visibility; see docs/adr/0040-visibility-and-indexing.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/** Readers whom an owner has named: an e-mail address, all addresses at a domain, a user name or a group. Lower case, except groups. */
export type ReaderRule =
  | { readonly kind: "email"; readonly email: string }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "username"; readonly username: string }
  | { readonly kind: "group"; readonly group: string };

/**
 * Readers of a drop or file. `public`: anyone. `unlisted`: anyone with the URL, which is not in any list. `members`: people who may publish
 * here. `people`: readers that a rule names. The owner can always read.
 */
export type Visibility =
  | { readonly kind: "public" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "members" }
  | { readonly kind: "people"; readonly readers: readonly ReaderRule[] };

/** A drop or a file that may expire; see docs/adr/0093-expiry-and-trash.md. */
export interface Expiring {
  /** Time from which the drop or file is not found, in Unix milliseconds. @default - never */
  readonly expiresAtMs?: number | undefined;
}

/** A drop or a file with an owner and readers. */
export interface Readable extends Expiring {
  readonly ownerId: string;
  readonly visibility: Visibility;
}

/** The reader of a request, with their current rights. */
export interface ReaderRights {
  readonly identity: {
    readonly username: string;
    readonly emails: readonly string[];
    readonly groups: readonly string[];
  };
  readonly userId: string | undefined;
  readonly isMember: boolean;
  /** True if the reader is a member, and the operator has selected the members instead of admitting anyone who signs in. */
  readonly isInTeam: boolean;
  /** True if the operator has removed, banned or suspended the reader, or SCIM has deactivated the reader since sign-in. */
  readonly isBarred: boolean;
  /** User ids of teams that the reader may act for. Only teams that the request has read are included. @default - none */
  readonly teamIds?: ReadonlySet<string> | undefined;
}

/** Role in a team. Editors publish and edit drops. Owners can also delete drops, change the team's members and issue tokens. */
export type TeamRole = "owner" | "editor";

/** People who may act for a team, by their role. */
export type TeamPeople = readonly { readonly rule: ReaderRule; readonly role: TeamRole }[];

/** Finds a person's role in a team. Returns undefined without a role, and for people who are not members of the service. */
export function teamRoleOf(people: TeamPeople, reader: ReaderRights): TeamRole | undefined {
  if (reader.isBarred || !reader.isMember) return undefined;
  const names = readerNamesOf(reader);
  const roles = people.filter(({ rule }) => names.has(presentReader(rule))).map(({ role }) => role);
  return roles.includes("owner") ? "owner" : roles[0];
}

/** Decides if a reader may use the pages for administrators: a member whom the setting `administrators` names by address or group. */
export function canAdminister(reader: ReaderRights, administrators: readonly string[]): boolean {
  if (reader.isBarred || !reader.isMember) return false;
  const names = readerNamesOf(reader);
  return administrators.some((name) => names.has(name));
}

/** Checks if a reader is the owner, or may act for the team that is the owner. */
export function isOwner(
  { userId, teamIds }: Pick<ReaderRights, "teamIds" | "userId">,
  ownerId: string,
): boolean {
  return userId === ownerId || (teamIds?.has(ownerId) ?? false);
}

/** Checks if a drop or file has expired. Every read makes this check. */
export function isExpired({ expiresAtMs }: Expiring, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

/** Checks if the row of a drop or file has expired. */
export function isExpiredRow({ expiresAtMs }: RawItem, nowMs: number): boolean {
  return expiresAtMs !== undefined && isExpired({ expiresAtMs: Number(expiresAtMs.N) }, nowMs);
}

/** Checks if anyone may read a drop or file without signing in. */
export function isOpenToAll({ visibility }: { readonly visibility: Visibility }): boolean {
  return visibility.kind === "public" || visibility.kind === "unlisted";
}

/** Checks if the drops and files of an owner are served. Pass undefined for a deleted owner. */
export function isServed(
  owner: { suspendedAtMs?: unknown; deletingAtMs?: unknown; deletedAtMs?: unknown } | undefined,
): boolean {
  if (owner === undefined || owner.suspendedAtMs !== undefined) return false;
  return owner.deletingAtMs === undefined && owner.deletedAtMs === undefined;
}

/** Reason why a reader may read a drop or a file. */
export type ReadReason =
  | { readonly kind: "open" | "owner" | "member" }
  | { readonly kind: "named"; readonly rules: readonly ReaderRule[] };

/** Returns the reason for a reader's access to a drop or file, or undefined without access. Ignores the expiry. */
export function readReasonOf(thing: Readable, reader: ReaderRights | undefined): ReadReason | undefined {
  if (isOpenToAll(thing)) return { kind: "open" };
  if (reader === undefined || reader.isBarred) return undefined;
  if (isOwner(reader, thing.ownerId)) return { kind: "owner" };
  const { visibility } = thing;
  if (visibility.kind === "members") return reader.isMember ? { kind: "member" } : undefined;
  if (visibility.kind !== "people") return undefined;
  const names = readerNamesOf(reader);
  const rules = visibility.readers.filter((rule) => names.has(presentReader(rule)));
  return rules.length === 0 ? undefined : { kind: "named", rules };
}

/** Decides if a reader may read a drop or a file at its URL. The passcode, if any, is checked separately. */
export function canRead(thing: Readable, reader: ReaderRights | undefined, nowMs: number): boolean {
  return !isExpired(thing, nowMs) && readReasonOf(thing, reader) !== undefined;
}

/** Decides if a page for administrators shows a drop's title or a file's name. A passcode hides the name from everyone but the owner. */
export function canSeeName(
  thing: Readable & { readonly gate?: { readonly kind: "open" | "locked" } },
  reader: ReaderRights,
  nowMs: number,
): boolean {
  if (thing.gate?.kind === "locked" && !isOwner(reader, thing.ownerId)) return false;
  return canRead(thing, reader, nowMs);
}

/** Decides if an account may see, list and change a drop or a file as its owner. */
export function canChange(thing: Omit<Readable, "visibility">, userId: string, nowMs: number): boolean {
  return thing.ownerId === userId && !isExpired(thing, nowMs);
}

/** Returns the readers whom the visibility names. Returns undefined for visibilities other than `people`. */
export function namedReadersOf({
  visibility,
}: Pick<Readable, "visibility">): readonly ReaderRule[] | undefined {
  return visibility.kind === "people" ? visibility.readers : undefined;
}

/** Decides if a request for access is still open. Adding the reader, or opening the drop to anyone, settles the request. */
export function isAccessWanted(thing: Pick<Readable, "visibility">, reader: string): boolean {
  return !isOpenToAll(thing) && !namedReadersOf(thing)?.some((rule) => presentReader(rule) === reader);
}

/** Decides if a reader may share a drop in a browser. Only the drop's owner may share it, and only while the owner is a member. */
export function canShare(
  thing: Omit<Readable, "visibility">,
  reader: ReaderRights | undefined,
  nowMs: number,
): boolean {
  if (reader === undefined || reader.isBarred || !reader.isMember) return false;
  return isOwner(reader, thing.ownerId) && !isExpired(thing, nowMs);
}

/**
 * Decides if a chat may show a drop's title in a channel. The drop must have no passcode, and be open to anyone or posted by its owner.
 *
 * @param poster undefined for anyone but the owner
 */
export function canShowCard(
  drop: Readable & { readonly gate: { readonly kind: "open" | "locked" } },
  poster: ReaderRights | undefined,
  nowMs: number,
): boolean {
  if (drop.gate.kind === "locked" || !canRead(drop, poster, nowMs)) return false;
  return isOpenToAll(drop) || (poster?.userId !== undefined && canChange(drop, poster.userId, nowMs));
}

/** Decides if a file may appear in a page: any unrestricted file, and in a restricted page also the files of the page's owner. */
export function canEmbed(file: Readable, page: Readable, nowMs: number): boolean {
  if (isExpired(file, nowMs)) return false;
  return isOpenToAll(file) || (!isOpenToAll(page) && file.ownerId === page.ownerId);
}

/** Readers for whom indexes list a drop: anyone, members, the readers of a reader rule, or the members of the team that owns the drop. */
export type Audience = "public" | "members" | `people#${string}` | `team#${string}`;

/** Fields of a drop or file that indexes need to select its readers. */
export interface Listed extends Expiring {
  readonly ownerId: string;
  readonly audiences: Iterable<Audience>;
  readonly isLocked: boolean;
}

/** A reader's account and audiences, for indexes. */
export interface Searcher extends Pick<ReaderRights, "teamIds" | "userId"> {
  readonly audiences: ReadonlySet<Audience>;
}

/** An anonymous visitor of an owner's page. */
export const anonymousSearcher: Searcher = { userId: undefined, audiences: new Set(["public"]) };

/** Lists the audiences whose index contains a drop or a file. A person's unlisted drops and files have no audience. */
export function audiencesOf({ ownerId, visibility }: Omit<Readable, keyof Expiring>): Audience[] {
  const team = isTeamId(ownerId) ? [`team#${ownerId}` as const] : [];
  if (visibility.kind === "people")
    return [...visibility.readers.map((rule) => `people#${presentReader(rule)}` as const), ...team];
  return visibility.kind === "unlisted" ? team : [visibility.kind, ...team];
}

/** Returns the fields with which an index decides who can find a drop. */
export function toListed(drop: Readable & { readonly gate: { readonly kind: "open" | "locked" } }): Listed {
  const { ownerId, expiresAtMs, gate } = drop;
  return { ownerId, expiresAtMs, audiences: audiencesOf(drop), isLocked: gate.kind === "locked" };
}

/** Returns a reader's account and audiences, for indexes. If anyone can become a member, only owners' pages list public drops. */
export function toSearcher(reader: ReaderRights): Searcher {
  if (reader.isBarred) return { userId: undefined, audiences: new Set() };
  const audiences = new Set<Audience>();
  if (reader.isMember) audiences.add("members");
  if (reader.isInTeam) audiences.add("public");
  for (const name of readerNamesOf(reader)) audiences.add(`people#${name}`);
  const { userId, teamIds } = reader;
  for (const id of teamIds ?? []) audiences.add(`team#${id}`);
  // The token of a team acts for that team only.
  if (userId !== undefined && isTeamId(userId)) audiences.add(`team#${userId}`);
  return { userId, teamIds, audiences };
}

/** Decides if a reader sees a drop in a list: in the library, or on its owner's page. */
export function canList(listed: Listed, { audiences }: Searcher, nowMs: number): boolean {
  if (isExpired(listed, nowMs)) return false;
  for (const audience of listed.audiences) if (audiences.has(audience)) return true;
  return false;
}

/** Decides if a search finds a drop: always for its owner, and for other readers if it has no passcode and their lists show it. */
export function canFind(listed: Listed, searcher: Searcher, nowMs: number): boolean {
  if (isOwner(searcher, listed.ownerId)) return !isExpired(listed, nowMs);
  return !listed.isLocked && canList(listed, searcher, nowMs);
}

/** Decides if search engines may list a drop. */
export function isIndexable(visibility: Visibility, isLocked: boolean): boolean {
  return visibility.kind === "public" && !isLocked;
}

/** Returns the strings of all reader rules that match a reader. A rule cannot contain a user name with a colon. */
export function readerNamesOf({
  identity: { emails, username, groups },
}: Pick<ReaderRights, "identity">): ReadonlySet<string> {
  const folded = foldUsername(username);
  const rules: ReaderRule[] = [
    ...emails.map((email) => ({ kind: "email", email }) as const),
    ...emails.map((email) => ({ kind: "domain", domain: emailDomainOf(email) }) as const),
    ...(/^[^:]+$/.test(folded) ? [{ kind: "username", username: folded } as const] : []),
    ...groups.map((group) => ({ kind: "group", group }) as const),
  ];
  return new Set(rules.map(presentReader));
}

/** Returns the part of an e-mail address after the `@`. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** Normalizes a user name for comparisons. */
export function foldUsername(username: string): string {
  return toLowerAscii(username.trim());
}

/** Converts only ASCII letters to lower case, because the lower case of some other characters, such as the Kelvin sign, is an ASCII letter. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export const usernamePrefix = "username:";
export const groupPrefix = "group:";

/** Endings of common domains. A user name such as `ada.lovelace` does not match. */
const domainEnding =
  /\.(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|co|cloud|tech|xyz|online|site|shop|store|eu|us|uk|ca|au|nz|ie|de|at|ch|fr|be|nl|es|pt|it|pl|cz|se|dk|fi|no|jp|kr|cn|in|br|mx|za|example|test|local|internal)$/;

/** Recognizes a user name that looks like a domain, a pattern or a channel, so that it needs the prefix `username:`. */
export function isMistakable(username: string): boolean {
  return username.startsWith("#") || /[@*]/.test(username) || domainEnding.test(username);
}

/** Formats a reader rule as a string: `ada@example.com`, `@example.com`, `ada` or `group:engineering`. */
export function presentReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `@${rule.domain}`;
    case "username":
      return isMistakable(rule.username) ? usernamePrefix + rule.username : rule.username;
    case "group":
      return groupPrefix + rule.group;
  }
}

/** Parses a string that `presentReader` has returned. */
export function toReaderRule(text: string): ReaderRule {
  if (text.startsWith(groupPrefix)) return { kind: "group", group: text.slice(groupPrefix.length) };
  if (text.startsWith(usernamePrefix))
    return { kind: "username", username: text.slice(usernamePrefix.length) };
  const at = text.lastIndexOf("@");
  if (at === -1) return { kind: "username", username: text };
  return at === 0 ? { kind: "domain", domain: text.slice(1) } : { kind: "email", email: text };
}

/** Returns the item attributes of a visibility. Public items have none. */
export function visibilityAttributes(visibility: Visibility): Record<string, unknown> {
  const { kind } = visibility;
  if (kind === "public") return {};
  return kind === "people"
    ? { visibility: kind, readers: visibility.readers.map(presentReader) }
    : { visibility: kind };
}

/** Parses an item's visibility. Unknown values, from newer releases, allow only the owner. */
export function toVisibility({
  visibility = "public",
  readers,
}: Readonly<Record<string, unknown>>): Visibility {
  switch (visibility) {
    case "public":
    case "unlisted":
    case "members":
      return { kind: visibility };
    default:
      return { kind: "people", readers: ((readers ?? []) as string[]).map(toReaderRule) };
  }
}

/** Formats a visibility for API responses. */
export function presentVisibility(visibility: Visibility): {
  readonly visibility: VisibilityKind;
  readonly readers?: string[];
  readonly readable_by: string;
} {
  const readers = namedReadersOf({ visibility })?.map(presentReader);
  return {
    visibility: visibility.kind,
    ...(readers && { readers }),
    readable_by: describeReaders(visibility),
  };
}

/** Maximum number of readers that a description names. Further readers are only counted, to keep lists of drops short. */
const describedMax = 4;

/** Describes the readers of a visibility in words, such as "ada@example.com and people in engineering". */
export function describeReaders(visibility: Visibility): string {
  switch (visibility.kind) {
    case "public":
      return "anyone";
    case "unlisted":
      return "anyone with the link";
    case "members":
      return "members of this service";
    case "people": {
      const named = visibility.readers.slice(0, describedMax).map(describeReader);
      const more = visibility.readers.length - named.length;
      const all = more === 0 ? named : [...named, more === 1 ? "1 other" : `${more} others`];
      return all.length === 0 ? "only the owner" : new Intl.ListFormat("en").format(all);
    }
  }
}

/** Describes the readers of a rule in words. */
export function describeReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `anyone at ${rule.domain}`;
    case "username":
      return `the user ${rule.username}`;
    case "group":
      return `people in ${rule.group}`;
  }
}
