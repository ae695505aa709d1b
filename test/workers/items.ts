import { createDrop, type Drop, type Version } from "../../functions/drops/drop.ts";
import { toDropItem, toVersionItem } from "../../functions/drops/items.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import type { Key } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";

export const ownerId = "Owner00000000001";

/** Returns a drop and its first version, with their items. */
export function givenDrop(slug: string, { context }: { readonly context?: string } = {}) {
  const page = toStoredPage(slug, "Object0000000001", { html: "<p>", context });
  const owner = { userId: ownerId, namespace: "owner" };
  const identity = { slug, passcodeHash: undefined, nowMs: 1 };
  const { drop, version } = createDrop(owner, { title: "Title" }, page, identity);
  return { drop, version, dropItem: dropItem(drop), versionItem: versionItem(version) };
}

/** Returns a drop's item. */
export function dropItem(drop: Drop): Item & Key {
  return toDropItem(drop) as Item & Key;
}

/** Returns a version's item. */
export function versionItem(version: Version): Item & Key {
  return toVersionItem(version) as Item & Key;
}
