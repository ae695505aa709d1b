import { ApiError } from "../core/errors.ts";
import { requireMatch } from "../http/response.ts";
import { reviewPublication } from "../secrets/secret-review.ts";
import type { Act } from "../table/audit.ts";
import { createObjectId, type RandomInt } from "../table/identifiers.ts";
import { answerFormWarnings } from "./answer-form-check.ts";
import { addVersion, type Drop } from "./drop.ts";
import { noSuchVersion } from "./items.ts";
import { countOpenFeedback, type OwnedDrop } from "./owned-drops.ts";
import { pageObjectKey } from "./page-content.ts";
import { pages } from "./page-objects.ts";
import { publicDrops } from "./public-drops.ts";
import type { RestoreVersionBody } from "./schemas.ts";
import { drops, requireVersionQuota } from "./store.ts";

/**
 * Publishes an earlier version's page, source and context again as the newest version.
 *
 * @throws ApiError `not_found`, `precondition_failed`, `version_limit_reached`, `quota_exceeded`, `secrets_found`
 */
export async function restoreOwnedVersion(
  { ownerId, slug, ifMatch }: OwnedDrop,
  { version: number, note, allow_secrets }: RestoreVersionBody,
  { act, randomInt }: { readonly act: Act; readonly randomInt: RandomInt },
) {
  const requireWritable = (drop: Drop) => {
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  const [found, version, openFeedback] = await Promise.all([
    drops.require({ ownerId, slug }, act.atMs),
    publicDrops.findVersion(slug, number),
    countOpenFeedback(slug),
  ]);
  if (version === undefined) throw noSuchVersion(found, number);
  requireWritable(found);
  const [page, context, source, manifest] = await Promise.all([
    pages.get(version.pageKey),
    version.hasContext ? pages.getContext(version.pageKey) : undefined,
    version.source && pages.getSource(version.pageKey),
    version.folder && pages.getManifest(version.pageKey),
  ]);
  // The version was deleted in the meantime.
  const isPart = (version.source && source === undefined) || (version.folder && manifest === undefined);
  if (page === undefined || isPart) throw noSuchVersion(found, number);
  // The version may have been published before pages were scanned for secrets, or before the operator refused secrets.
  const texts = { source: source?.toString(), context: context?.toString(), note, allow_secrets };
  const review = reviewPublication({ html: page.bytes.toString(), ...texts }, act);
  // The page gets a new object, because deleting the earlier version must not delete the new version's page.
  const stored = {
    ...page,
    key: pageObjectKey(slug, createObjectId(randomInt)),
    sha256: version.sha256,
    source: version.source && source && { bytes: source, sha256: version.source.sha256 },
    folder: version.folder &&
      manifest && {
        version: { ...version.folder, hasHost: true },
        manifest,
        packs: [],
        sharesWith: number,
      },
    context: context?.toString(),
    note: note || undefined,
  };
  // Stores the page first, so that a row never refers to a missing object.
  await pages.put(stored);
  const applied = await drops.change(found, review.act, (current) => {
    requireWritable(current);
    return addVersion(current, stored, {}, act.atMs);
  });
  if (applied === undefined) throw new ApiError("not_found");
  const { drop } = applied;
  return { drop, restored: version, openFeedback, warnings: answerFormWarnings(page.bytes, drop), review };
}
