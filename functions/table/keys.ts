import { createHash } from "node:crypto";

/** The primary key of an item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Joins a key into one string, for comparisons. */
export function keyText({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}

/** Position of a drop in the library's index, by creation time. */
export interface LibraryPosition {
  readonly createdAtMs: number;
  readonly slug: string;
  readonly ownerId: string;
}

/** Position of a version in the render queue. */
interface RenderPosition {
  readonly isAsked: boolean;
  readonly atMs: number;
  readonly slug: string;
  readonly version: number;
  /** @default false */
  readonly isPdf?: boolean | undefined;
}

/** Position of a request for access in its owner's list. */
export interface AccessPosition {
  readonly atMs: number;
  readonly slug: string;
  readonly id: string;
}

/** Kinds of work that is due at a certain time; see docs/adr/0086-background-work.md. */
const dueKinds = ["expiring", "expired", "expired-file", "purge"] as const;

/** Work that is due for a drop or a file at a certain time. */
export interface DueWork {
  readonly kind: (typeof dueKinds)[number];
  readonly atMs: number;
  /** The drop's slug or, for `expired-file`, the file's id. */
  readonly slug: string;
  /** Owner at the time when the work was scheduled. */
  readonly ownerId: string;
}

/** Builds every key of the table. No other file builds keys. */
export const keys = {
  account: (userId: string) => key("USER", userId, "PROFILE"),
  identity: (provider: string, id: string) => key("IDP", `${provider}#${id}`, "IDP"),
  namespace: (name: string) => key("NS", name, "NS"),
  /** Entry in the list of all accounts. No namespace is equal to `all accounts`, because namespaces contain no spaces. */
  accountEntry: (namespace: string) => key("NS", "all accounts", namespace),
  /** The members of a team, in an item apart from the team's account. */
  team: (userId: string) => key("USER", userId, "TEAM"),
  /** The teams that have a reader rule as a member, by the rule's string from `presentReader`. */
  teamsOf: (rule: string) => key("TEAMRULE", rule, "TEAMS"),
  /** The operator's decision about a user name, an e-mail address or a group. */
  member: (kind: string, value: string) => key("MEMBER", `${kind}#${value}`, "MEMBER"),
  /** A group with at least one member who has signed in. */
  group: (value: string) => key("GROUP", value, "GROUP"),
  /** A user provisioned by SCIM. Deleted users keep their items. */
  provisionedUser: (id: string) => key("SCIM", `user#${id}`, "USER"),
  /** Marker that an audit entry was written for an identity that signed in with the name of another person's SCIM user. */
  provisionedRefusal: (id: string, identityHash: string) =>
    key("SCIM", `user#${id}`, `REFUSED#${identityHash}`),
  provisionedSession: (id: string, reference: string) => key("SCIM", `user#${id}`, `SESSION#${reference}`),
  provisionedGroup: (id: string) => key("SCIM", `group#${id}`, "GROUP"),
  provisionedMember: (groupId: string, userId: string) => key("SCIM", `group#${groupId}`, `MEMBER#${userId}`),
  /** Current and previous holder of a SCIM user name. `provisionedNameOf` returns the key's form of the name. */
  provisionedName: (name: string) => key("SCIM", `name#${name}`, "NAME"),
  /** Entry in the list of SCIM users or groups, by creation time. */
  provisionedEntry: (list: "users" | "groups", createdAtMs: number, id: string) =>
    key("SCIM", list, `${libraryMoment(createdAtMs)}#${id}`),
  scimTokens: () => key("SCIMTOKEN", "all", "TOKENS"),
  drop: (userId: string, slug: string) => key("USER", userId, `DROP#${slug}`),
  views: (userId: string, slug: string) => key("USER", userId, `DROP#${slug}#VIEWS`),
  /** A deleted drop until it is purged. Reads of drops do not find this key; see docs/adr/0093-expiry-and-trash.md. */
  trashedDrop: (userId: string, slug: string) => key("USER", userId, `TRASH#${slug}`),
  /**
   * A slug's pointer to its owner. It stays after deletion, so that a slug is never issued twice. Only an operator's transfer changes the
   * owner.
   */
  pointer: (slug: string) => key("SLUG", slug, "SLUG"),
  /** A folder host's pointer to its slug. It stays after deletion, like the slug's pointer; see functions/http/folder-host.ts. */
  folderHost: (id: string) => key("SLUG", `host#${id}`, "HOST"),
  version: (slug: string, version: number) => key("SLUG", slug, `V#${padded(version, 6)}`),
  render: (slug: string, version: number) => key("SLUG", slug, `RENDER#${padded(version, 6)}`),
  /** The PDF of a version. A query for the version's renders also returns this item. */
  renderedPdf: (slug: string, version: number) => key("SLUG", slug, `RENDER#${padded(version, 6)}#PDF`),
  /** An entry in the render queue. Versions that owners requested come first, then newly published versions, each sorted by time. */
  waitingRender: ({ isAsked, atMs, slug, version, isPdf }: RenderPosition) =>
    key(
      "RENDERS",
      "queue",
      `${isAsked ? 1 : 2}#${libraryMoment(atMs)}#${slug}#${padded(version, 6)}${isPdf ? "#PDF" : ""}`,
    ),
  /** An owner with changed drops that must be indexed for search. */
  waitingIndexOwner: (ownerId: string) => key("INDEX", "waiting", `OWNER#${ownerId}`),
  /** The objects of the search index that must be checked. */
  waitingIndexObjects: () => key("INDEX", "waiting", "OBJECTS"),
  /** Numbers of a drop's threads, comments and open threads. */
  feedback: (slug: string) => key("SLUG", slug, "FEEDBACK"),
  /** A feedback thread. Comments are stored under separate keys, so that listing threads does not read them. */
  thread: (slug: string, thread: number) => key("SLUG", slug, `THREAD#${padded(thread, 6)}`),
  comment: (slug: string, thread: number, comment: number) =>
    key("SLUG", slug, `COMMENT#${padded(thread, 6)}#${padded(comment, 6)}`),
  /** A submitted comment form, by its id. A form that is submitted twice creates one comment. */
  sentForm: (slug: string, id: string) => key("SLUG", slug, `FORM#${id}`),
  /** Number of the last answer to a drop's forms, and the number of stored answers of each form. */
  answers: (slug: string) => key("SLUG", slug, "ANSWERS"),
  answer: (slug: string, number: number) => key("SLUG", slug, `ANSWER#${padded(number, 10)}`),
  /** Pointer to a person's answer to a form, by a hash that identifies the person. */
  answerOf: (slug: string, form: string, personHash: string) =>
    key("SLUG", slug, `ANSWERED#${form}#${personHash}`),
  accessRequest: (slug: string, id: string) => key("SLUG", slug, `ACCESS#${id}`),
  /** A request for access that the person's next request replaced during a legal hold. Lists of requests do not read it. */
  replacedAccessRequest: (slug: string, id: string, atMs: number) =>
    key("SLUG", slug, `ACCESSED#${id}#${libraryMoment(atMs)}`),
  /** Entry in an owner's list of requests for access, by time. */
  accessEntry: (userId: string, { atMs, slug, id }: AccessPosition) =>
    key("USER", userId, `ASKED#${libraryMoment(atMs)}#${slug}#${id}`),
  /** Revision of an owner's list of requests for access. */
  accessList: (userId: string) => key("USER", userId, "ACCESSLIST"),
  /** Number of the last comment on an account's drops. */
  feedbackLog: (userId: string) => key("USER", userId, "FEEDBACK"),
  /** Pointer to the comment with this number. */
  feedbackEntry: (userId: string, sequence: number) =>
    key("USER", userId, `FEEDBACK#${padded(sequence, 10)}`),
  /** A reader's first visit to a drop on a day, by a hash of the reader's identity. */
  read: (slug: string, day: string, readerHash: string) => key("READS", slug, `${day}#${readerHash}`),
  blob: (userId: string, id: string) => key("USER", userId, `BLOB#${id}`),
  /** Pointer to a file that was transferred from the account in its URL to another one. */
  filePointer: (namespace: string, id: string) => key("NS", namespace, `FILE#${id}`),
  upload: (userId: string, id: string) => key("USER", userId, `UPLOAD#${id}`),
  storedResponse: (userId: string, keyHash: string) => key("USER", userId, `IDEMPOTENCY#${keyHash}`),
  token: (hash: string) => key("TOKEN", hash, "TOKEN"),
  tokenRow: (userId: string, id: string) => key("USER", userId, `TOKEN#${id}`),
  deviceCode: (code: string) => key("CODE", code, "CODE"),
  poll: (tokenHash: string) => key("POLL", tokenHash, "POLL"),
  /** A URL that accepts one page, by the hash of its secret. */
  publication: (secretHash: string) => key("PUBLISH", secretHash, "PUBLISH"),
  readerSession: (reference: string) => key("READER", reference, "SESSION"),
  /** Time until which a viewer has renewed a folder key, by the hash of the key. */
  folderKey: (hash: string) => key("FOLDERKEY", hash, "RENEWAL"),
  /** A used ticket of a reader's session. */
  readerTicket: (reference: string, id: string) => key("READER", reference, `TICKET#${id}`),
  /** Cached metadata document of an OAuth client. */
  clientDocument: (hash: string) => key("CLIENT", hash, "DOCUMENT"),
  authorizationRequest: (id: string) => key("AUTHORIZATION", id, "REQUEST"),
  authorizationCode: (hash: string) => key("AUTHORIZATION", hash, "CODE"),
  /** An identity assertion that a client has exchanged for a token. */
  usedAssertion: (reference: string) => key("AUTHORIZATION", reference, "ASSERTION"),
  /** Refresh token of an OAuth client. Used tokens stay stored, so that a second use is detected. */
  refreshToken: (hash: string) => key("REFRESH", hash, "REFRESH"),
  /** Index entry of a drop for an audience; see docs/adr/0047-library-index.md. */
  libraryEntry: (audience: string, { createdAtMs, slug, ownerId }: LibraryPosition) =>
    key("LIBRARY", audience, `${libraryMoment(createdAtMs)}#${slug}#${ownerId}`),
  /** Number of a drop's last event, and the ids of the latest events. The item stays after deletion, because a drop may be restored. */
  lastEvent: (slug: string) => key("EVENT", slug, "LAST"),
  /** A scheduled task for a drop or file. The key contains the task's whole data. */
  dueWork: ({ kind, atMs, slug, ownerId }: DueWork) =>
    key("DUE", String(shardOf(slug, dueShards)), `${libraryMoment(atMs)}#${kind}#${slug}#${ownerId}`),
  /** Root secrets of webhook signatures. */
  webhookRoots: () => key("WEBHOOK", "roots", "ROOTS"),
  cookieKeys: () => key("KEY", "cookies", "KEY"),
  /** An audit entry, in the partition of the account that it concerns, if any. */
  auditLine: (atMs: number, id: string, ownerId?: string) =>
    key("AUDIT", auditPartition(utcDayOf(atMs), auditShardOf(ownerId)), `${auditMoment(atMs)}#${id}`),
  /** Slots for concurrent long polls. */
  feedbackWaits: () => key("LIMIT", "feedbackWaits", "LIMIT"),
  lease: (name: string) => key("LIMIT", `lease#${name}`, "LIMIT"),
  rateWindow: (rule: string, subject: string) => key("LIMIT", `${rule}#${subject}`, "LIMIT"),
} as const;

/** Ranges of items to query. */
export const ranges = {
  accountEntries: (prefix = "") => ({ pk: "NS#all accounts", prefix }),
  provisionedMembers: (groupId: string) => ({ pk: `SCIM#group#${groupId}`, prefix: "MEMBER#" }),
  provisionedSessions: (id: string) => ({ pk: `SCIM#user#${id}`, prefix: "SESSION#" }),
  provisionedEntries: (list: "users" | "groups") => ({ pk: `SCIM#${list}`, prefix: "" }),
  /** A drop's item, and the items of its views. */
  drop: (userId: string, slug: string) => ({ pk: `USER#${userId}`, prefix: `DROP#${slug}` }),
  /** All drops of an account, each followed by its views. */
  drops: (userId: string) => ({ pk: `USER#${userId}`, prefix: "DROP#" }),
  trashedDrop: (userId: string, slug: string) => ({ pk: `USER#${userId}`, prefix: `TRASH#${slug}` }),
  trashedDrops: (userId: string) => ({ pk: `USER#${userId}`, prefix: "TRASH#" }),
  blobs: (userId: string) => ({ pk: `USER#${userId}`, prefix: "BLOB#" }),
  /** Files with URLs under a namespace that belong or belonged to another account. */
  filePointers: (namespace: string) => ({ pk: `NS#${namespace}`, prefix: "FILE#" }),
  storedResponses: (userId: string) => ({ pk: `USER#${userId}`, prefix: "IDEMPOTENCY#" }),
  tokenRows: (userId: string) => ({ pk: `USER#${userId}`, prefix: "TOKEN#" }),
  versions: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "V#" }),
  /** A drop's threads, without their comments. */
  threads: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "THREAD#" }),
  comments: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "COMMENT#" }),
  /** All answers to a drop's forms, in the order of sending. */
  answers: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "ANSWER#" }),
  /** The pointers to people's answers. */
  answersOf: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "ANSWERED#" }),
  accessRequests: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "ACCESS#" }),
  replacedAccessRequests: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "ACCESSED#" }),
  /** Requests for access to an account's drops, in the order of sending. */
  accessEntries: (userId: string) => ({ pk: `USER#${userId}`, prefix: "ASKED#" }),
  sentForms: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "FORM#" }),
  /** Comments on an account's drops, in the order of writing. */
  feedbackEntries: (userId: string) => ({ pk: `USER#${userId}`, prefix: "FEEDBACK#" }),
  reads: (slug: string) => ({ pk: `READS#${slug}`, prefix: "" }),
  renders: (slug: string) => ({ pk: `SLUG#${slug}`, prefix: "RENDER#" }),
  waitingRenders: () => ({ pk: "RENDERS#queue", prefix: "" }),
  waitingIndexTasks: () => ({ pk: "INDEX#waiting", prefix: "" }),
  /** Changes that earlier releases of the service queued for indexing. */
  earlierIndexTasks: () => ({ pk: "INDEX#queue", prefix: "" }),
  /** The drops of an audience, by creation time. */
  library: (audience: string) => ({ pk: `LIBRARY#${audience}` }),
  /** The work of a partition that is due at a time or before. */
  dueWork: (shard: number, untilMs: number) => ({
    pk: `DUE#${shard}`,
    // This bound is shorter than any sort key of the same time, so it sorts before all of them.
    before: libraryMoment(untilMs + 1),
  }),
  /** The audit entries between two times in one partition of a day. The range includes `fromMs`, but not `untilMs`. */
  audit: (day: string, shard: number, fromMs: number, untilMs: number) => ({
    pk: `AUDIT#${auditPartition(day, shard)}`,
    from: auditMoment(fromMs),
    // This bound is shorter than any sort key of the same time, so it sorts before all of them.
    until: auditMoment(untilMs),
  }),
} as const;

/** Kind and ids of the item that a key identifies. */
export type KeySubject =
  | { readonly kind: "drop" | "trashed-drop"; readonly userId: string; readonly slug: string }
  | { readonly kind: "version"; readonly slug: string; readonly version: number }
  | { readonly kind: "render" | "pdf"; readonly slug: string; readonly version: number }
  | { readonly kind: "comment"; readonly slug: string; readonly thread: number; readonly comment: number }
  | { readonly kind: "answer"; readonly slug: string; readonly answer: number }
  | { readonly kind: "access-request"; readonly slug: string; readonly request: string }
  | { readonly kind: "blob"; readonly id: string };

/**
 * Parses the key of a drop, in the trash or not, a version, its render or PDF, a comment, an answer, a request for access, or a file.
 * Returns undefined for any other key, including the key of a drop's views.
 */
export function parseKey({ pk, sk }: Key): KeySubject | undefined {
  const [family, subject = ""] = pk.split("#");
  const [kind, id = "", ...more] = sk.split("#");
  if (family === "SLUG" && kind === "RENDER" && more.join("#") === "PDF")
    return { kind: "pdf", slug: subject, version: Number(id) };
  if (family === "SLUG" && kind === "COMMENT")
    return { kind: "comment", slug: subject, thread: Number(id), comment: Number(more[0]) };
  if (more.length > 0) return undefined;
  if (family === "USER" && kind === "DROP") return { kind: "drop", userId: subject, slug: id };
  if (family === "USER" && kind === "TRASH") return { kind: "trashed-drop", userId: subject, slug: id };
  if (family === "USER" && kind === "BLOB") return { kind: "blob", id };
  if (family === "SLUG" && kind === "V") return { kind: "version", slug: subject, version: Number(id) };
  if (family === "SLUG" && kind === "RENDER") return { kind: "render", slug: subject, version: Number(id) };
  if (family === "SLUG" && kind === "ANSWER") return { kind: "answer", slug: subject, answer: Number(id) };
  if (family === "SLUG" && kind === "ACCESS") return { kind: "access-request", slug: subject, request: id };
  return undefined;
}

/** Recognizes a drop, in the trash or not. */
export function isDropSubject(
  subject: KeySubject | undefined,
): subject is Extract<KeySubject, { readonly kind: "drop" | "trashed-drop" }> {
  return subject?.kind === "drop" || subject?.kind === "trashed-drop";
}

/** Recognizes a render: pictures and report, or the PDF. */
export function isRenderSubject(
  subject: KeySubject | undefined,
): subject is Extract<KeySubject, { readonly kind: "render" | "pdf" }> {
  return subject?.kind === "render" || subject?.kind === "pdf";
}

/**
 * Recognizes keys of readers' data: requests for access, threads, comments, answers and their counts. Keys of submitted comment forms are
 * excluded.
 */
export function isReaderRecordKey({ pk, sk }: Key): boolean {
  return (
    pk.startsWith("SLUG#") &&
    /^(ACCESS#|ACCESSED#|ANSWER#|ANSWERED#|ANSWERS$|COMMENT#|FEEDBACK$|THREAD#)/.test(sk)
  );
}

/** Recognizes keys of audit entries. */
export function isAuditKey({ pk }: Key): boolean {
  return pk.startsWith("AUDIT#");
}

/** Parses the sort key of an entry in an owner's list of requests for access. */
export function parseAccessEntry(sk: string): AccessPosition | undefined {
  const [, atMs, slug, id] = /^ASKED#(\d{14})#([^#]+)#([^#]+)$/.exec(sk) ?? [];
  return slug === undefined || id === undefined ? undefined : { atMs: Number(atMs), slug, id };
}

/** Parses the key of an entry in the library's index. Returns undefined for any other key. */
export function parseLibraryKey({
  pk,
  sk,
}: Key): { readonly audience: string; readonly position: LibraryPosition } | undefined {
  const position = parseLibraryPosition(sk);
  const { pk: all } = ranges.library("");
  return pk.startsWith(all) && position ? { audience: pk.slice(all.length), position } : undefined;
}

/** Returns the sort key of a position. All index entries of a drop share it. */
export function libraryPositionText(position: LibraryPosition): string {
  return keys.libraryEntry("", position).sk;
}

/** Parses a string returned by `libraryPositionText`. Returns undefined for any other string. */
export function parseLibraryPosition(text: string): LibraryPosition | undefined {
  const [, atMs, slug, ownerId] = /^([0-9]{14})#([^#]+)#([^#]+)$/.exec(text) ?? [];
  return slug === undefined || ownerId === undefined
    ? undefined
    : { createdAtMs: Number(atMs), slug, ownerId };
}

/** Parses the sort key of due work. Returns undefined for any other key. */
export function parseDueWork(sk: string): DueWork | undefined {
  const [, atMs, kind, slug, ownerId] = /^(\d{14})#([^#]+)#([^#]+)#([^#]+)$/.exec(sk) ?? [];
  const known = dueKinds.find((one) => one === kind);
  if (known === undefined || slug === undefined || ownerId === undefined) return undefined;
  return { kind: known, atMs: Number(atMs), slug, ownerId };
}

/** Pads a number or a time with zeros, so that strings sort like numbers. */
function padded(number: number, digits: number): string {
  return String(number).padStart(digits, "0");
}

/** Formats a time with a fixed length, so that strings sort like times. */
function libraryMoment(atMs: number): string {
  return padded(atMs, 14);
}

function auditPartition(day: string, shard: number): string {
  return `${day}#${shard}`;
}

function auditMoment(atMs: number): string {
  return new Date(atMs).toISOString();
}

function key(family: ItemFamily, id: string, sk: string): Key {
  return { pk: `${family}#${id}`, sk };
}

/** Prefixes of partition keys, one for each kind of item. */
export type ItemFamily =
  | "USER"
  | "IDP"
  | "NS"
  | "MEMBER"
  | "GROUP"
  | "SCIM"
  | "SCIMTOKEN"
  | "SLUG"
  | "TEAMRULE"
  | "TOKEN"
  | "CODE"
  | "POLL"
  | "PUBLISH"
  | "READER"
  | "FOLDERKEY"
  | "CLIENT"
  | "AUTHORIZATION"
  | "REFRESH"
  | "LIBRARY"
  | "DUE"
  | "EVENT"
  | "WEBHOOK"
  | "READS"
  | "RENDERS"
  | "INDEX"
  | "LIMIT"
  | "KEY"
  | "AUDIT";

/**
 * Number of partitions for the audit entries of a day. One partition takes about 500 transactional writes a second; see "Best practices for
 * designing and using partition keys effectively", Amazon DynamoDB developer guide. Reading a day queries all partitions.
 */
export const auditShards = 8;

/** Number of partitions for due work, by slug. A few are enough, because the rate of publishing limits how many drops expire together. */
export const dueShards = 8;

/** Returns the UTC day of a time, such as `2026-11-22`. */
export function utcDayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-11-22".length);
}

/** Returns the partition for an account's audit entries of a day. The write limits of the account's tokens prevent a hot partition. */
export function auditShardOf(ownerId = ""): number {
  return shardOf(ownerId, auditShards);
}

function shardOf(text: string, shards: number): number {
  return createHash("sha256").update(text).digest().readUInt32BE() % shards;
}
