import type { Blob } from "../../functions/blobs/blob.ts";
import { servedFiles } from "../../functions/blobs/served.ts";
import { blobs, toBlob } from "../../functions/blobs/store.ts";
import { fileVisibilityKinds } from "../../functions/blobs/visibility.ts";
import type { Drop, Visibility } from "../../functions/drops/drop.ts";
import { toDrop } from "../../functions/drops/items.ts";
import { served } from "../../functions/drops/served.ts";
import { drops } from "../../functions/drops/store.ts";
import type { Act } from "../../functions/platform/audit.ts";
import { type Key, keys, parseKey } from "../../functions/platform/keys.ts";
import { fromAttributes, tableName } from "../../functions/platform/table.ts";
import { type VisibilityKind, visibilityKinds } from "../../functions/platform/visibility.ts";
import { type RawItem, readPartition, readTable } from "./table-copy.ts";

/** A drop or a file that is more open than it is to be, and what it is to become. */
export type TooOpen =
  | { readonly kind: "drop"; readonly drop: Drop; readonly to: VisibilityKind }
  | { readonly kind: "file"; readonly file: Blob; readonly to: FileKind };

type FileKind = (typeof fileVisibilityKinds)[number];

/** Whether one is more open than another. */
function isMoreOpen(kind: VisibilityKind, than: VisibilityKind): boolean {
  return visibilityKinds.indexOf(kind) < visibilityKinds.indexOf(than);
}

/** Every drop and file that is more open, of one account or of any. Without an account it reads the whole table. */
export async function* findTooOpen(most: VisibilityKind, userId?: string): AsyncGenerator<TooOpen> {
  for await (const items of userId === undefined ? readTable(tableName()) : readAccount(userId)) {
    for (const item of items) {
      const row = fromAttributes(item);
      const subject = parseKey(row as unknown as Key);
      if (subject?.kind === "drop") yield* tooOpenDrop(toDrop(row, undefined), most);
      if (subject?.kind === "blob") yield* tooOpenFile(toBlob(row), most);
    }
  }
}

async function* readAccount(userId: string): AsyncGenerator<RawItem[]> {
  yield await readPartition(tableName(), keys.account(userId).pk);
}

/**
 * Makes a drop or a file no more open than it may be, whosever it is by now; false where it is gone, or is no more open by now.
 * Readers who were named stay named; where nobody was, only the owner reads what is for people.
 */
export async function restrict(found: TooOpen, act: Act): Promise<boolean> {
  if (found.kind === "file") return restrictFile(found.file, found.to, act);
  const { slug } = found.drop;
  for (let drop = await served.findBySlug(slug); drop !== undefined; drop = await served.findBySlug(slug)) {
    if (!isMoreOpen(drop.visibility.kind, found.to)) return false;
    const changed = await drops.change(drop, act, (current) =>
      isMoreOpen(current.visibility.kind, found.to)
        ? { drop: restricted(current, found.to, act.atMs) }
        : undefined,
    );
    if (changed !== undefined) return true;
  }
  return false;
}

function restricted(drop: Drop, to: VisibilityKind, nowMs: number): Drop {
  const visibility: Visibility = to === "people" ? { kind: "people", readers: [] } : { kind: to };
  return { ...drop, visibility, revision: drop.revision + 1, updatedAtMs: nowMs };
}

async function restrictFile({ namespace, id }: Blob, to: FileKind, act: Act): Promise<boolean> {
  const find = () => servedFiles.find(namespace, id);
  for (let file = await find(); file !== undefined; file = await find()) {
    if (!isMoreOpen(file.visibility, to)) return false;
    if (await blobs.setVisibility(file, to, act)) return true;
  }
  return false;
}

function tooOpenDrop(drop: Drop, most: VisibilityKind): TooOpen[] {
  return isMoreOpen(drop.visibility.kind, most) ? [{ kind: "drop", drop, to: most }] : [];
}

/** A file can be no less open than the last of its kinds. */
function tooOpenFile(file: Blob, most: VisibilityKind): TooOpen[] {
  const to = fileVisibilityKinds.find((kind) => !isMoreOpen(kind, most)) ?? "unlisted";
  return isMoreOpen(file.visibility, to) ? [{ kind: "file", file, to }] : [];
}
