import { isTeamId } from "../table/identifiers.ts";
import type { RawItem } from "../table/table.ts";

// Read access to drops and files: the types that it depends on, and the functions that decide. Nothing else decides.

/** Kinds of visibility, from the most to the least open. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Kind of visibility: docs/adr/0040-visibility-and-indexing.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/**
 * Readers whom an owner has named: a verified e-mail address, all verified addresses at a domain, a user name, or the
 * people in a group. All but groups are in lower case.
 */
export type ReaderRule =
  | { readonly kind: "email"; readonly email: string }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "username"; readonly username: string }
  | { readonly kind: "group"; readonly group: string };

/**
 * Readers of a drop or file. `public`: anyone. `unlisted`: anyone with the URL, which no list shows. `members`: everyone who may publish
 * here. `people`: readers that a rule names. The owner can always read.
 */
export type Visibility =
  | { readonly kind: "public" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "members" }
  | { readonly kind: "people"; readonly readers: readonly ReaderRule[] };

/** A drop or a file, which may expire: docs/adr/0093-expiry-and-trash.md. */
export interface Expiring {
  /** Time from which it is not found, in Unix milliseconds. @default - never */
  readonly expiresAtMs?: number | undefined;
}

/** Drop or file with an owner and readers. */
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
  /** The reader's account. @default - they have none */
  readonly userId: string | undefined;
  readonly isMember: boolean;
  /** Members are a team that the operator chose, and not anyone who signs in. */
  readonly isInTeam: boolean;
  /** The operator has removed, banned or suspended the reader, or SCIM has deactivated them since sign-in. */
  readonly isBarred: boolean;
  /** User ids of teams that the reader may act for, as far as the request has read them. @default - none */
  readonly teamIds?: ReadonlySet<string> | undefined;
}

/** Role of a person in a team: an owner also changes its people, issues its tokens and deletes; an editor publishes and edits. */
export type TeamRole = "owner" | "editor";

/** People who may act for a team, by their role. */
export type TeamPeople = readonly { readonly rule: ReaderRule; readonly role: TeamRole }[];

/** Finds a person's role in a team; undefined for people who may not act for it. Only members of the service may. */
export function teamRoleOf(people: TeamPeople, reader: ReaderRights): TeamRole | undefined {
  if (reader.isBarred || !reader.isMember) return undefined;
  const names = readerNamesOf(reader);
  const roles = people.filter(({ rule }) => names.has(presentReader(rule))).map(({ role }) => role);
  return roles.includes("owner") ? "owner" : roles[0];
}

/** Decides who may use the pages for administrators: members whom the setting `administrators` names, by a verified address or a group. */
export function canAdminister(reader: ReaderRights, administrators: readonly string[]): boolean {
  if (reader.isBarred || !reader.isMember) return false;
  const names = readerNamesOf(reader);
  return administrators.some((name) => names.has(name));
}

/** Recognizes a reader who owns something themselves, or whose team owns it. */
export function isOwner(
  { userId, teamIds }: Pick<ReaderRights, "teamIds" | "userId">,
  ownerId: string,
): boolean {
  return userId === ownerId || (teamIds?.has(ownerId) ?? false);
}

/** Recognizes anything that has expired. It is checked at each read. */
export function isExpired({ expiresAtMs }: Expiring, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

/** Recognizes the row of an expired drop or file. */
export function isExpiredRow({ expiresAtMs }: RawItem, nowMs: number): boolean {
  return expiresAtMs !== undefined && isExpired({ expiresAtMs: Number(expiresAtMs.N) }, nowMs);
}

/** Recognizes a visibility that needs no sign-in. */
export function isOpenToAll({ visibility }: { readonly visibility: Visibility }): boolean {
  return visibility.kind === "public" || visibility.kind === "unlisted";
}

/** Marks on an account, its namespace and its slugs. */
type OwnerMark = "suspendedAtMs" | "deletingAtMs" | "deletedAtMs";

/** Recognizes an owner whose drops and files are served. An undefined owner has been deleted. */
export function isServed(owner: Partial<Record<OwnerMark, unknown>> | undefined): boolean {
  if (owner === undefined || owner.suspendedAtMs !== undefined) return false;
  return owner.deletingAtMs === undefined && owner.deletedAtMs === undefined;
}

/** Reason why a reader may read a drop or a file. */
export type ReadReason =
  | { readonly kind: "open" | "owner" | "member" }
  | { readonly kind: "named"; readonly rules: readonly ReaderRule[] };

/**
 * Finds the reason why a reader may read a drop or file before it expires; undefined for readers who may not. An
 * undefined reader is anonymous.
 */
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

/** Decides who may read a drop or a file at its address. The gate asks for the passcode afterwards. */
export function canRead(thing: Readable, reader: ReaderRights | undefined, nowMs: number): boolean {
  return !isExpired(thing, nowMs) && readReasonOf(thing, reader) !== undefined;
}

/** Decides if a page for administrators shows a drop's title or a file's name. A passcode hides it from everyone but the owner. */
export function canSeeName(
  thing: Readable & { readonly gate?: { readonly kind: "open" | "locked" } },
  reader: ReaderRights,
  nowMs: number,
): boolean {
  if (thing.gate?.kind === "locked" && !isOwner(reader, thing.ownerId)) return false;
  return canRead(thing, reader, nowMs);
}

/** Decides who may see, list and change a drop or a file as its owner. */
export function canChange(thing: Omit<Readable, "visibility">, userId: string, nowMs: number): boolean {
  return thing.ownerId === userId && !isExpired(thing, nowMs);
}

/** The list that gives single people access; undefined for a drop that is not for named people. */
export function namedReadersOf({
  visibility,
}: Pick<Readable, "visibility">): readonly ReaderRule[] | undefined {
  return visibility.kind === "people" ? visibility.readers : undefined;
}

/** Decides if a request for access waits for the owner. Naming its reader answers it, as does opening the drop to anyone. */
export function isAccessWanted(thing: Pick<Readable, "visibility">, reader: string): boolean {
  return !isOpenToAll(thing) && !namedReadersOf(thing)?.some((rule) => presentReader(rule) === reader);
}

/** Decides who may share a drop in a browser: its owner, as long as they are a member. */
export function canShare(
  thing: Omit<Readable, "visibility">,
  reader: ReaderRights | undefined,
  nowMs: number,
): boolean {
  if (reader === undefined || reader.isBarred || !reader.isMember) return false;
  return isOwner(reader, thing.ownerId) && !isExpired(thing, nowMs);
}

/**
 * Decides if a chat may show a drop's title to a channel: for drops that anyone may read, and for others if their owner posts the link. A
 * passcode hides the title from every channel, as the gate does.
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

/**
 * Decides if the readers of a page may read a file in it: an unrestricted file, or the same owner's file in a
 * restricted page.
 */
export function canEmbed(file: Readable, page: Readable, nowMs: number): boolean {
  if (isExpired(file, nowMs)) return false;
  return isOpenToAll(file) || (!isOpenToAll(page) && file.ownerId === page.ownerId);
}

/** Readers whom indexes list a drop for: anyone, members, the readers of a reader rule, or the people of the team that owns it. */
export type Audience = "public" | "members" | `people#${string}` | `team#${string}`;

/** The indexed fields of a drop or a file. */
export interface Listed extends Expiring {
  readonly ownerId: string;
  readonly audiences: Iterable<Audience>;
  readonly isLocked: boolean;
}

/** A reader's account and audiences, for indexes. */
export interface Searcher extends Pick<ReaderRights, "teamIds" | "userId"> {
  readonly audiences: ReadonlySet<Audience>;
}

/** Anyone at an owner's page. */
export const anonymousSearcher: Searcher = { userId: undefined, audiences: new Set(["public"]) };

/** Audiences that a drop or a file is indexed for. An unlisted one of a person has none. */
export function audiencesOf({ ownerId, visibility }: Omit<Readable, keyof Expiring>): Audience[] {
  const team = isTeamId(ownerId) ? [`team#${ownerId}` as const] : [];
  if (visibility.kind === "people")
    return [...visibility.readers.map((rule) => `people#${presentReader(rule)}` as const), ...team];
  return visibility.kind === "unlisted" ? team : [visibility.kind, ...team];
}

/** The indexed fields of a drop. */
export function toListed(drop: Readable & { readonly gate: { readonly kind: "open" | "locked" } }): Listed {
  const { ownerId, expiresAtMs, gate } = drop;
  return { ownerId, expiresAtMs, audiences: audiencesOf(drop), isLocked: gate.kind === "locked" };
}

/** A reader's account and audiences, for indexes. Without a team, public drops are on their owners' pages only. */
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

/** Decides who sees a drop in a list: in the library, or on its owner's page. */
export function canList(listed: Listed, { audiences }: Searcher, nowMs: number): boolean {
  if (isExpired(listed, nowMs)) return false;
  for (const audience of listed.audiences) if (audiences.has(audience)) return true;
  return false;
}

/** Decides who finds a drop by its texts: its owner or a person of the team that owns it, and unless it has a passcode, those who see it in a list. */
export function canFind(listed: Listed, searcher: Searcher, nowMs: number): boolean {
  if (isOwner(searcher, listed.ownerId)) return !isExpired(listed, nowMs);
  return !listed.isLocked && canList(listed, searcher, nowMs);
}

/** Decides whether search engines may list a drop. */
export function isIndexable(visibility: Visibility, isLocked: boolean): boolean {
  return visibility.kind === "public" && !isLocked;
}

/** Texts of the reader rules that name a reader. No rule can have a user name with a colon. */
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

/** Domain of an address. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** A user name's normalized form, for comparisons. */
export function foldUsername(username: string): string {
  return toLowerAscii(username.trim());
}

/**
 * Lower case of ASCII letters only. Some letters of other scripts, such as the Kelvin sign, have an ASCII letter as
 * their lower case.
 */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export const usernamePrefix = "username:";
export const groupPrefix = "group:";

/** Endings of common domains. A user name such as `ada.lovelace` ends otherwise. */
const domainEnding =
  /\.(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|dev|app|co|cloud|tech|xyz|online|site|shop|store|eu|us|uk|ca|au|nz|ie|de|at|ch|fr|be|nl|es|pt|it|pl|cz|se|dk|fi|no|jp|kr|cn|in|br|mx|za|example|test|local|internal)$/;

/** Recognizes a user name that is more likely a domain, a pattern or a channel. Only the prefix separates it from an address. */
export function isMistakable(username: string): boolean {
  return username.startsWith("#") || /[@*]/.test(username) || domainEnding.test(username);
}

/** The text of a reader rule: `ada@example.com`, `@example.com`, `ada` or `group:engineering`. */
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

/** Parses a text of `presentReader`. */
export function toReaderRule(text: string): ReaderRule {
  if (text.startsWith(groupPrefix)) return { kind: "group", group: text.slice(groupPrefix.length) };
  if (text.startsWith(usernamePrefix))
    return { kind: "username", username: text.slice(usernamePrefix.length) };
  const at = text.lastIndexOf("@");
  if (at === -1) return { kind: "username", username: text };
  return at === 0 ? { kind: "domain", domain: text.slice(1) } : { kind: "email", email: text };
}

/** Attributes of a visibility. Public items have none. */
export function visibilityAttributes(visibility: Visibility): Record<string, unknown> {
  const { kind } = visibility;
  if (kind === "public") return {};
  return kind === "people"
    ? { visibility: kind, readers: visibility.readers.map(presentReader) }
    : { visibility: kind };
}

/** Reads an item's visibility. Unknown values, from newer versions of the service, allow the owner only. */
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

/** The fields of a visibility on the wire. */
export function presentVisibility(visibility: Visibility): {
  readonly visibility: VisibilityKind;
  readonly readers?: string[];
  readonly readable_by: string;
} {
  const { kind } = visibility;
  const words = describeReaders(visibility);
  if (kind !== "people") return { visibility: kind, readable_by: words };
  return { visibility: kind, readers: visibility.readers.map(presentReader), readable_by: words };
}

/** Maximum of readers that a description names; it counts the others, to keep lists of drops short. */
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
