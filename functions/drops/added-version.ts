import type { KnownContents } from "../folders/pack-folder.ts";
import { ApiError } from "../http/errors.ts";
import type { StoreResponse } from "../http/idempotency.ts";
import { withWarnings } from "../http/input-hints.ts";
import type { OperationInput } from "../http/operation.ts";
import { type HttpResponse, ok, requireMatch, withEntityTag } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { requireAllowed } from "../identity/visibility.ts";
import { createObjectId } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";
import {
  type AppliedChange,
  addVersion,
  changeWarnings,
  type Drop,
  type DropChanges,
  isLocked,
  type PageContent,
} from "./drop.ts";
import { changedAccess } from "./drop-access.ts";
import { countOpenFeedback } from "./owned-drops.ts";
import { toStoredPage } from "./page-content.ts";
import { knownContents, pages } from "./page-objects.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { drops, requireVersionQuota } from "./store.ts";

/** A request for a new version of a drop. */
interface VersionInput
  extends Pick<OperationInput<Route>, "ifMatch" | "site" | "nowMs" | "randomInt" | "act"> {
  readonly caller: Caller;
  readonly path: { readonly slug: string };
  readonly body: PageContent & DropChanges;
}

/** The drop as it was found, with the contents that its new version may share. */
interface FoundDrop {
  readonly drop: Drop;
  readonly known: KnownContents | undefined;
}

/**
 * Adds a version to the caller's drop, with the changes that come along.
 *
 * @param given what was read before. @default - it is read
 * @throws ApiError `not_found`, `precondition_failed`, `version_limit_reached`, `quota_exceeded`, and `invalid_arg` as for an edit
 */
export async function addVersionTo(
  input: VersionInput,
  keep: StoreResponse,
  given?: FoundDrop,
): Promise<HttpResponse> {
  const { caller, path, body, ifMatch, site, nowMs, randomInt, act } = input;
  // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
  const requireWritable = (drop: Drop) => {
    requireAllowed(changedAccess(drop, body, { isLocked: isLocked(drop), nowMs }).visibility);
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  const [found, openFeedback] = await Promise.all([
    given?.drop ?? drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs, body),
    countOpenFeedback(path.slug),
  ]);
  requireWritable(found);
  const known = given === undefined ? await (body.folder && knownContents(found)) : given.known;
  const page = toStoredPage(path.slug, createObjectId(randomInt), body, known);
  await pages.put(page); // page first: a row never points at a missing object
  const present = (applied: AppliedChange) => {
    const { drop } = applied;
    const response = ok(presentPublication(site, drop, page, openFeedback), writtenVersion(drop));
    return withWarnings(withEntityTag(response, drop), changeWarnings(applied, body));
  };
  const applied = await drops.change(
    found,
    act,
    (current) => {
      requireWritable(current);
      return addVersion(current, page, body, nowMs);
    },
    (change) => keep(present(change)),
  );
  if (applied === undefined) throw new ApiError("not_found");
  return present(applied);
}
