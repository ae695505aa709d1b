import {
  mostOpenVisibility,
  refuseVisibility,
  type VisibilityKind,
  visibilityDefault,
  visibilityKinds,
} from "../platform/visibility.ts";

/**
 * Who may read a file: whoever has its address, which the owner's page tells of a public one. The edge serves files from
 * their bucket, and asks nobody who they are: docs/adr/0043-who-may-read-a-file.md.
 */
export const fileVisibilityKinds = ["public", "unlisted"] as const satisfies readonly VisibilityKind[];

export type FileVisibility = (typeof fileVisibilityKinds)[number];

/** Who may read a new file: as its owner says, or where that is nothing, as the operator does as far as it goes. */
export function newFileVisibility(chosen?: FileVisibility): FileVisibility {
  if (chosen === undefined) return visibilityDefault() === "public" ? "public" : "unlisted";
  requireAllowedFile(chosen);
  return chosen;
}

/** @throws ApiError `invalid_arg` for what is more open than the operator allows, as far as a file can be less */
export function requireAllowedFile(chosen: FileVisibility): void {
  const isLeast = visibilityKinds.indexOf(mostOpenVisibility()) > 0;
  if (isLeast && chosen === "public") throw refuseVisibility("file", chosen, ["unlisted"]);
}
