import type { ApiError } from "../core/errors.ts";
import { refusal } from "./suspension.ts";
import type { Item } from "./table.ts";

// Legal holds lie on the account's item, which every removal writes in its transaction anyway: docs/adr/0030-suspension-and-legal-hold.md.

/** Time at which an operator put the whole account on hold. */
export const heldAttribute = "heldAtMs";

/** Slugs of the account's drops that are on hold by themselves, as a set. */
export const heldSlugsAttribute = "heldSlugs";

/** Holds of an account that is not on hold as a whole. */
export const isAccountNotHeld = `attribute_not_exists(${heldAttribute})`;

/** Holds of an account that neither is on hold nor has the drop `:slug` on hold. */
export const isDropNotHeld = `${isAccountNotHeld} AND NOT contains(${heldSlugsAttribute}, :slug)`;

/** Recognizes by the account's item that a drop, or with no slug anything else of the account, is on hold. */
export function isHeld(account: Item | undefined, slug?: string): boolean {
  const slugs = account?.[heldSlugsAttribute] as ReadonlySet<string> | undefined;
  return account?.[heldAttribute] !== undefined || (slug !== undefined && slugs?.has(slug) === true);
}

/** The refusal of a deletion, with whom to ask. Its status is one that every endpoint has: 409 is not. */
export function onLegalHold(): ApiError {
  return refusal(
    "legal_hold",
    "This is on legal hold: nothing of it can be deleted. You can still edit it and publish new versions.",
  );
}

/**
 * Refuses a removal whose account, as its transaction found it, has it on hold.
 *
 * @throws ApiError `forbidden`
 */
export function refuseHeld(account: Item | undefined, slug?: string): void {
  if (isHeld(account, slug)) throw onLegalHold();
}
