import { ApiError } from "../platform/errors.ts";
import { limits } from "../platform/limits.ts";
import {
  mostOpenVisibility,
  refuseVisibility,
  type VisibilityKind,
  visibilityDefault,
  visibilityKinds,
} from "../platform/visibility.ts";
import type { ReaderRule, Visibility } from "./drop.ts";

/** What an owner may say of who may read a drop; undefined leaves it as it is. */
export interface VisibilityChange {
  readonly visibility?: VisibilityKind | undefined;
  readonly readers?: readonly ReaderRule[] | undefined;
}

/**
 * Who may read a drop after a change. Named people stay named as long as nothing else is said.
 *
 * @throws ApiError `invalid_arg` for readers that would mean nothing, and for people of whom none is named
 */
export function changedVisibility(
  current: Visibility,
  { visibility = current.kind, readers }: VisibilityChange,
): Visibility {
  if (visibility !== "people") {
    if (readers === undefined) return { kind: visibility };
    throw new ApiError("invalid_arg", {
      message: `readers go with visibility "people", but this drop's is "${visibility}": send "visibility": "people" with them, or leave readers out.`,
      details: { field: "readers", visibility },
    });
  }
  const named = readers ?? (current.kind === "people" ? current.readers : []);
  if (named.length > 0) return { kind: "people", readers: named };
  throw new ApiError("invalid_arg", {
    message: `visibility "people" needs readers: send 1 to ${limits.readersPerDropMax} e-mail addresses, @domains or user names with it.`,
    details: { field: "readers" },
  });
}

/**
 * Who may read a new drop: as its owner says, or where that is nothing, as the operator does.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` does, and for what is more open than the operator allows
 */
export function newVisibility({ visibility = visibilityDefault(), readers }: VisibilityChange): Visibility {
  const chosen = changedVisibility({ kind: "public" }, { visibility, readers });
  requireAllowed(chosen);
  return chosen;
}

/**
 * Lets a write through that leaves a drop no more open than the operator allows. One that was so before stays as it is until
 * it is written.
 *
 * @throws ApiError `invalid_arg`
 */
export function requireAllowed({ kind }: Visibility): void {
  const allowed = visibilityKinds.slice(visibilityKinds.indexOf(mostOpenVisibility()));
  if (!allowed.includes(kind)) throw refuseVisibility("drop", kind, allowed);
}
