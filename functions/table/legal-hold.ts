import type { ApiError } from "../core/errors.ts";
import { refusal } from "./suspension.ts";
import type { Item } from "./table.ts";

// Legal holds are stored in the account's item, because every removal writes this item in its transaction anyway; see
// docs/adr/0030-suspension-and-legal-hold.md.

/** Attribute with the time at which an operator put the whole account on hold. */
export const heldAttribute = "heldAtMs";

/** Attribute with the set of slugs of the account's drops that are individually on hold. */
export const heldSlugsAttribute = "heldSlugs";

/** Condition that an account is not on hold as a whole. */
export const isAccountNotHeld = `attribute_not_exists(${heldAttribute})`;

/** Condition that neither an account nor its drop `:slug` is on hold. */
export const isDropNotHeld = `${isAccountNotHeld} AND NOT contains(${heldSlugsAttribute}, :slug)`;

/** Checks if a drop is on hold or, without a slug, if the whole account is. Uses the account's item. */
export function isHeld(account: Item | undefined, slug?: string): boolean {
  const slugs = account?.[heldSlugsAttribute] as ReadonlySet<string> | undefined;
  return account?.[heldAttribute] !== undefined || (slug !== undefined && slugs?.has(slug) === true);
}

/** Creates the error for a deletion or a move under hold, with a contact. The status is 403, because some endpoints cannot return 409. */
export function onLegalHold(verb: "deleted" | "moved" = "deleted"): ApiError {
  return refusal(
    "legal_hold",
    `This is on legal hold and cannot be ${verb}. You can still edit it and publish new versions.`,
  );
}

/** Refuses a removal if the account's item has a hold on the account or the drop. @throws ApiError `forbidden` */
export function refuseHeld(account: Item | undefined, slug?: string): void {
  if (isHeld(account, slug)) throw onLegalHold();
}
