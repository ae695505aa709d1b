import type { ArchivedDrop, ArchivedVersion } from "./archive.ts";
import type { ListedVersion } from "./listed.ts";

/** Note of the page that holds a drop's address until its first version, which links to it, is published. */
export const placeholderNote = "Placeholder of an import";

/** State of a drop's versions in the new account. */
export interface MovedVersions {
  /** Versions to publish, the oldest first. */
  readonly pending: readonly ArchivedVersion[];
  /** New numbers by the old ones, of published and of pending versions. */
  readonly numbers: ReadonlyMap<number, number>;
  /**
   * Number of the placeholder.
   * @default - no placeholder
   */
  readonly placeholder: number | undefined;
  /** True if the owner has published to the drop since. */
  readonly isContinued: boolean;
}

/**
 * Compares the versions of an export with those in the new account, by their original dates. All versions before the last match count as
 * done, also those that were deleted there.
 *
 * @param present the oldest first
 */
export function findMovedVersions(
  { versions }: Pick<ArchivedDrop, "versions">,
  present: readonly ListedVersion[],
): MovedVersions {
  const numbers = new Map<number, number>();
  let doneCount = 0;
  let last: ListedVersion | undefined;
  for (const version of present) {
    const at = versions.findIndex(
      (one, index) => index >= doneCount && originalDateOf(one) === version.original_date,
    );
    if (at === -1) continue;
    numbers.set(versions[at]?.version ?? 0, version.version);
    doneCount = at + 1;
    last = version;
  }
  const placeholder = present.find((one) => one.note === placeholderNote && one.original_date === undefined);
  const latest = present.at(-1);
  const pending = versions.slice(doneCount);
  for (const [index, { version }] of pending.entries())
    numbers.set(version, (latest?.version ?? 0) + index + 1);
  return {
    pending,
    numbers,
    placeholder: placeholder?.version,
    isContinued: latest !== undefined && latest !== last && latest !== placeholder,
  };
}

/** Date of a version's first publication, on any service. */
export function originalDateOf({ original_date, created_at }: ArchivedVersion): number {
  return original_date ?? created_at;
}
