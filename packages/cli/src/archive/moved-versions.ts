import type { ArchivedDrop, ArchivedVersion } from "./archive.ts";
import type { ListedVersion } from "./listed.ts";

/**
 * Note that marks the placeholder page. The placeholder reserves a drop's address, because the drop's first version contains the address
 * and can only be published afterwards.
 */
export const placeholderNote = "Placeholder of an import";

/** State of a drop's versions in the new account. */
export interface MovedVersions {
  /** Versions to publish, oldest first. */
  readonly pending: readonly ArchivedVersion[];
  /** New version numbers by old version number, for published and pending versions. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Version number of the placeholder. @default - no placeholder */
  readonly placeholder: number | undefined;
  /** True if the owner has published to the drop since the import. */
  readonly isContinued: boolean;
}

/**
 * Compares the versions of an export with the versions in the new account, by their original dates. Regards all versions before the last
 * match as imported, even if they were deleted in the new account.
 *
 * @param present versions in the new account, oldest first
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

/** Returns the date of a version's first publication on any service. */
export function originalDateOf({ original_date, created_at }: ArchivedVersion): number {
  return original_date ?? created_at;
}
