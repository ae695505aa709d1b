import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Blob } from "../../functions/blobs/blob.ts";
import type { Drop, Version } from "../../functions/drops/drop.ts";
import type { ReaderRule, visibilityKinds } from "../../functions/policies/access.ts";
import type { Token } from "../../functions/table/identifiers.ts";
import type { keys } from "../../functions/table/keys.ts";
import { projectDirectory } from "../../lib/project-directory.ts";

/** A release that ignores such a mark does not show, delete or admit anything that it must not. */
const harmless = 0;

/**
 * First data format whose releases know a mark, or `harmless`. A mark whose absence would make a release show, delete
 * or admit something that it must not gets a format that no release has yet.
 */
type Since = number;

/** Kinds of items. */
const items = {
  account: 1,
  identity: 1,
  namespace: 1,
  // A release that does not know a team's members lets former members publish.
  team: 3,
  teamsOf: harmless,
  member: 2,
  group: harmless,
  provisionedUser: 3,
  provisionedGroup: 3,
  provisionedMember: 3,
  provisionedName: 3,
  provisionedEntry: harmless,
  provisionedRefusal: harmless,
  provisionedSession: harmless,
  scimTokens: harmless,
  drop: 1,
  views: harmless,
  trashedDrop: 3,
  pointer: 1,
  // A folder published without it has its earlier address.
  folderHost: harmless,
  version: 1,
  render: harmless,
  renderedPdf: harmless,
  waitingRender: harmless,
  waitingIndexOwner: harmless,
  waitingIndexObjects: harmless,
  feedback: harmless,
  thread: harmless,
  comment: harmless,
  answers: harmless,
  answer: harmless,
  answerOf: harmless,
  sentForm: harmless,
  feedbackLog: harmless,
  feedbackEntry: harmless,
  read: harmless,
  blob: 1,
  filePointer: 2,
  upload: harmless,
  storedResponse: harmless,
  token: 1,
  tokenRow: 1,
  deviceCode: 1,
  poll: 1,
  publication: harmless,
  readerSession: 2,
  readerTicket: 2,
  folderKey: harmless,
  clientDocument: harmless,
  authorizationRequest: 2,
  authorizationCode: 2,
  refreshToken: 2,
  usedAssertion: harmless,
  libraryEntry: harmless,
  // Expired drops and files stay stored, and files stay readable.
  dueWork: 3,
  lastEvent: harmless,
  webhookRoots: harmless,
  cookieKeys: 1,
  auditLine: harmless,
  feedbackWaits: harmless,
  lease: harmless,
  rateWindow: harmless,
  accountEntry: harmless,
  accessRequest: harmless,
  replacedAccessRequest: harmless,
  accessEntry: harmless,
  accessList: harmless,
} satisfies Record<keyof typeof keys, Since>;

const dropFields = {
  slug: 1,
  ownerId: 1,
  namespace: 1,
  ownerNamespace: 2,
  title: harmless,
  description: harmless,
  metadata: harmless,
  latest: 1,
  nextVersion: 1,
  revision: 1,
  quietRevisions: harmless,
  versionCount: 1,
  gate: 1,
  visibility: 2,
  indexed: harmless,
  feedback: 2,
  answers: harmless,
  answersResults: harmless,
  expiresAtMs: 3,
  viewCount: harmless,
  viewSampling: harmless,
  sharedAtMs: harmless,
  createdAtMs: harmless,
  updatedAtMs: harmless,
} satisfies Record<keyof Drop, Since>;

const versionFields = {
  slug: 1,
  version: 1,
  sizeBytes: 1,
  sha256: harmless,
  hasContext: 1,
  pageKey: 1,
  note: harmless,
  source: 2,
  // A sweep would delete the folder's packs, which no other item names.
  folder: 3,
  originalDateMs: harmless,
  createdAtMs: harmless,
} satisfies Record<keyof Version, Since>;

const fileFields = {
  id: 1,
  ownerId: 1,
  namespace: 1,
  filename: harmless,
  contentType: harmless,
  sizeBytes: 1,
  visibility: 2,
  objectKey: 2,
  expiresAtMs: 3,
  createdAtMs: harmless,
  changedAtMs: harmless,
} satisfies Record<keyof Blob, Since>;

const tokenFields = {
  id: 1,
  userId: 1,
  hash: 1,
  label: harmless,
  createdAtMs: 1,
  lastUsedAtMs: harmless,
  expiresAtMs: 2,
  scope: 3,
  audience: 2,
  personId: 3,
} satisfies Record<keyof Token, Since>;

const visibilities = { public: 2, unlisted: 2, members: 2, people: 2 } satisfies Record<
  (typeof visibilityKinds)[number],
  Since
>;

const readers = { email: 2, domain: 2, username: 2, group: 3 } satisfies Record<ReaderRule["kind"], Since>;

/** Attributes named in the conditions of writes, and those with their own constant. */
const guards: Readonly<Record<string, Since>> = {
  pk: 1,
  ownerId: 1,
  tokenId: 1,
  deletingAtMs: 1,
  deniedAtMs: 1,
  boundTo: 1,
  usedAtMs: 1,
  userId: 1,
  bannedIdentity: 1,
  suspendedAtMs: 2,
  bannedAtMs: 2,
  // A release that does not know it accepts sessions that an administrator has ended.
  sessionsEndedAtMs: 3,
  removedAtMs: 2,
  membershipEndedAtMs: 3,
  deletedAtMs: 2,
  visibility: 2,
  expiresAtMs: 3,
  audience: 2,
  tokenScope: 3,
  heldAtMs: 3,
  heldSlugs: 3,
  pageBytes: harmless,
  teamCount: harmless,
  viewCount: harmless,
  holder: harmless,
  untilMs: harmless,
  waiting: harmless,
};

/** Every mark with its format, by a name such as `drop.expiresAtMs`. */
export const protectingMarks: ReadonlyMap<string, Since> = new Map(
  Object.entries({
    items,
    drop: dropFields,
    version: versionFields,
    file: fileFields,
    token: tokenFields,
    visibility: visibilities,
    reader: readers,
    guard: guards,
  }).flatMap(([of, marks]) =>
    Object.entries(marks).map(([name, since]) => [`${of}.${name}`, since] as const),
  ),
);

/** Finds the attributes named in the conditions of writes, in the sources of the functions. */
export function findGuards(): Set<string> {
  const folder = join(projectDirectory, "functions");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".client.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const named =
    /attribute_(?:not_)?exists\((\w+)\)|\bcontains\((\w+), :|^export const \w+Attribute = "(\w+)"/gm;
  const found = sources.flatMap((source) =>
    [...source.matchAll(named)].map(([, ...names]) => names.join("")),
  );
  return new Set(found);
}
