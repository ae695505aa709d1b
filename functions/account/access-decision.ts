import { accessRequests } from "../access-requests/store.ts";
import { ApiError } from "../core/errors.ts";
import { addOwnedReader } from "../drops/owned-drops.ts";
import { publicDrops } from "../drops/public-drops.ts";
import type { OwnedDrop } from "../drops/reader-writes.ts";
import { isAccessWanted, toReaderRule } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { splitGiveValue } from "./access-requests-part.tsx";
import type { FormFields } from "./problem.ts";

/** Reads the owner's decision on an access request: the value to give access, or the id to dismiss. @throws ApiError `invalid_arg` */
export function readDecision(fields: FormFields) {
  const [give, dismiss] = [fields.get("give"), fields.get("dismiss")];
  if (give === null && dismiss === null) throw new ApiError("invalid_arg", { details: { field: "give" } });
  return { give, dismiss: dismiss ?? "" };
}

/**
 * Adds the requester to the drop's readers, or dismisses the request. In both cases, removes the request. A second submission of the same
 * form changes nothing.
 *
 * @throws ApiError `not_found`, `invalid_arg` for a request that no longer exists, `forbidden` for a dismissal if the drop is on legal hold
 */
export async function decideAccess(
  drop: OwnedDrop,
  { give, dismiss }: ReturnType<typeof readDecision>,
  act: Act,
): Promise<"access-given" | "access-dismissed"> {
  if (give === null) {
    await accessRequests.remove(drop, dismiss, act);
    return "access-dismissed";
  }
  const [id = "", shownReader = ""] = splitGiveValue(give);
  const open = await accessRequests.findForRemoval(drop, id, act.atMs);
  if (open !== undefined) {
    await addOwnedReader(drop, toReaderRule(open.request.reader), act, open.removal);
    return "access-given";
  }
  const { visibility } = await publicDrops.requireDrop(drop.ownerId, drop.slug, act.atMs);
  if (isAccessWanted({ visibility }, shownReader))
    throw new ApiError("invalid_arg", {
      message: "This request is no longer open. The open requests are listed below.",
    });
  return "access-given";
}
