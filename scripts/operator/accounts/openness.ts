import type { Blob } from "../../../functions/blobs/blob.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { blobs, toBlob } from "../../../functions/blobs/store.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { drops } from "../../../functions/drops/store.ts";
import {
  toVisibility,
  type Visibility,
  type VisibilityKind,
  visibilityKinds,
} from "../../../functions/identity/visibility.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import type { Item } from "../../../functions/table/table.ts";
import { readItemsOf } from "../table-reads.ts";

/** The fields of a drop that say where it is and how open. Other fields are not read, so that a fault in them does not matter. */
type FoundDrop = Pick<Drop, "slug" | "namespace" | "visibility">;

/** A drop or a file that is more open than it is to be, and what it is to become. */
export type OverexposedItem =
  | { readonly kind: "drop"; readonly drop: FoundDrop; readonly to: VisibilityKind }
  | { readonly kind: "file"; readonly file: Blob; readonly to: VisibilityKind };

/** Compares two visibilities by openness. */
function isMoreOpen(kind: VisibilityKind, than: VisibilityKind): boolean {
  return visibilityKinds.indexOf(kind) < visibilityKinds.indexOf(than);
}

/** Lists the drops and files of one account, or of all, that are more open than `most`. Without an account it reads the whole table. */
export async function* findTooOpen(most: VisibilityKind, userId?: string): AsyncGenerator<OverexposedItem> {
  for await (const items of readItemsOf(userId)) {
    for (const row of items) {
      const subject = parseKey(row);
      if (subject?.kind === "drop") yield* tooOpenDrop(toFoundDrop(row, subject.slug), most);
      if (subject?.kind === "blob") yield* tooOpenFile(toBlob(row), most);
    }
  }
}

/**
 * Restricts a drop or file of any owner to the most open visibility allowed. Returns false if it is gone or already restricted.
 * Named readers stay; without any, only the owner can read.
 */
export async function restrict(found: OverexposedItem, act: Act): Promise<boolean> {
  if (found.kind === "file") return restrictFile(found.file, found.to, act);
  const { slug } = found.drop;
  for (
    let drop = await publicDrops.findBySlug(slug);
    drop !== undefined;
    drop = await publicDrops.findBySlug(slug)
  ) {
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
  return {
    ...drop,
    visibility: toNobodyElse(to),
    indexed: false,
    revision: drop.revision + 1,
    updatedAtMs: nowMs,
  };
}

function toNobodyElse(kind: VisibilityKind): Visibility {
  return kind === "people" ? { kind, readers: [] } : { kind };
}

async function restrictFile({ namespace, id }: Blob, to: VisibilityKind, act: Act): Promise<boolean> {
  const find = () => publicFiles.find(namespace, id);
  for (let file = await find(); file !== undefined; file = await find()) {
    if (!isMoreOpen(file.visibility.kind, to)) return false;
    if (await blobs.setAccess(file, { ...file, visibility: toNobodyElse(to) }, act)) return true;
  }
  return false;
}

function toFoundDrop(row: Item, slug: string): FoundDrop {
  return { slug, namespace: row.namespace as string, visibility: toVisibility(row) };
}

function tooOpenDrop(drop: FoundDrop, most: VisibilityKind): OverexposedItem[] {
  return isMoreOpen(drop.visibility.kind, most) ? [{ kind: "drop", drop, to: most }] : [];
}

function tooOpenFile(file: Blob, most: VisibilityKind): OverexposedItem[] {
  return isMoreOpen(file.visibility.kind, most) ? [{ kind: "file", file, to: most }] : [];
}
