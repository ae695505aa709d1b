import {
  type ShelfEntry,
  type ShelvedDrop,
  type ShelvedFile,
  selectShelf,
  shelfPagesMax,
} from "../domain/owner-shelf.ts";
import { accounts } from "./accounts.ts";
import { keys, ranges } from "./keys.ts";
import { isSuspended } from "./suspension.ts";
import { fromAttributes, getItem, type ItemAttributes, queryAttributes } from "./table.ts";

/** One page of what an owner has published. */
export interface ShelfPage {
  readonly drops: readonly ShelvedDrop[];
  readonly files: readonly ShelvedFile[];
  /** On all pages together. */
  readonly dropCount: number;
  readonly fileCount: number;
  readonly pageCount: number;
}

/**
 * One page of what the owner of a namespace has published, newest first: nothing where it comes after the last. Undefined
 * where nobody has the namespace, or nobody any more, or it is suspended, and for a page that there cannot be.
 * docs/adr/0028-what-an-owners-page-costs.md says why all of the account is read, and what bounds it.
 */
export async function findShelfPage(namespace: string, page: number): Promise<ShelfPage | undefined> {
  const owner = await getItem(keys.namespace(namespace));
  if (owner === undefined || owner.deletedAtMs !== undefined || isSuspended(owner)) return undefined;
  const userId = owner.userId as string;
  if (!(await mayHavePage(userId, page))) return undefined;
  const [drops, files] = await Promise.all([readDrops(userId), readFiles(userId)]);
  const { shown, pageCount } = selectShelf([...drops, ...files], page);
  return {
    drops: shown.flatMap((entry) => (entry.kind === "drop" ? toShelvedDrop(entry.attributes) : [])),
    files: shown.flatMap((entry) => (entry.kind === "file" ? toShelvedFile(entry.attributes) : [])),
    dropCount: drops.length,
    fileCount: files.length,
    pageCount,
  };
}

/** Whether there can be such a page, by the account's counters: whoever makes up a number has nothing more read. */
async function mayHavePage(userId: string, page: number): Promise<boolean> {
  if (page <= 1) return page === 1;
  const account = await accounts.find(userId);
  return account !== undefined && page <= shelfPagesMax(account.dropCount + account.blobCount);
}

/** A row with what the page shows of it, which is converted only where it is shown. */
interface ShelfRow extends ShelfEntry {
  readonly kind: "drop" | "file";
  readonly attributes: ItemAttributes;
}

async function readDrops(userId: string): Promise<ShelfRow[]> {
  const rows = await queryAttributes(ranges.drops(userId), {
    attributes: ["slug", "title", "passcodeHash", "updatedAtMs"],
    // Views are counted in rows of their own.
    having: "slug",
  });
  return rows.map((attributes) => ({
    kind: "drop",
    attributes,
    atMs: Number(attributes.updatedAtMs?.N),
    // A locked drop's title is not shown.
    nameBytes: attributes.passcodeHash === undefined ? Buffer.byteLength(attributes.title?.S ?? "") : 0,
  }));
}

async function readFiles(userId: string): Promise<ShelfRow[]> {
  const rows = await queryAttributes(ranges.blobs(userId), {
    attributes: ["sk", "filename", "contentType", "sizeBytes", "createdAtMs"],
  });
  return rows.map((attributes) => ({
    kind: "file",
    attributes,
    atMs: Number(attributes.createdAtMs?.N),
    nameBytes: Buffer.byteLength(attributes.filename?.S ?? ""),
  }));
}

function toShelvedDrop(attributes: ItemAttributes): ShelvedDrop {
  const { slug, title, passcodeHash, updatedAtMs } = fromAttributes(attributes);
  return {
    slug: slug as string,
    title: passcodeHash === undefined ? (title as string) : null,
    updatedAtMs: updatedAtMs as number,
  };
}

function toShelvedFile(attributes: ItemAttributes): ShelvedFile {
  const { sk, filename, contentType, sizeBytes, createdAtMs } = fromAttributes(attributes);
  return {
    id: (sk as string).slice("BLOB#".length),
    filename: filename as string,
    contentType: contentType as string,
    sizeBytes: sizeBytes as number,
    createdAtMs: createdAtMs as number,
  };
}
