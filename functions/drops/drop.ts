import { type FolderContent, manifestKey, type StoredFolder, type VersionFolder } from "../folders/folder.ts";
import type { Metadata } from "../http/query.ts";
import { isExpired, isOpenToAll } from "../policies/access.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { changedAccess, type DropAccess, type DropAccessChange, feedbackOf } from "./drop-access.ts";

/** A published page with its history (section "Drop" of the specification). */
export interface Drop extends DropAccess {
  readonly slug: string;
  readonly ownerId: string;
  /** Namespace in which the drop was published. The drop's permanent addresses contain it. */
  readonly namespace: string;
  /** Namespace of the current owner. It differs from `namespace` if the drop was transferred to another account. */
  readonly ownerNamespace: string;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly latest: LatestVersion;
  /** Number of the next version. A deleted version's number is not used again. */
  readonly nextVersion: number;
  /** Number that increases with every change of the drop's own row, so that a writer can detect concurrent changes. */
  readonly revision: number;
  /** Number of revisions caused by retention. Entity tags ignore them, because the owner's content has not changed. @default 0 */
  readonly quietRevisions?: number | undefined;
  readonly versionCount: number;
  readonly gate: Gate;
  readonly viewCount: number;
  /** Sampling rate of the drop's views. Set only if the drop was read in order to show it in the viewer. @default - each view is counted */
  readonly viewSampling?: ViewSampling | undefined;
  /** Time at which the current visibility, readers and passcode were set. @default - unknown, because older drops lack this field */
  readonly sharedAtMs?: number | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/**
 * View sampling of a busy drop, stored in the ownership pointer of its slug. The edge gives one in 2^(n+1) viewer requests the level n.
 * Requests below the drop's level may be served from the cache and are not counted. Every other request counts as 2^level views; see
 * docs/adr/0017-edge-caching.md.
 */
export interface ViewSampling {
  readonly level: number;
  /** Time at which the last cached response has expired. The level is not lowered before this time. */
  readonly untilMs: number;
}

/** The revision of a drop that was just published. */
export const firstRevision = 1;

/** The latest version, stored in the drop's row to save a second read. */
interface LatestVersion {
  readonly version: number;
  readonly pageKey: string;
  readonly hasContext: boolean;
  /** Folder that contains the page. @default - a single page */
  readonly folder?: VersionFolder | undefined;
}

/** Passcode protection of a drop. Every change increases the epoch, which invalidates earlier cookies. */
export type Gate =
  | { readonly kind: "open"; readonly epoch: number }
  | { readonly kind: "locked"; readonly epoch: number; readonly passcodeHash: string };

/** Reasons why a drop is in the trash. */
export const trashReasons = ["deleted", "expired"] as const;

export type TrashReason = (typeof trashReasons)[number];

/** A drop in the trash; see docs/adr/0093-expiry-and-trash.md. */
export interface TrashedDrop {
  readonly slug: string;
  readonly title: string;
  readonly reason: TrashReason;
  readonly deletedAtMs: number;
  /** Earliest time at which the drop is deleted for good. */
  readonly purgeAtMs: number;
  /** Bytes of the drop's pages. These bytes count towards the quota until the drop is purged. */
  readonly pageBytes: number;
}

/** A stored version of a drop (section "Version" of the specification). */
export interface Version {
  readonly slug: string;
  readonly version: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly hasContext: boolean;
  /** Object key of the page. `contextKey` and `sourceKey` derive the keys of its context and source. */
  readonly pageKey: string;
  /** Author's note on the changes. @default - none */
  readonly note?: string | undefined;
  /** Size and digest of the page's Markdown source. @default - the page was sent as HTML */
  readonly source?: { readonly sizeBytes: number; readonly sha256: string } | undefined;
  /** Folder that contains the page. @default - a single page */
  readonly folder?: VersionFolder | undefined;
  /** Publication date as stated by the owner, unverified and only for display. @default - none */
  readonly originalDateMs?: number | undefined;
  readonly createdAtMs: number;
}

/** Fields that an owner can change without a new version; undefined leaves a field as it is. */
export interface DropChanges extends DropAccessChange {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Metadata | undefined;
}

/** A drop after a change, with the version that the change added. */
export interface ChangedDrop {
  readonly drop: Drop;
  readonly version?: Version;
  /** Number of the version whose stored files (packs) the new version shares. If it was deleted, the write fails. @default - none */
  readonly sharesWith?: number | undefined;
  readonly also?: readonly TransactionWrite[] | undefined;
}

/** A drop before and after a change. */
export interface AppliedChange {
  readonly before: Drop;
  readonly drop: Drop;
}

/** Content of a page, which is stored unchanged. */
export interface PageContent {
  readonly html: string;
  /** Markdown source of the page. @default - the page was sent as HTML */
  readonly source?: string | undefined;
  /** Folder that contains the page. @default - a single page */
  readonly folder?: FolderContent | undefined;
  readonly context?: string | undefined;
  readonly note?: string | undefined;
  readonly original_date?: number | undefined;
}

/** A page prepared for storage, with its digest and its new object key. */
export interface StoredPage {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Byte offset at which the default style is inserted into the served page. Determined at publication and stored with the object. */
  readonly styleOffset: number;
  readonly source: { readonly bytes: Uint8Array; readonly sha256: string } | undefined;
  readonly folder?: StoredFolder | undefined;
  readonly context: string | undefined;
  /** Author's note on the version's changes. It is stored only in the version's row. */
  readonly note: string | undefined;
  readonly originalDateMs?: number | undefined;
}

/** Derives the object key of a version's context from its page's key. */
export function contextKey(pageKey: string): string {
  return pageKey.replace(/\.html$/, ".context.txt");
}

/** Derives the object key of a version's Markdown source from its page's key. */
export function sourceKey(pageKey: string): string {
  return pageKey.replace(/\.html$/, ".md");
}

/** Returns the keys of all objects that a version needs, including file packs that it may share with other versions. */
export function objectKeysOf(version: Version): string[] {
  return [...ownObjectKeysOf(version), ...(version.folder?.packKeys ?? [])];
}

/** Returns the keys of the objects that belong to this version alone. */
export function ownObjectKeysOf({ pageKey, hasContext, source, folder }: Version): string[] {
  return [
    pageKey,
    ...(hasContext ? [contextKey(pageKey)] : []),
    ...(source === undefined ? [] : [sourceKey(pageKey)]),
    ...(folder === undefined ? [] : [manifestKey(pageKey)]),
  ];
}

/** Returns the bytes of a version that count towards the quota: its page and Markdown source, or all files of its folder. */
export function storedBytesOf({
  sizeBytes,
  source,
  folder,
}: Pick<Version, "sizeBytes" | "source" | "folder">): number {
  return folder?.sizeBytes ?? sizeBytes + (source?.sizeBytes ?? 0);
}

/** Creates a drop and its first version. */
export function createDrop(
  owner: { readonly userId: string; readonly namespace: string },
  body: DropChanges & { readonly title: string },
  page: StoredPage,
  facts: {
    readonly slug: string;
    readonly passcodeHash: string | undefined;
    /** Access settings. @default - public, as in the specification, and not indexed */
    readonly reach?: DropAccess;
    readonly nowMs: number;
  },
): { drop: Drop; version: Version } {
  const { slug, passcodeHash, reach = { visibility: { kind: "public" }, indexed: false }, nowMs } = facts;
  const version = createVersion(slug, 1, page, nowMs);
  const drop: Drop = {
    slug,
    ownerId: owner.userId,
    namespace: owner.namespace,
    ownerNamespace: owner.namespace,
    title: body.title,
    description: body.description ?? null,
    metadata: body.metadata ?? new Map(),
    latest: toLatest(version),
    nextVersion: 2,
    revision: firstRevision,
    versionCount: 1,
    gate:
      passcodeHash === undefined ? { kind: "open", epoch: 0 } : { kind: "locked", epoch: 1, passcodeHash },
    ...reach,
    viewCount: 0,
    sharedAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  return { drop, version };
}

/** Adds the next version to a drop. */
export function addVersion(
  drop: Drop,
  page: StoredPage,
  changes: DropChanges,
  nowMs: number,
): { drop: Drop; version: Version; sharesWith: number | undefined } {
  const version = createVersion(drop.slug, drop.nextVersion, page, nowMs);
  return {
    version,
    sharesWith: page.folder?.sharesWith,
    drop: {
      ...withChanges(drop, changes, nowMs),
      latest: toLatest(version),
      nextVersion: drop.nextVersion + 1,
      versionCount: drop.versionCount + 1,
    },
  };
}

/** Applies an edit to a drop. @throws ApiError `invalid_arg` as `changedAccess` does */
export function withChanges(drop: Drop, changes: DropChanges, nowMs: number): Drop {
  const { title, description, metadata } = changes;
  return {
    ...drop,
    title: title ?? drop.title,
    description: description === undefined ? drop.description : description,
    metadata: metadata ?? drop.metadata,
    ...changedAccess(drop, changes, { isLocked: isLocked(drop), nowMs }),
    revision: drop.revision + 1,
    updatedAtMs: nowMs,
  };
}

/** Warns about a change's side effects: tags that were removed, and a feedback setting that changed with the visibility. */
export function changeWarnings(
  { before, drop }: AppliedChange,
  { feedback }: DropChanges,
): readonly string[] {
  const removed = [...before.metadata.keys()].filter((key) => !drop.metadata.has(key));
  const names = removed.map((key) => JSON.stringify(key)).join(", ");
  const kind = feedbackOf(drop);
  return [
    ...(removed.length > 0 && drop.metadata.size > 0
      ? [`metadata replaced all tags, which removed ${names}. To keep a tag, send it with the other tags.`]
      : []),
    ...(feedback === undefined && kind !== feedbackOf(before)
      ? [
          `Changing the visibility set feedback to ${JSON.stringify(kind)}. To choose it, send "feedback": "readers" or "off".`,
        ]
      : []),
  ];
}

/** Locks a drop with a passcode's hash, or unlocks it with null. A change in either direction invalidates all earlier unlock cookies. */
export function withGate(drop: Drop, passcodeHash: string | null, nowMs: number): Drop {
  const epoch = drop.gate.epoch + 1;
  return {
    ...drop,
    gate: passcodeHash === null ? { kind: "open", epoch } : { kind: "locked", epoch, passcodeHash },
    indexed: drop.indexed && passcodeHash === null,
    revision: drop.revision + 1,
    updatedAtMs: nowMs,
  };
}

/** Sets a drop's sharing time after a change of its visibility, readers or passcode, or when an expired drop comes back. */
export function withSharingTime(before: Drop, after: Drop, nowMs: number): Drop {
  const isShared = accessText(before) === accessText(after) && !isExpired(before, nowMs);
  return isShared ? after : { ...after, sharedAtMs: nowMs };
}

function accessText({ visibility, gate }: Drop): string {
  return JSON.stringify([visibility, gate.kind === "locked" ? gate.passcodeHash : null]);
}

/** Checks if an edit sets at least one field. */
export function hasChanges(changes: DropChanges): boolean {
  return Object.values(changes).some((change) => change !== undefined);
}

/** Selects the fields of a version that the drop's own item stores. */
export function toLatest(version: Version): LatestVersion {
  const { version: number, pageKey, hasContext, folder } = version;
  return { version: number, pageKey, hasContext, ...(folder === undefined ? {} : { folder }) };
}

/** Fields of a drop in API responses. */
export type PresentedDrop = Omit<
  Drop,
  | "ownerId"
  | "ownerNamespace"
  | "nextVersion"
  | "revision"
  | "quietRevisions"
  | "versionCount"
  | "latest"
  | "gate"
  | "sharedAtMs"
> & {
  readonly latest: Pick<LatestVersion, "version"> & {
    readonly folder?: Pick<VersionFolder, "hasHost"> | undefined;
  };
  readonly gate: Pick<Gate, "kind">;
};

/** Checks if a drop has a passcode, which readers enter before they see the page. */
export function isLocked(drop: Pick<PresentedDrop, "gate">): boolean {
  return drop.gate.kind === "locked";
}

/** Checks if a drop has a passcode or restricted readers. */
export function isGuarded(drop: Pick<PresentedDrop, "gate" | "visibility">): boolean {
  return isLocked(drop) || !isOpenToAll(drop);
}

function createVersion(slug: string, number: number, page: StoredPage, nowMs: number): Version {
  return {
    slug,
    version: number,
    sizeBytes: page.bytes.byteLength,
    sha256: page.sha256,
    hasContext: page.context !== undefined,
    pageKey: page.key,
    note: page.note,
    originalDateMs: page.originalDateMs,
    source: page.source && { sizeBytes: page.source.bytes.byteLength, sha256: page.source.sha256 },
    folder: page.folder?.version,
    createdAtMs: nowMs,
  };
}

/** Checks if a drop's metadata contains all of the given tags. */
export function hasTags({ metadata }: Pick<Drop, "metadata">, tags: Metadata): boolean {
  return [...tags].every(([key, value]) => metadata.get(key) === value);
}

/** Merges tags into metadata. If a tag contradicts the metadata, returns the key of that tag instead. */
export function mergeTags(
  tags: Metadata,
  metadata: Metadata = new Map(),
): { readonly merged: Metadata } | { readonly contradictedKey: string } {
  const contradicted = [...tags].find(([key, value]) => (metadata.get(key) ?? value) !== value);
  if (contradicted) return { contradictedKey: contradicted[0] };
  return { merged: new Map([...metadata, ...tags]) };
}
