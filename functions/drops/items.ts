import { unmarshall } from "@aws-sdk/util-dynamodb";
import { environmentNames, findEnvironment, trashDaysDefault } from "../core/environment.ts";
import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { writeFault } from "../core/log.ts";
import type { VersionFolder } from "../folders/folder.ts";
import type { Metadata } from "../http/query.ts";
import { isExpiredRow, isIndexable, toVisibility, visibilityAttributes } from "../policies/access.ts";
import { keys, ranges } from "../table/keys.ts";
import { type Item, queryAll, type RawItem, RetryableError } from "../table/table.ts";
import { type Drop, type Gate, hasTags, type PresentedDrop, storedBytesOf, type Version } from "./drop.ts";
import { answersKinds, type DropAccess, feedbackKinds } from "./drop-access.ts";

/** Converts a drop to its item. Metadata becomes a JSON string, because the SDK cannot store the keys `constructor` and `__proto__`. */
export function toDropItem(drop: Drop): Item {
  return {
    ...keys.drop(drop.ownerId, drop.slug),
    slug: drop.slug,
    namespace: drop.namespace,
    ...ownerAttributes(drop),
    title: drop.title,
    description: drop.description,
    metadata: metadataText(drop.metadata),
    latestVersion: drop.latest.version,
    latestPageKey: drop.latest.pageKey,
    latestHasContext: drop.latest.hasContext,
    ...(drop.latest.folder === undefined ? {} : { latestFolder: drop.latest.folder }),
    nextVersion: drop.nextVersion,
    revision: drop.revision,
    ...(drop.quietRevisions === undefined ? {} : { quietRevisions: drop.quietRevisions }),
    versionCount: drop.versionCount,
    ...gateAttributes(drop.gate),
    ...visibilityAttributes(drop.visibility),
    ...(drop.indexed ? { indexed: true } : {}),
    ...(drop.feedback === undefined ? {} : { feedback: drop.feedback }),
    ...(drop.answers === undefined ? {} : { answers: drop.answers }),
    ...(drop.answersResults ? { answersResults: true } : {}),
    ...(drop.expiresAtMs === undefined ? {} : { expiresAtMs: drop.expiresAtMs }),
    ...(drop.sharedAtMs === undefined ? {} : { sharedAtMs: drop.sharedAtMs }),
    createdAtMs: drop.createdAtMs,
    updatedAtMs: drop.updatedAtMs,
  };
}

/** Converts an item to a drop. Without an item for the view count, the count is 0. */
export function toDrop(item: Item, views: Item | undefined): Drop {
  return {
    ...toListedFields(item, views),
    slug: item.slug as string,
    ownerId: (item.pk as string).slice("USER#".length),
    ownerNamespace: (item.ownerNamespace ?? item.namespace) as string,
    latest: {
      version: item.latestVersion as number,
      pageKey: item.latestPageKey as string,
      hasContext: item.latestHasContext as boolean,
      folder: item.latestFolder as VersionFolder | undefined,
    },
    nextVersion: item.nextVersion as number,
    revision: item.revision as number,
    quietRevisions: item.quietRevisions as number | undefined,
    versionCount: item.versionCount as number,
    gate: toGate(item),
    sharedAtMs: item.sharedAtMs as number | undefined,
  };
}

function toListedFields(item: Item, views: Item | undefined) {
  return {
    namespace: item.namespace as string,
    title: item.title as string,
    description: item.description as string | null,
    metadata: new Map(JSON.parse(item.metadata as string)) as Metadata,
    ...toReach(item),
    viewCount: (views?.viewCount ?? 0) as number,
    createdAtMs: item.createdAtMs as number,
    updatedAtMs: item.updatedAtMs as number,
  };
}

/** Converts an item to a drop. Logs an unreadable item and returns undefined, so that all other drops are still found. */
export function readDrop(item: Item): Drop | undefined {
  try {
    return toDrop(item, undefined);
  } catch (error) {
    writeFault({ level: "error", event: "drop-not-listed", slug: item.slug }, error);
    return undefined;
  }
}

/** Converts a query's items, which include view counts, to drops. */
export function toDrops(items: readonly Item[]): Drop[] {
  const bySortKey = new Map(items.map((item) => [item.sk as string, item]));
  return items
    .filter((item) => item.slug !== undefined)
    .map((item) => toDrop(item, bySortKey.get(`${item.sk}#VIEWS`)));
}

/** Converts the rows of unexpired drops that have all of the given tags. The other rows, usually most of them, are not converted. */
export function toTaggedDrops(rows: readonly RawItem[], tags: Metadata, nowMs: number): Drop[] {
  return toDropRows(rows)
    .filter((row) => !isExpiredRow(row.drop, nowMs) && hasTags({ metadata: metadataOf(row) }, tags))
    .map(({ drop, views }) => toDrop(unmarshall(drop), views && unmarshall(views)));
}

/** A drop's unconverted item, and the item with its view count. */
export interface DropRow {
  readonly drop: RawItem;
  /** @default - the drop has no view count yet */
  readonly views: RawItem | undefined;
}

/** The attributes of a row that a list shows, sorts or filters by. */
export const listedAttributes = [
  "sk",
  "namespace",
  "title",
  "description",
  "metadata",
  "latestVersion",
  "latestFolder.hasHost",
  "passcodeHash",
  "visibility",
  "readers",
  "indexed",
  "feedback",
  "answers",
  "answersResults",
  "expiresAtMs",
  "createdAtMs",
  "updatedAtMs",
  "viewCount",
] as const;

/** Selects the drops among a query's rows. The rows are sorted by key, so a drop's view count directly follows the drop. */
export function toDropRows(rows: readonly RawItem[]): DropRow[] {
  return rows.flatMap((drop, index) => {
    if (drop.title === undefined) return [];
    const next = rows[index + 1];
    return [{ drop, views: next?.sk?.S === `${drop.sk?.S}#VIEWS` ? next : undefined }];
  });
}

/** Converts a row with `listedAttributes` to a list entry. */
export function toListedDrop({ drop, views }: DropRow): PresentedDrop {
  const item = unmarshall(drop);
  return {
    ...toListedFields(item, views && unmarshall(views)),
    slug: item.sk.slice("DROP#".length),
    latest: { version: item.latestVersion, folder: item.latestFolder },
    gate: { kind: toGate(item).kind },
  };
}

/** Parses the tags of a row. */
export function metadataOf({ drop }: Pick<DropRow, "drop">): Metadata {
  return new Map(JSON.parse(drop.metadata?.S ?? "[]"));
}

/** Converts a version to its item. */
export function toVersionItem(version: Version): Item {
  const { slug, version: number, ...attributes } = version;
  return { ...keys.version(slug, number), ...attributes };
}

/** Converts an item to a version. */
export function toVersion({ pk, sk, ...attributes }: Item): Version {
  const [, slug] = (pk as string).split("#");
  return { slug, version: Number((sk as string).slice("V#".length)), ...attributes } as Version;
}

/** Serializes a drop's metadata. */
export function metadataText(metadata: Metadata): string {
  return JSON.stringify([...metadata]);
}

/** Omits the owner's namespace unless the drop was transferred. */
function ownerAttributes({ namespace, ownerNamespace }: Drop): Item {
  return namespace === ownerNamespace ? {} : { ownerNamespace };
}

/** Reads a drop's access settings. Ignores `indexed` of a restricted drop, because older versions of the service did not reset it. */
function toReach(item: Item): DropAccess {
  const visibility = toVisibility(item);
  return {
    visibility,
    indexed: item.indexed === true && isIndexable(visibility, item.passcodeHash !== undefined),
    feedback: feedbackKinds.find((one) => one === item.feedback),
    answers: answersKinds.find((one) => one === item.answers),
    answersResults: item.answersResults === true ? true : undefined,
    expiresAtMs: item.expiresAtMs as number | undefined,
  };
}

function gateAttributes(gate: Gate): Item {
  return gate.kind === "locked"
    ? { gateEpoch: gate.epoch, passcodeHash: gate.passcodeHash }
    : { gateEpoch: gate.epoch };
}

function toGate(item: Item): Gate {
  const epoch = item.gateEpoch as number;
  const passcodeHash = item.passcodeHash as string | undefined;
  return passcodeHash === undefined ? { kind: "open", epoch } : { kind: "locked", epoch, passcodeHash };
}

/**
 * Condition that a page fits into its account's quota, used with `quotaValues`. `pageBytes` counts pages and Markdown sources of all
 * versions, but not contexts. In older accounts, it may be missing or too low.
 */
export const hasPageQuota = "(attribute_not_exists(pageBytes) OR pageBytes <= :pageQuota)";

/** Expression values for the condition `hasPageQuota`. */
export function quotaValues(sizeBytes: number): { readonly ":pageQuota": number } {
  return { ":pageQuota": pageBytesMax() - sizeBytes };
}

/** Checks if a write failed because of the quota of page bytes. `account` is the account's item at the time of the failure. */
export function lacksPageQuota(account: Item | undefined, sizeBytes: number): boolean {
  return Number(account?.pageBytes ?? Number.NEGATIVE_INFINITY) > quotaValues(sizeBytes)[":pageQuota"];
}

/** Error for a page that would exceed its account's quota. The error states how many bytes the trash uses. */
export function pageQuotaExceeded(sizeBytes: number, account: Item | undefined): ApiError {
  const bytesMax = pageBytesMax();
  const trashBytes = Number(account?.trashBytes ?? 0);
  const advice = (call: (http: string, tool: string) => string) =>
    trashBytes > 0
      ? `${trashBytes} bytes of them are in the trash: ${call("GET /api/trash", "list_trash")} lists it, and DELETE /api/trash/{slug} empties it.`
      : "Delete a version first, or a drop, and then send DELETE /api/trash/{slug}.";
  return new ApiError("quota_exceeded", {
    message: inBothWords(
      (call) =>
        `With this page of ${sizeBytes} bytes, all versions of the account's pages would exceed ${bytesMax} bytes. ${advice(call)}`,
    ),
    details: {
      bytes: sizeBytes,
      bytes_max: bytesMax,
      ...(trashBytes > 0 ? { trash_bytes: trashBytes } : {}),
    },
  });
}

/** Error for a write conflict with another request on the same drop. `retryConflicts` retries the request's write. */
export function manyWriters(): RetryableError {
  return new RetryableError("Other requests are changing this drop at the same time. Try again.");
}

/** Counts the bytes of all existing pages of a drop. */
export async function countPageBytes(slug: string): Promise<number> {
  const versions = await queryAll(ranges.versions(slug), { attributes: ["sizeBytes", "source", "folder"] });
  return versions.reduce((sum, version) => sum + storedBytesOf(version as unknown as Version), 0);
}

/** Quota of page bytes for each account. */
export function pageBytesMax(): number {
  return Number(findEnvironment(environmentNames.pageBytesMax) ?? limits.pageBytesPerAccountMax);
}

/** Returns how many of a drop's newest versions the setting `keepVersions` keeps. Returns undefined if all are kept. */
export function keptVersionsMax(): number | undefined {
  const text = findEnvironment(environmentNames.keepVersions);
  return text === undefined ? undefined : Number(text);
}

/** Returns the number of days that a deleted drop stays in the trash. Returns 0 if the service has no trash. */
export function trashDays(): number {
  return Number(findEnvironment(environmentNames.trashDays) ?? trashDaysDefault);
}

/** Creates the error for a version that a drop does not have. */
export function noSuchVersion({ latest }: Pick<Drop, "latest">, version: number): ApiError {
  const keep = keptVersionsMax();
  const isRemoved = keep !== undefined && version <= latest.version - keep;
  return new ApiError("not_found", {
    message: isRemoved
      ? `Version ${version} was removed: this service keeps the last ${keep} versions of a drop. The latest is ${latest.version}.`
      : `The drop has no version ${version}; its latest is ${latest.version}.`,
  });
}
