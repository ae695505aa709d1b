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

/** Drop data that administrators see, without the drop's content. */
export type AdminDropFacts = Awaited<ReturnType<typeof readDropFacts>>;

/**
 * Reads the data for a drop's administration page. The drop may be in the trash, expired, or owned by a suspended account. Shows the title
 * only to administrators who may read the drop.
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
    /** Namespace of the current owner. */
    owner: owner.namespace as string,
    isReadable: canSeeName(drop, reader, nowMs),
    url: dropUrl(site, drop.namespace, slug),
    /** Open access requests, newest first. Undefined if access requests are disabled. */
    requests: hasAccessRequests() ? await accessRequests.listOf(drop, nowMs) : undefined,
  };
}
