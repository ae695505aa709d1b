import { presentVisibility } from "../policies/access.ts";
import type { Token } from "../table/identifiers.ts";
import { requireScope } from "../table/token-scope.ts";
import type { Drop } from "./drop.ts";
import { answersOf, feedbackOf } from "./drop-access.ts";

/**
 * Requires the scope `all` if a change affects a drop's access: readers, passcode, indexing, feedback, answers or expiry. Fields that repeat the
 * current values do not count as a change, because scripts send the same fields with each version.
 *
 * @param token undefined for a person on the owner's own pages
 * @throws ApiError `insufficient_scope`
 */
export function requireScopeOfChange(token: Token | undefined, before: Drop, after: Drop): void {
  if (token === undefined || accessOf(before) === accessOf(after)) return;
  requireScope(token, "all", "change who can read, find, comment on or answer a page, or its expiry");
}

/** Serializes a drop's access settings, for comparison. */
function accessOf(drop: Drop): string {
  const { gate, indexed, expiresAtMs, answersResults = false } = drop;
  const { visibility, readers = [] } = presentVisibility(drop.visibility);
  const passcodeHash = gate.kind === "locked" ? gate.passcodeHash : null;
  const others = [feedbackOf(drop), answersOf(drop), answersResults];
  return JSON.stringify([
    visibility,
    readers.toSorted(),
    passcodeHash,
    indexed,
    expiresAtMs ?? null,
    ...others,
  ]);
}
