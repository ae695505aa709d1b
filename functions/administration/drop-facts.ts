import { accessRequests } from "../access-requests/store.ts";
import { hasAccessRequests } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { toDrop } from "../drops/items.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { dropUrl } from "../http/site.ts";
import { canSeeName } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { isHeld } from "../table/legal-hold.ts";
import { isSuspended } from "../table/suspension.ts";
import { findItems } from "../table/table.ts";
import type { AdministratorInput } from "./administrator.ts";
import type { showAdminDropRoute } from "./rows.ts";

/** A drop as administrators see it, without its content. */
export type AdminDropFacts = Awaited<ReturnType<typeof readDropFacts>>;

/**
 * Reads a drop for its page, also one in the trash, expired, or of a suspended account. The administrator sees the title if they may read
 * it.
 *
 * @throws ApiError `not_found`
 */
export async function readDropFacts({
  path: { slug },
  signedIn: { reader },
  site,
  nowMs,
}: Pick<AdministratorInput<typeof showAdminDropRoute>, "path" | "signedIn" | "site" | "nowMs">) {
  const ownerId = (await publicDrops.findPointer(slug))?.ownerId;
  if (ownerId === undefined) throw new ApiError("not_found");
  const find = await findItems([
    keys.drop(ownerId, slug),
    keys.trashedDrop(ownerId, slug),
    keys.account(ownerId),
  ]);
  const owner = find(keys.account(ownerId));
  const trashed = find(keys.trashedDrop(ownerId, slug));
  const item = find(keys.drop(ownerId, slug)) ?? trashed;
  if (owner === undefined || item === undefined) throw new ApiError("not_found");
  const drop = toDrop(item, undefined);
  return {
    drop,
    isTrashed: item === trashed,
    isHeld: isHeld(owner, slug),
    isOwnerSuspended: isSuspended(owner),
    /** Namespace of the present owner. */
    owner: owner.namespace as string,
    isReadable: canSeeName(drop, reader, nowMs),
    url: dropUrl(site, drop.namespace, slug),
    /** Open requests, newest first. Undefined where requests are turned off. */
    requests: hasAccessRequests() ? await accessRequests.listOf(drop, nowMs) : undefined,
  };
}
