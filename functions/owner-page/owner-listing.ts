import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Blob } from "../blobs/blob.ts";
import { limits } from "../core/limits.ts";
import type { Drop } from "../drops/drop.ts";
import { metadataOf } from "../drops/items.ts";
import { accounts } from "../people/accounts.ts";
import { findTeam } from "../people/teams.ts";
import {
  anonymousSearcher,
  audiencesOf,
  canList,
  isServed,
  type Listed,
  toVisibility,
} from "../policies/access.ts";
import { isTeamId } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, queryRaw, type RawItem } from "../table/table.ts";

/** Fields of a drop that the owner's page shows. */
interface ListedDrop extends Pick<Drop, "slug" | "namespace" | "updatedAtMs"> {
  /** Number of the latest version. */
  readonly version: number;
  /** Title of the drop. null if the drop is locked, because the passcode protects the title. */
  readonly title: string | null;
  /** Heading above the drop: the value of the tag by which a team's page groups its drops. @default - no heading */
  readonly group?: string | undefined;
}

/** Fields of a file that the owner's page shows. */
type ListedFile = Pick<Blob, "id" | "namespace" | "filename" | "contentType" | "sizeBytes" | "createdAtMs">;

/** Fields of a drop or file that determine how the list is divided into pages. */
export interface OwnerListingEntry {
  readonly atMs: number;
  /** Length of the displayed name in bytes. */
  readonly nameBytes: number;
  /** Heading above the entry. @default - none */
  readonly group?: string | undefined;
}

/**
 * Maximum number of entries on a page of the list, and maximum bytes of their names, which compress less than the markup. With these
 * limits, a page stays below 20 KB compressed (measured with gzip and titles of ordinary words). The search on the page needs no request,
 * because all entries are sent.
 */
const entriesPerPageMax = 500;
const nameBytesPerPageMax = 18_000;

/** Maximum length of a name in bytes. Titles can be longer than filenames, which are ASCII. A code point has at most 4 bytes. */
const nameBytesMax = limits.titleCodePointsMax * 4;

/** Bytes added for a heading's markup, which compresses well. */
const headingMarkupBytes = 12;
const headingBytesMax = limits.metadataValueCodePointsMax * 4 + headingMarkupBytes;

/**
 * Returns the maximum number of pages for a number of drops and files with names of any length. On a grouped page, each
 * entry may have a heading.
 */
export function ownerListingPagesMax(entryCount: number, isGrouped = false): number {
  const entryBytesMax = nameBytesMax + (isGrouped ? headingBytesMax : 0);
  return Math.max(1, Math.ceil(entryCount / Math.floor(nameBytesPerPageMax / entryBytesMax)));
}

/** Returns one page of drops and files, newest first, and the number of pages. A page number after the last returns an empty page. */
export function selectOwnerListing<Entry extends OwnerListingEntry>(
  entries: readonly Entry[],
  page: number,
): { readonly shown: readonly Entry[]; readonly pageCount: number } {
  const pages = cutIntoPages(entries.toSorted((one, other) => other.atMs - one.atMs));
  return { shown: pages[page - 1] ?? [], pageCount: pages.length };
}

/** Divides entries into pages. Returns at least one page, which may be empty. */
function cutIntoPages<Entry extends OwnerListingEntry>(entries: readonly Entry[]): Entry[][] {
  let last: Entry[] = [];
  let nameBytes = 0;
  let groups = new Set<string>();
  const pages = [last];
  for (const entry of entries) {
    const bytes = entry.nameBytes + headingBytesOf(entry, groups);
    if (last.length === entriesPerPageMax || nameBytes + bytes > nameBytesPerPageMax) {
      last = [];
      nameBytes = 0;
      groups = new Set();
      pages.push(last);
    }
    last.push(entry);
    nameBytes += entry.nameBytes + headingBytesOf(entry, groups);
    if (entry.group !== undefined) groups.add(entry.group);
  }
  return pages;
}

/** Returns the number of bytes that an entry's heading adds to a page. */
function headingBytesOf({ group }: OwnerListingEntry, groups: ReadonlySet<string>): number {
  return group === undefined || groups.has(group) ? 0 : Buffer.byteLength(group) + headingMarkupBytes;
}

/**
 * Reads one page of an owner's public drops and files, newest first, and the numbers of drops, files and pages in the
 * whole list. Returns undefined for an unknown or suspended namespace, and for an invalid page number.
 * docs/adr/0028-owner-pages.md explains why the whole account is read.
 */
export async function findOwnerListingPage(namespace: string, page: number, nowMs: number) {
  const userId = await findListedOwner(namespace);
  if (userId === undefined || page < 1) return undefined;
  const groupBy = isTeamId(userId) ? (await findTeam(userId))?.groupBy : undefined;
  if (!(await mayHavePage(userId, page, groupBy !== undefined))) return "past-the-last" as const;
  const [drops, files] = await Promise.all([readDrops(userId, groupBy, nowMs), readFiles(userId, nowMs)]);
  const { shown, pageCount } = selectOwnerListing([...drops, ...files], page);
  if (page > pageCount) return "past-the-last" as const;
  return {
    drops: inGroups(shown.filter(({ kind }) => kind === "drop")).map(toListedDrop),
    files: shown.flatMap((entry) => (entry.kind === "file" ? toListedFile(entry.attributes) : [])),
    dropCount: drops.length,
    fileCount: files.length,
    pageCount,
  };
}

/** Finds the account of a namespace. Returns undefined if it is unknown or suspended. */
export async function findListedOwner(namespace: string): Promise<string | undefined> {
  const owner = await getItem(keys.namespace(namespace));
  return isServed(owner) ? (owner?.userId as string) : undefined;
}

/** Sorts a page's entries by group name. Entries without a group come last. Entries of one group keep their order. */
function inGroups(entries: readonly ListingRow[]): readonly ListingRow[] {
  if (entries.every(({ group }) => group === undefined)) return entries;
  const { compare } = new Intl.Collator("en", { numeric: true });
  return entries.toSorted(({ group: one }, { group: other }) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return compare(one, other) || (one < other ? -1 : Number(one > other));
  });
}

/** Checks the page number against the account's counters, so that an impossible number causes no further reads. */
async function mayHavePage(userId: string, page: number, isGrouped: boolean): Promise<boolean> {
  if (page === 1) return true;
  const account = await accounts.find(userId);
  return (
    account !== undefined && page <= ownerListingPagesMax(account.dropCount + account.blobCount, isGrouped)
  );
}

/** An entry of the list. The displayed fields are converted only for the requested page. */
interface ListingRow extends OwnerListingEntry {
  readonly kind: "drop" | "file";
  readonly attributes: RawItem;
}

async function readDrops(userId: string, groupBy: string | undefined, nowMs: number): Promise<ListingRow[]> {
  const rows = await queryRaw(ranges.drops(userId), {
    attributes: [
      ...["slug", "namespace", "title", "latestVersion", "passcodeHash", "visibility"],
      ...["expiresAtMs", "updatedAtMs"],
      ...(groupBy === undefined ? [] : ["metadata"]),
    ],
    // Skips view counters, which have no slug.
    having: "slug",
  });
  return rows
    .filter((row) => canList(toListedRow(userId, row), anonymousSearcher, nowMs))
    .map((attributes) => ({
      kind: "drop",
      attributes,
      atMs: Number(attributes.updatedAtMs?.N),
      // The list does not show titles of locked drops, so they do not count towards its size.
      nameBytes: attributes.passcodeHash === undefined ? Buffer.byteLength(attributes.title?.S ?? "") : 0,
      group: groupBy === undefined ? undefined : groupOf(attributes, groupBy),
    }));
}

/** Returns a drop's heading from its tag. A locked drop has no heading, because the passcode also protects tags. */
function groupOf(attributes: RawItem, groupBy: string): string | undefined {
  if (attributes.passcodeHash !== undefined) return undefined;
  return metadataOf({ drop: attributes }).get(groupBy)?.trim() || undefined;
}

/** Converts the row of a drop or file for the listing policies. */
export function toListedRow(ownerId: string, { visibility, expiresAtMs, passcodeHash }: RawItem): Listed {
  return {
    ownerId,
    audiences: audiencesOf({ ownerId, visibility: toVisibility({ visibility: visibility?.S }) }),
    isLocked: passcodeHash !== undefined,
    expiresAtMs: expiresAtMs && Number(expiresAtMs.N),
  };
}

async function readFiles(userId: string, nowMs: number): Promise<ListingRow[]> {
  const rows = await queryRaw(ranges.blobs(userId), {
    attributes: [
      ...["sk", "namespace", "filename", "contentType", "sizeBytes", "createdAtMs"],
      ...["visibility", "expiresAtMs"],
    ],
  });
  return rows
    .filter((row) => canList(toListedRow(userId, row), anonymousSearcher, nowMs))
    .map((attributes) => ({
      kind: "file",
      attributes,
      atMs: Number(attributes.createdAtMs?.N),
      nameBytes: Buffer.byteLength(attributes.filename?.S ?? ""),
    }));
}

function toListedDrop({ attributes, group }: ListingRow): ListedDrop {
  const { slug, namespace, title, latestVersion, passcodeHash, updatedAtMs } = unmarshall(attributes);
  const shownTitle = passcodeHash === undefined ? title : null;
  return { slug, namespace, version: latestVersion, title: shownTitle, updatedAtMs, group };
}

function toListedFile(attributes: RawItem): ListedFile {
  const { sk, namespace, filename, contentType, sizeBytes, createdAtMs } = unmarshall(attributes);
  return { id: sk.slice("BLOB#".length), namespace, filename, contentType, sizeBytes, createdAtMs };
}
