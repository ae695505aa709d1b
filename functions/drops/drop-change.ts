import { requireText, type TableChange } from "../background/table-change.ts";
import type { Item } from "../platform/table.ts";
import { isOpenToAll, toVisibility } from "../platform/visibility.ts";
import { objectKeysOf } from "./drop.ts";
import { toVersion } from "./items.ts";

/** A change of a drop or of a version that features listen to. */
export type DropChange =
  | {
      readonly kind: "drop-removed";
      readonly ownerId: string;
      readonly slug: string;
      readonly namespace: string;
    }
  /** Not everybody may read a drop any more that the edge may have cached. */
  | { readonly kind: "drop-restricted"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "version-added"; readonly slug: string; readonly version: number }
  | {
      readonly kind: "version-removed";
      readonly slug: string;
      readonly version: number;
      readonly pageKey: string;
      readonly objectKeys: readonly string[];
    };

/**
 * Reads a change of a drop or a version; undefined for any other.
 *
 * @throws TypeError for a row that the service did not write
 */
export function readDropChange({ eventName, subject, before, after }: TableChange): DropChange | undefined {
  if (subject?.kind === "version") {
    const { slug, version } = subject;
    if (eventName === "INSERT") return { kind: "version-added", slug, version };
    return eventName === "REMOVE" ? readVersionRemoval(slug, version, before) : undefined;
  }
  if (subject?.kind !== "drop") return undefined;
  const { userId: ownerId, slug } = subject;
  if (eventName === "REMOVE") {
    return { kind: "drop-removed", ownerId, slug, namespace: requireText("namespace", before?.namespace) };
  }
  // The edge caches nothing of a restricted drop: a changed passcode invalidates nothing, nor does its removal.
  const isRestricted = eventName === "MODIFY" && isCached(before) && !isCached(after);
  return isRestricted
    ? { kind: "drop-restricted", slug, namespace: requireText("namespace", before?.namespace) }
    : undefined;
}

function readVersionRemoval(slug: string, version: number, before: Item = {}): DropChange {
  const pageKey = requireText("pageKey", before.pageKey);
  return { kind: "version-removed", slug, version, pageKey, objectKeys: objectKeysOf(toVersion(before)) };
}

/** Tells whether the edge may cache a drop's pages: it has no passcode, and everybody may read it. */
function isCached(drop: Item = {}): boolean {
  return drop.passcodeHash === undefined && isOpenToAll({ visibility: toVisibility(drop) });
}
