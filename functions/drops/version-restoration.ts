import type { Act } from "../platform/audit.ts";
import { requireMatch } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { createObjectId, type RandomInt } from "../platform/identifiers.ts";
import { addVersion, type Drop, type Version } from "./drop.ts";
import { countOpenFeedback } from "./open-feedback.ts";
import type { OwnedDrop } from "./owned-drops.ts";
import { pageObjectKey } from "./page-content.ts";
import { pages } from "./page-objects.ts";
import { served } from "./served.ts";
import { drops, requireVersionQuota } from "./store.ts";
import { noSuchVersion } from "./stored-bytes.ts";

/** What is to be the newest again. */
interface Restoration {
  readonly version: number;
  /** What its author says of it. @default - nothing */
  readonly note?: string | undefined;
}

/**
 * Publishes an earlier version's page, source and context once more, as the newest.
 *
 * @throws ApiError `not_found` without the drop or the version, `precondition_failed`, `version_limit_reached`, `quota_exceeded`
 */
export async function restoreOwnedVersion(
  { ownerId, slug, ifMatch }: OwnedDrop,
  { version: number, note }: Restoration,
  { act, randomInt }: { readonly act: Act; readonly randomInt: RandomInt },
): Promise<{ readonly drop: Drop; readonly restored: Version; readonly openFeedback: number }> {
  const requireWritable = (drop: Drop) => {
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  const [found, version, openFeedback] = await Promise.all([
    drops.find(ownerId, slug),
    served.findVersion(slug, number),
    countOpenFeedback(slug),
  ]);
  if (found === undefined) throw new ApiError("not_found");
  if (version === undefined) throw noSuchVersion(found, number);
  requireWritable(found);
  const [page, context, source] = await Promise.all([
    pages.get(version.pageKey),
    version.hasContext ? pages.getContext(version.pageKey) : undefined,
    version.source && pages.getSource(version.pageKey),
  ]);
  // Somebody has just deleted it.
  if (page === undefined || (version.source && source === undefined)) throw noSuchVersion(found, number);
  // An object of its own: whoever deletes the earlier version must not take the page from this one.
  const stored = {
    ...page,
    key: pageObjectKey(slug, createObjectId(randomInt)),
    sha256: version.sha256,
    source: version.source && source && { bytes: source, sha256: version.source.sha256 },
    context: context?.toString(),
    note: note || undefined,
  };
  await pages.put(stored); // page first: a row never points at a missing object
  const drop = await drops.change(found, act, (current) => {
    requireWritable(current);
    return addVersion(current, stored, {}, act.atMs);
  });
  if (drop === undefined) throw new ApiError("not_found");
  return { drop, restored: version, openFeedback };
}
