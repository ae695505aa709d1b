import { type FolderContent, manifestKey, type StoredFolder, type VersionFolder } from "../folders/folder.ts";
import type { Metadata } from "../http/metadata.ts";
import { isExpired, isOpenToAll } from "../policies/access.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { changedAccess, type DropAccess, type DropAccessChange, feedbackOf } from "./drop-access.ts";

/** A published page with its history; section "Drop" of the specification. */
export interface Drop extends DropAccess {
  readonly slug: string;
  readonly ownerId: string;
  /** Namespace of its publication and its permanent addresses. */
  readonly namespace: string;
  /** The owner's namespace: differs from `namespace` if the drop was transferred to another account. */
  readonly ownerNamespace: string;
  readonly title: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly latest: LatestVersion;
  /** Number of the next version. It only rises. */
  readonly nextVersion: number;
  /** Rises with every change of the drop itself, so that a writer can detect concurrent changes. */
  readonly revision: number;
  /** Number of revisions by retention, which entity tags leave out because the owner's content has not changed. @default 0 */
  readonly quietRevisions?: number | undefined;
  readonly versionCount: number;
  readonly gate: Gate;
  readonly viewCount: number;
  /** Present only if the drop is read for a viewer. @default - each view is counted */
  readonly viewSampling?: ViewSampling | undefined;
  /** Time since which the present readers have had access. @default - unknown: not shared anew since this was first stored */
  readonly sharedAtMs?: number | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/**
 * Sampling of a busy drop's views, an attribute of its slug's pointer. The edge gives each viewer request a random level: level n for one in 2^(n+1).
 * Requests below the drop's level may be served from the cache and count nothing; each of the others reaches the function and
 * counts for 2^level views. docs/adr/0017-edge-caching.md.
 */
export interface ViewSampling {
  readonly level: number;
  /** Latest end of a cached response. The level never falls before. */
  readonly untilMs: number;
}

/** The revision of a drop that was just published. */
export const firstRevision = 1;

/** The latest version, stored in the drop's row to save a second read. */
interface LatestVersion {
  readonly version: number;
  readonly pageKey: string;
  readonly hasContext: boolean;
  /** @default - it is one page */
  readonly folder?: VersionFolder | undefined;
}

/** The passcode gate. The epoch rises with every change, which ends earlier cookies. */
export type Gate =
  | { readonly kind: "open"; readonly epoch: number }
  | { readonly kind: "locked"; readonly epoch: number; readonly passcodeHash: string };

/** Reasons why a drop is in the trash. */
export const trashReasons = ["deleted", "expired"] as const;

export type TrashReason = (typeof trashReasons)[number];

/** A drop in the trash: docs/adr/0093-expiry-and-trash.md. */
export interface TrashedDrop {
  readonly slug: string;
  readonly title: string;
  readonly reason: TrashReason;
  readonly deletedAtMs: number;
  /** The earliest time at which it is deleted for good. */
  readonly purgeAtMs: number;
  /** Bytes of its pages, which count until then. */
  readonly pageBytes: number;
}

/** One stored page of a drop; section "Version" of the specification. */
export interface Version {
  readonly slug: string;
  readonly version: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly hasContext: boolean;
  /** The page's object; its context lies beside it under `contextKey`. */
  readonly pageKey: string;
  /** Author's note on the changes. @default - none */
  readonly note?: string | undefined;
  /** Markdown source of the page, stored beside it under `sourceKey`. @default - the page was sent as HTML */
  readonly source?: { readonly sizeBytes: number; readonly sha256: string } | undefined;
  /** The files around the page, which is the entry of a folder. @default - it is one page */
  readonly folder?: VersionFolder | undefined;
  /** Date that the owner claims, such as an imported version's. It is only shown. @default - none */
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
  /** @default - none */
  readonly version?: Version;
  /** Number of a version that must still exist, since the new one shares its packs. @default - none */
  readonly sharesWith?: number | undefined;
  /** Further writes of the same transaction. @default - none */
  readonly also?: readonly TransactionWrite[] | undefined;
}

/** A drop before and after a change. */
export interface AppliedChange {
  readonly before: Drop;
  readonly drop: Drop;
}

/** A page to store, unchanged. */
export interface PageContent {
  readonly html: string;
  /** Markdown source of the page. @default - it was sent as HTML */
  readonly source?: string | undefined;
  /** The folder whose entry page it is. @default - it is one page */
  readonly folder?: FolderContent | undefined;
  readonly context?: string | undefined;
  readonly note?: string | undefined;
  /** In Unix milliseconds. */
  readonly original_date?: number | undefined;
}

/** A page as it will be stored: bytes, their digest, and their new key. */
export interface StoredPage {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Offset of the safety-net style in the served page. Determined at publication and stored with the object. */
  readonly styleOffset: number;
  readonly source: { readonly bytes: Uint8Array; readonly sha256: string } | undefined;
  /** @default - it is one page */
  readonly folder?: StoredFolder | undefined;
  readonly context: string | undefined;
  /** Note on the version's changes. It is in the row only. */
  readonly note: string | undefined;
  readonly originalDateMs?: number | undefined;
}

/** The object key of a version's context, beside its page. */
export function contextKey(pageKey: string): string {
  return pageKey.replace(/\.html$/, ".context.txt");
}

/** The object key of a version's Markdown source, beside its page. */
export function sourceKey(pageKey: string): string {
  return pageKey.replace(/\.html$/, ".md");
}

/** Every object that a version needs. Other versions may share its packs. */
export function objectKeysOf(version: Version): string[] {
  return [...ownObjectKeysOf(version), ...(version.folder?.packKeys ?? [])];
}

/** The objects that no other version needs. */
export function ownObjectKeysOf({ pageKey, hasContext, source, folder }: Version): string[] {
  return [
    pageKey,
    ...(hasContext ? [contextKey(pageKey)] : []),
    ...(source === undefined ? [] : [sourceKey(pageKey)]),
    ...(folder === undefined ? [] : [manifestKey(pageKey)]),
  ];
}

/** Bytes of a version that count towards the quota: its page and Markdown source, or all files of its folder. */
export function storedBytesOf({
  sizeBytes,
  source,
  folder,
}: Pick<Version, "sizeBytes" | "source" | "folder">): number {
  return folder?.sizeBytes ?? sizeBytes + (source?.sizeBytes ?? 0);
}

/** The first version of a new drop, and the drop around it. */
export function createDrop(
  owner: { readonly userId: string; readonly namespace: string },
  body: DropChanges & { readonly title: string },
  page: StoredPage,
  facts: {
    readonly slug: string;
    readonly passcodeHash: string | undefined;
    /** @default - anyone, as specified, and search engines do not list it */
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

/** The next version of a drop, and the drop after it. */
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

/**
 * The drop after an edit.
 *
 * @throws ApiError `invalid_arg` as `changedAccess` does
 */
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

/** Warns about side effects of a change: tags that new ones replaced, and feedback that follows the visibility. */
export function changeWarnings(
  { before, drop }: AppliedChange,
  { feedback }: DropChanges,
): readonly string[] {
  const removed = [...before.metadata.keys()].filter((key) => !drop.metadata.has(key));
  const names = removed.map((key) => JSON.stringify(key)).join(", ");
  const kind = feedbackOf(drop);
  return [
    ...(removed.length > 0 && drop.metadata.size > 0
      ? [`metadata replaced all tags, which removed ${names}. To keep a tag, send it with the others.`]
      : []),
    ...(feedback === undefined && kind !== feedbackOf(before)
      ? [
          `Changing the visibility set feedback to ${JSON.stringify(kind)}. To choose it, send "feedback": "readers" or "off".`,
        ]
      : []),
  ];
}

/** The drop locked with a passcode's hash, or unlocked with null. Both end earlier cookies. */
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

/** The drop after a change, with the time of the change if it set visibility, readers or passcode, or ended an expiry. */
export function withSharingTime(before: Drop, after: Drop, nowMs: number): Drop {
  const isShared = accessText(before) === accessText(after) && !isExpired(before, nowMs);
  return isShared ? after : { ...after, sharedAtMs: nowMs };
}

function accessText({ visibility, gate }: Drop): string {
  return JSON.stringify([visibility, gate.kind === "locked" ? gate.passcodeHash : null]);
}

/** Recognizes an edit with at least one field. */
export function hasChanges(changes: DropChanges): boolean {
  return Object.values(changes).some((change) => change !== undefined);
}

/** The latest version as the drop's own item stores it. */
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

/** Locked drops show the passcode gate before the page. */
export function isLocked(drop: Pick<PresentedDrop, "gate">): boolean {
  return drop.gate.kind === "locked";
}

/** Guarded drops have a passcode or restricted readers. */
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

/** Compares the drop's metadata with all of the tags. */
export function hasTags({ metadata }: Pick<Drop, "metadata">, tags: Metadata): boolean {
  return [...tags].every(([key, value]) => metadata.get(key) === value);
}

/** The metadata merged with the tags, or the key whose values differ. */
export function mergeTags(
  tags: Metadata,
  metadata: Metadata = new Map(),
): { readonly merged: Metadata } | { readonly contradictedKey: string } {
  const contradicted = [...tags].find(([key, value]) => (metadata.get(key) ?? value) !== value);
  if (contradicted) return { contradictedKey: contradicted[0] };
  return { merged: new Map([...metadata, ...tags]) };
}
