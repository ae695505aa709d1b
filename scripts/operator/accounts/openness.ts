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
} from "../../../functions/policies/access.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import type { Item } from "../../../functions/table/table.ts";
import { readItemsOf } from "../table-reads.ts";

/** The fields of a drop that say where it is and how open. Other fields are not read, so that a fault in them does not matter. */
type FoundDrop = Pick<Drop, "slug" | "namespace" | "visibility">;

/** A drop or a file that is more open than it is to be. */
export type OverexposedItem =
  | { readonly kind: "drop"; readonly drop: FoundDrop }
  | { readonly kind: "file"; readonly file: Blob };

/** Compares two visibilities by openness. */
function isMoreOpen({ visibility }: Pick<Drop, "visibility">, than: VisibilityKind): boolean {
  return visibilityKinds.indexOf(visibility.kind) < visibilityKinds.indexOf(than);
}

/** Lists the drops and files of one account, or of all, that are more open than `most`. Without an account it reads the whole table. */
export async function* findTooOpen(most: VisibilityKind, userId?: string): AsyncGenerator<OverexposedItem> {
  for await (const items of readItemsOf(userId)) {
    for (const row of items) {
      const subject = parseKey(row);
      if (subject?.kind === "drop") {
        const drop = toFoundDrop(row, subject.slug);
        if (isMoreOpen(drop, most)) yield { kind: "drop", drop };
      }
      if (subject?.kind === "blob") {
        const file = toBlob(row);
        if (isMoreOpen(file, most)) yield { kind: "file", file };
      }
    }
  }
}

/**
 * Restricts a drop or file of any owner to the most open visibility allowed. Returns false if it is gone or already restricted.
 * Named readers stay; without any, only the owner can read.
 */
export function restrict(found: OverexposedItem, most: VisibilityKind, act: Act): Promise<boolean> {
  return found.kind === "file" ? restrictFile(found.file, most, act) : restrictDrop(found.drop, most, act);
}

async function restrictDrop({ slug }: FoundDrop, most: VisibilityKind, act: Act): Promise<boolean> {
  const find = () => publicDrops.findBySlug(slug);
  for (let drop = await find(); drop !== undefined; drop = await find()) {
    if (!isMoreOpen(drop, most)) return false;
    const changed = await drops.change(drop, act, (current) =>
      isMoreOpen(current, most) ? { drop: restricted(current, most, act.atMs) } : undefined,
    );
    if (changed !== undefined) return true;
  }
  return false;
}

function restricted(drop: Drop, most: VisibilityKind, nowMs: number): Drop {
  return {
    ...drop,
    visibility: toNobodyElse(most),
    indexed: false,
    revision: drop.revision + 1,
    updatedAtMs: nowMs,
  };
}

function toNobodyElse(kind: VisibilityKind): Visibility {
  return kind === "people" ? { kind, readers: [] } : { kind };
}

async function restrictFile({ namespace, id }: Blob, most: VisibilityKind, act: Act): Promise<boolean> {
  const find = () => publicFiles.find(namespace, id);
  for (let file = await find(); file !== undefined; file = await find()) {
    if (!isMoreOpen(file, most)) return false;
    if (await blobs.setAccess(file, { ...file, visibility: toNobodyElse(most) }, act)) return true;
  }
  return false;
}

function toFoundDrop(row: Item, slug: string): FoundDrop {
  return { slug, namespace: row.namespace as string, visibility: toVisibility(row) };
}
