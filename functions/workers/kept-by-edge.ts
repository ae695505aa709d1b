import type { KeptByEdge } from "../domain/invalidation.ts";
import { served } from "../store/served.ts";
import type { TableChange } from "./table-change.ts";

/** What the edge may have kept of what these changes take from readers, each thing once. */
export async function findKeptByEdge(changes: readonly TableChange[]): Promise<KeptByEdge[]> {
  const slugs = new Set(
    changes.flatMap((change) => (change.kind === "version-removed" ? [change.slug] : [])),
  );
  const ofVersions = await Promise.all([...slugs].map(findPageThatLostVersions));
  return [...changes.flatMap(toKept), ...ofVersions.flat()];
}

function toKept(change: TableChange): KeptByEdge[] {
  switch (change.kind) {
    case "drop-removed":
    case "drop-locked":
      return [{ kind: "page", slug: change.slug, namespace: change.namespace }];
    case "blob-removed":
      return [{ kind: "file", id: change.id, namespace: change.namespace, objectKey: change.objectKey }];
    case "version-removed":
      return [];
  }
}

/**
 * The page of a drop that is still there. The versions of one that is gone go after it, and with the drop itself the
 * edge has been, or is about to be, told to forget them all: its row's removal is a change of its own.
 */
async function findPageThatLostVersions(slug: string): Promise<KeptByEdge[]> {
  const pointer = await served.findPointer(slug);
  // Without an owner, its account is being deleted, with the drop's row as the last.
  if (pointer === undefined) return [];
  const drop = await served.findDrop(pointer.ownerId, slug);
  return drop === undefined ? [] : [{ kind: "page", slug, namespace: pointer.namespace }];
}
