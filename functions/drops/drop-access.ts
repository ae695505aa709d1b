import { ApiError } from "../http/errors.ts";
import {
  changedVisibility,
  isOpenToAll,
  newVisibility,
  type Visibility,
  type VisibilityChange,
} from "../identity/visibility.ts";

/** Feedback settings of a drop: docs/adr/0070-feedback-api.md. */
export const feedbackKinds = ["off", "readers"] as const;

export type FeedbackKind = (typeof feedbackKinds)[number];

/** Access to a drop: visibility, search engines and feedback. */
export interface DropAccess {
  readonly visibility: Visibility;
  /** True for public drops without a passcode: docs/adr/0062-search-engine-indexing.md. */
  readonly indexed: boolean;
  /** Feedback setting of the owner. @default - decided by `feedbackOf` */
  readonly feedback?: FeedbackKind | undefined;
}

/** Access fields that an owner can change; undefined leaves a field as it is. */
export interface DropAccessChange extends VisibilityChange {
  readonly indexed?: boolean | undefined;
  readonly feedback?: FeedbackKind | undefined;
}

/**
 * Feedback of a drop: the owner's setting, or else readers may write when all of them have signed in to read.
 * Anonymous readers write only when the owner allows it.
 */
export function feedbackOf({
  visibility,
  feedback,
}: Pick<DropAccess, "visibility" | "feedback">): FeedbackKind {
  return feedback ?? (isOpenToAll({ visibility }) ? "off" : "readers");
}

/**
 * Access after a change. Closing a drop removes it from search engines; opening it again does not bring it back.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` does, and for an indexed drop that search engines cannot
 * read
 */
export function changedAccess(before: DropAccess, changes: DropAccessChange, isLocked: boolean): DropAccess {
  const visibility = changedVisibility(before.visibility, changes);
  const indexed = indexedAs(before.indexed, changes.indexed, { visibility, isLocked });
  return { visibility, indexed, feedback: changes.feedback ?? before.feedback };
}

/**
 * Access of a new drop: the owner's fields, or else the operator's default. New drops are not indexed by default.
 *
 * @throws ApiError `invalid_arg` as `newVisibility` does, and for an indexed drop that search engines cannot read
 */
export function newAccess(body: DropAccessChange, isLocked: boolean): DropAccess {
  const visibility = newVisibility(body);
  const indexed = indexedAs(false, body.indexed, { visibility, isLocked });
  return { visibility, indexed, feedback: body.feedback };
}

/** Search engines can read a drop that is public and not locked. */
export function isIndexable({
  visibility,
  isLocked,
}: {
  readonly visibility: Visibility;
  readonly isLocked: boolean;
}): boolean {
  return visibility.kind === "public" && !isLocked;
}

function indexedAs(
  before: boolean,
  asked: boolean | undefined,
  after: { readonly visibility: Visibility; readonly isLocked: boolean },
): boolean {
  if (isIndexable(after)) return asked ?? before;
  if (asked !== true) return false;
  const [what, way] = after.isLocked
    ? ["has a passcode", "take the passcode away first"]
    : [`would be "${after.visibility.kind}"`, 'send "visibility": "public" with it'];
  throw new ApiError("invalid_arg", {
    message: `indexed needs a drop that is "public" and has no passcode, but this one ${what}. Leave out indexed, or ${way}.`,
    details: { field: "indexed" },
  });
}
