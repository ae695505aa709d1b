import { ApiError } from "../http/errors.ts";
import {
  changedVisibility,
  isOpenToAll,
  newVisibility,
  type Visibility,
  type VisibilityChange,
} from "../identity/visibility.ts";

/** Whether a drop's readers may write to whoever published it: docs/adr/0070-a-readers-words.md. */
export const feedbackKinds = ["off", "readers"] as const;

export type FeedbackKind = (typeof feedbackKinds)[number];

/** How far a drop reaches: who may read it, whether search engines may list it, and whether its readers may write. */
export interface DropAccess {
  readonly visibility: Visibility;
  /** True of what is public and not locked alone: docs/adr/0062-search-engines-list-what-their-owner-says.md. */
  readonly indexed: boolean;
  /** What its owner has said of its readers' words. @default - nothing: `feedbackOf` says what is so then */
  readonly feedback?: FeedbackKind | undefined;
}

/** What an owner may say of it; undefined leaves it as it is. */
export interface DropAccessChange extends VisibilityChange {
  readonly indexed?: boolean | undefined;
  readonly feedback?: FeedbackKind | undefined;
}

/**
 * Whether a drop's readers may write: as its owner says, or where that is nothing, where they have all signed in to read it. A passer-by
 * writes to nobody who has not asked for it.
 */
export function feedbackOf({
  visibility,
  feedback,
}: Pick<DropAccess, "visibility" | "feedback">): FeedbackKind {
  return feedback ?? (isOpenToAll({ visibility }) ? "off" : "readers");
}

/**
 * How far a drop reaches after a change. What closes it takes it from search engines as well, and what opens it again does not
 * bring it back: its owner says so.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` does, and for what search engines are to list and cannot read
 */
export function changedAccess(before: DropAccess, changes: DropAccessChange, isLocked: boolean): DropAccess {
  const visibility = changedVisibility(before.visibility, changes);
  const indexed = indexedAs(before.indexed, changes.indexed, { visibility, isLocked });
  return { visibility, indexed, feedback: changes.feedback ?? before.feedback };
}

/**
 * How far a new drop reaches: as its owner says, or where that is nothing, as the operator does; and search engines do not list it.
 *
 * @throws ApiError `invalid_arg` as `newVisibility` does, and for what search engines are to list and cannot read
 */
export function newAccess(body: DropAccessChange, isLocked: boolean): DropAccess {
  const visibility = newVisibility(body);
  const indexed = indexedAs(false, body.indexed, { visibility, isLocked });
  return { visibility, indexed, feedback: body.feedback };
}

/** Whether search engines can read a drop at all: anybody can who comes along. */
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
    message: `indexed is for drops that are "public" and have no passcode, but this one ${what}: search engines could not read it. Leave indexed out, or ${way}.`,
    details: { field: "indexed" },
  });
}
